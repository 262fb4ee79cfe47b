//! The sentences of an explanation, in English and in German.

use kalah::board::Side;
use kalah::printable::counted;

use super::turns::{SweptSeeds, Turn, TurnCapture};

/// A sentence in English and in German. `first` and `other` are the moves of the turn of the mistake, in the
/// best line and as played.
pub(super) type Sentence = [String; 2];

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

const LATER: [&str; 2] = ["later ", "später "];

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
}

/// The best turn in place of the one that was played, and the seeds which that stored.
pub(super) fn instead(best: &Turn, stored: i32) -> Sentence {
    let [english, german] = would_have(best);
    [
        format!("{english}: {} instead of {stored}.", seeds(best.stored)),
        format!("{german}: {} Samen statt {stored}.", best.stored),
    ]
}

/// The reply after the move that was played. After the best turn it would be worse for the opponent: the house
/// that it captures is empty, or it stores less.
pub(super) fn reply(reply: &Turn, best: Option<&Turn>, first: &str, other: &str) -> Sentence {
    let [less, german_less] = match (best, &reply.capture) {
        (_, Some(capture)) if first.contains(capture.house) => [
            format!("; with {first} they are out of reach"),
            format!("; nach {first} wären sie außer Reichweite"),
        ],
        (Some(Turn { stored, .. }), _) => {
            [format!("; after {first} only {stored}"), format!("; nach {first} nur {stored}")]
        }
        (None, _) => [String::new(), String::new()],
    };
    let [english, german] = does(reply, [""; 2]);
    [format!("After {other}, {english}{less}."), format!("Nach {other} {german}{german_less}.")]
}

/// A later turn of the best line.
pub(super) fn later(turn: &Turn) -> Sentence {
    let [english, german] = does(turn, LATER);
    [format!("In the best line {english}."), format!("In der besten Variante {german}.")]
}

/// A later turn of the line that was played.
pub(super) fn later_after(turn: &Turn, other: &str) -> Sentence {
    let [english, german] = does(turn, LATER);
    [format!("After {other}, {english}."), format!("Nach {other} {german}.")]
}

/// The seeds that are swept at the ends of the lines.
pub(super) fn sweeps(swept: SweptSeeds, mover: Side, other: &str) -> Sentence {
    // Seeds below 0 are the opponent's.
    let sides = [swept.best, swept.played].map(|seeds| if seeds < 0 { !mover } else { mover });
    let [best, played] = [swept.best, swept.played].map(i32::abs);
    let [[who, then], [german_who, german_then]] =
        [ENGLISH, GERMAN].map(|names| sides.map(|it| names.side(it)));
    let (then, german_then) = if sides[0] == sides[1] {
        ("it", format!("sind es {played}"))
    } else {
        (then, format!("bekommt ihn {german_then}: {played}"))
    };
    [
        format!("At the end {who} sweeps {best}; after {other} {then} sweeps {played}."),
        format!("Am Ende bekommt {german_who} den Rest, {best} Samen; nach {other} {german_then}."),
    ]
}

/// Nothing that can be named.
pub(super) fn small_gains(first: &str) -> Sentence {
    [
        format!("{first} is better by small gains over many turns."),
        format!("{first} ist durch kleine Gewinne über viele Züge besser."),
    ]
}

/// What a turn would have done.
fn would_have(turn: &Turn) -> Sentence {
    let [(_, extra, last), (german_side, german_extra, _)] =
        [ENGLISH, GERMAN].map(|names| names.turn(turn));
    match (&turn.capture, extra.is_empty()) {
        (Some(TurnCapture { house, seeds }), true) => [
            format!("{last} would have captured {seeds} in {house}"),
            format!("{last} hätte {seeds} in {house} geschlagen"),
        ],
        (Some(TurnCapture { house, seeds }), false) => [
            format!(
                "{extra} would have moved again, and {last} would have captured {seeds} in {house}"
            ),
            format!(
                "Mit {german_extra} wäre {german_side} noch einmal am Zug gewesen, und {last} \
                 hätte {seeds} in {house} geschlagen"
            ),
        ],
        (None, true) => [
            format!("{last} would have stored more"),
            format!("{last} hätte mehr in den Speicher gebracht"),
        ],
        (None, false) => [
            format!("{extra} would have moved again, before {last}"),
            format!("Mit {german_extra} wäre {german_side} vor {last} noch einmal am Zug gewesen"),
        ],
    }
}

/// What a turn does, with the player's name as subject, and a word that says when.
fn does(turn: &Turn, [when, german_when]: [&str; 2]) -> Sentence {
    let [(side, extra, last), (german_side, german_extra, _)] =
        [ENGLISH, GERMAN].map(|names| names.turn(turn));
    let (number, stored) = (turn.stored, seeds(turn.stored));
    match (&turn.capture, extra.is_empty()) {
        (Some(TurnCapture { house, seeds }), true) => [
            format!("{side} {when}captures {seeds} in {house} with {last}"),
            format!("schlägt {german_side} {german_when}{seeds} in {house} mit {last}"),
        ],
        (Some(TurnCapture { house, seeds }), false) => [
            format!(
                "{side} {when}moves again with {extra} and captures {seeds} in {house} with {last}, \
                 {stored} in one turn"
            ),
            format!(
                "ist {german_side} {german_when}mit {german_extra} noch einmal am Zug und schlägt \
                 {seeds} in {house} mit {last}, zusammen {number} Samen"
            ),
        ],
        (None, true) => [
            format!("{side} {when}stores {stored} with {last}"),
            format!("bringt {german_side} {german_when}{number} Samen mit {last} in den Speicher"),
        ],
        (None, false) => [
            format!("{side} {when}moves again with {extra} and stores {stored} in one turn"),
            format!(
                "ist {german_side} {german_when}mit {german_extra} noch einmal am Zug und bringt \
                 {number} Samen in den Speicher"
            ),
        ],
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
