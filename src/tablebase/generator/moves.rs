//! The moves of whole rows: scoring moves, which lead to smaller layers, and quiet moves, which do not.

use std::array;
use std::ops::Range;

use arrayvec::ArrayVec;

use super::rank_map::RankMap;
use super::rows::{MoveTables, QuietMove};
use super::tile::{TILE_ROWS, Tile};
use crate::board::{House, MoveResult, Next, Position, Row, Sowing, SowingEnd, SownHouse};
use crate::sys::prefetch;
use crate::tablebase::index::{GAIN_BIAS, NO_GAIN, negated};

/// The gains of all smaller layers.
#[derive(Clone, Copy)]
pub(super) struct SmallerLayers<'a> {
    /// F: the mover's row selects the table row.
    pub(super) f: &'a [u8],
    /// G: the opponent's row does, and columns are in the order of mirrored rows.
    pub(super) g: &'a [u8],
}

/// A move of one row against all rows of the other side.
struct RowMove<'a> {
    /// The place of the row among those that are processed together.
    line: usize,
    banked: u8,
    kind: Kind<'a>,
}

enum Kind<'a> {
    /// The other side does not change, and the mover moves again. The gains start at `start` in F.
    Again { start: usize },
    /// The other side changes by `map` and moves. G has the gains, by captured seeds, at these starts.
    Other { map: &'a RankMap, starts: Range<usize>, min_captured: u8 },
    /// A sowing under relay sowing whose last seed falls into a house of the other side, against the rows that have it
    /// empty: there it is as above. The gains start at `start` in G; `occupied` is all ones for the other rows.
    Ended { map: &'a RankMap, start: usize, occupied: &'a [u8] },
    /// The rest of a relay after the sowing that has reached the other side, and left this row. It is played against one
    /// row of the other side at a time, but for those that have this house empty.
    Relay { row: u64, sown: &'a SownHouse<u64>, unless_empty: Option<usize> },
    /// A rare move, which is played against one row of the other side at a time.
    Single { row: u64, house: House },
}

/// The moves of some rows.
#[derive(Default)]
struct RowMoves<'a> {
    moves: Vec<RowMove<'a>>,
    starts: Vec<usize>,
}

