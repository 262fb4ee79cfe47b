//! Agents that the server starts itself, and limits on what they take.
//!
//! Each is a process group of its own. prlimit(1) limits the memory of each process; a look at all processes of the
//! group, ten times a second, limits their memory, processor time and number together, and ends the group that has
//! more.

use std::collections::BTreeMap;
use std::fs;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use clap::Args;

use crate::process_usage::{Usage, processors, usage_by_group};
use kalah_client::{EngineCommand, EngineProcess};
use kalah_command::exit::wrong_usage;
use kalah_command::options::number;
use kalah_http::{own_address, random_token};
use kalah_records::{KeyValues, SettingsError};

/// How often the processes are looked at.
pub(super) const LOOK_INTERVAL: Duration = Duration::from_millis(100);

/// The most starts of an agent.
const MAX_STARTS: u32 = 3;

/// The time from the end of an agent to its next start.
const REST: Duration = Duration::from_secs(1);

/// Makes a variable of the first line of the input, which no list of processes shows; and sends all output where
/// it is read and thrown away.
const SCRIPT: &str = r#"IFS= read -r TOKEN && export TOKEN && exec "$@" >&2 </dev/null"#;

/// The program of an agent in a folder of agents.
const RUN: &str = "run";

/// Agents that the server starts itself.
#[derive(Args)]
pub(super) struct AgentOptions {
    /// Start this agent: cmd=PROGRAM, with args=, name= and dir=; repeat it for more
    ///
    /// It finds the server in the environment variables `KGP_HOST` and `KGP_PORT`, and its token in `TOKEN`.
    #[arg(long = "agent", value_name = "WORDS", value_parser = agent_of_words)]
    single: Vec<EngineCommand>,

    /// Start an agent for each subfolder that has a program called run, with the name of the subfolder
    #[arg(long = "agents", value_name = "FOLDER")]
    folder: Option<PathBuf>,

    #[command(flatten)]
    limits: AgentLimits,
}

/// What a started agent may take together with all that it starts, and how long until it has joined.
#[derive(Args, Clone, Copy)]
struct AgentLimits {
    /// The memory of a started agent with all that it starts, in MiB
    #[arg(long = "agent-memory", value_name = "MIB", default_value_t = 1024, value_parser = number::<u64>(1..=1 << 30))]
    memory: u64,

    /// The processor time of a started agent with all that it starts, in seconds [default: no limit]
    #[arg(long = "agent-cpu-time", value_name = "SECONDS", value_parser = number::<u64>(1..=1_000_000_000))]
    cpu_time: Option<u64>,

    /// Processors of a started agent; the agents take turns in getting them [default: all]
    #[arg(long = "agent-processors", value_name = "N", value_parser = number::<usize>(1..=1024))]
    processors: Option<usize>,

    /// Processes and threads of a started agent
    #[arg(long = "agent-tasks", value_name = "N", default_value_t = 256, value_parser = number::<u64>(1..=1_000_000))]
    tasks: u64,

    /// The time of a started agent until it has joined as a player, in seconds
    #[arg(long = "agent-join-time", value_name = "SECONDS", default_value_t = 60, value_parser = number::<u64>(1..=1_000_000))]
    join_time: u64,
}

fn agent_of_words(text: &str) -> Result<EngineCommand, SettingsError> {
    let mut words: KeyValues = text.parse()?;
    let (cmd, args) = (words.text("cmd"), words.text("args"));
    let (name, directory) = (words.text("name"), words.text("dir"));
    words.finish()?;
    let cmd = cmd.filter(|cmd| !cmd.is_empty());
    let cmd = cmd.ok_or_else(|| SettingsError::new("an agent needs cmd=PROGRAM"))?;
    let arguments = shell_words::split(&args.unwrap_or_default());
    let arguments =
        arguments.map_err(|_| SettingsError::new("'args' has an open quotation mark"))?;
    let file = Path::new(&cmd).file_name().map(|file| file.to_string_lossy().into_owned());
    let name = name.or(file).unwrap_or_default();
    Ok(EngineCommand { arguments, directory, ..EngineCommand::new(&name, &cmd) })
}

impl AgentOptions {
    /// All agents, in the order of the command line and of their names.
    pub(super) fn agents(&self) -> anyhow::Result<Vec<EngineCommand>> {
        let mut agents = self.single.clone();
        if let Some(folder) = &self.folder {
            agents.extend(agents_of_folder(folder)?);
        }
        for (index, EngineCommand { name, .. }) in agents.iter().enumerate() {
            if agents[..index].iter().any(|other| other.name == *name) {
                let error = format!("two agents have the name '{name}': add name=");
                return Err(wrong_usage(&["kgp", "serve"], error).into());
            }
        }
        if !agents.is_empty() && !cfg!(unix) {
            bail!("agents can be started on Unix systems alone: let them connect themselves");
        }
        Ok(agents)
    }
}

