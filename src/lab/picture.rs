//! What a search visits of a small tree, for drawing.

use serde::Serialize;

use super::error::{LabError, check_depth, check_width};
use super::recorded::{Event, Recorded};
use super::uniform_tree::{Leaves, UniformNode, UniformTree};
use crate::search::{
    DepthFirst, DepthFirstOptions, Game, LeafSelection, MoveOrdering, ProofNumbers, ProofTree,
    Query, TableUse, TreeSearch, UnboundedTable,
};

/// The tree to draw. Its leaves are one-digit numbers.
#[derive(Clone, Debug, Serialize)]
pub struct Picture {
    /// Moves at every position.
    pub width: u32,
    /// Plies.
    pub depth: u32,
    /// Where the leaves come from.
    pub seed: u64,
}

/// A position in a picture.
#[derive(Clone, Debug, PartialEq)]
pub struct Drawn {
    /// Where it lies from left to right: 0 to 1.
    pub place: f64,
    /// Moves from the root. MAX is to move at even ones.
    pub ply: u32,
    /// The place of the position before it.
    pub parent: Option<f64>,
    /// How often the search came here.
    pub visits: usize,
    /// Whether the search asked more than on which side of some value the position lies.
    pub asked_for_value: bool,
    /// The value of a leaf.
    pub value: Option<i32>,
    /// Other leaves evaluated before this one, if it was.
    pub evaluated_after: Option<usize>,
    /// In the end, under proof-number search.
    pub numbers: Option<ProofNumbers>,
}

/// Most leaves in a picture.
const MOST_LEAVES: u32 = 256;

impl Picture {
    /// Searches the tree; tells the value of the root and what became of each position.
    ///
    /// # Errors
    /// When there is no such tree or it is too large for a picture.
    pub fn search(&self, search: DepthFirst) -> Result<(i32, Vec<Drawn>), LabError> {
        let game = Recorded::new(self.tree()?);
        let root = game.game().root();
        // The others do not need it to be what they are.
        let table = match search {
            DepthFirst::Mtd(_) => TableUse::On,
            _ => TableUse::Off,
        };
        let depth_first =
            DepthFirstOptions { table, ordering: MoveOrdering::Static, random_seed: 0 };
        let search = TreeSearch { guess: Some(4), ..TreeSearch::new(search, depth_first) };
        let outcome = search.run(&game, &UnboundedTable::default(), &root, self.depth);
        Ok((outcome.score.gain, Drawing::of(game).positions()))
    }

    /// Proves, or disproves, by proof-number search that the root is worth so much or more; tells
    /// which it was.
    ///
    /// # Errors
    /// When there is no such tree or it is too large for a picture.
    pub fn prove(&self, value: i32) -> Result<(bool, Vec<Drawn>), LabError> {
        let game = Recorded::new(self.tree()?);
        let mut tree = ProofTree::new(&game, game.game().root(), value);
        let holds = tree.search(LeafSelection::MostProving, usize::MAX).unwrap_or(false);
        let mut numbers = Vec::new();
        let mut open = vec![tree.root()];
        while let Some(node) = open.pop() {
            numbers.push((*tree.position(node), tree.numbers(node)));
            open.extend(tree.children(node));
        }
        Ok((holds, Drawing { numbers, ..Drawing::of(game) }.positions()))
    }

    fn tree(&self) -> Result<UniformTree, LabError> {
        check_width(self.width)?;
        check_depth(self.depth)?;
        let leaves = f64::from(self.width).powi(self.depth as i32);
        if leaves > f64::from(MOST_LEAVES) {
            return Err(LabError::TooLargeToDraw { leaves, most: MOST_LEAVES });
        }
        Ok(UniformTree::new(self.width, self.depth, Leaves::Random { values: 10 }, self.seed))
    }
}

/// A tree and what a search did there.
struct Drawing {
    tree: UniformTree,
    asked: Vec<(UniformNode, Query)>,
    /// Leaves, as they came first.
    evaluated: Vec<UniformNode>,
    numbers: Vec<(UniformNode, ProofNumbers)>,
}

impl Drawing {
    /// What is on record.
    fn of(game: Recorded<UniformTree>) -> Drawing {
        let tree = *game.game();
        let mut drawing =
            Drawing { tree, asked: Vec::new(), evaluated: Vec::new(), numbers: Vec::new() };
        for event in game.into_events() {
            match event {
                Event::Asked(node, question) => drawing.asked.push((node, question)),
                Event::Evaluated(leaf, _) if !drawing.evaluated.contains(&leaf) => {
                    drawing.evaluated.push(leaf);
                }
                Event::Evaluated(..) | Event::Answered(..) => {}
            }
        }
        drawing
    }

    fn positions(&self) -> Vec<Drawn> {
        let mut positions = Vec::new();
        self.place(&self.tree.root(), (0.0, 1.0), None, &mut positions);
        positions
    }

    /// Places a position and all below it between two ends.
    fn place(
        &self,
        node: &UniformNode,
        (left, right): (f64, f64),
        parent: Option<f64>,
        positions: &mut Vec<Drawn>,
    ) {
        let place = f64::midpoint(left, right);
        let here = || self.asked.iter().filter(|(asked, _)| asked == node);
        let ply = node.ply();
        let is_leaf = self.tree.is_leaf(node);
        let as_max = |value: i32| if ply.is_multiple_of(2) { value } else { -value };
        positions.push(Drawn {
            place,
            ply,
            parent,
            visits: here().count(),
            asked_for_value: here().any(|(_, question)| match question {
                Query::Value => true,
                Query::Window(window) => window.beta - window.alpha > UniformTree::VALUE_STEP,
                Query::Test(_) => false,
            }),
            value: is_leaf.then(|| as_max(self.tree.evaluate(node))),
            evaluated_after: self.evaluated.iter().position(|leaf| leaf == node),
            numbers: self.numbers.iter().find(|(of, _)| of == node).map(|(_, numbers)| *numbers),
        });
        if is_leaf {
            return;
        }
        let share = (right - left) / f64::from(self.tree.width());
        self.tree.for_each_move(node, |number, step| {
            let left = left + share * f64::from(number);
            self.place(&step.position, (left, left + share), Some(place), positions);
        });
    }
}
