//! The state of the program: what keys, clocks and engines change. It reads no terminal and starts no
//! process; what is to be done outside is in [`App::take_effects`].

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use kalah::board::{Board, Move, Side};
use kalah::printable::{is_printable, printable};
use kalah::protocol::EngineScore;
use ratatui_crossterm::crossterm::event::KeyCode;

use super::advice::{EngineQuestion, EngineRole, MoveValues};
use super::animation::{Animation, SeedCounts, SowingPicture};
use super::game::TerminalGame;
use super::menu::{Menu, MenuChoice};
use super::settings::{PlaySettings, SidePlayer};
use super::words;

/// Positions whose values are kept.
const MAX_KEPT_VALUES: usize = 1000;

/// What is on the screen.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Screen {
    Menu,
    Board,
    /// The rules, from this line on.
    Rules(usize),
}

/// A question to the user, on the last line.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Prompt {
    /// The name of the file to save to.
    FileName(String),
    Overwrite(PathBuf),
    Resign,
    Quit,
}

/// What the program around the state has to do.
#[derive(Debug)]
pub(super) enum Effect {
    Ask(EngineRole, Box<EngineQuestion>),
    /// The answer is wanted at once.
    Stop(EngineRole),
    /// The engine has broken the rules, or does not answer.
    Restart(EngineRole),
    NewGame,
    Save {
        path: PathBuf,
        text: String,
        /// Whether an existing file is replaced.
        replace: bool,
    },
    Exit,
}

/// Why an engine searches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Purpose {
    Move,
    /// A move, or the other side if the score is bad.
    SwapOrMove,
    Hint,
    Value(Board, Move),
}

/// A search whose answer has not come.
pub(super) struct PendingSearch {
    pub(super) id: u64,
    pub(super) purpose: Purpose,
    pub(super) score: Option<EngineScore>,
    /// When it is too late for an answer.
    pub(super) deadline: Duration,
}

#[expect(clippy::struct_excessive_bools, reason = "each of them is a state of its own")]
pub(super) struct App {
    /// For the next game, except the seats and the speed, which count at once.
    pub(super) settings: PlaySettings,
    pub(super) screen: Screen,
    pub(super) menu: Menu,
    pub(super) prompt: Option<Prompt>,
    pub(super) game: TerminalGame,
    /// Whether the first game has begun.
    pub(super) has_game: bool,
    pub(super) animation: Option<Animation>,
    /// What the last move did, or how the game ended.
    pub(super) message: String,
    /// An answer to a key, or what happened to an engine.
    pub(super) notice: String,
    /// The house that Enter sows, counted from the left of its owner.
    pub(super) cursor: Option<usize>,
    /// Whether North sits at the bottom.
    pub(super) is_turned: bool,
    pub(super) is_paused: bool,
    pub(super) has_values: bool,
    pub(super) values: HashMap<Board, MoveValues>,
    pub(super) wants_hint: bool,
    pub(super) searches: [Option<PendingSearch>; 2],
    pub(super) next_id: u64,
    /// The names of the engines, once they have started.
    pub(super) engine_names: [Option<String>; 2],
    pub(super) has_levels: bool,
    /// Whether another program plays.
    pub(super) has_other_engine: bool,
    /// Failures of each engine since its last answer.
    pub(super) failures: [u32; 2],
    /// The file that always has the games of this session.
    pub(super) autosave: Option<PathBuf>,
    /// The text of earlier games.
    pub(super) earlier_games: Vec<String>,
    /// Whether the game has moves or an end that no file has.
    pub(super) is_unsaved: bool,
    pub(super) effects: Vec<Effect>,
    is_end_announced: bool,
}

impl App {
    /// The program with its menu, or in a game.
    pub(super) fn new(
        settings: PlaySettings,
        game: Option<TerminalGame>,
        autosave: Option<PathBuf>,
    ) -> Result<App, kalah::board::BoardError> {
        let has_game = game.is_some();
        let game = match game {
            Some(game) => game,
            None => TerminalGame::new(settings.start()?, &settings),
        };
        let mut app = App {
            menu: Menu::new(),
            screen: if has_game { Screen::Board } else { Screen::Menu },
            settings,
            prompt: None,
            has_game,
            animation: None,
            message: String::new(),
            notice: String::new(),
            cursor: None,
            is_turned: false,
            is_paused: false,
            has_values: false,
            values: HashMap::new(),
            wants_hint: false,
            searches: [None, None],
            next_id: 0,
            engine_names: [None, None],
            has_levels: true,
            has_other_engine: false,
            failures: [0; 2],
            autosave,
            earlier_games: Vec::new(),
            is_unsaved: false,
            effects: Vec::new(),
            is_end_announced: false,
            game,
        };
        app.turn_to_human();
        app.greet();
        Ok(app)
    }

    fn greet(&mut self) {
        if !self.game.is_over() {
            self.message = match self.game.moves().len() {
                0 => words::opening(&self.game),
                moves => format!("{moves} moves played. {}", words::to_move(&self.game)),
            };
        }
    }

