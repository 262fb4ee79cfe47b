//! A server of the Kalah Game Protocol, for the tournament of a class or a club.
//!
//! [`host`] is the state of a server, a machine without sockets: lines and times go in, lines come out.
//! [`connection`] and [`web`] bring the lines. All runs in one thread.

mod agent;
mod agents;
mod connection;
mod host;
mod live_game;
mod matchmaker;
mod openings;
mod problems;
mod referee;
mod results;
mod settings;
mod stages;
mod web;

use std::io::Write;
use std::net::{SocketAddr, TcpListener};
use std::time::{Duration, Instant};

use anyhow::Context;
use tokio::sync::mpsc::Receiver;
use tokio::task::JoinSet;

use kalah::StopToken;
use kalah_command::exit::{Interrupted, stop_on_ctrl_c};
use kalah_command::say;
use kalah_command::table::table;
use kalah_http::{listen, stopped};
use kalah_records::commands::{new_file, print_standings};
use kalah_records::statistics::RatingModel;

use crate::line_stream::sleep_until;
use agents::{AgentEnd, Agents};
use connection::{Gate, HostInput};

pub use host::{Host, Ranked};
pub use settings::HostSettings;

/// How long a page is served before it is made again.
const PAGE_AGE: Duration = Duration::from_secs(1);

/// Inputs that are taken before the clocks are looked at again.
const INPUTS_AT_ONCE: usize = 64;

const CANNOT_START: &str = "cannot start the server";
const NOT_RECORDED: &str = "the server has ended: a game cannot be recorded";

/// Serves until all games are over, or until Ctrl-C, and prints the standings.
pub(crate) fn run(settings: HostSettings) -> anyhow::Result<()> {
    let (output, record) = (settings.output, settings.record.clone());
    let report = settings.report.as_deref();
    let report = report.map(|path| new_file(path, "report", record.as_slice())).transpose()?;
    let HostSettings { listen: address, port, web, .. } = settings;
    let listener = listen(SocketAddr::new(address, port))?;
    let address_of = |listener: &TcpListener| listener.local_addr().context(CANNOT_START);
    let bound = address_of(&listener)?;
    let mut agents = Agents::new(&settings.agents, bound)?;
    let mut host = Host::new(settings)?;
    for (token, name) in agents.tokens() {
        host.expect(token, name);
    }
    let web = web.map(|port| listen(SocketAddr::new(address, port))).transpose()?;
    let stop = stop_on_ctrl_c()?;
    let mut text = output.text();
    writeln!(text, "clients: {bound}")?;
    if let Some(web) = &web {
        writeln!(text, "page: http://{}/", address_of(web)?)?;
    }
    text.flush()?;
    if let Some(warning) = agents.warning() {
        say!("{warning}");
    }
    let page = serve(&mut host, &mut agents, listener, web, &stop)?;
    drop(agents);
    if let Some(report) = report {
        report.write_bytes(page)?;
    }
    let standings = host.standings();
    let ranking = host.ranking();
    if !output.is_json() && !ranking.is_empty() {
        print_ranking(&ranking)?;
        for (stage, standings) in host.stage_standings() {
            writeln!(std::io::stdout(), "\n{stage}")?;
            print_standings(output, &standings, RatingModel::default(), None)?;
        }
    } else if output.is_json() || !standings.games().is_empty() {
        print_standings(output, &standings, RatingModel::default(), None)?;
    }
    if host.is_complete() {
        return Ok(());
    }
    Err(Interrupted::with_record("all finished games", record.as_deref()).into())
}

/// The players of a tournament in stages from best to worst.
fn print_ranking(ranking: &[Ranked]) -> anyhow::Result<()> {
    let rows = (1..).zip(ranking).map(|(place, Ranked { name, stage, points, fault })| {
        let fault = fault.unwrap_or_default().to_owned();
        [place.to_string(), name.clone(), fault, stage.to_string(), points.to_string()]
    });
    let table = table(["", "agent", "", "last stage", "points there"], 3, rows);
    Ok(writeln!(std::io::stdout(), "{table}")?)
}

/// Serves until all games are over or the token stops. Returns the page with the results, as HTML.
fn serve(
    host: &mut Host,
    agents: &mut Agents,
    listener: TcpListener,
    web: Option<TcpListener>,
    stop: &StopToken,
) -> anyhow::Result<String> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.context(CANNOT_START)?.block_on(async {
        let (gate, mut inputs) = Gate::new();
        let mut accepting = JoinSet::new();
        let listener = tokio::net::TcpListener::from_std(listener).context(CANNOT_START)?;
        accepting.spawn(gate.clone().accept(listener));
        if let Some(web) = web {
            let web = tokio::net::TcpListener::from_std(web).context(CANNOT_START)?;
            accepting.spawn(web::serve(web, gate.clone()));
        }
        let played = play(host, agents, &mut inputs, stop).await;
        drop((accepting, inputs));
        let page = host.page(false);
        host.end();
        gate.all_left().await;
        played.map(|()| page)
    })
}

async fn play(
    host: &mut Host,
    agents: &mut Agents,
    inputs: &mut Receiver<HostInput>,
    stop: &StopToken,
) -> anyhow::Result<()> {
    let stopped = stopped(stop).context(CANNOT_START)?;
    tokio::pin!(stopped);
    let (mut page, mut page_made) = (String::new(), None::<Instant>);
    let mut several = Vec::with_capacity(INPUTS_AT_ONCE);
    loop {
        let now = Instant::now();
        let ends = agents.look(now, |name| host.has_joined(name))?;
        for AgentEnd { name, reason, is_restarted } in ends {
            say!("{name}: {reason}");
            if !is_restarted {
                host.give_up(&name, now).context(NOT_RECORDED)?;
            }
        }
        for event in host.take_events() {
            say!("{event}");
        }
        if host.is_complete() {
            return Ok(());
        }
        tokio::select! {
            _ = inputs.recv_many(&mut several, INPUTS_AT_ONCE) => {}
            () = sleep_until(host.next_deadline().into_iter().chain(agents.next_look()).min()) => {}
            () = &mut stopped => return Ok(()),
        }
        for input in several.drain(..) {
            let now = Instant::now();
            let recorded = match input {
                HostInput::Connected(connection, outbox) => {
                    host.connected(connection, outbox, now);
                    Ok(())
                }
                HostInput::Line(connection, line) => host.line(connection, &line, now),
                HostInput::Ended(connection) => {
                    host.disconnect(connection, "its connection has ended", now)
                }
                HostInput::Page(reply) => {
                    if page_made.is_none_or(|made| now.duration_since(made) >= PAGE_AGE) {
                        (page, page_made) = (host.page(true), Some(now));
                    }
                    drop(reply.send(page.clone()));
                    Ok(())
                }
            };
            recorded.context(NOT_RECORDED)?;
        }
        host.tick(Instant::now()).context(NOT_RECORDED)?;
    }
}
