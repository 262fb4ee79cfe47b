//! What can be chosen before a game: players, board, clock, speed.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use clap::ValueEnum;
use kalah::board::{
    Board, BoardError, Capture, MAX_HOUSES, MAX_SEEDS, RuleSet, Rules, Side, Sowing,
};
use kalah::engine::{MAX_SKILL_LEVEL, skill_word};
use kalah_fair::fair_starts;

const MAX_CLOCK: Duration = Duration::from_hours(24);

/// The clocks that the menu offers, as text.
const CLOCKS: [&str; 11] = [
    "none", "5/move", "10/move", "30/move", "60/move", "1:00+1", "3:00+2", "5:00+3", "10:00+5",
    "15:00+10", "30:00+20",
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SidePlayer {
    Human,
    /// The engine, with this skill level.
    Engine(u8),
}

impl SidePlayer {
    /// The next or previous choice of the menu: a human, and the engine from level 0 on.
    fn changed(self, steps: i32) -> SidePlayer {
        let place = match self {
            SidePlayer::Human => -1,
            SidePlayer::Engine(level) => i32::from(level),
        };
        match (place + steps).clamp(-1, i32::from(MAX_SKILL_LEVEL)) {
            -1 => SidePlayer::Human,
            level => SidePlayer::Engine(level as u8),
        }
    }
}

impl fmt::Display for SidePlayer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SidePlayer::Human => f.write_str("human"),
            SidePlayer::Engine(level) => {
                write!(f, "engine, level {level} ({})", skill_word(*level))
            }
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PlayClock {
    Untimed,
    /// For each sowing.
    Move(Duration),
    /// For the game, with an increment after each sowing.
    Game {
        time: Duration,
        increment: Duration,
    },
}

impl PlayClock {
    /// The time of a side at the start of a game.
    pub(super) fn initial_time(self) -> Duration {
        match self {
            PlayClock::Untimed => Duration::ZERO,
            PlayClock::Move(time) | PlayClock::Game { time, .. } => time,
        }
    }
}

impl FromStr for PlayClock {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<PlayClock, &'static str> {
        let invalid = "expected 'none', seconds for each move as in '30/move', or time for the game \
                       and seconds added after each move as in '5:00+3'";
        let number = |text: &str| text.parse::<u32>().ok().filter(|_| !text.starts_with('+'));
        let time = |text: &str| {
            let (minutes, seconds) = text.split_once(':').unwrap_or(("0", text));
            let seconds = u64::from(number(minutes)?) * 60 + u64::from(number(seconds)?);
            Some(Duration::from_secs(seconds)).filter(|&time| time <= MAX_CLOCK)
        };
        let some_time = |text| time(text).filter(|time| !time.is_zero()).ok_or(invalid);
        if text == "none" {
            return Ok(PlayClock::Untimed);
        }
        if let Some(text) = text.strip_suffix("/move") {
            return Ok(PlayClock::Move(some_time(text)?));
        }
        if number(text).is_some() {
            return Err("minutes or seconds? Write 5:00 or 0:05 for the game, or 5/move");
        }
        let (text, increment) = text.split_once('+').unwrap_or((text, "0"));
        let increment = time(increment).ok_or(invalid)?;
        Ok(PlayClock::Game { time: some_time(text)?, increment })
    }
}

impl fmt::Display for PlayClock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlayClock::Untimed => f.write_str("none"),
            PlayClock::Move(time) => write!(f, "{} s for each move", time.as_secs()),
            PlayClock::Game { time, increment } => {
                let (minutes, seconds) = (time.as_secs() / 60, time.as_secs() % 60);
                write!(f, "{minutes}:{seconds:02} for the game")?;
                match increment.as_secs() {
                    0 => Ok(()),
                    added => write!(f, " + {added} s a move"),
                }
            }
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum SowingSpeed {
    /// A move appears at once.
    Off,
    Slow,
    Normal,
    Fast,
}

