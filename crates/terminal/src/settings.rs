//! What can be chosen before a game: players, board, clock, speed.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use clap::ValueEnum;
use kalah::board::{Board, BoardError, Capture, MAX_HOUSES, MAX_SEEDS, Rules, Side};
use kalah::engine::{MAX_SKILL_LEVEL, skill_word};

/// The longest time that a clock can have.
const MAX_CLOCK: Duration = Duration::from_hours(24);

/// The clocks that the menu offers, as text.
const CLOCKS: [&str; 11] = [
    "none", "5/move", "10/move", "30/move", "60/move", "1:00+1", "3:00+2", "5:00+3", "10:00+5",
    "15:00+10", "30:00+20",
];

/// Who plays a side.
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

/// The time that players have.
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

/// How fast the seeds are sown on the screen.
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

/// The choices for a game.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct PlaySettings {
    /// Who plays South and North.
    pub(super) seats: [SidePlayer; 2],
    pub(super) houses: usize,
    pub(super) seeds: u16,
    pub(super) capture: Capture,
    /// A board to start from in place of the usual one.
    pub(super) board: Option<Board>,
    pub(super) clock: PlayClock,
    /// Whether North may take over South's side after South's first turn.
    pub(super) swap: bool,
    pub(super) speed: SowingSpeed,
    /// Time of the engine for a move without a clock.
    pub(super) movetime: Duration,
}

/// A line of the menu.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MenuRow {
    South,
    North,
    Houses,
    Seeds,
    Capture,
    Clock,
    Swap,
    Speed,
    NewGame,
    Back,
}

impl MenuRow {
    pub(super) const ALL: [MenuRow; 10] = [
        MenuRow::South,
        MenuRow::North,
        MenuRow::Houses,
        MenuRow::Seeds,
        MenuRow::Capture,
        MenuRow::Clock,
        MenuRow::Swap,
        MenuRow::Speed,
        MenuRow::NewGame,
        MenuRow::Back,
    ];

    pub(super) fn name(self) -> &'static str {
        match self {
            MenuRow::South => "South (begins)",
            MenuRow::North => "North",
            MenuRow::Houses => "Houses a side",
            MenuRow::Seeds => "Seeds a house",
            MenuRow::Capture => "Capture",
            MenuRow::Clock => "Clock",
            MenuRow::Swap => "Offer to swap",
            MenuRow::Speed => "Sowing",
            MenuRow::NewGame => "Start the game",
            MenuRow::Back => "Back to the game, with these players",
        }
    }
}

/// The neighbour of a value in a list, without going round.
fn changed_in<T: Clone + PartialEq>(list: &[T], value: &T, steps: i32) -> T {
    let place = list.iter().position(|other| other == value).unwrap_or(0) as i32;
    let place = (place + steps).clamp(0, list.len() as i32 - 1);
    list[place as usize].clone()
}

impl PlaySettings {
    /// The board of a new game.
    pub(super) fn start(&self) -> Result<Board, BoardError> {
        match self.board {
            Some(board) => Ok(board),
            None => Board::start(Rules::new(self.houses, self.capture)?, self.seeds),
        }
    }

    /// New games begin with this board.
    pub(super) fn begin_with(&mut self, start: Board) {
        self.houses = start.rules().houses();
        self.capture = start.rules().capture();
        self.seeds = start.houses(Side::South)[0].clamp(1, self.max_seeds());
        self.board = None;
        self.board = (self.start().ok() != Some(start)).then_some(start);
    }

    /// The most seeds in each house of a board with this number of houses.
    pub(super) fn max_seeds(&self) -> u16 {
        (MAX_SEEDS / (2 * self.houses.max(1) as u32)) as u16
    }

    /// The value of a line of the menu; `None` if the line only does something.
    pub(super) fn value(&self, row: MenuRow) -> Option<String> {
        Some(match row {
            MenuRow::South => self.seats[0].to_string(),
            MenuRow::North => self.seats[1].to_string(),
            MenuRow::Houses | MenuRow::Seeds if self.board.is_some() => {
                "as on the given board".to_owned()
            }
            MenuRow::Houses => self.houses.to_string(),
            MenuRow::Seeds => self.seeds.to_string(),
            MenuRow::Capture => match self.capture {
                Capture::Standard => "standard".to_owned(),
                Capture::Empty => "empty (also a lone seed)".to_owned(),
            },
            MenuRow::Clock => self.clock.to_string(),
            MenuRow::Swap => if self.swap { "yes, once, to North" } else { "no" }.to_owned(),
            MenuRow::Speed => self.speed.to_possible_value()?.get_name().to_owned(),
            MenuRow::NewGame | MenuRow::Back => return None,
        })
    }

    /// Changes a value by steps of the menu.
    pub(super) fn change(&mut self, row: MenuRow, steps: i32) {
        match row {
            MenuRow::South => self.seats[0] = self.seats[0].changed(steps),
            MenuRow::North => self.seats[1] = self.seats[1].changed(steps),
            MenuRow::Houses => {
                self.board = None;
                self.houses = (self.houses as i32 + steps).clamp(1, MAX_HOUSES as i32) as usize;
                self.seeds = self.seeds.min(self.max_seeds());
            }
            MenuRow::Seeds => self.set_seeds(i32::from(self.seeds) + steps),
            MenuRow::Capture => {
                self.capture = changed_in(&Capture::ALL, &self.capture, steps);
                self.board =
                    self.board.and_then(|board| Board::from_fen(&board.fen(), self.capture).ok());
            }
            MenuRow::Clock => {
                let clocks: Vec<PlayClock> =
                    CLOCKS.iter().filter_map(|text| text.parse().ok()).collect();
                self.clock = changed_in(&clocks, &self.clock, steps);
            }
            MenuRow::Swap => self.swap = steps > 0,
            MenuRow::Speed => {
                self.speed = changed_in(SowingSpeed::value_variants(), &self.speed, steps);
            }
            MenuRow::NewGame | MenuRow::Back => {}
        }
    }

    pub(super) fn set_seeds(&mut self, seeds: i32) {
        self.board = None;
        self.seeds = seeds.clamp(1, i32::from(self.max_seeds())) as u16;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
        for text in ["", "0", "0/move", "-1", "+5", "1e3", "1:+1", "99999999", "5+", "a:b", "1/m"] {
            assert!(text.parse::<PlayClock>().is_err(), "{text}");
        }
    }

    #[test]
    fn every_board_can_be_reached_and_no_other() {
        let mut settings = PlaySettings {
            seats: [SidePlayer::Human, SidePlayer::Engine(5)],
            houses: 6,
            seeds: 4,
            capture: Capture::Standard,
            board: None,
            clock: PlayClock::Untimed,
            swap: false,
            speed: SowingSpeed::Normal,
            movetime: Duration::from_secs(1),
        };
        for row in MenuRow::ALL {
            for steps in [-1, 1, 1, 30, -2000, 2000, 1, -1] {
                settings.change(row, steps);
                assert!(settings.start().is_ok(), "{settings:?}");
                assert!(settings.value(row).is_none_or(|value| !value.is_empty()));
            }
        }
        settings.change(MenuRow::Houses, -20);
        settings.set_seeds(9999);
        assert_eq!((settings.houses, settings.seeds), (1, 511));
        settings.change(MenuRow::Houses, 20);
        assert_eq!((settings.houses, settings.seeds), (12, 42));
    }
}
