//! The stages of a tournament: their boards, games and times, and who goes on to the next one.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use super::referee::{Examiner, ILLEGAL_MOVE};
use super::results::{Results, ScheduledGame, ascending};
use kalah::board::{Board, BoardError, Capture, MAX_HOUSES, MAX_SEEDS, Rules};
use kalah::printable::counted;
use kalah_command::options::seconds;
use kalah_games::GameOutcome;
use kalah_records::{KeyValues, OpeningSettings, SettingsError};

/// Rounds of a stage, and games of an exam, at most.
pub(super) const MAX_ROUNDS: u64 = 10_000;

/// A part of a tournament.
#[derive(Clone, Debug)]
pub(super) struct StageSettings {
    pub houses: usize,
    pub seeds: u16,
    /// The time for a move.
    pub time: Duration,
    pub contest: Contest,
    /// How many players go on to the next stage; all if `None`.
    pub keep: Option<Keep>,
    /// `None`: the start, in later rounds random plies.
    pub openings: Option<OpeningSettings>,
}

/// Who plays whom in a stage.
#[derive(Clone, Copy, Debug)]
pub(super) enum Contest {
    /// Each player plays the server, and moves first. Who wins so many games, and plays no illegal move, has passed.
    Exam { games: u64, wins: u64, examiner: Examiner },
    /// In each round every two players play two games, with the sides exchanged.
    RoundRobin { rounds: u64 },
}

/// How many of the players of a stage go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Keep {
    Players(usize),
    /// Rounded up.
    Percent(usize),
}

/// The words of `--stage` or of `--exam`; what is not given is as in the stage that the other options describe.
#[derive(Clone, Debug, Default)]
pub(super) struct StageWords {
    houses: Option<usize>,
    seeds: Option<u16>,
    time: Option<Duration>,
    contest: Option<Contest>,
    keep: Option<Keep>,
    openings: Option<OpeningSettings>,
}

impl StageWords {
    /// Takes a board and a time.
    fn take(words: &mut KeyValues) -> Result<StageWords, SettingsError> {
        let houses =
            words.value_if("houses", "1 to 12", |houses| (1..=MAX_HOUSES).contains(houses))?;
        let seeds = words.value_if("seeds", "seeds in a house", |seeds: &u16| {
            (1..=MAX_SEEDS / 2).contains(&u32::from(*seeds))
        })?;
        let time = words.value_by("time", "seconds", |text| seconds(text).ok())?;
        Ok(StageWords { houses, seeds, time, ..StageWords::default() })
    }

    /// Reads the words of `--exam`.
    pub(super) fn of_exam(text: &str) -> Result<StageWords, SettingsError> {
        let mut words: KeyValues = text.parse()?;
        let stage = StageWords::take(&mut words)?;
        let games =
            words.value_if("games", "1 to 10000", |games| (1..=MAX_ROUNDS).contains(games))?;
        let games = games.unwrap_or(3);
        let wins = words.value_if("wins", "at most the number of games", |wins| *wins <= games)?;
        let wins = wins.unwrap_or(games / 2 + 1);
        let examiner = words.value("against", "random or greedy")?.unwrap_or(Examiner::Random);
        words.finish()?;
        Ok(StageWords { contest: Some(Contest::Exam { games, wins, examiner }), ..stage })
    }

    pub(super) fn complete(&self, usual: &StageSettings) -> StageSettings {
        StageSettings {
            houses: self.houses.unwrap_or(usual.houses),
            seeds: self.seeds.unwrap_or(usual.seeds),
            time: self.time.unwrap_or(usual.time),
            contest: self.contest.unwrap_or(usual.contest),
            keep: self.keep,
            openings: self.openings.as_ref().or(usual.openings.as_ref()).cloned(),
        }
    }
}

impl FromStr for StageWords {
    type Err = SettingsError;

    fn from_str(text: &str) -> Result<StageWords, SettingsError> {
        let mut words: KeyValues = text.parse()?;
        let stage = StageWords::take(&mut words)?;
        let rounds =
            words.value_if("rounds", "1 to 10000", |rounds| (1..=MAX_ROUNDS).contains(rounds))?;
        let keep = words.value("keep", "a number of players from 2, or a share such as 50%")?;
        let openings = words.text("openings").map(|openings| openings.parse()).transpose()?;
        words.finish()?;
        let contest = rounds.map(|rounds| Contest::RoundRobin { rounds });
        Ok(StageWords { contest, keep, openings, ..stage })
    }
}

impl FromStr for Keep {
    type Err = ();

    fn from_str(text: &str) -> Result<Keep, ()> {
        let keep = match text.strip_suffix('%') {
            Some(percent) => percent.parse().map(Keep::Percent),
            None => text.parse().map(Keep::Players),
        };
        keep.ok()
            .filter(|keep| matches!(keep, Keep::Players(2..) | Keep::Percent(1..=100)))
            .ok_or(())
    }
}

impl Keep {
    fn of(self, players: usize) -> usize {
        match self {
            Keep::Players(keep) => keep,
            Keep::Percent(percent) => (players * percent).div_ceil(100),
        }
    }
}

impl StageSettings {
    pub(super) fn start(&self) -> Result<Board, BoardError> {
        Board::start(Rules::new(self.houses, Capture::Standard)?, self.seeds)
    }

    pub(super) fn examiner(&self) -> Option<Examiner> {
        match self.contest {
            Contest::Exam { examiner, .. } => Some(examiner),
            Contest::RoundRobin { .. } => None,
        }
    }
}

