//! Why a move was a mistake: where the best line from the board before it gains what the best line after
//! it does not.
//!
//! Both lines are divided into turns, all sowings of a side until the other one moves. A turn brings seeds
//! into a store; what the turns of one line bring more than those of the other, and the seeds that are
//! swept at the end, add up to what the mistake has cost. The explanation names the turns that made the
//! difference.

use kalah::board::{Board, Move, Side};
use serde::{Deserialize, Serialize};

use super::sentences::{Sentence, instead, later, later_after, reply, small_gains, sweeps};
use super::turns::{Line, SweptSeeds, Turn};

/// Why a move gave seeds away.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Explanation {
    /// One or two sentences in English.
    pub text: String,
    /// The same in German, for the page of `kalah gui`. It is not part of the JSON.
    #[serde(skip)]
    pub german: String,
    /// The turns that make the difference, in order. Empty if it is made by the seeds that are swept at
    /// the end, or lies beyond the lines.
    pub turns: Vec<TurnPair>,
    /// The seeds that are swept at the ends of the lines; `None` unless they make the difference.
    pub swept: Option<SweptSeeds>,
}

/// A turn of the best line beside the one of the same number in the line after the mistake.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct TurnPair {
    /// Its number: 1 is the turn of the mistake, 2 the reply.
    pub number: usize,
    /// What the best line gains by it, in seeds, for the player who made the mistake.
    pub gain: i32,
    /// The turn in the best line; `None` if that has ended.
    pub best: Option<Turn>,
    /// The turn in the line after the mistake.
    pub played: Option<Turn>,
}

impl Explanation {
    /// Compares the line of best play from a board with the line of best play after another move, which
    /// it begins with and which costs `loss` seeds. `None` if a line is empty.
    pub fn new(board: &Board, best: &[Move], played: &[Move], loss: i32) -> Option<Explanation> {
        let (best, played) = (Line::new(*board, best), Line::new(*board, played));
        if best.turns.is_empty() || played.turns.is_empty() {
            return None;
        }
        let side = board.side();
        let mover = side.to_string();
        let count = best.turns.len().max(played.turns.len());
        let pairs: Vec<TurnPair> = (0..count)
            .map(|index| {
                let turns = [&best, &played].map(|line| line.turns.get(index).cloned());
                let [stored, other] = turns.each_ref().map(|turn| {
                    turn.as_ref().map_or(0, |turn| {
                        if turn.side == mover { turn.stored } else { -turn.stored }
                    })
                });
                let [best, played] = turns;
                TurnPair { number: index + 1, gain: stored - other, best, played }
            })
            .collect();
        let turns = decisive(&pairs, loss);
        let swept = SweptSeeds { best: best.swept, played: played.swept };
        let is_swept = turns.is_empty() && 2 * (swept.best - swept.played) >= loss;
        let swept = is_swept.then_some(swept);
        let [first, other] = [best, played].map(|line| letters(&line.turns[0].moves));
        let mut explanation =
            Explanation { text: String::new(), german: String::new(), turns, swept };
        let sentences = explanation.sentences(side, &first, &other);
        let (english, german): (Vec<_>, Vec<_>) = sentences.into_iter().map(Into::into).unzip();
        (explanation.text, explanation.german) = (english.join(" "), german.join(" "));
        Some(explanation)
    }

    /// What is to be said.
    fn sentences(&self, mover: Side, first: &str, other: &str) -> Vec<Sentence> {
        if let Some(swept) = self.swept {
            return vec![sweeps(swept, mover, other)];
        }
        let sentence = |TurnPair { number, best, played, .. }: &TurnPair| match (best, played) {
            (Some(best), Some(played)) if *number == 1 => Some(instead(best, played.stored)),
            (best, Some(turn)) if *number == 2 => Some(reply(turn, best.as_ref(), first, other)),
            (Some(best), played) if played.is_none() || best.side == mover.to_string() => {
                Some(later(best))
            }
            (_, played) => Some(later_after(played.as_ref()?, other)),
        };
        let sentences: Vec<Sentence> = self.turns.iter().filter_map(sentence).collect();
        if sentences.is_empty() { vec![small_gains(first)] } else { sentences }
    }
}

/// The turns up to that from which on the best line leads by half of the loss for good: the one that
/// gained most, and a second one if neither is enough.
fn decisive(pairs: &[TurnPair], loss: i32) -> Vec<TurnPair> {
    let mut lead = 0;
    let leads = pairs.iter().map(|pair| {
        lead += pair.gain;
        2 * lead >= loss
    });
    let leads: Vec<bool> = leads.collect();
    let behind = leads.iter().rposition(|leads| !leads).map_or(0, |index| index + 1);
    if behind == pairs.len() {
        return Vec::new();
    }
    let mut most: Vec<&TurnPair> = pairs[..=behind].iter().filter(|pair| pair.gain > 0).collect();
    most.sort_by_key(|pair| -pair.gain);
    let is_enough = most.first().is_some_and(|pair| 2 * pair.gain >= loss);
    most.truncate(if is_enough { 1 } else { 2 });
    most.sort_by_key(|pair| pair.number);
    most.into_iter().cloned().collect()
}