impl SowingSpeed {
    /// The time for each seed.
    pub(super) fn step(self) -> Duration {
        Duration::from_millis(match self {
            SowingSpeed::Off => 0,
            SowingSpeed::Slow => 500,
            SowingSpeed::Normal => 220,
            SowingSpeed::Fast => 80,
        })
    }
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct PlaySettings {
    /// Who plays South and North.
    pub(super) seats: [SidePlayer; 2],
    pub(super) houses: usize,
    pub(super) seeds: u16,
    pub(super) rule_set: RuleSet,
    /// A board to start from in place of the usual one.
    pub(super) board: Option<Board>,
    pub(super) clock: PlayClock,
    /// Whether North may take over South's side after South's first turn.
    pub(super) swap: bool,
    pub(super) speed: SowingSpeed,
    /// Time of the engine for a move without a clock.
    pub(super) movetime: Duration,
}

pub(super) struct MenuRow {
    pub(super) name: &'static str,
    pub(super) value: fn(&PlaySettings) -> String,
    pub(super) change: fn(&mut PlaySettings, i32),
    /// Sets a number that is typed; does nothing where the value is not a number.
    pub(super) set: fn(&mut PlaySettings, i32),
}

impl MenuRow {
    const fn new(
        name: &'static str,
        value: fn(&PlaySettings) -> String,
        change: fn(&mut PlaySettings, i32),
    ) -> MenuRow {
        MenuRow { name, value, change, set: |_, _| {} }
    }
}

pub(super) const NORTH_ROW: usize = 1;

pub(super) const MENU_ROWS: [MenuRow; 9] = [
    MenuRow::new(
        "South (begins)",
        |settings| settings.seats[0].to_string(),
        |settings, steps| settings.seats[0] = settings.seats[0].changed(steps),
    ),
    MenuRow::new(
        "North",
        |settings| settings.seats[1].to_string(),
        |settings, steps| settings.seats[1] = settings.seats[1].changed(steps),
    ),
    MenuRow {
        name: "Houses a side",
        value: |settings| settings.of_board(settings.houses),
        change: |settings, steps| settings.set_houses(settings.houses as i32 + steps),
        set: PlaySettings::set_houses,
    },
    MenuRow {
        name: "Seeds a house",
        value: |settings| settings.of_board(settings.seeds.into()),
        change: |settings, steps| settings.set_seeds(i32::from(settings.seeds) + steps),
        set: PlaySettings::set_seeds,
    },
    MenuRow::new(
        "Capture",
        |settings| match (settings.rule_set.sowing(), settings.rule_set.capture()) {
            (Sowing::Relay, _) => "none: relay sowing (avalanche)".to_owned(),
            (Sowing::Single, Capture::Standard) => "standard".to_owned(),
            (Sowing::Single, Capture::Empty) => "empty (also a lone seed)".to_owned(),
        },
        |settings, steps| {
            settings.board = settings.given_board();
            settings.rule_set = neighbour(&RuleSet::ALL, &settings.rule_set, steps);
            let with_rules = |board: Board| Board::from_fen(&board.fen(), settings.rule_set).ok();
            settings.board = settings.board.and_then(with_rules);
        },
    ),
    MenuRow::new(
        "Start",
        |settings| {
            match settings.board {
                None if settings.fair_starts().is_empty() => "usual, no fair one is known",
                None => "usual",
                Some(_) if settings.given_board().is_some() => "from the given board",
                Some(_) => "fair: best play is a draw",
            }
            .to_owned()
        },
        |settings, steps| {
            let starts = settings.fair_starts();
            settings.board = (steps > 0).then(|| fastrand::choice(starts)).flatten();
        },
    ),
    MenuRow::new(
        "Clock",
        |settings| settings.clock.to_string(),
        |settings, steps| {
            let clocks: Vec<PlayClock> = CLOCKS.iter().flat_map(|text| text.parse()).collect();
            settings.clock = neighbour(&clocks, &settings.clock, steps);
        },
    ),
    MenuRow::new(
        "Offer to swap",
        |settings| if settings.swap { "yes, once, to North" } else { "no" }.to_owned(),
        |settings, steps| settings.swap = steps > 0,
    ),
    MenuRow::new(
        "Sowing",
        |settings| format!("{:?}", settings.speed).to_lowercase(),
        |settings, steps| {
            settings.speed = neighbour(SowingSpeed::value_variants(), &settings.speed, steps);
        },
    ),
];

/// The neighbour of a value in a list, without going round.
fn neighbour<T: Clone + PartialEq>(list: &[T], value: &T, steps: i32) -> T {
    let place = list.iter().position(|other| other == value).unwrap_or(0) as i32;
    let place = (place + steps).clamp(0, list.len() as i32 - 1);
    list[place as usize].clone()
}

impl PlaySettings {
    pub(super) fn start(&self) -> Result<Board, BoardError> {
        match self.board {
            Some(board) => Ok(board),
            None => Board::start(Rules::new(self.houses, self.rule_set)?, self.seeds),
        }
    }

