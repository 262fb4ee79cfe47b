//! `kalah lab pictures`.

use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;

use crate::{PictureNode, TreePicture};
use anyhow::Context;
use clap::Args;
use kalah::search::{ProofNumbers, Variant};
use maud::{Markup, html};

use super::experiment::lab_error;
use kalah_charts::drawing::{INK, Place, svg_file, text};
use kalah_command::new_file::NewFile;

/// Draw the visits of each search of the literature to one small tree.
///
/// Writes an SVG file for each search to a folder, which is created if it does not exist: minimax.svg, alphabeta.svg, and so on. Squares
/// are MAX's positions, circles MIN's. Dark positions were searched with an open window, light ones
/// only with a null window or a test, and empty ones were not visited. The number beside a position
/// is the number of its visits, if more than one. Below a leaf is its value, and below that its
/// index in the order of evaluations. The MTD family uses a transposition table, the other searches
/// do not; the first guess of MTD(f) is 4. Proof-number search, with the whole tree in memory,
/// proves that the root's value is at least what it is; its proof and disproof numbers are the
/// final ones.
///
///   kalah lab pictures pictures
///   kalah lab pictures docs/pictures
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub(super) struct PicturesCommand {
    /// The folder to write to
    folder: PathBuf,

    /// Moves at every position
    #[arg(long, default_value_t = 2)]
    width: u32,

    /// Plies
    #[arg(long, default_value_t = 4)]
    depth: u32,

    /// Random seed of the leaf values
    #[arg(long, default_value_t = 2)]
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

impl PicturesCommand {
    /// Runs the command.
    pub(super) fn run(self) -> anyhow::Result<()> {
        let PicturesCommand { folder, width, depth, seed } = self;
        let picture = TreePicture { width, depth, seed };
        let mut output = io::stdout();
        let cannot = || format!("cannot write pictures to '{}'", folder.display());
        let explain = |error| lab_error("pictures", error);
        // Known from the searches before proof-number search.
        let mut value = 0;
        for (name, variant) in Variant::ALL {
            let (positions, result) = match variant {
                Variant::DepthFirst(search) if variant != Variant::SELECTIVE => {
                    let positions;
                    (value, positions) = picture.search(search).map_err(explain)?;
                    (positions, format!("value {value}"))
                }
                Variant::ProofNumber => {
                    let (holds, positions) = picture.prove(value).map_err(explain)?;
                    let proven = if holds { "proven" } else { "disproved" };
                    (positions, format!("value {value} or more {proven}"))
                }
                _ => continue,
            };
            let title = format!("{name}: {result}, {}", visits_text(&positions));
            let svg = svg_file(&title, SIZE, &tree(&title, &positions, depth));
            fs::create_dir_all(&folder).with_context(cannot)?;
            let path = folder.join(format!("{name}.svg"));
            NewFile::create(&path)?.write(|file| Ok(file.write_all(svg.as_bytes())?))?;
            writeln!(output, "{}: {title}", path.display())?;
        }
        Ok(())
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
fn tree(title: &str, positions: &[PictureNode], depth: u32) -> Markup {
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
    html! {
        @if position.ply.is_multiple_of(2) {
            rect x=(x - HALF) y=(y - HALF) width=(2 * HALF) height=(2 * HALF) fill=(fill) stroke=(edge) {}
        } @else {
            circle cx=(x) cy=(y) r=(HALF) fill=(fill) stroke=(edge) {}
        }
        (text(&note(position), (x + HALF + 3, y - HALF - 2), (13, "start", INK)))
        (text(&value, (x, y + 2 * HALF + 6), (17, "middle", value_colour)))
        (text(&number, (x, y + 4 * HALF + 9), (13, "middle", DARK)))
    }
}