impl MoveTables<'_> {
    /// Writes the best of the scoring moves for each position of a block.
    pub(super) fn apply_scoring_moves(
        &self,
        own: u32,
        opponent: u32,
        block: &mut [u8],
        smaller: SmallerLayers<'_>,
    ) {
        let (side, other) = (&self.sides[own as usize], &self.sides[opponent as usize]);
        let columns = other.rows.len();
        let mut moves = RowMoves::default();
        // Gains in the order of G's columns, by line.
        let mut mirrored = vec![NO_GAIN; TILE_ROWS * columns];
        let mut gathered = vec![NO_GAIN; columns + RankMap::SLACK];
        let mut tile = Tile::new(columns);
        for (rows, block) in side.rows.chunks(TILE_ROWS).zip(block.chunks_mut(TILE_ROWS * columns))
        {
            self.collect(rows, opponent, &mut moves);
            mirrored.fill(NO_GAIN);
            for (i, played) in moves.moves.iter().enumerate() {
                if let Some(next) = moves.moves.get(i + 1) {
                    next.prefetch(&moves.starts, smaller);
                }
                let line = played.line * columns..(played.line + 1) * columns;
                let banked = played.banked;
                match &played.kind {
                    Kind::Again { start } => {
                        for (best, &gain) in block[line].iter_mut().zip(&smaller.f[*start..]) {
                            *best = (*best).max(gain.wrapping_add(banked));
                        }
                    }
                    Kind::Other { map, starts, min_captured } => {
                        let starts = &moves.starts[starts.clone()];
                        map.gather(smaller.g, starts, &mut gathered);
                        let best = &mut mirrored[line];
                        // Captures have at least two starts.
                        if starts.len() == 1 {
                            raise_all(best, &gathered, banked);
                        } else {
                            raise_captures(best, &gathered, &map.captured, banked, *min_captured);
                        }
                    }
                    Kind::Ended { map, start, occupied } => {
                        map.gather(smaller.g, &[*start], &mut gathered);
                        let gains = mirrored[line].iter_mut().zip(&gathered).zip(*occupied);
                        for ((best, &after), &occupied) in gains {
                            *best = (*best).max(negated(after | occupied, banked));
                        }
                    }
                    Kind::Relay { row, sown, unless_empty } => {
                        let play = |other: u64| {
                            let goes_on = unless_empty.is_none_or(|house| other.seeds(house) > 0);
                            let position = Position::from_rows(*row, other.plus(sown.opponent));
                            goes_on.then(|| position.sow_on(self.sowings, sown))
                        };
                        self.play_each(banked, play, &other.rows, &mut block[line], smaller);
                    }
                    Kind::Single { row, house } => {
                        let play = |other| {
                            Some(Position::from_rows(*row, other).play(self.sowings, *house))
                        };
                        self.play_each(0, play, &other.rows, &mut block[line], smaller);
                    }
                }
            }
            tile.load(&mirrored, &array::from_fn(|i| i));
            tile.merge_into(
                |rank| other.mirrored[rank] as usize,
                block,
                &array::from_fn(|i| i.min(rows.len() - 1)),
                |best, gain| *best = (*best).max(gain),
            );
        }
    }

    /// Collects the scoring moves of some rows.
    fn collect<'a>(&'a self, rows: &[u64], opponent: u32, moves: &mut RowMoves<'a>) {
        moves.moves.clear();
        moves.starts.clear();
        // One house after the other: the positions after the moves of neighbours are close together.
        for house in 0..self.sowings.rules().houses() {
            for (line, &row) in rows.iter().enumerate() {
                if row.seeds(house) == 0 {
                    continue;
                }
                if self.sowings.rules().sowing() == Sowing::Relay {
                    self.collect_relay(row, house, opponent, line, moves);
                    continue;
                }
                let sowing = self.sowings.get(house, row.seeds(house));
                let ends_in_empty = self.ends_in_empty_house(row, house);
                if sowing.banked == 0 && !ends_in_empty {
                    continue;
                }
                let after = row.plus(sowing.own);
                let banked = sowing.banked as u8 + u8::from(ends_in_empty);
                let kind = if sowing.end == SowingEnd::Store && sowing.opponent == 0 {
                    Kind::Again { start: self.index.row(after, opponent) }
                } else if let Some(map) = self.rank_map(row, house, opponent) {
                    let seeds = opponent + sowing.opponent.total();
                    let first = moves.starts.len();
                    let mut min_captured = 0;
                    if ends_in_empty {
                        min_captured = u8::from(!self.sowings.empty_capture);
                        let left = after.minus_at(u32::from(sowing.last_shift), 1);
                        moves.starts.extend(self.starts_by_captured(left, seeds));
                    } else {
                        moves.starts.push(self.index.row(after, seeds));
                    }
                    Kind::Other { map, starts: first..moves.starts.len(), min_captured }
                } else {
                    Kind::Single { row, house: House::from_lane(house) }
                };
                moves.moves.push(RowMove { line, banked, kind });
            }
        }
    }

    /// Collects a scoring move under relay sowing: how it goes on beyond the mover's side depends on the other row.
    fn collect_relay<'a>(
        &'a self,
        row: u64,
        house: usize,
        opponent: u32,
        line: usize,
        moves: &mut RowMoves<'a>,
    ) {
        let (row, sown) = self.sowings.sow_own_side(row, house);
        let mut add = |kind| {
            moves.moves.push(RowMove { line, banked: sown.banked as u8, kind });
        };
        if sown.opponent.is_empty() {
            if sown.end == SowingEnd::Store {
                add(Kind::Again { start: self.index.row(row, opponent) });
            }
            return;
        }
        let houses = self.sowings.rules().houses();
        let side = &self.sides[opponent as usize];
        let ends_there = usize::from(sown.last) >= houses;
        let unless_empty = self.seed_each(sown).filter(|_| ends_there).map(|count| count - 1);
        if let Some(last) = unless_empty {
            let start = self.index.row(row, opponent + sown.opponent.total());
            // In a mirrored row the house is at the other end.
            let occupied = &side.occupied[houses - 1 - last];
            add(Kind::Ended { map: &side.sown[last], start, occupied });
        }
        add(Kind::Relay { row, sown, unless_empty });
    }

    /// How many of the first houses of the other side gain a seed each, if no house gains more.
    fn seed_each(&self, sown: &SownHouse<u64>) -> Option<usize> {
        let count = sown.opponent.total() as usize;
        let is_seed_each = count <= self.sowings.rules().houses()
            && (0..count).all(|house| sown.opponent.seeds(house) == 1);
        is_seed_each.then_some(count)
    }

    /// How a move changes the rows of the other side, if that was computed beforehand.
    fn rank_map(&self, row: u64, house: usize, opponent: u32) -> Option<&RankMap> {
        let sowing = self.sowings.get(house, row.seeds(house));
        let side = &self.sides[opponent as usize];
        let sown = self.seed_each(sowing)?;
        if sowing.end == SowingEnd::Store {
            return None;
        }
        if !self.ends_in_empty_house(row, house) {
            return side.sown.get(sown.checked_sub(1)?);
        }
        let opposite = self.sowings.opposite_shifts - u32::from(sowing.last_shift);
        let maps = if sown == 0 { &side.captured } else { &side.sown_and_captured };
        maps.get((opposite / u64::LANE_BITS) as usize)
    }

    /// Where the gains of a row start against what a capture leaves of `seeds`, by captured seeds.
    fn starts_by_captured(&self, row: u64, seeds: u32) -> impl Iterator<Item = usize> {
        let (own, ranks) = (row.total(), &self.index.ranks);
        let rank = ranks.rank(row);
        let left = (0..=seeds).rev();
        left.map(move |left| self.index.block(own, left) + rank * ranks.count(left))
    }

    /// Plays a move against one row of the other side at a time; `play` returns `None` for rows that are left out.
    /// `banked` seeds are added to what it banks.
    #[inline]
    fn play_each(
        &self,
        banked: u8,
        play: impl Fn(u64) -> Option<MoveResult<Position<u64>>>,
        others: &[u64],
        gains: &mut [u8],
        smaller: SmallerLayers<'_>,
    ) {
        /// Rows whose gains are waited for at the same time.
        const ROWS: usize = 64;
        for (others, gains) in others.chunks(ROWS).zip(gains.chunks_mut(ROWS)) {
            let mut moves = ArrayVec::<_, ROWS>::new();
            for (&other, best) in others.iter().zip(gains) {
                let Some(played) = play(other) else { continue };
                let banked = banked.wrapping_add(played.banked as u8);
                if played.next == Next::Over {
                    let gain = GAIN_BIAS.wrapping_sub(played.conceded as u8).wrapping_add(banked);
                    *best = (*best).max(gain);
                    continue;
                }
                let after = &smaller.f[self.index.index_of(&played.position)];
                prefetch(after);
                moves.push((best, after, played.next, banked));
            }
            for (best, &after, next, banked) in moves {
                let gain = match next {
                    Next::Other => negated(after, banked),
                    Next::Again | Next::Over => after.wrapping_add(banked),
                };
                *best = (*best).max(gain);
            }
        }
    }

    /// Whether the last seed falls into an empty house of the mover.
    fn ends_in_empty_house(&self, row: u64, house: usize) -> bool {
        let sowing = self.sowings.get(house, row.seeds(house));
        let after = row.plus(sowing.own);
        after.seeds_at(u32::from(sowing.last_shift)) & u32::from(sowing.captures) == 1
    }
}

