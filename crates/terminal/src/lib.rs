//! `kalah play`: a board in the terminal.

mod advice;
mod animation;
mod app;
mod consulting;
mod engines;
mod game;
mod keys;
mod settings;
mod terminal;
mod view;
mod words;

use std::env;
use std::io::{IsTerminal, Read, stdin, stdout};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, bail};
use clap::Args;
use kalah::board::RuleSet;
use kalah::engine::MAX_SKILL_LEVEL;
use kalah::regular_file;
use kalah_games::is_json;

use self::app::App;
use self::game::TerminalGame;
use self::settings::{PlayClock, PlaySettings, SidePlayer, SowingSpeed};
use self::view::Theme;
use kalah_client::EngineCommand;
use kalah_command::exit::wrong_usage;
use kalah_command::new_file::NewFile;
use kalah_command::options::{BoardOptions, number};
use kalah_records::commands::read_games_file;

const DEFAULT_LEVEL: u8 = 5;

/// Bytes that tell JSON from text.
const BEGINNING: u64 = 4096;

/// Play in the terminal
///
/// Shows a board that is played by keys or clicks, against the engine at any level, against another
/// program or another person; with clocks, takebacks, hints and the value of each move. Without options a
/// menu comes first. On the screen, ? explains the rules and the keys.
///
///   kalah play
///   kalah play --level 12 --clock 5:00+3
///   kalah play --south engine:3 --north engine:15 --seeds 6
///   kalah play game.txt --save game.txt
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub struct PlayCommand {
    /// Continue the last game of this file
    #[arg(value_name = "GAME", conflicts_with_all = ["houses", "seeds", "fen", "capture", "sowing"])]
    game: Option<PathBuf>,

    #[command(flatten)]
    board: BoardOptions,

    /// Who plays South: human, engine, or engine:LEVEL [default: human]
    #[arg(long, value_name = "WHO", value_parser = parse_seat)]
    south: Option<SeatArgument>,

    /// Who plays North [default: engine, or human if the engine plays South]
    #[arg(long, value_name = "WHO", value_parser = parse_seat)]
    north: Option<SeatArgument>,

    /// Level of the engine, 0 (somebody's first game) to 20 (full strength) [default: 5]
    #[arg(long, value_name = "N", value_parser = number::<u8>(..=u64::from(MAX_SKILL_LEVEL)))]
    level: Option<u8>,

    /// Clock: none, seconds for each move as in 30/move, or time for the game and seconds added after
    /// each move as in 5:00+3 [default: none]
    #[arg(long, value_name = "TIME")]
    clock: Option<PlayClock>,

    /// Time of the engine for a move without a clock, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 1000, value_parser = number::<u32>(1..))]
    movetime: u32,

    /// Let North take over South's side once, after South's first turn
    #[arg(long)]
    swap: bool,

    /// How fast seeds are sown on the screen
    #[arg(long, value_enum, default_value_t = SowingSpeed::Normal)]
    speed: SowingSpeed,

    /// Another engine to play against, with its arguments, quoted as in a shell. It speaks the protocol.
    /// Hints and values come from this program
    #[arg(long, value_name = "CMD")]
    engine: Option<EngineCommand>,

    /// Keep the games in this file, from move to move
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,

    /// Draw in ASCII, as without a UTF-8 locale
    #[arg(long)]
    ascii: bool,
}

/// A seat as an argument; without a level it is that of `--level`.
#[derive(Clone, Copy)]
enum SeatArgument {
    Human,
    Engine(Option<u8>),
}

fn parse_seat(text: &str) -> Result<SeatArgument, String> {
    let level = |level: &str| level.parse().ok().filter(|&level| level <= MAX_SKILL_LEVEL);
    let seat = match text {
        "human" => Some(SeatArgument::Human),
        "engine" => Some(SeatArgument::Engine(None)),
        _ => text
            .strip_prefix("engine:")
            .and_then(level)
            .map(|level| SeatArgument::Engine(Some(level))),
    };
    let expected = "expected human, engine, or engine:LEVEL with a level from 0 to";
    seat.ok_or_else(|| format!("{expected} {MAX_SKILL_LEVEL}"))
}

