//! The laboratory: its trees, its experiments, its part of the command line.

use std::ops::ControlFlow;

use kalah::lab::Bounds;

#[test]
fn perfectly_ordered_trees_take_the_least_nodes_to_the_node() {
    let bounds = Bounds { widths: vec![2, 3, 4, 5, 7, 10], depths: (1..=7).collect(), seed: 7 };
    let rows = bounds.run(&|_| ControlFlow::Continue(())).unwrap();
    assert_eq!(rows.len(), 6 * 7 * 10);
    for row in &rows {
        assert!(row.agrees(), "{row:?}");
        // The lecture's closed forms, which are for even depths. That of H2 has lost
        // b^(depth / 2 - 1) on the way from the sum it begins with, so it is set right here.
        let (b, half) = (u64::from(row.width), row.depth / 2);
        if row.depth % 2 == 0 {
            let h1 = 2 * (b.pow(half + 1) - 1) / (b - 1) - b.pow(half);
            let h2 = 2 * h1 + b.pow(half) - u64::from(row.depth + 2);
            match row.search {
                "test-true" => assert_eq!(row.nodes, h1),
                "alphabeta" | "scout" | "negascout" | "pvs" => assert_eq!(row.nodes, h2),
                _ => {}
            }
        }
    }
}
