//! Random boards and games, and boards as references.

use crate::reference::Reference;
use kalah::board::{
    Board, House, MAX_HOUSES, MAX_SEEDS, Move, Position, RowTables, RuleSet, Rules, Side, Sowings,
};
use proptest::prelude::*;

pub(crate) fn rule_sets() -> impl Strategy<Value = RuleSet> {
    prop::sample::select(&RuleSet::ALL[..])
}

pub(crate) fn rules() -> impl Strategy<Value = Rules> {
    (1..=MAX_HOUSES, rule_sets())
        .prop_map(|(houses, rule_set)| Rules::new(houses, rule_set).unwrap())
}

/// Starts of all sizes, most of them as small as people play.
pub(crate) fn starts() -> impl Strategy<Value = Board> {
    rules().prop_flat_map(|rules| {
        let most = MAX_SEEDS as u16 / (2 * rules.houses() as u16);
        prop_oneof![3 => 1..=8_u16, 1 => 1..=most]
            .prop_map(move |seeds| Board::start(rules, seeds).unwrap())
    })
}

/// Any boards, finished ones and ones that no game leads to among them.
pub(crate) fn boards() -> impl Strategy<Value = Board> {
    let seeds = prop_oneof![2 => Just(0), 4 => 1..=6_u16, 1 => 7..=40_u16];
    boards_with(seeds, Just(0))
}

/// Boards on which a single sowing runs round several times.
pub(crate) fn heavy_boards() -> impl Strategy<Value = Board> {
    boards_with(0..=3_u16, prop_oneof![100..=250_u16, 200..=950_u16])
}

/// Boards with `each` in every house and `heap` more in one of them.
pub(crate) fn boards_with(
    each: impl Strategy<Value = u16> + Clone,
    heap: impl Strategy<Value = u16> + Clone,
) -> impl Strategy<Value = Board> {
    let sides = prop::sample::select(&Side::ALL[..]);
    (rules(), sides)
        .prop_flat_map(move |(rules, side)| {
            let row = || prop::collection::vec(each.clone(), rules.houses());
            let rows = (row(), row(), heap.clone(), 0..2 * rules.houses());
            (Just(rules), Just(side), rows, any::<[prop::sample::Index; 2]>())
        })
        .prop_map(|(rules, side, (mut south, mut north, heap, heaped), stores)| {
            *south.iter_mut().chain(&mut north).nth(heaped).unwrap() += heap;
            let mut room = MAX_SEEDS as u16 - south.iter().chain(&north).sum::<u16>();
            let stores = stores.map(|store| {
                let seeds = store.index(usize::from(room) + 1) as u16;
                room -= seeds;
                seeds
            });
            Board::new(rules, [&south, &north], stores, side).unwrap()
        })
}

/// What chooses the houses in [`play_out`].
pub(crate) fn picks() -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(any::<u8>(), 1..64)
}

/// Plays a game to its end, showing each board before its move; returns the finished board.
pub(crate) fn play_out(
    mut board: Board,
    picks: &[u8],
    mut visit: impl FnMut(&Board, Move),
) -> Board {
    // Far above what the largest board needs: a game that does not end is a failure, not a hang.
    const PLIES: usize = 100_000;
    for &pick in picks.iter().cycle().take(PLIES) {
        let moves: Vec<_> = board.moves().collect();
        if moves.is_empty() {
            return board;
        }
        let mv = moves[usize::from(pick) % moves.len()];
        visit(&board, mv);
        board.play(mv).unwrap();
    }
    panic!("no end after {PLIES} plies: {}", board.fen())
}

pub(crate) fn reference_of(board: &Board) -> Reference {
    Reference {
        rule_set: board.rules().rule_set(),
        side: board.side(),
        houses: Side::ALL.map(|side| board.houses(side).to_vec()),
        stores: Side::ALL.map(|side| board.store(side)),
    }
}

/// The position of a board in rows of a given width, if it fits.
pub(crate) fn in_rows<R: RowTables>(board: &Board) -> Option<(&'static Sowings<R>, Position<R>)> {
    let sowings = Sowings::from_rules(board.rules())?;
    let (own, opponent) = (board.houses(board.side()), board.houses(!board.side()));
    Some((sowings, Position::new(sowings, own, opponent)?))
}

/// Seeds by house, the mover's side first.
pub(crate) fn counts<R: RowTables>(position: &Position<R>, houses: usize) -> [Vec<u16>; 2] {
    let row = |seeds: &dyn Fn(House) -> u32| {
        (0..houses).map(|house| seeds(House::new(house).unwrap()) as u16).collect()
    };
    [row(&|house| position.own(house)), row(&|house| position.opponent(house))]
}
