//! The visits of a search to a small tree, for drawing.

use super::experiment::{LabError, MAX_LEAVES, check_depth, check_width, published};
use super::recorded::{RecordedGame, SearchEvent};
use super::uniform_tree::{LeafValues, UniformNode, UniformTree};
use kalah::search::{
    DepthFirst, Game, LeafSelection, ProofNumbers, ProofTree, Query, TreeSearch, UnboundedTable,
};

/// A uniform tree to draw. Its leaf values have one digit.
#[derive(Clone, Debug)]
pub struct TreePicture {
    /// Moves at every position.
    pub width: u32,
    /// Plies.
    pub depth: u32,
    /// Random seed of the leaf values.
    pub seed: u64,
}

/// A position in the picture.
#[derive(Clone, Debug, PartialEq)]
pub struct PictureNode {
    /// Horizontal coordinate, from 0 on the left to 1.
    pub x: f64,
    /// Moves from the root. MAX is to move at even plies.
    pub ply: u32,
    /// Horizontal coordinate of its parent.
    pub parent_x: Option<f64>,
    /// Visits by the search.
    pub visits: usize,
    /// Whether a visit had an open window, not a null window or a test.
    pub has_open_window: bool,
    /// The value of a leaf.
    pub value: Option<i32>,
    /// The number of leaves evaluated earlier; `None` if this leaf was not evaluated.
    pub evaluated_after: Option<usize>,
    /// Final proof and disproof numbers, after proof-number search.
    pub numbers: Option<ProofNumbers>,
}

impl TreePicture {
    /// Searches the tree. Returns the value of the root and all positions.
    ///
    /// # Errors
    /// When the width or depth is invalid, or the tree is too large for a picture.
    pub fn search(&self, search: DepthFirst) -> Result<(i32, Vec<PictureNode>), LabError> {
        let tree = self.tree()?;
        let game = RecordedGame::new(tree);
        let search = TreeSearch { guess: Some(4), ..published(search) };
        let table = UnboundedTable::default();
        let value = search.run(&game, &table, &tree.root(), self.depth).score.gain;
        Ok((value, VisitRecord::of(tree, game, Vec::new()).positions()))
    }

    /// Proves or disproves, by proof-number search, that the root is worth at least `value`. Returns
    /// whether it is, and all positions.
    ///
    /// # Errors
    /// When the width or depth is invalid, or the tree is too large for a picture.
    pub fn prove(&self, value: i32) -> Result<(bool, Vec<PictureNode>), LabError> {
        let tree = self.tree()?;
        let game = RecordedGame::new(tree);
        let mut proof = ProofTree::new(&game, tree.root(), value);
        let holds = proof.search(LeafSelection::MostProving, usize::MAX).unwrap_or(false);
        let numbers =
            proof.nodes().map(|node| (*proof.position(node), proof.numbers(node))).collect();
        Ok((holds, VisitRecord::of(tree, game, numbers).positions()))
    }

    fn tree(&self) -> Result<UniformTree, LabError> {
        check_width(self.width)?;
        check_depth(self.depth)?;
        let leaves = f64::from(self.width).powi(self.depth as i32);
        if leaves > f64::from(MAX_LEAVES) {
            return Err(LabError::TooLargeToDraw(leaves));
        }
        Ok(UniformTree::new(self.width, self.depth, LeafValues::Random(10), self.seed))
    }
}

/// The visits of a search to a tree.
struct VisitRecord {
    tree: UniformTree,
    visits: Vec<(UniformNode, Query)>,
    /// Leaves in the order of their first evaluations.
    evaluated: Vec<UniformNode>,
    numbers: Vec<(UniformNode, ProofNumbers)>,
}

impl VisitRecord {
    fn of(
        tree: UniformTree,
        game: RecordedGame<UniformTree>,
        numbers: Vec<(UniformNode, ProofNumbers)>,
    ) -> VisitRecord {
        let (visits, evaluated) = (Vec::new(), Vec::new());
        let mut record = VisitRecord { tree, visits, evaluated, numbers };
        for event in game.into_events() {
            match event {
                SearchEvent::Entered(node, query) => record.visits.push((node, query)),
                SearchEvent::Evaluated(leaf, _) if !record.evaluated.contains(&leaf) => {
                    record.evaluated.push(leaf);
                }
                SearchEvent::Evaluated(..) | SearchEvent::Left(..) => {}
            }
        }
        record
    }

    fn positions(&self) -> Vec<PictureNode> {
        let mut positions = Vec::new();
        self.place(&self.tree.root(), (0.0, 1.0), None, &mut positions);
        positions
    }

    /// Adds a position and its subtree between two horizontal coordinates.
    fn place(
        &self,
        node: &UniformNode,
        (left, right): (f64, f64),
        parent_x: Option<f64>,
        positions: &mut Vec<PictureNode>,
    ) {
        let x = f64::midpoint(left, right);
        let visits = || self.visits.iter().filter(|(visited, _)| visited == node);
        let ply = node.ply;
        let is_leaf = self.tree.is_leaf(node);
        let from_max_view = |value: i32| if ply.is_multiple_of(2) { value } else { -value };
        positions.push(PictureNode {
            x,
            ply,
            parent_x,
            visits: visits().count(),
            has_open_window: visits().any(|(_, query)| match query {
                Query::Value => true,
                Query::Window(window) => window.beta - window.alpha > UniformTree::VALUE_STEP,
                Query::Test(_) => false,
            }),
            value: is_leaf.then(|| from_max_view(self.tree.evaluate(node))),
            evaluated_after: self.evaluated.iter().position(|leaf| leaf == node),
            numbers: self.numbers.iter().find(|(of, _)| of == node).map(|(_, numbers)| *numbers),
        });
        if is_leaf {
            return;
        }
        let share = (right - left) / f64::from(self.tree.width());
        self.tree.for_each_move(node, |number, step| {
            let left = left + share * f64::from(number);
            self.place(&step.position, (left, left + share), Some(x), positions);
        });
    }
}
