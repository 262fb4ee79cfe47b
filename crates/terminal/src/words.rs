//! What the program says about a game.

use std::path::Path;

use kalah::board::{Move, Next, Side};
use kalah::printable::{counted, printable};
use kalah_games::{AnnotatedGame, GameOutcome, Ply};

use super::advice::{MoveValue, MoveValues};
use super::game::{Ending, TerminalGame};
use super::settings::SidePlayer;

/// With a capital letter and a full stop.
pub(super) fn sentence(text: &str) -> String {
    let mut chars = text.chars();
    let first = chars.next().map(|c| c.to_uppercase().to_string()).unwrap_or_default();
    format!("{first}{}.", chars.as_str())
}

/// What the last move did, and who is next.
pub(super) fn message(game: &TerminalGame) -> String {
    let side = game.board.side().name();
    let is_continued =
        |record: &AnnotatedGame| record.moves.iter().map(|ply| ply.mv).eq(game.moves());
    if let Some(record) = game.continued.as_ref().filter(|record| is_continued(record)) {
        return format!("{} played. {side} to move.", counted(record.moves.len(), "move"));
    }
    if !game.has_moves() {
        return match game.seat_to_move() {
            Some(SidePlayer::Human) => {
                format!("{side} begins: press the letter of a house to sow it.")
            }
            _ => format!("{side} begins."),
        };
    }
    let Some((mv, trace)) =
        game.last_move().and_then(|(before, mv)| Some((mv, before.trace(mv).ok()?)))
    else {
        return format!("{side} to move.");
    };
    let mover = mv.side.name();
    let done = match trace.capture {
        Some((_, seeds)) => format!("{mover} sowed {mv} and captured {}!", counted(seeds, "seed")),
        None if trace.pick_ups.is_empty() => format!("{mover} sowed {mv}."),
        None => format!("{mover} sowed {mv}, a relay of {} sowings.", trace.pick_ups.len() + 1),
    };
    let next = if let Some((side, seeds)) = trace.sweep {
        let (side, seeds) = (side.name(), counted(seeds, "seed"));
        format!(" A side is empty: {side} keeps the last {seeds}.")
    } else if trace.next == Next::Again {
        format!(" The last seed fell into the store: {mover} moves again!")
    } else if game.is_over() {
        String::new()
    } else if game.may_swap() && game.seat_to_move() == Some(SidePlayer::Human) {
        format!(" {side} to move, or to swap sides with w.")
    } else {
        format!(" {side} to move.")
    };
    done + &next
}

pub(super) fn ending(game: &TerminalGame) -> String {
    let Some(ending) = game.ending() else { return String::new() };
    let winner = match ending.outcome() {
        GameOutcome::South => Some(Side::South),
        GameOutcome::North => Some(Side::North),
        GameOutcome::Draw | GameOutcome::Unknown => None,
    };
    // A person who plays an engine reads it in the second person.
    let is_human = |side: Side| game.seats[side.index()] == SidePlayer::Human;
    let result = match winner {
        Some(side) if game.humans() == 1 && is_human(side) => "You win".to_owned(),
        Some(_) if game.humans() == 1 => "You lose".to_owned(),
        Some(side) => format!("{} wins", side.name()),
        None => "A draw".to_owned(),
    };
    match ending {
        Ending::Played(margin) => {
            let south = (game.board.seeds() as i32).midpoint(margin);
            let (more, fewer) = (south.max(south - margin), south.min(south - margin));
            let by = if margin == 0 { String::new() } else { format!(" by {}", margin.abs()) };
            format!("The game is over. {result}{by}: {more} to {fewer}.")
        }
        Ending::Resigned(side) => format!("{} resigned. {result}.", side.name()),
        Ending::TimeUp(side) => format!("The time of {} is up. {result}.", side.name()),
    }
}

/// What to do with a finished game that was saved.
pub(super) fn review_of(path: &Path) -> String {
    let path = path.to_string_lossy();
    format!("'kalah review {}' shows where seeds were given away.", printable(&path))
}

pub(super) fn hint(mv: Move, value: Option<MoveValue>) -> String {
    match value {
        Some(value) => format!("Hint: {mv} ({}).", value.in_words()),
        None => format!("Hint: {mv}."),
    }
}

