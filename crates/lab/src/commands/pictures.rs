//! `kalah lab pictures`.

use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;

use crate::{PictureNode, TreePicture};
use anyhow::Context;
use clap::Args;
use kalah::search::{ProofNumbers, Variant};
use plotters::prelude::*;

use super::experiment::lab_error;
use kalah_charts::canvas::{Area, DrawingError, HPos, draw_text, svg};
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

const DARK: RGBColor = RGBColor(0, 114, 178);
const LIGHT: RGBColor = RGBColor(170, 210, 240);
const FAINT: RGBColor = RGBColor(200, 200, 200);

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
            let svg = svg(&title, SIZE, |area| draw(&title, &positions, depth, area))?;
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

fn draw(
    title: &str,
    positions: &[PictureNode],
    depth: u32,
    area: &Area<'_>,
) -> Result<(), DrawingError> {
    draw_text(area, title, (MARGIN as i32, 20), (17, HPos::Left, BLACK))?;

    let (width, height) = (f64::from(SIZE.0) - 2.0 * MARGIN, f64::from(SIZE.1) - TOP - BOTTOM);
    let point = |x: f64, ply: u32| {
        let down = f64::from(ply) / f64::from(depth.max(1));
        ((MARGIN + width * x) as i32, (TOP + height * down) as i32)
    };
    for position in positions {
        if let Some(parent_x) = position.parent_x {
            let ends = [point(parent_x, position.ply - 1), point(position.x, position.ply)];
            let style = if position.visits > 0 { BLACK.stroke_width(2) } else { FAINT.into() };
            area.draw(&PathElement::new(ends, style))?;
        }
    }
    for position in positions {
        let (x, y) = point(position.x, position.ply);
        let (fill, edge) = match (position.visits, position.has_open_window) {
            (0, _) => (WHITE, FAINT),
            (_, true) => (DARK, BLACK),
            (_, false) => (LIGHT, BLACK),
        };
        if position.ply.is_multiple_of(2) {
            let corners = [(x - HALF, y - HALF), (x + HALF, y + HALF)];
            area.draw(&Rectangle::new(corners, fill.filled()))?;
            area.draw(&Rectangle::new(corners, edge))?;
        } else {
            area.draw(&Circle::new((x, y), HALF, fill.filled()))?;
            area.draw(&Circle::new((x, y), HALF, edge))?;
        }
        let beside = (x + HALF + 3, y - HALF - 2);
        draw_text(area, &note(position), beside, (13, HPos::Left, BLACK))?;
        if let Some(value) = position.value {
            let colour = if position.evaluated_after.is_some() { BLACK } else { FAINT };
            let below = (x, y + 2 * HALF + 6);
            draw_text(area, &value.to_string(), below, (17, HPos::Center, colour))?;
        }
        if let Some(before) = position.evaluated_after {
            let below = (x, y + 4 * HALF + 9);
            draw_text(area, &(before + 1).to_string(), below, (13, HPos::Center, DARK))?;
        }
    }
    Ok(())
}
