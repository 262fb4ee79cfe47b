//! What the program says about a game.

use std::fmt::Write;

use kalah::board::{Move, MoveTrace, Next, Side};

use super::advice::MoveValue;
use super::game::{Ending, TerminalGame};
use super::settings::Seat;

pub(super) fn side_name(side: Side) -> &'static str {
    match side {
        Side::South => "South",
        Side::North => "North",
    }
}

fn seeds_in_words(seeds: u16) -> String {
    match seeds {
        1 => "1 seed".to_owned(),
        seeds => format!("{seeds} seeds"),
    }
}

/// With a capital letter and a full stop.
pub(super) fn sentence(text: &str) -> String {
    let mut chars = text.chars();
    let first = chars.next().map(|c| c.to_uppercase().to_string()).unwrap_or_default();
    format!("{first}{}.", chars.as_str())
}

pub(super) fn opening(game: &TerminalGame) -> String {
    let side = side_name(game.board.side());
    match game.seat_to_move() {
        Some(Seat::Human) => format!("{side} begins: press the letter of a house to sow it."),
        _ => format!("{side} begins."),
    }
}

pub(super) fn to_move(game: &TerminalGame) -> String {
    if game.is_over() { ending(game) } else { format!("{} to move.", side_name(game.board.side())) }
}

/// What a move did, and who is next.
pub(super) fn sowing(mv: Move, trace: &MoveTrace, game: &TerminalGame) -> String {
    let mover = side_name(mv.side);
    let done = match &trace.capture {
        Some((_, seeds)) => format!("{mover} sowed {mv} and captured {}!", seeds_in_words(*seeds)),
        None => format!("{mover} sowed {mv}."),
    };
    let next = if let Some((side, seeds)) = trace.sweep {
        let (side, seeds) = (side_name(side), seeds_in_words(seeds));
        format!(" A side is empty: {side} keeps the last {seeds}.")
    } else if trace.next == Next::Again {
        format!(" The last seed fell into the store: {mover} moves again!")
    } else if game.is_over() {
        String::new()
    } else if game.may_swap() && game.seat_to_move() == Some(Seat::Human) {
        format!(" {} to move, or to swap sides with w.", side_name(!mv.side))
    } else {
        format!(" {} to move.", side_name(!mv.side))
    };
    done + &next
}

/// How a game ended.
pub(super) fn ending(game: &TerminalGame) -> String {
    let Some(ending) = game.ending() else { return String::new() };
    let result = match ending.winner() {
        None => "A draw".to_owned(),
        Some(winner) => format!("{} wins", side_name(winner)),
    };
    match ending {
        Ending::Played(margin) => {
            let seeds = Side::ALL.map(|side| i32::from(game.board.store(side)));
            let total = seeds[0] + seeds[1] + game.board.seeds_in_play() as i32;
            let south = total.midpoint(margin);
            let (winner, loser) = (south.max(total - south), south.min(total - south));
            match margin {
                0 => format!("The game is over. {result}: {winner} to {loser}."),
                _ => {
                    format!("The game is over. {result} by {}: {winner} to {loser}.", margin.abs())
                }
            }
        }
        Ending::Resigned(side) => format!("{} resigned. {result}.", side_name(side)),
        Ending::TimeUp(side) => format!("The time of {} is up. {result}.", side_name(side)),
    }
}

pub(super) fn tip(mv: Move, value: MoveValue) -> String {
    format!("Tip: {mv} ({}).", value.in_words())
}

/// The text of a game, for a file.
pub(super) fn game_text(game: &TerminalGame, engine: Option<&str>) -> String {
    let name = |side: Side| match game.seats[side.index()] {
        Seat::Human => "human".to_owned(),
        Seat::Engine(level) => format!("{} level {level}", engine.unwrap_or("engine")),
    };
    let result = match game.ending().map(Ending::winner) {
        None => "*",
        Some(None) => "1/2-1/2",
        Some(Some(Side::South)) => "1-0",
        Some(Some(Side::North)) => "0-1",
    };
    let swapped = game.swap().map_or("", |_| "{The players swapped sides.} ");
    format!(
        "[South \"{}\"]\n[North \"{}\"]\n[Capture \"{}\"]\n[Start \"{}\"]\n[Result \"{result}\"]\n\n\
         {swapped}{} {result}\n",
        name(Side::South),
        name(Side::North),
        game.start.rules().capture(),
        game.start.fen(),
        moves(game),
    )
}

/// The moves by turns, as "1. CF b 2. A".
pub(super) fn moves(game: &TerminalGame) -> String {
    let mut text = String::new();
    let mut last: Option<Side> = None;
    let mut number = 0;
    for mv in game.moves() {
        if last != Some(mv.side) {
            if mv.side == game.start.side() {
                number += 1;
                let space = if text.is_empty() { "" } else { "  " };
                let _ = write!(text, "{space}{number}. ");
            } else {
                text.push(' ');
            }
        }
        text.push(mv.letter());
        last = Some(mv.side);
    }
    text
}
