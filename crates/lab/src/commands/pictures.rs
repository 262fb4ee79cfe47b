//! `kalah lab pictures`.

use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::Context;
use clap::Args;
use kalah::search::{
    Game, LeafSelection, ProofNumbers, ProofTree, Query, TreeSearch, UnboundedTable, Variant,
};
use maud::{Markup, html};

use super::output::lab_error;
use crate::experiment::{check_depth, check_width, published, require};
use crate::{LabError, LeafValues, RecordedGame, SearchEvent, UniformNode, UniformTree};
use kalah_charts::drawing::{INK, Place, svg_file, text};
use kalah_command::new_file::NewFile;
use kalah_command::options::number;

/// Draw the visits of each search of the literature to one small tree.
///
/// Writes an SVG file for each search to a folder, which is created if it does not exist:
/// minimax.svg, alphabeta.svg, and so on. Squares are MAX's positions, circles MIN's. Dark
/// positions were searched with an open window, light ones only with a null window or a test, and
/// empty ones were not visited. The number beside a position is the number of its visits, if more
/// than one. Below a leaf is its value, and below that its index in the order of evaluations. The
/// MTD family uses a transposition table, the other searches do not; the first guess of MTD(f) is
/// 4. Proof-number search, with the whole tree in memory, proves that the root's value is at least
/// what it is; its proof and disproof numbers are the final ones.
///
///   kalah lab pictures pictures
///   kalah lab pictures docs/pictures
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub struct PicturesCommand {
    /// The folder to write to
    folder: PathBuf,

    /// Moves at every position
    #[arg(long, default_value_t = 2, value_parser = number::<u32>(..))]
    width: u32,

    /// Plies
    #[arg(long, default_value_t = 4, value_parser = number::<u32>(..))]
    depth: u32,

    /// Random seed of the leaf values
    #[arg(long, default_value_t = 2, value_parser = number::<u64>(..))]
    seed: u64,
}

/// Sizes in pixels.
const SIZE: (i32, i32) = (760, 330);
const MARGIN: f64 = 30.0;
const TOP: f64 = 58.0;
const BOTTOM: f64 = 62.0;
/// Half the width of a position.
const HALF: i32 = 8;

const DARK: &str = "#0072B2";
const LIGHT: &str = "#AAD2F0";
const FAINT: &str = "#C8C8C8";

const MAX_LEAVES: f64 = 256.0;

impl PicturesCommand {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let tree = self.tree().map_err(|error| lab_error("pictures", error))?;
        let PicturesCommand { folder, depth, .. } = self;
        let cannot = || format!("cannot write pictures to '{}'", folder.display());
        fs::create_dir_all(&folder).with_context(cannot)?;
        // Known from the searches before proof-number search.
        let mut value = 0;
        for (name, variant) in Variant::ALL {
            let game = RecordedGame::new(tree);
            let (result, numbers) = match variant {
                Variant::DepthFirst(search) if variant != Variant::SELECTIVE => {
                    let search = TreeSearch { guess: Some(4), ..published(search) };
                    let table = UnboundedTable::default();
                    value = search.run(&game, &table, &tree.root(), depth).score.gain;
                    (format!("value {value}"), Vec::new())
                }
                Variant::ProofNumber => {
                    let mut proof = ProofTree::new(&game, tree.root(), value);
                    let holds = proof.search(LeafSelection::MostProving, usize::MAX);
                    let proven = if holds == Some(true) { "proven" } else { "disproved" };
                    let numbers = |node| (*proof.position(node), proof.numbers(node));
                    let numbers = proof.nodes().map(numbers).collect();
                    (format!("value {value} or more {proven}"), numbers)
                }
                _ => continue,
            };
            let positions = positions(tree, game, numbers);
            let title = format!("{name}: {result}, {}", visits_text(&positions));
            let svg = svg_file(&title, SIZE, &drawn(&title, &positions, depth));
            let path = folder.join(format!("{name}.svg"));
            NewFile::create(&path)?.write_bytes(svg)?;
            writeln!(io::stdout(), "{}: {title}", path.display())?;
        }
        Ok(())
    }

    /// The tree. Its leaf values have one digit.
    fn tree(&self) -> Result<UniformTree, LabError> {
        check_width(self.width)?;
        check_depth(self.depth)?;
        let leaves = f64::from(self.width).powi(self.depth as i32);
        require(leaves <= MAX_LEAVES, || {
            format!("a tree with {leaves} leaves is too large to draw: the limit is {MAX_LEAVES}")
        })?;
        Ok(UniformTree::new(self.width, self.depth, LeafValues::Random(10), self.seed))
    }
}

struct PictureNode {
    /// Horizontal coordinate, from 0 on the left to 1.
    x: f64,
    /// Moves from the root. MAX is to move at even plies.
    ply: u32,
    parent_x: Option<f64>,
    visits: usize,
    /// Whether a visit had an open window, not a null window or a test.
    has_open_window: bool,
    value: Option<i32>,
    /// The number of leaves evaluated earlier; `None` if this leaf was not evaluated.
    evaluated_after: Option<usize>,
    /// Final proof and disproof numbers, after proof-number search.
    numbers: Option<ProofNumbers>,
}

