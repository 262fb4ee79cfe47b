//! SSS* as G. Stockman published it (*A Minimax Algorithm Better than Alpha-Beta?*, Artificial
//! Intelligence 12, 1979): a best-first search with a list OPEN of states that stand for partial
//! solution trees.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use kalah::search::Game;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Status {
    Live,
    Solved,
}

/// OPEN: by merit, the greatest first, and from left to right where merits are equal. A node is
/// known by the numbers of the moves that lead there.
type Open<P> = BTreeMap<(Reverse<i32>, Vec<u32>), (Status, P)>;

/// The leaves in the order in which SSS* evaluates them, or DUAL*, which is SSS* with the players
/// changed about; and the value of the root as MAX sees it.
pub(crate) fn best_first<G: Game<Move = u32>>(
    game: &G,
    root: G::Position,
    dual: bool,
) -> (Vec<G::Position>, i32) {
    // Solution trees hold all moves of MAX, whose place in DUAL* is taken by MIN.
    let takes_all = |path: &[u32]| path.len().is_multiple_of(2) != dual;
    let mut evaluated = Vec::new();
    // The nodes above those in OPEN, for the way back.
    let mut nodes = BTreeMap::from([(Vec::new(), root)]);
    let mut open = Open::new();
    open.insert((Reverse(i32::MAX), Vec::new()), (Status::Live, root));
    // The operator Gamma, case by case.
    while let Some(((Reverse(merit), path), (status, node))) = open.pop_first() {
        if status == Status::Live {
            nodes.insert(path.clone(), node);
            if game.is_leaf(&node) {
                evaluated.push(node);
                // The game's values are those of the player to move.
                let of_leaf = game.evaluate(&node) * if takes_all(&path) { 1 } else { -1 };
                open.insert((Reverse(merit.min(of_leaf)), path), (Status::Solved, node));
                continue;
            }
            let takes = if takes_all(&path) { usize::MAX } else { 1 };
            for (number, child) in children(game, node).into_iter().enumerate().take(takes) {
                let path = [&path[..], &[number as u32]].concat();
                open.insert((Reverse(merit), path), (Status::Live, child));
            }
            continue;
        }
        let Some((&number, above)) = path.split_last() else {
            return (evaluated, if dual { -merit } else { merit });
        };
        let parent = nodes[above];
        let brother = children(game, parent).get(number as usize + 1).copied();
        if let Some(brother) = brother.filter(|_| !takes_all(above)) {
            let path = [above, &[number + 1]].concat();
            open.insert((Reverse(merit), path), (Status::Live, brother));
        } else {
            // All others below a node whose best move is known are purged.
            open.retain(|(_, path), _| !path.starts_with(above));
            open.insert((Reverse(merit), above.to_vec()), (Status::Solved, parent));
        }
    }
    panic!("OPEN ran empty before the root was solved");
}

fn children<G: Game<Move = u32>>(game: &G, node: G::Position) -> Vec<G::Position> {
    let mut children = Vec::new();
    game.for_each_move(&node, |_, step| children.push(step.position));
    children
}
