//! `kalah watch`.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::fs;
use std::io::{self, IsTerminal, Write};
use std::mem;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::fail_if_left_out;
use super::record_follower::RecordFollower;
use super::standings_text::standings_text;
use crate::statistics::{RatingModel, Sprt};
use crate::{GameRecord, RecordError, RecordedTournament, Standings};
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use kalah::board::Side;
use kalah::printable::{counted, printable, printable_lines};

use kalah_command::exit::{Interrupted, stop_on_ctrl_c, wrong_usage};
use kalah_command::options::number;
use kalah_command::verbosity::is_quiet;

/// How often files are looked at.
const INTERVAL: Duration = Duration::from_millis(250);

/// Games that a terminal shows below the standings.
const LAST_GAMES: usize = 5;

/// Follow a tournament of another process
///
/// Reads records as they grow, and shows the standings, the last games, and games a minute; without a
/// terminal a line for each game. Several files are the shards of one tournament. A file that does not
/// exist yet is waited for. The players are not disturbed. Ends with Ctrl-C, or with --games when all
/// games have been played, and prints the standings.
///
///   kalah watch games.jsonl
///   kalah watch part-*.jsonl --games 1000
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub struct WatchCommand {
    /// Records that are being written by --record
    #[arg(required = true, value_name = "FILE")]
    records: Vec<PathBuf>,

    /// Games of every two opponents, as the tournament was told: ends when they have been played
    #[arg(long, value_name = "N", value_parser = number::<u64>(..))]
    games: Option<u64>,

    /// Also show the state of a sequential test of a match: elo0=0 elo1=5 alpha=0.05 beta=0.05
    /// model=normalized|logistic
    #[arg(long, value_name = "WORDS")]
    sprt: Option<Sprt>,

    /// Show what there is and end; the files must exist
    #[arg(long)]
    once: bool,
}

impl WatchCommand {
    pub fn run(self) -> anyhow::Result<()> {
        // Without a wait there is nothing to wait for.
        for path in self.records.iter().filter(|_| self.once) {
            fs::metadata(path).map_err(RecordError::io("read", path))?;
        }
        let stop = stop_on_ctrl_c()?;
        let mut watch = Watch::new(&self.records, self.sprt);
        loop {
            let is_new = watch.look(&self.records)?;
            if let Some(sprt) = &watch.sprt
                && watch.standings().is_some_and(|standings| standings.players.len() > 2)
            {
                let error = format!("the test '{sprt}' needs a match of two players");
                return Err(wrong_usage(&["watch"], error).into());
            }
            let total = self.games.zip(watch.tournament.as_ref());
            let total = total.map(|(games, tournament)| tournament.total_games(games));
            if is_new {
                watch.show(total)?;
            }
            let is_complete = total.is_some_and(|total| watch.numbers.len() as u64 >= total);
            let is_last = self.once || is_complete;
            if !is_last {
                stop.child_with_timeout(INTERVAL).wait();
            }
            if is_last || stop.is_stopped() {
                watch.screen.finish_and_clear();
                writeln!(io::stdout(), "{}", watch.final_text())?;
                if !is_last {
                    return Err(Interrupted.into());
                }
                let left_out = watch.tournament.map(|tournament| tournament.contradictions);
                return fail_if_left_out(left_out.unwrap_or_default());
            }
        }
    }
}

struct Watch {
    files: Vec<RecordFollower>,
    tournament: Option<RecordedTournament>,
    numbers: HashSet<u64>,
    sprt: Option<Sprt>,
    /// All games as lines, and how many of them a pipe has been told.
    lines: Vec<String>,
    told: usize,
    /// When games were first seen, and how many there were.
    start: Option<(Instant, u64)>,
    screen: ProgressBar,
}

impl Watch {
    fn new(records: &[PathBuf], sprt: Option<Sprt>) -> Watch {
        let screen = ProgressBar::new_spinner();
        if let Ok(style) = ProgressStyle::with_template("{msg}") {
            screen.set_style(style);
        }
        let mut watch = Watch {
            files: Vec::new(),
            tournament: None,
            numbers: HashSet::new(),
            sprt,
            lines: Vec::new(),
            told: 0,
            start: None,
            screen,
        };
        watch.restart(records);
        watch
    }