    /// New games begin with this board.
    pub(super) fn begin_with(&mut self, start: Board) {
        self.houses = start.rules().houses();
        self.rule_set = start.rules().rule_set();
        self.seeds = start.houses(Side::South)[0].clamp(1, self.max_seeds());
        self.board = None;
        self.board = (self.start().ok() != Some(start)).then_some(start);
    }

    /// The most seeds in each house of a board with this number of houses.
    pub(super) fn max_seeds(&self) -> u16 {
        (MAX_SEEDS / (2 * self.houses.max(1) as u32)) as u16
    }

    /// A number of the usual board, unless another one is given.
    fn of_board(&self, number: usize) -> String {
        self.given_board()
            .map_or_else(|| number.to_string(), |_| "as on the given board".to_owned())
    }

    /// The known fair starts of the game.
    fn fair_starts(&self) -> Vec<Board> {
        let rules = Rules::new(self.houses, self.rule_set);
        rules.map_or_else(|_| Vec::new(), |rules| fair_starts(rules, self.seeds))
    }

    /// The board to start from, unless it is a fair start.
    fn given_board(&self) -> Option<Board> {
        self.board.filter(|board| !self.fair_starts().contains(board))
    }

    fn set_houses(&mut self, houses: i32) {
        self.houses = houses.clamp(1, MAX_HOUSES as i32) as usize;
        self.set_seeds(self.seeds.into());
    }

    fn set_seeds(&mut self, seeds: i32) {
        self.board = None;
        self.seeds = seeds.clamp(1, i32::from(self.max_seeds())) as u16;
    }
}

#[cfg(test)]
pub(super) mod tests {
    use anyhow::Context;
    use clap::{Args, Command, FromArgMatches};

    use super::*;
    use crate::PlayCommand;

    /// The settings that arguments of the command line give.
    pub(crate) fn settings_of(arguments: &str) -> anyhow::Result<PlaySettings> {
        let command = PlayCommand::augment_args(Command::new("play").no_binary_name(true));
        let matches = command.try_get_matches_from(arguments.split_whitespace())?;
        PlayCommand::from_arg_matches(&matches)?.settings()
    }

    #[test]
    fn clocks_are_read_and_bad_ones_refused() {
        for text in CLOCKS {
            assert!(text.parse::<PlayClock>().is_ok(), "{text}");
        }
        let game =
            PlayClock::Game { time: Duration::from_secs(90), increment: Duration::from_secs(2) };
        assert_eq!("1:30+2".parse(), Ok(game));
        assert_eq!("90+2".parse(), Ok(game));
        assert_eq!("10/move".parse(), Ok(PlayClock::Move(Duration::from_secs(10))));
        for text in [
            "", "0", "0/move", "-1", "+5", "1e3", "1:+1", "99999999", "5+", "a:b", "1/m", "5",
            "300",
        ] {
            assert!(text.parse::<PlayClock>().is_err(), "{text}");
        }
    }

    #[test]
    fn every_board_can_be_reached_and_no_other() -> anyhow::Result<()> {
        let mut settings = settings_of("")?;
        for row in MENU_ROWS {
            for steps in [-1, 1, 1, 30, -2000, 2000, 1, -1] {
                (row.change)(&mut settings, steps);
                assert!(settings.start().is_ok(), "{settings:?}");
                assert!(!(row.value)(&settings).is_empty());
            }
        }
        settings = settings_of("--seeds 4 --capture empty")?;
        let start = MENU_ROWS.into_iter().find(|row| row.name == "Start").context("no start")?;
        (start.change)(&mut settings, 1);
        assert!(settings.fair_starts().contains(&settings.start()?));
        assert_eq!((start.value)(&settings), "fair: best play is a draw");
        assert_eq!((MENU_ROWS[2].value)(&settings), "6");
        // Under other rules it is none.
        (MENU_ROWS[4].change)(&mut settings, -1);
        assert_eq!((settings.board, (start.value)(&settings).as_str()), (None, "usual"));
        settings.set_houses(-20);
        settings.set_seeds(9999);
        assert_eq!((settings.houses, settings.seeds), (1, 511));
        settings.set_houses(20);
        assert_eq!((settings.houses, settings.seeds), (12, 42));
        Ok(())
    }
}