    /// A human who plays alone against an engine sits at the bottom.
    fn turn_to_human(&mut self) {
        self.is_turned = matches!(self.game.seats, [SidePlayer::Engine(_), SidePlayer::Human]);
    }

    /// The side at the bottom of the screen.
    pub(super) fn bottom(&self) -> Side {
        if self.is_turned { Side::North } else { Side::South }
    }

    /// Shows an answer to a key.
    pub(super) fn note(&mut self, text: impl Into<String>) {
        self.notice = text.into();
    }

    pub(super) fn take_effects(&mut self) -> Vec<Effect> {
        std::mem::take(&mut self.effects)
    }

    /// The board as it looks now.
    pub(super) fn picture(&self, now: Duration) -> SowingPicture {
        let moving = self.animation.as_ref().and_then(|animation| animation.picture(now));
        moving.cloned().unwrap_or_else(|| SowingPicture {
            counts: SeedCounts::of(&self.game.board),
            marked: Vec::new(),
            in_hand: 0,
        })
    }

    pub(super) fn is_human_to_move(&self) -> bool {
        self.game.seat_to_move() == Some(SidePlayer::Human)
    }

    pub(super) fn start_game(&mut self) {
        let start = match self.settings.start() {
            Ok(start) => start,
            Err(error) => {
                self.notice = error.to_string();
                return;
            }
        };
        self.keep_game();
        for role in EngineRole::ALL {
            self.cancel(role);
        }
        self.game = TerminalGame::new(start, &self.settings);
        self.has_game = true;
        self.screen = Screen::Board;
        self.animation = None;
        self.values.clear();
        self.is_paused = false;
        self.is_end_announced = false;
        self.is_unsaved = false;
        self.cursor = None;
        self.wants_hint = false;
        self.failures = [0; 2];
        self.notice.clear();
        self.turn_to_human();
        self.greet();
        self.effects.push(Effect::NewGame);
    }

    /// Has the game saved with those that follow.
    fn keep_game(&mut self) {
        if self.has_game && self.game.moves().len() > 0 && self.autosave.is_some() {
            let text = words::game_text(&self.game, self.engine_name());
            self.earlier_games.push(text);
        }
    }

    /// The name of the engine that plays.
    pub(super) fn engine_name(&self) -> Option<&str> {
        self.engine_names[EngineRole::Opponent.index()].as_deref()
    }

    /// Forgets a search: its answer will be ignored.
    pub(super) fn cancel(&mut self, role: EngineRole) {
        if self.searches[role.index()].take().is_some() {
            self.effects.push(Effect::Stop(role));
        }
    }

    pub(super) fn play(&mut self, mv: Move, now: Duration) {
        self.animation = None;
        self.wants_hint = false;
        let before = self.game.board;
        match self.game.play(mv, now) {
            Ok(trace) => {
                self.cancel(EngineRole::Adviser);
                self.message = words::sowing(mv, &trace, &self.game);
                self.notice.clear();
                let step = self.settings.speed.step();
                self.animation = Animation::of(&before, mv, &trace, step, now);
                self.cursor = None;
                self.is_unsaved = true;
                self.autosave_now();
            }
            Err(error) => self.notice = words::sentence(&error.to_string()),
        }
    }

    pub(super) fn autosave_now(&mut self) {
        if let Some(path) = self.autosave.clone() {
            let text = words::game_text(&self.game, self.engine_name());
            let games = self.earlier_games.iter().cloned().chain([text]);
            let text = games.collect::<Vec<_>>().join("\n");
            self.effects.push(Effect::Save { path, text, replace: true });
        }
    }

    /// After a takeback, a swap or a change of players: what the engines think about does not count.
    pub(super) fn position_changed(&mut self) {
        for role in EngineRole::ALL {
            self.cancel(role);
        }
        self.animation = None;
        self.cursor = None;
        self.wants_hint = false;
        self.is_end_announced = false;
        self.notice.clear();
        self.message = words::to_move(&self.game);
        self.is_unsaved = self.game.moves().len() > 0;
        self.autosave_now();
    }

    /// A key, or a click on something that has one.
    pub(super) fn press(&mut self, key: KeyCode, now: Duration) {
        if self.prompt.is_some() {
            self.press_in_prompt(key);
        } else {
            match self.screen {
                Screen::Menu => self.press_in_menu(key, now),
                Screen::Rules(line) => match key {
                    KeyCode::Up => self.screen = Screen::Rules(line.saturating_sub(1)),
                    KeyCode::Down => self.screen = Screen::Rules(line + 1),
                    KeyCode::PageUp => self.screen = Screen::Rules(line.saturating_sub(10)),
                    KeyCode::PageDown => self.screen = Screen::Rules(line + 10),
                    _ => self.screen = if self.has_game { Screen::Board } else { Screen::Menu },
                },
                Screen::Board => self.press_in_game(key, now),
            }
        }
        self.update(now);
    }