/// What people need to know about it.
impl fmt::Display for StageSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let StageSettings { houses, seeds, .. } = self;
        match &self.contest {
            Contest::Exam { games, wins, examiner } => {
                write!(f, "exam on Kalah({houses},{seeds}): win {wins} of {games} games")?;
                write!(f, " against {examiner}")?;
            }
            Contest::RoundRobin { rounds } => {
                write!(f, "Kalah({houses},{seeds}), {}", counted(*rounds, "round"))?;
            }
        }
        if let Some(openings) = &self.openings {
            write!(f, ", openings {openings}")?;
        }
        match self.keep {
            None => Ok(()),
            Some(Keep::Players(players)) => write!(f, ", the best {players} go on"),
            Some(Keep::Percent(percent)) => write!(f, ", the best {percent} % go on"),
        }
    }
}

/// A stage that has begun: its players, and the games between them by their numbers.
#[derive(Clone, Debug)]
pub(super) struct BegunStage {
    /// From 0.
    pub index: usize,
    pub settings: StageSettings,
    pub players: Vec<usize>,
    /// The numbers of its games begin after this one, which is even, so that pairs are the same everywhere.
    before: u64,
    /// Who meet in each round: in one game of an exam, South first, or else in two games.
    opponents: Vec<[usize; 2]>,
}

impl BegunStage {
    /// `examiner` is the player that is the server.
    pub(super) fn new(
        index: usize,
        settings: StageSettings,
        players: Vec<usize>,
        examiner: usize,
        before: u64,
    ) -> BegunStage {
        let opponents = match settings.contest {
            Contest::Exam { .. } => players.iter().map(|&player| [player, examiner]).collect(),
            Contest::RoundRobin { .. } => round_robin(&players),
        };
        BegunStage { index, settings, players, before: before.next_multiple_of(2), opponents }
    }

    pub(super) fn games(&self) -> u64 {
        let opponents = self.opponents.len() as u64;
        match self.settings.contest {
            Contest::Exam { games, .. } => games * opponents,
            Contest::RoundRobin { rounds } => 2 * rounds * opponents,
        }
    }

    pub(super) fn first(&self) -> u64 {
        self.before + 1
    }

    pub(super) fn last(&self) -> u64 {
        self.before + self.games()
    }

    /// A game by its number.
    pub(super) fn game(&self, number: u64) -> Option<ScheduledGame> {
        let game = number.checked_sub(self.first()).filter(|&game| game < self.games())?;
        let (meeting, is_turned) = match self.settings.contest {
            Contest::Exam { .. } => (game, false),
            // Who is South first alternates from pair to pair.
            Contest::RoundRobin { .. } => (game / 2, game % 2 != game / 2 % 2),
        };
        let opponents = self.opponents.len() as u64;
        let mut players = self.opponents[(meeting % opponents) as usize];
        if is_turned {
            players.reverse();
        }
        Some(ScheduledGame { stage: self.index, number, round: meeting / opponents + 1, players })
    }

    /// Who goes on to the next stage, the best first.
    pub(super) fn survivors(&self, results: &Results) -> Vec<usize> {
        match self.settings.contest {
            Contest::Exam { wins, .. } => {
                let has_passed = |&player: &usize| {
                    self.exam_wins(player, results).is_some_and(|won| won >= wins)
                };
                self.players.iter().copied().filter(has_passed).collect()
            }
            Contest::RoundRobin { .. } => {
                let keep = self.settings.keep;
                let keep = keep.map_or(usize::MAX, |keep| keep.of(self.players.len()));
                self.ranking(results).into_iter().take(keep).collect()
            }
        }
    }

    /// The games of an exam that a player has won with moves of its own alone; `None` after an illegal move.
    pub(super) fn exam_wins(&self, player: usize, results: &Results) -> Option<u64> {
        let mut wins = 0;
        for game in results.games.iter().filter(|game| game.scheduled.stage == self.index) {
            if game.scheduled.players[0] == player {
                if game.end.reason == ILLEGAL_MOVE {
                    return None;
                }
                wins += u64::from(game.end.outcome == GameOutcome::South && game.late[0] == 0);
            }
        }
        Some(wins)
    }

    /// The players of the stage from best to worst.
    pub(super) fn ranking(&self, results: &Results) -> Vec<usize> {
        match self.settings.contest {
            Contest::Exam { .. } => {
                let mut players = self.players.clone();
                players.sort_by_key(|&player| std::cmp::Reverse(self.exam_wins(player, results)));
                players
            }
            Contest::RoundRobin { .. } => {
                let standings = results.standings_of(&self.players, Some(self.index));
                standings.ranking().into_iter().map(|place| self.players[place]).collect()
            }
        }
    }
}

/// All pairs of players by the circle method, so that neighbours in the list have different players.
fn round_robin(players: &[usize]) -> Vec<[usize; 2]> {
    // With an odd number one player rests in turn.
    let seats = players.len().next_multiple_of(2);
    let others = seats.saturating_sub(1);
    let mut opponents = Vec::new();
    for turn in 0..others {
        for table in 0..seats / 2 {
            let first = if table == 0 { others } else { (turn + table) % others };
            let pair = ascending([first, (turn + others - table) % others]);
            if pair[1] < players.len() {
                opponents.push(pair.map(|place| players[place]));
            }
        }
    }
    opponents
}
