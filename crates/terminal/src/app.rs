//! The state of the program: what keys, clocks and engines change. It reads no terminal and starts no
//! process; what is to be done outside is in [`App::take_effects`].

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use kalah::board::{Board, BoardError, Move, Side};
use kalah::printable::printable;

use super::advice::{EngineRole, EngineState, MoveValues};
use super::animation::{Animation, SowingPicture};
use super::engines::EngineOrder;
use super::game::TerminalGame;
use super::settings::{MENU_ROWS, PlaySettings, SidePlayer};
use super::words;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Screen {
    Menu,
    Board,
    /// The rules, from this line on.
    Rules(usize),
}

/// A question to the user, on the last line.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Prompt {
    FileName(String),
    Overwrite(PathBuf),
    Resign,
    Quit,
}

/// What the program around the state has to do.
#[derive(Debug)]
pub(super) enum Effect {
    Engine(EngineRole, EngineOrder),
    Save { path: PathBuf, text: String, replace: bool },
    Exit,
}

#[expect(clippy::struct_excessive_bools, reason = "each of them is a state of its own")]
pub(super) struct App {
    /// For the next game, except the seats and the speed, which count at once.
    pub(super) settings: PlaySettings,
    pub(super) screen: Screen,
    pub(super) menu_row: usize,
    /// A number that is typed in the menu.
    pub(super) typed: i32,
    pub(super) prompt: Option<Prompt>,
    pub(super) game: TerminalGame,
    /// Whether the first game has begun.
    pub(super) has_game: bool,
    pub(super) animation: Option<Animation>,
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
    pub(super) engines: [EngineState; 2],
    /// Searches that were asked for.
    pub(super) questions: u64,
    /// Whether the engine that plays has levels.
    pub(super) has_levels: bool,
    /// Whether another program plays.
    pub(super) has_other_engine: bool,
    /// The file that always has the games of this session.
    pub(super) autosave: Option<PathBuf>,
    pub(super) earlier_games: Vec<String>,
    pub(super) is_unsaved: bool,
    pub(super) effects: Vec<Effect>,
}

impl App {
    /// The program with its menu, or in a game.
    pub(super) fn new(
        settings: PlaySettings,
        game: Option<TerminalGame>,
        autosave: Option<PathBuf>,
    ) -> Result<App, BoardError> {
        let has_game = game.is_some();
        let start = settings.start()?;
        let game = game.unwrap_or_else(|| TerminalGame::new(start, &settings));
        Ok(App {
            settings,
            screen: if has_game { Screen::Board } else { Screen::Menu },
            menu_row: MENU_ROWS.len(),
            typed: 0,
            prompt: None,
            has_game,
            animation: None,
            notice: String::new(),
            cursor: None,
            is_turned: is_turned(&game),
            is_paused: false,
            has_values: false,
            values: HashMap::new(),
            wants_hint: false,
            engines: Default::default(),
            questions: 0,
            has_levels: true,
            has_other_engine: false,
            autosave,
            earlier_games: Vec::new(),
            is_unsaved: false,
            effects: Vec::new(),
            game,
        })
    }

    pub(super) fn bottom(&self) -> Side {
        if self.is_turned { Side::North } else { Side::South }
    }

    pub(super) fn note(&mut self, text: impl Into<String>) {
        self.notice = text.into();
    }

    pub(super) fn take_effects(&mut self) -> Vec<Effect> {
        std::mem::take(&mut self.effects)
    }

    pub(super) fn picture(&self, now: Duration) -> SowingPicture {
        let moving = self.animation.as_ref().and_then(|animation| animation.picture(now));
        moving.cloned().unwrap_or_else(|| SowingPicture::from_board(&self.game.board))
    }

    pub(super) fn is_human_to_move(&self) -> bool {
        self.game.seat_to_move() == Some(SidePlayer::Human)
    }

    /// Whether the game is over and its last move has been shown.
    pub(super) fn is_end_shown(&self) -> bool {
        self.game.is_over() && self.animation.is_none()
    }