    fn press_in_menu(&mut self, key: KeyCode, now: Duration) {
        if key == KeyCode::Char('?') {
            self.screen = Screen::Rules(0);
            return;
        }
        match self.menu.press(key, &mut self.settings, self.has_game) {
            MenuChoice::Stay => {}
            MenuChoice::Quit => self.ask_to_quit(),
            MenuChoice::NewGame => self.start_game(),
            MenuChoice::Back => {
                self.screen = Screen::Board;
                if self.game.seats != self.settings.seats {
                    self.game.seats = self.settings.seats;
                    self.game.stop_clock(now);
                    self.position_changed();
                }
            }
        }
    }

    fn press_in_prompt(&mut self, key: KeyCode) {
        let Some(mut prompt) = self.prompt.take() else { return };
        let is_yes = matches!(key, KeyCode::Char('y' | 'Y'));
        match &mut prompt {
            Prompt::FileName(name) => match key {
                KeyCode::Esc => return,
                KeyCode::Enter if !name.trim().is_empty() => {
                    let path = PathBuf::from(name.trim());
                    self.save_to(path, false);
                    return;
                }
                KeyCode::Backspace => {
                    name.pop();
                }
                KeyCode::Char(c) if is_printable(c) => name.push(c),
                _ => {}
            },
            Prompt::Overwrite(path) if is_yes => {
                self.save_to(path.clone(), true);
                return;
            }
            // The game may have ended while this was asked.
            Prompt::Resign if is_yes && !self.game.is_over() => {
                self.cancel(EngineRole::Opponent);
                self.animation = None;
                let side = self.game.board.side();
                let loser = if self.is_human_to_move() { side } else { !side };
                self.game.resign(loser);
                self.is_unsaved = true;
                self.autosave_now();
                return;
            }
            Prompt::Quit if is_yes => {
                self.effects.push(Effect::Exit);
                return;
            }
            // Any other key is a no.
            Prompt::Overwrite(_) | Prompt::Resign | Prompt::Quit => return,
        }
        self.prompt = Some(prompt);
    }

    fn save_to(&mut self, path: PathBuf, replace: bool) {
        let text = words::game_text(&self.game, self.engine_name());
        self.effects.push(Effect::Save { path, text, replace });
    }

    /// The file was saved, or not.
    pub(super) fn saved(&mut self, path: &Path, result: Result<(), String>) {
        match result {
            Ok(()) => {
                self.is_unsaved = false;
                if self.autosave.as_deref() != Some(path) {
                    self.notice = format!("Saved to {}.", printable(&path.to_string_lossy()));
                    if self.game.is_over() {
                        self.notice = format!("{} {}", self.notice, words::review_of(path));
                    }
                }
            }
            Err(error) => self.notice = words::sentence(&printable(&error)),
        }
    }

    /// The file is there already.
    pub(super) fn file_exists(&mut self, path: PathBuf) {
        self.prompt = Some(Prompt::Overwrite(path));
    }

    pub(super) fn ask_to_quit(&mut self) {
        let is_lost = self.has_game && self.is_unsaved;
        if is_lost {
            self.prompt = Some(Prompt::Quit);
        } else {
            self.effects.push(Effect::Exit);
        }
    }

    /// What time alone changes: the end of a sowing, a clock that runs out, an engine that does not
    /// answer. Then the engines are asked for what is missing.
    pub(super) fn update(&mut self, now: Duration) {
        if self.animation.as_ref().is_some_and(|animation| animation.picture(now).is_none()) {
            self.animation = None;
        }
        let was_over = self.game.is_over();
        self.game.check_time(now);
        self.is_unsaved |= self.game.is_over() && !was_over;
        if self.game.is_over() && !self.is_end_announced && self.animation.is_none() {
            self.is_end_announced = true;
            self.cancel(EngineRole::Opponent);
            self.cancel(EngineRole::Adviser);
            self.message = words::ending(&self.game);
            self.notice = match &self.autosave {
                Some(path) => words::review_of(path),
                None => "n begins a new game, s saves this one.".to_owned(),
            };
            if self.is_unsaved {
                self.autosave_now();
            }
        }
        self.check_searches(now);
        if self.has_game && self.animation.is_none() && !self.game.is_over() {
            if !self.is_paused && self.screen == Screen::Board {
                self.game.start_clock(now);
            }
            self.ask_engines(now);
        }
        if self.values.len() > MAX_KEPT_VALUES {
            self.values.retain(|board, _| *board == self.game.board);
        }
    }

    /// When the screen or the state changes next without an event.
    pub(super) fn next_change(&self, now: Duration) -> Option<Duration> {
        let animation = self.animation.as_ref().map(|animation| animation.next_step(now));
        let searches = self.searches.iter().flatten().map(|search| search.deadline);
        let clock = self.game.is_clock_running().then(|| {
            // The next whole second on the clock.
            let left = self.game.time_left(self.game.board.side(), now);
            now + Duration::from_millis(u64::from(left.subsec_millis()) + 1)
        });
        searches.chain(animation).chain(clock).min()
    }
}
