//! Checks every gain of a tablebase by its definition, with moves played seed by seed. So it does not
//! matter how the table was computed, nor how it is indexed.

use std::num::NonZeroUsize;

use super::claim::EndgameGains;
use super::error::ProofFileError;
use super::plain_position::PlainPosition;
use crate::board::{MAX_HOUSES, Next, Rules};
use crate::parallel;
use crate::stop::StopToken;

/// The houses of one side.
pub(super) type PlainRow = [u8; MAX_HOUSES];

/// Rows of the mover that are checked before the next look at the token.
const ROWS_AT_A_TIME: usize = 64;

/// Checks all gains that a proof may use, and calls `report` with the number of those just checked.
///
/// # Errors
/// Returns an error if a gain is wrong, there is not enough memory, or the token was stopped.
pub(super) fn check_all_gains(
    rules: Rules,
    endgames: EndgameGains<'_>,
    threads: NonZeroUsize,
    stop: &StopToken,
    report: &(dyn Fn(u64) + Sync),
) -> Result<(), ProofFileError> {
    let rows: Option<Vec<Vec<PlainRow>>> =
        (0..=endgames.seeds).map(|seeds| rows(rules, seeds)).collect();
    let rows = rows.ok_or(ProofFileError::OutOfMemory)?;
    let pairs = (0..rows.len()).flat_map(|total| (0..=total).map(move |own| (own, total - own)));
    let parts = pairs.flat_map(|(own, opponent)| {
        let opponents = &rows[opponent];
        rows[own].chunks(ROWS_AT_A_TIME).map(move |own| (own, opponents))
    });
    parallel::try_for_each(threads, parts, |(own, opponents)| {
        // In this order most moves of neighbours lead to neighbours, which share a line of the cache.
        for &opponent in opponents {
            for &own in own {
                check_gain(rules, endgames, &PlainPosition { own, opponent })?;
            }
        }
        report((own.len() * opponents.len()) as u64);
        if stop.is_stopped() { Err(ProofFileError::Stopped) } else { Ok(()) }
    })
}

/// All ways to distribute seeds over the houses of one side; `None` if there is no memory for them.
pub(super) fn rows(rules: Rules, seeds: u32) -> Option<Vec<PlainRow>> {
    fn fill(mut row: PlainRow, house: usize, left: u8, rows: &mut Vec<PlainRow>) -> Option<()> {
        if house == 0 {
            row[0] = left;
            rows.try_reserve(1).ok()?;
            rows.push(row);
            return Some(());
        }
        for seeds in 0..=left {
            row[house] = seeds;
            fill(row, house - 1, left - seeds, rows)?;
        }
        Some(())
    }
    let mut rows = Vec::new();
    fill([0; MAX_HOUSES], rules.houses() - 1, seeds as u8, &mut rows)?;
    Some(rows)
}

fn check_gain(
    rules: Rules,
    endgames: EndgameGains<'_>,
    position: &PlainPosition,
) -> Result<(), ProofFileError> {
    let found = endgames.gain(position).unwrap_or_default();
    let expected = if position.is_over() {
        position.final_gain()
    } else {
        let mut best = i32::MIN;
        for house in (0..rules.houses()).filter(|&house| position.own[house] > 0) {
            let played = position.play(rules, house);
            let after = match played.next {
                Next::Over => 0,
                Next::Again | Next::Other => endgames.gain(&played.position).unwrap_or_default(),
            };
            let after = if played.next == Next::Other { -after } else { after };
            best = best.max(played.won + after);
        }
        best
    };
    if found == expected {
        return Ok(());
    }
    let [own, opponent] = position.rows();
    let counts = own.iter().take(rules.houses()).chain(opponent.iter().take(rules.houses()));
    let counts: Vec<String> = counts.map(u16::to_string).collect();
    Err(ProofFileError::Gain { position: counts.join(","), found, expected })
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

    use super::*;
    use crate::board::Capture;
    use crate::tablebase::{Tablebase, positions};

    /// Checks a tablebase as one of these rules; returns the number of gains and the error.
    fn check(tablebase: &Tablebase, rules: Rules) -> (u64, Option<ProofFileError>) {
        let endgames = EndgameGains { tablebase: Some(tablebase), seeds: tablebase.seeds() };
        let gains = AtomicU64::new(0);
        let report = |more| {
            gains.fetch_add(more, Relaxed);
        };
        let stop = StopToken::new();
        let result = check_all_gains(rules, endgames, NonZeroUsize::MIN, &stop, &report);
        (gains.into_inner(), result.err())
    }

    #[test]
    fn wrong_gains_are_found() {
        for (houses, seeds) in [(1, 30), (2, 12), (3, 9), (6, 6), (8, 4)] {
            for capture in Capture::ALL {
                let rules = Rules::new(houses, capture).unwrap_or_default();
                let Ok(table) = Tablebase::build(rules, seeds, NonZeroUsize::MIN) else {
                    unreachable!("a small table");
                };
                let (gains, error) = check(&table, rules);
                assert!(error.is_none(), "{rules:?}: {error:?}");
                assert_eq!(Some(gains), positions(houses, seeds));
                // With more than one house, a table of the other rule has some wrong gains.
                let Some(other) = Capture::ALL.into_iter().find(|&other| other != capture) else {
                    return;
                };
                let other = Rules::new(houses, other).unwrap_or_default();
                let (_, error) = check(&table, other);
                let is_found = matches!(error, Some(ProofFileError::Gain { .. }));
                assert_eq!(is_found, houses > 1, "{rules:?}: {error:?}");
            }
        }
    }
}
