//! The sentences of an explanation, in English and in German.

use kalah::board::Side;
use kalah::printable::counted;

use super::turns::{SweptSeeds, Turn, TurnCapture};

/// What a sentence says. `first` and `other` are the moves of the turn of the mistake, in the best line
/// and as played.
pub(super) enum Sentence<'a> {
    /// The best turn in place of the one that was played, and the seeds which that stored.
    Instead(&'a Turn, i32),
    /// The reply after the move that was played.
    Reply { reply: &'a Turn, other: &'a str, best: BestReply<'a> },
    /// A later turn of the best line.
    Later(&'a Turn),
    /// A later turn of the line that was played.
    LaterAfter { turn: &'a Turn, other: &'a str },
    /// The seeds that are swept at the ends of the lines.
    Swept { swept: SweptSeeds, mover: Side, other: &'a str },
    /// Nothing that can be named.
    SmallGains(&'a str),
}

/// How the reply is worse for the opponent after the best turn.
pub(super) enum BestReply<'a> {
    /// The house that would be captured is empty.
    OutOfReach(&'a str),
    Stores(&'a str, i32),
    None,
}

/// Of a longer list of moves, as relay sowing has them, only half as many are named.
const MAX_LISTED: usize = 6;

/// Words that sentences of both languages are made of.
struct Names {
    and: &'static str,
    more: &'static str,
    south: &'static str,
    north: &'static str,
}

const ENGLISH: Names = Names { and: "and", more: "more", south: "South", north: "North" };
const GERMAN: Names = Names { and: "und", more: "weiteren", south: "Süd", north: "Nord" };

impl Names {
    fn side(&self, side: Side) -> &'static str {
        if side == Side::South { self.south } else { self.north }
    }

    /// The player of a turn, the letters that are followed by another sowing, and the last one.
    fn turn(&self, turn: &Turn) -> (&'static str, String, String) {
        let side = if turn.side == "S" { Side::South } else { Side::North };
        let mut extra: Vec<String> = turn.moves.chars().map(String::from).collect();
        let last = extra.pop().unwrap_or_default();
        (self.side(side), self.listed(&extra), last)
    }

    /// `E`, `E and C`, `E, C and B`, or `E, C, B and 15 more`.
    fn listed(&self, letters: &[String]) -> String {
        match letters {
            long if long.len() > MAX_LISTED => {
                let (first, rest) = long.split_at(MAX_LISTED / 2);
                format!("{} {} {} {}", first.join(", "), self.and, rest.len(), self.more)
            }
            [first @ .., last] if !first.is_empty() => {
                format!("{} {} {last}", first.join(", "), self.and)
            }
            _ => letters.concat(),
        }
    }

    /// Who sweeps these seeds, which are the mover's opponent's if below 0, and how many they are.
    fn sweeper(&self, mover: Side, seeds: i32) -> (&'static str, i32) {
        (self.side(if seeds < 0 { !mover } else { mover }), seeds.abs())
    }
}

impl Sentence<'_> {
    pub(super) fn english(&self) -> String {
        match self {
            Sentence::Instead(best, stored) => {
                format!("{}: {} instead of {stored}.", would_have(best), seeds(best.stored))
            }
            Sentence::Reply { reply, other, best } => {
                let less = match best {
                    BestReply::OutOfReach(first) => {
                        format!("; with {first} they are out of reach")
                    }
                    BestReply::Stores(first, stored) => format!("; after {first} only {stored}"),
                    BestReply::None => String::new(),
                };
                format!("After {other}, {}{less}.", does(reply, ""))
            }
            Sentence::Later(turn) => format!("In the best line {}.", does(turn, "later ")),
            Sentence::LaterAfter { turn, other } => {
                format!("After {other}, {}.", does(turn, "later "))
            }
            Sentence::Swept { swept, mover, other } => {
                let (who, best) = ENGLISH.sweeper(*mover, swept.best);
                let (then, played) = ENGLISH.sweeper(*mover, swept.played);
                let then = if who == then { "it" } else { then };
                format!("At the end {who} sweeps {best}; after {other} {then} sweeps {played}.")
            }
            Sentence::SmallGains(first) => {
                format!("{first} is better by small gains over many turns.")
            }
        }
    }

    pub(super) fn german(&self) -> String {
        match self {
            Sentence::Instead(best, stored) => {
                format!("{}: {} Samen statt {stored}.", would_have_german(best), best.stored)
            }
            Sentence::Reply { reply, other, best } => {
                let less = match best {
                    BestReply::OutOfReach(first) => {
                        format!("; nach {first} wären sie außer Reichweite")
                    }
                    BestReply::Stores(first, stored) => format!("; nach {first} nur {stored}"),
                    BestReply::None => String::new(),
                };
                format!("Nach {other} {}{less}.", does_german(reply, ""))
            }
            Sentence::Later(turn) => {
                format!("In der besten Variante {}.", does_german(turn, "später "))
            }
            Sentence::LaterAfter { turn, other } => {
                format!("Nach {other} {}.", does_german(turn, "später "))
            }
            Sentence::Swept { swept, mover, other } => {
                let (who, best) = GERMAN.sweeper(*mover, swept.best);
                let (then, played) = GERMAN.sweeper(*mover, swept.played);
                let then = if who == then {
                    format!("sind es {played}")
                } else {
                    format!("bekommt ihn {then}: {played}")
                };
                format!("Am Ende bekommt {who} den Rest, {best} Samen; nach {other} {then}.")
            }
            Sentence::SmallGains(first) => {
                format!("{first} ist durch kleine Gewinne über viele Züge besser.")
            }
        }
    }
}

/// What a turn would have done, with the letters of its moves as subject.
fn would_have(turn: &Turn) -> String {
    let (_, extra, last) = ENGLISH.turn(turn);
    match (&turn.capture, extra.is_empty()) {
        (Some(TurnCapture { house, seeds }), true) => {
            format!("{last} would have captured {seeds} in {house}")
        }
        (Some(TurnCapture { house, seeds }), false) => format!(
            "{extra} would have moved again, and {last} would have captured {seeds} in {house}"
        ),
        (None, true) => format!("{last} would have stored more"),
        (None, false) => format!("{extra} would have moved again, before {last}"),
    }
}

/// The same in German.
fn would_have_german(turn: &Turn) -> String {
    let (name, extra, last) = GERMAN.turn(turn);
    match (&turn.capture, extra.is_empty()) {
        (Some(TurnCapture { house, seeds }), true) => {
            format!("{last} hätte {seeds} in {house} geschlagen")
        }
        (Some(TurnCapture { house, seeds }), false) => format!(
            "Mit {extra} wäre {name} noch einmal am Zug gewesen, und {last} hätte {seeds} in {house} \
             geschlagen"
        ),
        (None, true) => format!("{last} hätte mehr in den Speicher gebracht"),
        (None, false) => format!("Mit {extra} wäre {name} vor {last} noch einmal am Zug gewesen"),
    }
}

/// What a turn does, with the player's name as subject.
fn does(turn: &Turn, when: &str) -> String {
    let (name, extra, last) = ENGLISH.turn(turn);
    let stored = seeds(turn.stored);
    match (&turn.capture, extra.is_empty()) {
        (Some(TurnCapture { house, seeds }), true) => {
            format!("{name} {when}captures {seeds} in {house} with {last}")
        }
        (Some(TurnCapture { house, seeds }), false) => format!(
            "{name} {when}moves again with {extra} and captures {seeds} in {house} with {last}, \
             {stored} in one turn"
        ),
        (None, true) => format!("{name} {when}stores {stored} with {last}"),
        (None, false) => {
            format!("{name} {when}moves again with {extra} and stores {stored} in one turn")
        }
    }
}

/// The same in German, after a word or two that say where.
fn does_german(turn: &Turn, when: &str) -> String {
    let (name, extra, last) = GERMAN.turn(turn);
    let stored = turn.stored;
    match (&turn.capture, extra.is_empty()) {
        (Some(TurnCapture { house, seeds }), true) => {
            format!("schlägt {name} {when}{seeds} in {house} mit {last}")
        }
        (Some(TurnCapture { house, seeds }), false) => format!(
            "ist {name} {when}mit {extra} noch einmal am Zug und schlägt {seeds} in {house} mit \
             {last}, zusammen {stored} Samen"
        ),
        (None, true) => format!("bringt {name} {when}{stored} Samen mit {last} in den Speicher"),
        (None, false) => format!(
            "ist {name} {when}mit {extra} noch einmal am Zug und bringt {stored} Samen in den \
             Speicher"
        ),
    }
}

pub(super) fn seeds(number: i32) -> String {
    counted(number, "seed")
}

#[cfg(test)]
mod tests {
    use super::ENGLISH;

    #[test]
    fn of_a_long_chain_three_moves_are_named() {
        let letters = ["B", "B", "C", "F", "E", "F", "A"].map(String::from);
        assert_eq!(ENGLISH.listed(&letters), "B, B, C and 4 more");
        assert_eq!(ENGLISH.listed(&letters[1..]), "B, C, F, E, F and A");
        assert_eq!(ENGLISH.listed(&letters[..1]), "B");
    }
}
