//! `kalah watch`.

use std::collections::{HashSet, VecDeque};
use std::fmt::Write as _;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::statistics::{RatingModel, Sprt};
use crate::{
    GameRecord, RecordError, RecordFollower, RecordedTournament, SequentialTest, Standings,
};
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use kalah::StopToken;
use kalah::board::Side;
use kalah::printable::{printable, printable_lines};

use super::standings_text::standings_text;
use kalah_command::exit::{Interrupted, stop_on_ctrl_c, wrong_usage};
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
    #[arg(long, value_name = "N")]
    games: Option<u64>,

    /// Also show the state of a sequential test of a match: elo0=0 elo1=5 alpha=0.05 beta=0.05
    /// model=normalized|logistic
    #[arg(long, value_name = "WORDS")]
    sprt: Option<Sprt>,

    /// Show what there is and end
    #[arg(long)]
    once: bool,
}

impl WatchCommand {
    /// Runs the command.
    pub fn run(self) -> anyhow::Result<()> {
        let stop = stop_on_ctrl_c()?;
        let mut watch = Watch::new(&self.records, self.sprt);
        loop {
            let is_new = watch.look()?;
            if let Some(test) = &watch.test
                && watch.standings().is_some_and(|standings| standings.players.len() > 2)
            {
                let error = format!("the test '{}' needs a match of two players", test.sprt());
                return Err(wrong_usage(&["watch"], error).into());
            }
            let total = self.games.and_then(|games| watch.total(games));
            if is_new {
                watch.show(total)?;
            }
            let is_complete = total.is_some_and(|total| watch.games() >= total);
            if self.once || is_complete || wait(&stop) {
                watch.screen.finish_and_clear();
                writeln!(io::stdout(), "{}", watch.final_text())?;
                let is_stopped = !self.once && !is_complete;
                return if is_stopped { Err(Interrupted.into()) } else { Ok(()) };
            }
        }
    }
}

/// Waits until it is time to look again; whether the end has come instead.
fn wait(stop: &StopToken) -> bool {
    stop.child_with_timeout(INTERVAL).wait();
    stop.is_stopped()
}

struct Watch {
    files: Vec<RecordFollower>,
    tournament: Option<RecordedTournament>,
    /// The numbers of its games.
    numbers: HashSet<u64>,
    test: Option<SequentialTest>,
    sprt: Option<Sprt>,
    /// The last games, as lines.
    last: VecDeque<String>,
    /// Games that a pipe has not been told of.
    untold: Vec<String>,
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
        let files = records.iter().map(|path: &PathBuf| RecordFollower::new(path)).collect();
        let test = sprt.clone().map(SequentialTest::new);
        Watch {
            files,
            tournament: None,
            numbers: HashSet::new(),
            test,
            sprt,
            last: VecDeque::new(),
            untold: Vec::new(),
            start: None,
            screen,
        }
    }

    fn standings(&self) -> Option<&Standings> {
        self.tournament.as_ref().map(|tournament| &tournament.standings)
    }

    fn games(&self) -> u64 {
        self.standings().map_or(0, |standings| standings.games().len() as u64)
    }

    /// All games of the tournament, if every two opponents play this number.
    fn total(&self, games: u64) -> Option<u64> {
        self.tournament.as_ref().map(|tournament| tournament.total_games(games))
    }

    /// Reads what has come; whether there is anything.
    fn look(&mut self) -> Result<bool, RecordError> {
        let mut is_new = false;
        for number in 0..self.files.len() {
            let new = self.files[number].read()?;
            if new.is_all {
                self.read_again()?;
                return Ok(true);
            }
            let path = self.files[number].path().to_owned();
            for game in &new.games {
                self.add(&path, game, true)?;
                is_new = true;
            }
        }
        Ok(is_new)
    }

    /// A file was replaced: everything is counted again.
    fn read_again(&mut self) -> Result<(), RecordError> {
        let known = self.games();
        self.tournament = None;
        self.numbers.clear();
        self.test = self.sprt.clone().map(SequentialTest::new);
        self.last.clear();
        for number in 0..self.files.len() {
            let path = self.files[number].path().to_owned();
            let mut follower = RecordFollower::new(&path);
            for game in &follower.read()?.games {
                let is_known = self.games() < known;
                self.add(&path, game, !is_known)?;
            }
            self.files[number] = follower;
        }
        Ok(())
    }

    fn add(&mut self, path: &Path, game: &GameRecord, is_news: bool) -> Result<(), RecordError> {
        let tournament =
            self.tournament.get_or_insert_with(|| RecordedTournament::of(&game.conditions));
        tournament.add(game).map_err(|reason| RecordError::OtherTournament {
            path: path.to_owned(),
            reason: format!("game {}: {reason}", game.game),
        })?;
        if !self.numbers.insert(game.game) {
            return Err(RecordError::Repeated { path: path.to_owned(), game: game.game });
        }
        if let (Some(test), Some(summary)) = (&mut self.test, tournament.standings.games().last()) {
            test.add(summary);
        }
        let line = game_line(game);
        self.last.push_back(line.clone());
        if self.last.len() > LAST_GAMES {
            self.last.pop_front();
        }
        if is_news {
            self.untold.push(line);
        }
        Ok(())
    }

    fn show(&mut self, total: Option<u64>) -> io::Result<()> {
        let games = self.games();
        let (since, first) = *self.start.get_or_insert((Instant::now(), games));
        if !io::stderr().is_terminal() || is_quiet() {
            let mut output = io::stdout();
            return self.untold.drain(..).try_for_each(|line| writeln!(output, "{line}"));
        }
        self.untold.clear();
        let rate =
            (games - first.min(games)) as f64 / since.elapsed().as_secs_f64().max(0.001) * 60.0;
        let mut text = self.final_text();
        let _ = write!(text, "\n\n{}", self.last.make_contiguous().join("\n"));
        let _ = write!(text, "\n\n{games} games");
        if let Some(total) = total {
            let _ = write!(text, " of {total}");
        }
        if games > first {
            let _ = write!(text, ", {rate:.1} a minute");
            let left = total.map_or(0, |total| total.saturating_sub(games)) as f64 / rate;
            if left > 0.0 {
                let _ = write!(text, ", {left:.0} minutes left");
            }
        }
        self.screen.set_message(printable_lines(&text).into_owned());
        self.screen.tick();
        Ok(())
    }

    fn final_text(&self) -> String {
        match self.standings() {
            Some(standings) => {
                standings_text(standings, self.test.as_ref(), RatingModel::default())
            }
            None => "no games yet".to_owned(),
        }
    }
}

/// A game on one line.
fn game_line(game: &GameRecord) -> String {
    let [south, north] = Side::ALL.map(|side| &game.seat(side).player.name);
    let margin = game.margin.map_or(String::new(), |margin| format!(", {margin:+} seeds"));
    let line = format!(
        "game {}: {south} - {north} {}{margin}, {} plies, {}",
        game.game,
        game.result,
        game.moves.len(),
        game.reason
    );
    printable(&line).into_owned()
}