impl RowMove<'_> {
    /// Prefetches what the move reads first.
    fn prefetch(&self, starts: &[usize], smaller: SmallerLayers<'_>) {
        match &self.kind {
            Kind::Again { start } => {
                for line in 0..2 {
                    if let Some(byte) = smaller.f.get(start + 64 * line) {
                        prefetch(byte);
                    }
                }
            }
            Kind::Other { map, starts: range, .. } => {
                map.prefetch(smaller.g, &starts[range.clone()]);
            }
            Kind::Ended { map, start, .. } => map.prefetch(smaller.g, &[*start]),
            Kind::Relay { .. } | Kind::Single { .. } => {}
        }
    }
}

/// Raises gains to those of a move, given the gains of the other player after it.
fn raise_all(best: &mut [u8], after: &[u8], banked: u8) {
    for (best, &after) in best.iter_mut().zip(after) {
        *best = (*best).max(negated(after, banked));
    }
}

/// As [`raise_all`] for a move that captures, where it captures at least `min_captured` seeds.
fn raise_captures(best: &mut [u8], after: &[u8], captured: &[u8], banked: u8, min_captured: u8) {
    for ((best, &after), &captured) in best.iter_mut().zip(after).zip(captured) {
        let gain = negated(after, banked.wrapping_add(captured));
        *best = (*best).max(if captured < min_captured { NO_GAIN } else { gain });
    }
}