/// All positions of a tree, with what a search did there.
fn positions(
    tree: UniformTree,
    game: RecordedGame<UniformTree>,
    numbers: Vec<(UniformNode, ProofNumbers)>,
) -> Vec<PictureNode> {
    let mut record = VisitRecord { tree, visits: Vec::new(), evaluated: Vec::new(), numbers };
    for event in game.into_events() {
        match event {
            SearchEvent::Entered(node, query) => record.visits.push((node, query)),
            SearchEvent::Evaluated(leaf, _) if !record.evaluated.contains(&leaf) => {
                record.evaluated.push(leaf);
            }
            SearchEvent::Evaluated(..) | SearchEvent::Left(..) => {}
        }
    }
    let mut positions = Vec::new();
    record.place(&tree.root(), (0.0, 1.0), None, &mut positions);
    positions
}

struct VisitRecord {
    tree: UniformTree,
    visits: Vec<(UniformNode, Query)>,
    /// Leaves in the order of their first evaluations.
    evaluated: Vec<UniformNode>,
    numbers: Vec<(UniformNode, ProofNumbers)>,
}

impl VisitRecord {
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

fn visits_text(positions: &[PictureNode]) -> String {
    let leaves = positions.iter().filter(|position| position.value.is_some()).count();
    let evaluated = positions.iter().filter(|position| position.evaluated_after.is_some()).count();
    let visits = positions.iter().map(|position| position.visits).sum::<usize>();
    format!("{evaluated} of {leaves} leaves evaluated, {visits} visits")
}

/// The text beside a position: its proof numbers, or its visits if more than one.
fn note(position: &PictureNode) -> String {
    let number = |number: u32| match number {
        ProofNumbers::INFINITE => "∞".to_owned(),
        _ => number.to_string(),
    };
    match (position.numbers, position.visits) {
        (Some(ProofNumbers { proof, disproof }), _) => {
            format!("{},{}", number(proof), number(disproof))
        }
        (None, 0 | 1) => String::new(),
        (None, visits) => visits.to_string(),
    }
}

/// The tree below the title.
fn drawn(title: &str, positions: &[PictureNode], depth: u32) -> Markup {
    let (width, height) = (f64::from(SIZE.0) - 2.0 * MARGIN, f64::from(SIZE.1) - TOP - BOTTOM);
    let place = |x: f64, ply: u32| {
        let down = f64::from(ply) / f64::from(depth.max(1));
        ((MARGIN + width * x) as i32, (TOP + height * down) as i32)
    };
    html! {
        (text(title, (MARGIN as i32, 20), (17, "start", INK)))
        @for position in positions {
            @if let Some(parent_x) = position.parent_x {
                @let (x1, y1) = place(parent_x, position.ply - 1);
                @let (x2, y2) = place(position.x, position.ply);
                @let (colour, width) = if position.visits > 0 { (INK, 2) } else { (FAINT, 1) };
                line x1=(x1) y1=(y1) x2=(x2) y2=(y2) stroke=(colour) stroke-width=(width) {}
            }
        }
        @for position in positions { (node(position, place(position.x, position.ply))) }
    }
}

fn node(position: &PictureNode, (x, y): Place) -> Markup {
    let (fill, edge) = match (position.visits, position.has_open_window) {
        (0, _) => ("white", FAINT),
        (_, true) => (DARK, INK),
        (_, false) => (LIGHT, INK),
    };
    let value = position.value.map_or(String::new(), |value| value.to_string());
    let value_colour = if position.evaluated_after.is_some() { INK } else { FAINT };
    let number = position.evaluated_after.map_or(String::new(), |before| (before + 1).to_string());
    // Not on the line to the parent. To the left of a leaf is the note of another.
    let is_left_child = position.parent_x.is_some_and(|parent_x| position.x < parent_x);
    let (note_place, anchor) = match (is_left_child, position.value) {
        (false, _) => ((x + HALF + 3, y - HALF - 2), "start"),
        (true, None) => ((x - HALF - 3, y - HALF - 2), "end"),
        (true, Some(_)) => ((x + HALF + 3, y + HALF - 2), "start"),
    };
    html! {
        @if position.ply.is_multiple_of(2) {
            rect x=(x - HALF) y=(y - HALF) width=(2 * HALF) height=(2 * HALF) fill=(fill) stroke=(edge) {}
        } @else {
            circle cx=(x) cy=(y) r=(HALF) fill=(fill) stroke=(edge) {}
        }
        (text(&note(position), note_place, (13, anchor, INK)))
        (text(&value, (x, y + 2 * HALF + 6), (17, "middle", value_colour)))
        (text(&number, (x, y + 4 * HALF + 9), (13, "middle", DARK)))
    }
}