    pub(super) fn start_game(&mut self) {
        let start = match self.settings.start() {
            Ok(start) => start,
            Err(error) => return self.note(error.to_string()),
        };
        if self.has_game && self.game.has_moves() && self.autosave.is_some() {
            self.earlier_games.push(words::game_text(&self.game, self.engine_name()));
        }
        self.forget_searches();
        self.game = TerminalGame::new(start, &self.settings);
        self.has_game = true;
        self.screen = Screen::Board;
        self.values.clear();
        self.is_paused = false;
        self.is_unsaved = false;
        self.is_turned = is_turned(&self.game);
        self.forgive_engines();
        for role in EngineRole::ALL {
            self.effects.push(Effect::Engine(role, EngineOrder::NewGame));
        }
    }

    pub(super) fn engine_name(&self) -> Option<&str> {
        self.engines[EngineRole::Opponent as usize].name.as_deref()
    }

    pub(super) fn play(&mut self, mv: Move, now: Duration) {
        let before = self.game.board;
        match self.game.play(mv, now) {
            Ok(trace) => {
                self.forget_searches();
                let step = self.settings.speed.step();
                self.animation = Animation::new(&before, mv, &trace, step, now);
                self.changed();
            }
            Err(error) => self.notice = words::sentence(&error.to_string()),
        }
    }

    /// The board has changed: what engines think about and what was shown do not count.
    fn forget_searches(&mut self) {
        for role in EngineRole::ALL {
            self.cancel(role);
        }
        self.animation = None;
        self.cursor = None;
        self.wants_hint = false;
        self.notice.clear();
    }

    /// After a takeback, a swap or a change of players.
    pub(super) fn position_changed(&mut self) {
        self.forget_searches();
        self.changed();
    }

    /// The game is not what was saved last.
    pub(super) fn changed(&mut self) {
        self.is_unsaved = true;
        if let Some(path) = self.autosave.clone() {
            let text = words::game_text(&self.game, self.engine_name());
            let games = self.earlier_games.iter().cloned().chain([text]);
            let text = games.collect::<Vec<_>>().join("\n");
            self.effects.push(Effect::Save { path, text, replace: true });
        }
    }

    pub(super) fn save_to(&mut self, path: PathBuf, replace: bool) {
        let text = words::game_text(&self.game, self.engine_name());
        self.effects.push(Effect::Save { path, text, replace });
    }

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

    pub(super) fn ask_to_quit(&mut self) {
        let is_lost = self.is_unsaved && (self.game.has_moves() || self.game.is_over());
        if self.has_game && is_lost {
            self.prompt = Some(Prompt::Quit);
        } else {
            self.effects.push(Effect::Exit);
        }
    }

    pub(super) fn resign(&mut self) {
        let side = self.game.board.side();
        self.game.resign(if self.is_human_to_move() { side } else { !side });
        self.position_changed();
    }

    /// What time alone changes: the end of a sowing, a clock that runs out, an engine that does not
    /// answer. Then the engines are asked for what is missing.
    pub(super) fn update(&mut self, now: Duration) {
        self.animation.take_if(|animation| animation.picture(now).is_none());
        if self.game.check_time(now) {
            self.position_changed();
        }
        self.check_searches(now);
        if self.has_game && self.animation.is_none() && !self.game.is_over() {
            if !self.is_paused && self.screen == Screen::Board {
                self.game.start_clock(now);
            }
            self.ask_engines(now);
        }
    }

    /// When the screen or the state changes next without an event.
    pub(super) fn next_change(&self, now: Duration) -> Option<Duration> {
        let animation = self.animation.as_ref().map(|animation| animation.next_step(now));
        let searches = self.engines.iter().flat_map(|engine| &engine.search);
        // The next whole second on the clock.
        let second =
            |left: Duration| now + Duration::from_millis(u64::from(left.subsec_millis()) + 1);
        let clock = self.game.running_time(now).map(second);
        searches.map(|search| search.deadline).chain(animation).chain(clock).min()
    }
}

/// A human who plays alone against an engine sits at the bottom.
fn is_turned(game: &TerminalGame) -> bool {
    matches!(game.seats, [SidePlayer::Engine(_), SidePlayer::Human])
}