impl MoveTables<'_> {
    /// Completes a block and its transpose, which have the best scoring moves, by the quiet moves.
    pub(super) fn apply_quiet_moves(&self, own: u32, opponent: u32, f: &mut [u8], g: &mut [u8]) {
        let (side, other) = (&self.sides[own as usize], &self.sides[opponent as usize]);
        let mut gains = Tile::new(other.rows.len());
        let mut min_gains = Tile::new(other.rows.len());
        for group in &side.groups {
            let mut ranks = &group[..];
            while let [rank, rest @ ..] = ranks {
                if rest.first() != Some(rank) {
                    self.apply_quiet_moves_of_row(own, opponent, *rank, f, g);
                }
                ranks = rest;
            }
            gains.load(f, group);
            // By the condition of a move: all ones for the rows that do not meet it.
            let mut forbidden = [[0; TILE_ROWS]; QuietMove::CONDITIONS];
            for (lane, &rank) in group.iter().enumerate() {
                for house in side.rows[rank].occupied() {
                    forbidden[house + 1][lane] = u8::MAX;
                }
            }
            for (rank, to) in min_gains.columns.iter_mut().enumerate() {
                let mut min = [u8::MAX; TILE_ROWS];
                for quiet in other.quiet_moves(rank) {
                    let from = &gains.columns[quiet.rank()];
                    let forbidden = &forbidden[quiet.condition()];
                    for ((min, from), forbidden) in min.iter_mut().zip(from).zip(forbidden) {
                        *min = (*min).min(from | forbidden);
                    }
                }
                *to = min;
            }
            let raise = |best: &mut u8, min| *best = (*best).max(negated(min, 0));
            min_gains.merge_into(|rank| rank, g, group, raise);
        }
    }

    /// The quiet moves of a row against all rows of the other side.
    fn apply_quiet_moves_of_row(
        &self,
        own: u32,
        opponent: u32,
        rank: usize,
        f: &mut [u8],
        g: &[u8],
    ) {
        let (side, other) = (&self.sides[own as usize], &self.sides[opponent as usize]);
        let columns = other.rows.len();
        let gains = &mut f[rank * columns..][..columns];
        for quiet in side.quiet_moves(rank) {
            let after = &g[quiet.rank() * columns..][..columns];
            match quiet.condition().checked_sub(1) {
                None => {
                    for (best, &after) in gains.iter_mut().zip(after) {
                        *best = (*best).max(negated(after, 0));
                    }
                }
                Some(house) => {
                    let occupied = &other.occupied[house];
                    for ((best, &after), &occupied) in gains.iter_mut().zip(after).zip(occupied) {
                        *best = (*best).max(negated(after | occupied, 0));
                    }
                }
            }
        }
    }
}