impl PlayCommand {
    /// Runs the command.
    ///
    /// # Errors
    /// Returns why the command failed, for people.
    pub fn run(self) -> anyhow::Result<()> {
        let usage = |error: anyhow::Error| wrong_usage(&["play"], format!("{error:#}"));
        let mut settings = self.settings().map_err(usage)?;
        let save = self.save.as_deref().map(NewFile::create).transpose().map_err(usage)?;
        // To the end of the session, which replaces the file with each move.
        let _lock = save.as_ref().map(NewFile::lock).transpose()?;
        if let (Some(path), Some(file)) = (&self.save, &save) {
            self.check_save_file(path, file).map_err(usage)?;
        }
        let is_new_file = save.is_some_and(|file| !file.path().exists());
        let mut games = self.game.as_deref().map(read_games_file).transpose()?.unwrap_or_default();
        let are_terminals = [(stdin().is_terminal(), "input"), (stdout().is_terminal(), "output")];
        if let Some((_, name)) = are_terminals.iter().find(|(is_terminal, _)| !is_terminal) {
            bail!(
                "'kalah play' needs a terminal, but standard {name} is not one; programs speak \
                 the protocol with 'kalah' alone"
            );
        }
        if env::var_os("TERM").is_some_and(|term| term == "dumb") {
            bail!("'kalah play' needs a terminal that can move the cursor, but TERM is 'dumb'");
        }
        let game = match games.pop() {
            Some(game) => {
                settings.begin_with(game.start);
                Some(TerminalGame::continuing(game, &settings))
            }
            None if self.is_game_chosen() => Some(TerminalGame::new(settings.start()?, &settings)),
            None => None,
        };
        let own = EngineCommand::this_program().context("cannot find this program")?;
        let has_other_engine = self.engine.is_some();
        let opponent = self.engine.unwrap_or_else(|| own.clone());
        let theme = Theme {
            has_colors: env::var_os("NO_COLOR").is_none_or(|value| value.is_empty()),
            is_ascii: self.ascii || !is_utf8(),
        };
        let mut app = App::new(settings, game, self.save)?;
        app.has_other_engine = has_other_engine;
        // They stay in the file if it is the same.
        app.earlier_games = games.iter().map(ToString::to_string).collect();
        // A game that is over has no more moves with which a new file would get it.
        if is_new_file && app.game.is_over() {
            app.changed();
        }
        terminal::run(app, [opponent, own], theme)
    }

    /// A file that is there is not overwritten, unless it is the one that is continued.
    /// JSON would become text.
    fn check_save_file(&self, path: &Path, file: &NewFile) -> anyhow::Result<()> {
        if !file.path().exists() {
            return Ok(());
        }
        let path = path.display();
        if is_json_file(file.path()) {
            bail!("cannot write '{path}': it is JSON, but games are saved as text");
        }
        let is_continued = self.game.as_ref().is_some_and(|game| file.is(game));
        if !is_continued {
            bail!("'{path}' exists: continue it with 'kalah play {path} --save {path}'");
        }
        Ok(())
    }

    /// Whether the options describe a game, which then begins without a menu.
    fn is_game_chosen(&self) -> bool {
        let BoardOptions { houses, seeds, ref fen, rules } = self.board;
        let start = (houses, seeds, rules.rule_set());
        let has_board = fen.is_some() || start != (6, 4, RuleSet::default());
        let has_players = self.south.is_some() || self.north.is_some() || self.level.is_some();
        has_board || has_players || self.clock.is_some() || self.swap || self.game.is_some()
    }

    fn settings(&self) -> anyhow::Result<PlaySettings> {
        let board = self.board.board()?;
        let level = self.level.unwrap_or(DEFAULT_LEVEL);
        let seat = |argument| match argument {
            SeatArgument::Human => SidePlayer::Human,
            SeatArgument::Engine(own_level) => SidePlayer::Engine(own_level.unwrap_or(level)),
        };
        let south = self.south.map_or(SidePlayer::Human, seat);
        let north = match (self.north, south) {
            (Some(argument), _) => seat(argument),
            (None, SidePlayer::Human) => SidePlayer::Engine(level),
            (None, SidePlayer::Engine(_)) => SidePlayer::Human,
        };
        Ok(PlaySettings {
            seats: [south, north],
            houses: board.rules().houses(),
            seeds: self.board.seeds,
            rule_set: self.board.rules.rule_set(),
            board: self.board.fen.is_some().then_some(board),
            clock: self.clock.unwrap_or(PlayClock::Untimed),
            swap: self.swap,
            speed: self.speed,
            movetime: Duration::from_millis(self.movetime.into()),
        })
    }
}

/// Whether a file is JSON, which `--save` would replace by text.
fn is_json_file(path: &Path) -> bool {
    let mut beginning = Vec::new();
    let read =
        regular_file::open(path).and_then(|file| file.take(BEGINNING).read_to_end(&mut beginning));
    read.is_ok() && is_json(&String::from_utf8_lossy(&beginning))
}

/// Whether the terminal shows UTF-8, by the locale.
fn is_utf8() -> bool {
    let set = |name| env::var(name).ok().filter(|value| !value.is_empty());
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(set);
    let locale = locale.unwrap_or_default().to_ascii_lowercase();
    cfg!(windows) || locale.contains("utf-8") || locale.contains("utf8")
}