/// Letters with spaces between them.
fn letters(moves: &str) -> String {
    moves.chars().map(String::from).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use anyhow::{Context, bail};
    use kalah::board::{Capture, House};

    use super::*;
    use crate::turns::TurnCapture;

    fn moves(board: &Board, letters: &str) -> anyhow::Result<Vec<Move>> {
        let played = board.replay(letters.chars().filter(|letter| *letter != ' '));
        played.map(|played| Ok(played?.0)).collect()
    }

    /// The moves of a turn of a line, the seeds that they bring into the store, sweeps included, and
    /// the board before the last one: by play alone.
    fn replayed(
        start: Board,
        line: &[Move],
        number: usize,
    ) -> anyhow::Result<(String, i32, Board)> {
        let mut turns = line.chunk_by(|a, b| a.side == b.side);
        let (mut board, mut last) = (start, start);
        for mv in turns.by_ref().take(number - 1).flatten() {
            board.play(*mv)?;
        }
        let (turn, before) = (turns.next().context("no turn")?, board);
        for mv in turn {
            last = board;
            board.play(*mv)?;
        }
        let [before, after] = [before, board].map(|board| i32::from(board.store(turn[0].side)));
        Ok((turn.iter().map(|mv| mv.letter()).collect(), after - before, last))
    }

    #[test]
    fn a_hundred_mistakes_are_explained_and_the_explanations_are_true() -> anyhow::Result<()> {
        let mut count = 0;
        for story in include_str!("../tests/explanations.tsv").lines() {
            let words: Vec<&str> = story.split('\t').collect();
            let [fen, capture, best, played, loss, text] = words[..] else { bail!("{story}") };
            let (board, loss) =
                (Board::from_fen(fen, capture.parse::<Capture>()?)?, loss.parse::<i32>()?);
            let lines = [moves(&board, best)?, moves(&board, played)?];
            let explanation = Explanation::new(&board, &lines[0], &lines[1], loss);
            let Explanation { text: told, turns, swept, .. } =
                explanation.context("no explanation")?;
            assert_eq!(told, text, "{story}");
            for pair in &turns {
                assert!(pair.gain > 0, "{story}");
                for (turn, line) in [&pair.best, &pair.played].into_iter().zip(&lines) {
                    let Some(turn) = turn else { continue };
                    let (letters, stored, last) = replayed(board, line, pair.number)?;
                    assert_eq!(turn.moves, letters, "{story}");
                    if line.chunk_by(|a, b| a.side == b.side).count() > pair.number {
                        assert_eq!(turn.stored, stored, "{story}");
                    }
                    if let Some(TurnCapture { house, seeds }) = turn.capture {
                        let house = House::from_letter(house).context("no house")?;
                        let held = last.houses(!last.side())[house.index()];
                        // A sowing once round adds a seed.
                        assert!((held..=held + 1).contains(&seeds), "{story}");
                    }
                }
            }
            assert!(swept.is_none_or(|swept| 2 * (swept.best - swept.played) >= loss), "{story}");
            count += 1;
        }
        assert!(count >= 100);
        Ok(())
    }

    #[test]
    fn german_says_the_same() -> anyhow::Result<()> {
        /// The houses and numbers that a text names.
        fn names(text: &str) -> Vec<&str> {
            let is_name = |word: &&str| {
                word.parse::<u16>().is_ok()
                    || (word.len() == 1 && word.starts_with(char::is_alphabetic))
            };
            let mut names: Vec<&str> =
                text.split(|c: char| !c.is_alphanumeric()).filter(is_name).collect();
            names.sort_unstable();
            names
        }
        let mut said = String::new();
        for story in include_str!("../tests/explanations.tsv").lines() {
            let words: Vec<&str> = story.split('\t').collect();
            let board = Board::from_fen(words[0], words[1].parse::<Capture>()?)?;
            let lines = [moves(&board, words[2])?, moves(&board, words[3])?];
            let explanation = Explanation::new(&board, &lines[0], &lines[1], words[4].parse()?);
            let Explanation { text, german, .. } = explanation.context("no explanation")?;
            assert_eq!(names(&german), names(&text), "{german}");
            said.push_str(&german);
            said.push('\n');
        }
        for sentence in include_str!("../tests/german.txt").lines() {
            assert!(said.contains(sentence), "{sentence} in\n{said}");
        }
        Ok(())
    }

    #[test]
    fn the_turns_and_the_sweep_make_the_loss() -> anyhow::Result<()> {
        for story in include_str!("../tests/explanations.tsv").lines() {
            let words: Vec<&str> = story.split('\t').collect();
            let board = Board::from_fen(words[0], words[1].parse::<Capture>()?)?;
            let mover = board.side().to_string();
            let total = |letters| {
                let line = Line::new(board, &moves(&board, letters)?);
                let own = |turn: &Turn| if turn.side == mover { turn.stored } else { -turn.stored };
                anyhow::Ok(line.turns.iter().map(own).sum::<i32>() + line.swept)
            };
            assert_eq!(total(words[2])? - total(words[3])?, words[4].parse::<i32>()?, "{story}");
        }
        Ok(())
    }
}
