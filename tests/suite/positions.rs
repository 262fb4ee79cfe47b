//! Positions in both widths of rows against plain counts of seeds.

use kalah::board::{Capture, House, Position, RowTables, Rules, Sowings};
use proptest::prelude::*;

use crate::boards::counts;

fn agrees_with_counts<R: RowTables>(own: &[u16]) {
    let houses = own.len();
    let rules = Rules::new(houses, Capture::Standard).unwrap();
    let mut opponent = vec![0; houses];
    let sowings = Sowings::<R>::from_rules(rules).unwrap();
    for seeds in [0, 1] {
        opponent[houses - 1] = seeds;
        let Some(position) = Position::new(sowings, own, &opponent) else { continue };
        assert_eq!(counts(&position, houses), [own, &opponent]);
        let total = own.iter().sum::<u16>();
        assert_eq!(position.own_seeds(), u32::from(total));
        assert_eq!(position.opponent_seeds(), u32::from(seeds));
        assert_eq!(position.is_over(), total == 0 || seeds == 0);
        let expected: Vec<_> =
            (0..houses).filter(|&house| own[house] > 0).filter_map(House::new).collect();
        assert_eq!(position.moves().collect::<Vec<_>>(), expected);
        assert_eq!(position.moves().len(), expected.len());
        let by_number: Vec<_> = (0..).map_while(|n| position.nth_move(n)).collect();
        assert_eq!(by_number, expected);
        assert_eq!(position.nth_move(usize::MAX), None);
    }
}

proptest! {
    #[test]
    fn narrow_rows_agree_with_counts(counts in prop::collection::vec(0..=31_u16, 1..=8)) {
        agrees_with_counts::<u64>(&counts);
        agrees_with_counts::<u128>(&counts);
    }

    #[test]
    fn wide_rows_agree_with_counts(counts in prop::collection::vec(0..=85_u16, 1..=12)) {
        agrees_with_counts::<u128>(&counts);
    }
}

#[test]
fn full_lanes_do_not_leak() {
    agrees_with_counts::<u64>(&[0, 0, 255, 0, 0, 0, 0, 0]);
    agrees_with_counts::<u64>(&[0, 0, 0, 0, 0, 0, 0, 255]);
    agrees_with_counts::<u64>(&[128, 0, 0, 0, 0, 0, 0, 127]);
    agrees_with_counts::<u128>(&[0, 1023, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    agrees_with_counts::<u128>(&[512, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 511]);
}
