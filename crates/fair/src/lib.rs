//! Fair starts: boards near the start of a game that are a draw when both sides play best.
//!
//! Kalah's first player wins most starts by many seeds. T. W. Neller and co-workers (`FairKalah`) move one
//! or two seeds of the start so that the game becomes a draw. [`starts_with_moved`] returns all boards that
//! come into question, [`fair_starts`] the draws among those of many games, which `kalah fair` has found.

use kalah::board::{Board, BoardError, House, MAX_HOUSES, Rules, Side};

/// A line for each game: houses a side, seeds in each, rules, and the starts: pits that lose a seed, `>`, and pits
/// that get one. Letters are houses, `+` and `-` the stores of South and North.
const FOUND: &str = include_str!("starts.txt");

/// The boards that exactly `moved` seeds tell from the start of a game with `seeds` in each house: that
/// many lie in other houses, or in stores. South is to move. Boards on which the game is over are left out.
///
/// ```
/// use kalah_fair::starts_with_moved;
/// use kalah::{Board, Rules};
///
/// let rules = Rules::default();
/// assert_eq!(starts_with_moved(rules, 4, 0)?, [Board::start(rules, 4)?]);
/// // One of 12 houses gives a seed to another one or to a store.
/// assert_eq!(starts_with_moved(rules, 4, 1)?.len(), 12 * 13);
/// assert_eq!(starts_with_moved(rules, 4, 2)?.len(), 6_240);
/// # Ok::<(), kalah::board::BoardError>(())
/// ```
///
/// # Errors
/// As [`Board::start`].
pub fn starts_with_moved(rules: Rules, seeds: u16, moved: u16) -> Result<Vec<Board>, BoardError> {
    Board::start(rules, seeds)?;
    let mut boards = Vec::new();
    let houses = 2 * rules.houses();
    let mut pits = [vec![seeds; houses], vec![0; 2]].concat();
    move_seeds(&mut pits, 0, [moved, moved], &mut |pits| {
        let (houses, stores) = pits.split_at(houses);
        let (south, north) = houses.split_at(rules.houses());
        // It has the seeds of the start.
        let board = Board::new(rules, [south, north], [stores[0], stores[1]], Side::South);
        boards.extend(board.ok().filter(|board| !board.is_over()));
    });
    Ok(boards)
}

/// The known fair starts of a game with `seeds` in each house, of which at most two are moved: South, to move,
/// draws with best play. Those that most first moves hold come first. None if this game was not searched.
///
/// ```
/// use kalah_fair::fair_starts;
/// use kalah::{Capture, Rules};
///
/// assert_eq!(fair_starts(Rules::new(6, Capture::Empty)?, 4).len(), 254);
/// assert_eq!(fair_starts(Rules::new(12, Capture::Empty)?, 42).len(), 0);
/// # Ok::<(), kalah::board::HousesOutOfRange>(())
/// ```
pub fn fair_starts(rules: Rules, seeds: u16) -> Vec<Board> {
    let game = format!("{} {seeds} {} ", rules.houses(), rules.rule_set().name());
    let starts = FOUND.lines().find_map(|line| line.strip_prefix(&game)).unwrap_or_default();
    starts.split_ascii_whitespace().filter_map(|moved| with_moved(rules, seeds, moved)).collect()
}

/// The start of a game with some seeds moved, as in `AB>c+`.
fn with_moved(rules: Rules, seeds: u16, moved: &str) -> Option<Board> {
    let mut houses = [[seeds; MAX_HOUSES]; 2];
    let mut stores = [0; 2];
    let (taken, added) = moved.split_once('>')?;
    let taken = taken.chars().map(|pit| (pit, -1));
    for (pit, change) in taken.chain(added.chars().map(|pit| (pit, 1))) {
        let side = if pit == '+' || pit.is_ascii_uppercase() { Side::South } else { Side::North };
        let seeds = match House::from_letter(pit) {
            Some(house) => &mut houses[side.index()][house.index()],
            None => &mut stores[side.index()],
        };
        *seeds = seeds.checked_add_signed(change)?;
    }
    let [south, north] = houses.each_ref().map(|row| &row[..rules.houses()]);
    Board::new(rules, [south, north], stores, Side::South).ok()
}

/// Calls `visit` for each way to take seeds from some pits, from this one on, and to add them to others.
fn move_seeds(
    pits: &mut [u16],
    pit: usize,
    [to_take, to_add]: [u16; 2],
    visit: &mut impl FnMut(&[u16]),
) {
    if (to_take, to_add) == (0, 0) {
        return visit(pits);
    }
    let Some(&seeds) = pits.get(pit) else { return };
    for taken in (1..=to_take.min(seeds)).rev() {
        pits[pit] = seeds - taken;
        move_seeds(pits, pit + 1, [to_take - taken, to_add], visit);
    }
    for added in 0..=to_add {
        pits[pit] = seeds + added;
        move_seeds(pits, pit + 1, [to_take, to_add - added], visit);
    }
    pits[pit] = seeds;
}

#[cfg(test)]
mod tests {
    use super::*;
    use kalah::board::RuleSet;

    /// No start is dropped, and each is one of those that come into question.
    #[test]
    fn the_known_starts_can_be_read() {
        assert!(FOUND.lines().count() >= 2);
        for line in FOUND.lines() {
            let words: Vec<&str> = line.split(' ').collect();
            let rule_set = RuleSet::from_name(words[2]);
            let rules =
                rule_set.map(|rule_set| Rules::new(words[0].parse().unwrap_or(0), rule_set));
            let Some(Ok(rules)) = rules else { unreachable!("{line}") };
            let seeds = words[1].parse().unwrap_or(0);
            let starts = fair_starts(rules, seeds);
            assert_eq!(starts.len(), words.len() - 3, "{} {} {}", words[0], words[1], words[2]);
            let near = (0..=2).flat_map(|moved| starts_with_moved(rules, seeds, moved));
            let near: Vec<Board> = near.flatten().collect();
            assert!(starts.iter().all(|start| near.contains(start)), "{line}");
        }
    }
}