fn agents_of_folder(folder: &Path) -> anyhow::Result<Vec<EngineCommand>> {
    let cannot = || format!("cannot read the agents in '{}'", folder.display());
    let mut agents = Vec::new();
    for entry in fs::read_dir(folder).with_context(cannot)? {
        let entry = entry.with_context(cannot)?;
        let directory = entry.path().canonicalize().with_context(cannot)?;
        let program = directory.join(RUN);
        if !program.is_file() {
            continue;
        }
        let name = entry.file_name().to_string_lossy().into_owned();
        let directory = Some(directory.to_string_lossy().into_owned());
        agents.push(EngineCommand { directory, ..EngineCommand::new(&name, program) });
    }
    if agents.is_empty() {
        bail!("'{}' has no agents: none of its subfolders has a program '{RUN}'", folder.display());
    }
    agents.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(agents)
}

impl AgentLimits {
    /// The limit that is exceeded.
    fn excess(&self, usage: &Usage) -> Option<String> {
        let AgentLimits { memory: mebibytes, tasks, .. } = *self;
        if usage.memory > mebibytes << 20 {
            return Some(format!("{mebibytes} MiB of memory"));
        }
        if usage.tasks > tasks {
            return Some(format!("{tasks} processes and threads"));
        }
        let is_exceeded = |&seconds: &u64| usage.cpu_time > Duration::from_secs(seconds);
        let seconds = self.cpu_time.filter(is_exceeded)?;
        Some(format!("{seconds} s of processor time"))
    }

    /// The words before the command of an agent that limit each of its processes. They leave it a little more, so
    /// that it is the server that ends the agent and says why, unless the agent is too fast.
    fn prlimit(&self) -> Vec<String> {
        let mut words = vec!["prlimit".to_owned(), "--core=0".to_owned()];
        words.push(format!("--data={}", (self.memory << 20) / 4 * 5));
        words.extend(self.cpu_time.map(|seconds| format!("--cpu={}", seconds + 1)));
        words
    }

    /// The words before the command of this agent, from 0, that give it some of the processors.
    fn taskset(&self, agent: usize) -> Vec<String> {
        let (Some(wanted), all) = (self.processors, processors()) else { return Vec::new() };
        let places = (0..wanted.min(all.len())).map(|place| (agent * wanted + place) % all.len());
        let list: Vec<String> = places.map(|place| all[place].to_string()).collect();
        vec!["taskset".to_owned(), "-c".to_owned(), list.join(",")]
    }
}

/// The agents that the server has started. They end with it.
pub(super) struct Agents {
    all: Vec<Agent>,
    limits: AgentLimits,
    has_prlimit: bool,
    address: SocketAddr,
    next_look: Instant,
}

struct Agent {
    command: EngineCommand,
    /// The words before its command.
    limits: Vec<String>,
    token: String,
    process: Option<EngineProcess>,
    starts: u32,
    /// Until when its process has to join; `None` after that.
    join_by: Option<Instant>,
    /// When it is started again.
    due: Option<Instant>,
}

/// An agent has ended.
pub(super) struct AgentEnd {
    pub name: String,
    /// Why, and whether it is started again.
    pub reason: String,
    pub is_restarted: bool,
}

impl Agents {
    /// Agents for the server with this address, which are started by [`look`](Self::look).
    pub(super) fn new(options: &AgentOptions, server: SocketAddr) -> anyhow::Result<Agents> {
        let now = Instant::now();
        let (limits, has_prlimit) = (options.limits, is_on_path("prlimit"));
        if limits.processors.is_some() && (processors().is_empty() || !is_on_path("taskset")) {
            bail!("--agent-processors needs Linux and the program taskset");
        }
        let mut all = Vec::new();
        for (command, index) in options.agents()?.into_iter().zip(0..) {
            let prlimit = if has_prlimit { limits.prlimit() } else { Vec::new() };
            let limits = [limits.taskset(index), prlimit].concat();
            let (token, due) = (random_token().context("cannot make a token")?, Some(now));
            all.push(Agent {
                command,
                limits,
                token,
                process: None,
                starts: 0,
                join_by: None,
                due,
            });
        }
        Ok(Agents { all, limits, has_prlimit, address: own_address(server), next_look: now })
    }

    /// Tokens and names of all agents.
    pub(super) fn tokens(&self) -> impl Iterator<Item = (String, String)> {
        self.all.iter().map(|agent| (agent.token.clone(), agent.command.name.clone()))
    }