    fn restart(&mut self, records: &[PathBuf]) {
        self.files = records.iter().map(|path| RecordFollower::new(path)).collect();
        self.tournament = None;
        self.numbers.clear();
        self.lines.clear();
    }

    fn standings(&self) -> Option<&Standings> {
        self.tournament.as_ref().map(|tournament| &tournament.standings)
    }

    /// Reads what has come; whether there is anything. If a file was replaced, everything is counted again.
    fn look(&mut self, records: &[PathBuf]) -> Result<bool, RecordError> {
        let mut is_new = false;
        for (number, path) in records.iter().enumerate() {
            let new = self.files[number].read()?;
            if new.is_all {
                self.restart(records);
                return self.look(records).map(|_| true);
            }
            for game in &new.games {
                self.add(path, game)?;
                is_new = true;
            }
        }
        Ok(is_new)
    }

    fn add(&mut self, path: &Path, game: &GameRecord) -> Result<(), RecordError> {
        let tournament = self.tournament.get_or_insert_with(|| {
            let mut tournament = RecordedTournament::from_conditions(&game.conditions);
            if let Some(sprt) = &self.sprt {
                tournament.standings.start_test(sprt.clone());
            }
            tournament
        });
        let contradiction = game.check_result().err();
        if let Some(reason) = &contradiction {
            let (path, game) = (path.display(), game.game);
            let left_out = format!("'{path}': game {game} is left out: {reason}");
            tournament.contradictions.push(left_out);
        } else {
            tournament.add(game).map_err(|reason| {
                RecordError::other_tournament(path, &format!("game {}: {reason}", game.game))
            })?;
        }
        if !self.numbers.insert(game.game) {
            let problem = format!(": game {} has been read already", game.game);
            return Err(RecordError::unusable(path, problem));
        }
        if contradiction.is_none() {
            self.lines.push(game_line(game));
        }
        Ok(())
    }

    fn show(&mut self, total: Option<u64>) -> io::Result<()> {
        let games = self.standings().map_or(0, |standings| standings.games().len() as u64);
        let (since, first) = *self.start.get_or_insert((Instant::now(), games));
        if !io::stderr().is_terminal() || is_quiet() {
            let mut output = io::stdout();
            let told = mem::replace(&mut self.told, self.lines.len());
            return self.lines.iter().skip(told).try_for_each(|line| writeln!(output, "{line}"));
        }
        let rate =
            (games - first.min(games)) as f64 / since.elapsed().as_secs_f64().max(0.001) * 60.0;
        let mut text = self.final_text();
        let last = self.lines.len().saturating_sub(LAST_GAMES);
        let _ = write!(text, "\n\n{}", self.lines[last..].join("\n"));
        let _ = write!(text, "\n\n{}", counted(games, "game"));
        if let Some(total) = total {
            let _ = write!(text, " of {total}");
        }
        if games > first {
            let _ = write!(text, ", {rate:.1} a minute");
            let left = total.map_or(0, |total| total.saturating_sub(games)) as f64 / rate;
            if left > 0.0 {
                let _ = write!(text, ", {} left", counted(left.ceil(), "minute"));
            }
        }
        self.screen.set_message(printable_lines(&text).into_owned());
        self.screen.tick();
        Ok(())
    }

    fn final_text(&self) -> String {
        let text = |standings| standings_text(standings, RatingModel::default(), None);
        self.standings().map_or("no games yet".to_owned(), text)
    }
}

fn game_line(game: &GameRecord) -> String {
    let [south, north] = Side::ALL.map(|side| &game.seat(side).player.name);
    let margin = game.margin.map_or(String::new(), |margin| format!(", {margin:+} seeds"));
    let line = format!(
        "game {}: {south} - {north} {}{margin}, {}, {}",
        game.game,
        game.result,
        counted(game.moves.len(), "ply"),
        game.reason
    );
    printable(&line).into_owned()
}
