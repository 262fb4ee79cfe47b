//! Random games, each ply compared with the reference, and narrow rows with wide ones.

use kalah::board::{Board, House, MAX_SEEDS, Move, MoveTrace, Pit, RuleSet, Rules, Side};
use proptest::prelude::*;

use crate::boards::{boards, counts, heavy_boards, in_rows, picks, play_out, reference_of, starts};
use crate::reference::Reference;

fn assert_agree(board: &Board, reference: &Reference) {
    assert_eq!(reference_of(board), *reference);
    assert_eq!(board.is_over(), reference.is_over());
    assert_eq!(board.result(), reference.result());
    let moves: Vec<usize> = board.moves().map(|mv| mv.house.index()).collect();
    assert_eq!(moves, reference.moves());
}

fn compare_with_reference(start: Board, picks: &[u8]) {
    let mut reference = reference_of(&start);
    let end = play_out(start, picks, |board, mv| {
        assert_agree(board, &reference);
        assert_eq!(board.seeds(), start.seeds());
        reference.play(mv.house.index());
    });
    assert_agree(&end, &reference);
    assert_eq!(end.seeds(), start.seeds());
}

fn compare_widths(start: Board, picks: &[u8]) {
    play_out(start, picks, |board, mv| {
        let Some((narrow_sowings, narrow)) = in_rows::<u64>(board) else { return };
        let (wide_sowings, wide) = in_rows::<u128>(board).unwrap();
        assert!(narrow.moves().eq(wide.moves()));
        assert_eq!(narrow.own_seeds(), wide.own_seeds());
        assert_eq!(narrow.opponent_seeds(), wide.opponent_seeds());

        let narrow = narrow.play(narrow_sowings, mv.house);
        let wide = wide.play(wide_sowings, mv.house);
        let houses = board.rules().houses();
        assert_eq!(counts(&narrow.position, houses), counts(&wide.position, houses));
        assert_eq!(narrow.position.key(narrow_sowings), wide.position.key(wide_sowings));
        assert_eq!(narrow.banked, wide.banked);
        assert_eq!(narrow.conceded, wide.conceded);
        assert_eq!(narrow.next, wide.next);
    });
}

proptest! {
    #[test]
    fn games_from_the_start_follow_the_reference(start in starts(), picks in picks()) {
        compare_with_reference(start, &picks);
    }

    #[test]
    fn games_from_any_board_follow_the_reference(start in boards(), picks in picks()) {
        compare_with_reference(start, &picks);
    }

    #[test]
    fn games_with_many_laps_follow_the_reference(start in heavy_boards(), picks in picks()) {
        compare_with_reference(start, &picks);
    }

    #[test]
    fn narrow_and_wide_rows_play_alike(
        start in prop_oneof![starts(), boards(), heavy_boards()],
        picks in picks(),
    ) {
        compare_widths(start, &picks);
    }
}

/// The board after the steps of a move, one after the other.
fn replayed(board: &Board, mv: Move, trace: &MoveTrace) -> ([Vec<u16>; 2], [u16; 2]) {
    let mut houses = Side::ALL.map(|side| board.houses(side).to_vec());
    let mut stores = Side::ALL.map(|side| board.store(side));
    let take = |houses: &mut [Vec<u16>; 2], house: Move| {
        std::mem::take(&mut houses[house.side.index()][house.house.index()])
    };
    let mut hand = take(&mut houses, mv);
    let mut pick_ups = trace.pick_ups.iter();
    for (&pit, fallen) in trace.path.iter().zip(1..) {
        hand -= 1;
        match pit {
            Pit::House(mv) => houses[mv.side.index()][mv.house.index()] += 1,
            Pit::Store(side) => stores[side.index()] += 1,
        }
        if hand == 0 && fallen < trace.path.len() {
            let pick_up = pick_ups.next().unwrap();
            assert_eq!((Pit::House(pick_up.house), pick_up.after), (pit, fallen));
            hand = take(&mut houses, pick_up.house);
            assert_eq!(hand, pick_up.seeds);
        }
    }
    assert_eq!((hand, pick_ups.next()), (0, None));
    if let Some((captured, seeds)) = &trace.capture {
        let taken: u16 = captured.iter().map(|&house| take(&mut houses, house)).sum();
        assert_eq!(taken, *seeds);
        stores[mv.side.index()] += taken;
    }
    if let Some((side, seeds)) = trace.sweep {
        houses[side.index()].fill(0);
        stores[side.index()] += seeds;
    }
    (houses, stores)
}

proptest! {
    #[test]
    fn the_steps_of_a_move_lead_to_the_board_after_it(
        start in prop_oneof![starts(), boards(), heavy_boards()],
        picks in picks(),
    ) {
        play_out(start, &picks, |board, mv| {
            let trace = board.trace(mv).unwrap();
            let mut after = *board;
            assert_eq!(after.play(mv), Ok(trace.next));
            assert_eq!(after, trace.board);
            let (houses, stores) = replayed(board, mv, &trace);
            assert_eq!(houses, Side::ALL.map(|side| after.houses(side).to_vec()));
            assert_eq!(stores, Side::ALL.map(|side| after.store(side)));
        });
    }
}

/// However high the heap. The other side has a seed, as the game would be over without.
#[test]
fn every_heap_is_sown_as_the_reference_sows_it() {
    for rule_set in RuleSet::ALL {
        for houses in [1, 6, 8, 9, 12] {
            let rules = Rules::new(houses, rule_set).unwrap();
            for (lane, seeds) in (0..houses).flat_map(|lane| (1..MAX_SEEDS).map(move |n| (lane, n)))
            {
                let (mut own, mut opponent) = (vec![0; houses], vec![0; houses]);
                own[lane] = seeds as u16;
                opponent[houses / 2] = 1;
                let mut board = Board::new(rules, [&own, &opponent], [0, 0], Side::South).unwrap();
                let mut reference = reference_of(&board);
                board.play(board.move_from(House::new(lane).unwrap())).unwrap();
                reference.play(lane);
                assert_agree(&board, &reference);
            }
        }
    }
}
