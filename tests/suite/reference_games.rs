//! Random games, each ply compared with the reference, and narrow rows with wide ones.

use kalah::board::{Board, Capture, House, MAX_SEEDS, Rules, Side};
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

fn total_seeds(board: &Board) -> u32 {
    board.seeds_in_play() + Side::ALL.map(|side| u32::from(board.store(side))).iter().sum::<u32>()
}

fn compare_with_reference(start: Board, picks: &[u8]) {
    let mut reference = reference_of(&start);
    let end = play_out(start, picks, |board, mv| {
        assert_agree(board, &reference);
        assert_eq!(total_seeds(board), total_seeds(&start));
        reference.play(mv.house.index());
    });
    assert_agree(&end, &reference);
    assert_eq!(total_seeds(&end), total_seeds(&start));
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

/// However high the heap. The other side has a seed, as the game would be over without.
#[test]
fn every_heap_is_sown_as_the_reference_sows_it() {
    for capture in Capture::ALL {
        for houses in [1, 6, 8, 9, 12] {
            let rules = Rules::new(houses, capture).unwrap();
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