    /// What people should know about the limits on this system.
    pub(super) fn warning(&self) -> Option<&'static str> {
        match (self.all.is_empty(), usage_by_group().is_some(), self.has_prlimit) {
            (true, _, _) | (_, true, true) => None,
            (_, true, false) => Some(
                "there is no prlimit: agents are ended when they have too much memory, but they can take it for a moment",
            ),
            (_, false, _) => Some("this system has no /proc: what agents take is not limited"),
        }
    }

    /// When to look next; `None` without agents.
    pub(super) fn next_look(&self) -> Option<Instant> {
        (!self.all.is_empty()).then_some(self.next_look)
    }

    /// Starts agents that are due, and ends those that have exceeded a limit. Returns those that have ended.
    /// `is_there` tells by the name who has joined.
    pub(super) fn look(
        &mut self,
        now: Instant,
        is_there: impl Fn(&str) -> bool,
    ) -> anyhow::Result<Vec<AgentEnd>> {
        let mut ends = Vec::new();
        if self.all.is_empty() || now < self.next_look {
            return Ok(ends);
        }
        self.next_look = now + LOOK_INTERVAL;
        let usage = usage_by_group().unwrap_or_default();
        for agent in &mut self.all {
            agent.join_by.take_if(|_| is_there(&agent.command.name));
            let mut end = agent.end(&self.limits, &usage, now);
            if agent.due.take_if(|due| *due <= now).is_some() {
                agent.starts += 1;
                agent.join_by = Some(now + Duration::from_secs(self.limits.join_time));
                match start(agent, self.address) {
                    Ok(process) => agent.process = Some(process),
                    // The system may lack processes for a while.
                    Err(error) if agent.starts > 1 => end = Some(format!("cannot start: {error}")),
                    Err(error) => bail!("cannot start {}: {error}", agent.command.name),
                }
            }
            if let Some(reason) = end {
                agent.process = None;
                agent.due = (agent.starts < MAX_STARTS).then_some(now + REST);
                let (name, is_restarted) = (agent.command.name.clone(), agent.due.is_some());
                let again = if is_restarted { "" } else { "; it is not started again" };
                let reason = format!("{reason}{again}");
                ends.push(AgentEnd { name, reason, is_restarted });
            }
        }
        Ok(ends)
    }
}

impl Agent {
    /// Why the process has ended, or is ended now.
    fn end(
        &mut self,
        limits: &AgentLimits,
        usage: &BTreeMap<u32, Usage>,
        now: Instant,
    ) -> Option<String> {
        let process = self.process.as_mut()?;
        if let Some(excess) = usage.get(&process.id()).and_then(|usage| limits.excess(usage)) {
            process.kill();
            return Some(format!("killed: it used more than {excess}"));
        }
        // The games do not wait for the last words.
        if process.has_ended() {
            return Some(process.post_mortem());
        }
        self.join_by.filter(|moment| *moment <= now)?;
        process.kill();
        Some(format!("killed: it has not joined within {} s", limits.join_time))
    }
}

/// Starts an agent, which gets nothing on its input.
fn start(agent: &Agent, address: SocketAddr) -> std::io::Result<EngineProcess> {
    let EngineCommand { name, program, arguments, .. } = &agent.command;
    let mut words: Vec<String> = vec![
        format!("KGP_HOST={}", address.ip()),
        format!("KGP_PORT={}", address.port()),
        format!("NAME={name}"),
    ];
    words.extend(agent.limits.iter().cloned());
    words.extend(["sh", "-c", SCRIPT, "sh"].map(str::to_owned));
    words.push(program.to_string_lossy().into_owned());
    words.extend(arguments.iter().cloned());
    let wrapped =
        EngineCommand { program: "env".into(), arguments: words, ..agent.command.clone() };
    let process = EngineProcess::spawn(&wrapped)?;
    // No log gets to see it.
    process.send_bytes(format!("{}\n", agent.token).into_bytes());
    Ok(process)
}

fn is_on_path(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(program).is_file())
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn who_does_not_join_is_ended_and_who_has_joined_stays() -> anyhow::Result<()> {
        let agent = |name| EngineCommand {
            arguments: vec!["1000".to_owned()],
            ..EngineCommand::new(name, "sleep")
        };
        let limits = AgentLimits {
            memory: 1024,
            cpu_time: None,
            processors: None,
            tasks: 256,
            join_time: 60,
        };
        let options =
            AgentOptions { single: vec![agent("Ann"), agent("Ben")], folder: None, limits };
        let mut agents = Agents::new(&options, SocketAddr::from(([127, 0, 0, 1], 2671)))?;
        let start = Instant::now();
        let mut ended = |seconds, joined: &str| -> anyhow::Result<Vec<String>> {
            let ends = agents.look(start + Duration::from_secs(seconds), |name| name == joined)?;
            Ok(ends.into_iter().map(|end| format!("{}: {}", end.name, end.reason)).collect())
        };
        assert!(ended(0, "")?.is_empty());
        assert!(ended(59, "Ben")?.is_empty());
        // Ben has left again, and may come back.
        assert_eq!(ended(60, "")?, ["Ann: killed: it has not joined within 60 s"]);
        assert!(ended(100, "")?.is_empty(), "Ann is started again");
        assert_eq!(ended(161, "")?, ["Ann: killed: it has not joined within 60 s"]);
        Ok(())
    }
}