/// The text of a game, for a file. A game that was continued keeps its tags and comments; if it had a result
/// before its moves ended it, it keeps that, and the moves after it are a variation.
pub(super) fn game_text(game: &TerminalGame, engine: Option<&str>) -> String {
    let mut record = game.continued.clone().unwrap_or_else(|| AnnotatedGame::new(game.start));
    let is_kept = record.moves.iter().map(|ply| ply.mv).eq(game.moves());
    let kept = record.moves.iter().zip(game.moves()).take_while(|(ply, mv)| ply.mv == *mv).count();
    let is_decided = record.result != GameOutcome::Unknown && !record.end().is_over();
    if is_decided && !is_kept && !record.moves.is_empty() {
        // What is tried after a resignation or a flag does not change what was played.
        let place = kept.min(record.moves.len() - 1);
        let tried: Vec<Ply> = game.moves().skip(place).map(Ply::from).collect();
        if tried.len() > usize::from(place < kept) {
            record.moves[place].variations.push(tried);
        }
        return record.to_string();
    }
    record.moves.truncate(kept);
    record.moves.extend(game.moves().skip(kept).map(Ply::from));
    if !is_kept || game.ending().is_some() {
        record
            .tags
            .retain(|(name, _)| !["Margin", "Reason", "Termination"].contains(&name.as_str()));
        record.result = game.ending().map_or(GameOutcome::Unknown, Ending::outcome);
    }
    for side in Side::ALL {
        let name = match game.seats[side.index()] {
            SidePlayer::Human if record.tag(side.name()).is_some() => continue,
            SidePlayer::Human => "human".to_owned(),
            SidePlayer::Engine(level) => {
                format!("{}, level {level}", engine.unwrap_or("engine"))
            }
        };
        record.set_tag(side.name(), name);
    }
    match game.ending() {
        Some(Ending::Resigned(_)) => record.set_tag("Reason", "resigned"),
        Some(Ending::TimeUp(_)) => record.set_tag("Reason", "time forfeit"),
        Some(Ending::Played(_)) | None => {}
    }
    // Players are named as they sit after the swap.
    if let Some(ply) =
        game.moves_before_swap().and_then(|moves| record.moves.get_mut(moves.checked_sub(1)?))
    {
        ply.comment = Some("The players swap sides.".to_owned());
    }
    record.to_string()
}

/// The moves by turns, as "1. CF b 2. A".
pub(super) fn moves(game: &TerminalGame) -> String {
    let moves: Vec<Move> = game.moves().collect();
    let letters = |turn: &[Move]| turn.iter().map(Move::to_string).collect::<String>();
    let turns: Vec<String> = moves.chunk_by(|a, b| a.side == b.side).map(letters).collect();
    let of_both = |(turns, number): (&[String], usize)| format!("{number}. {}", turns.join(" "));
    turns.chunks(2).zip(1..).map(of_both).collect::<Vec<_>>().join("  ")
}

/// The values of the moves, as "Values: A -14  C +8✓", or short as "A-14 C+8✓".
pub(super) fn values(game: &TerminalGame, known: Option<&MoveValues>, is_short: bool) -> String {
    let board = &game.board;
    if game.is_over() {
        return String::new();
    }
    let value = |mv| known.and_then(|values| values.value(mv));
    let are_all_proven = board.moves().all(|mv| value(mv).is_some_and(|value| value.is_proven));
    let [prefix, space, separator] = match (is_short, are_all_proven) {
        (true, _) => ["", "", " "],
        (false, true) => ["All proven: ", " ", "  "],
        (false, false) => ["Values: ", " ", "  "],
    };
    let of_move = |mv: Move| match value(mv) {
        Some(value) if value.is_proven && (is_short || !are_all_proven) => {
            format!("{mv}{space}{}✓", value.signed())
        }
        Some(value) => format!("{mv}{space}{}", value.signed()),
        None => format!("{mv}{space}?"),
    };
    prefix.to_owned() + &board.moves().map(of_move).collect::<Vec<_>>().join(separator)
}
