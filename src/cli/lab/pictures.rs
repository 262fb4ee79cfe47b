//! `kalah lab pictures`.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;
use kalah::lab::{PictureNode, TreePicture};
use kalah::search::{ProofNumbers, Variant};
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::super::chart::DrawingError;
use super::super::new_file::NewFile;
use super::explained;

/// Draw what each search of the literature visits of one small tree.
///
/// Writes an SVG file for each to a folder: minimax.svg, alphabeta.svg, and so on. Squares are
/// MAX's positions, circles MIN's. Dark ones were asked for their value, light ones only on which
/// side of some value it lies, empty ones were never visited; a number beside a position tells how
/// often it was visited, if more than once. Below a leaf stands its value, and below that its place
/// in the order of evaluations. The test drivers (MTD(f) and the like) remember what they have
/// found, the others do not; MTD(f) begins at 4. Proof-number search, in the form with the tree in
/// memory, proves that the value is what it is or more; its proof and disproof numbers are those of
/// the end.
#[derive(Args)]
pub(super) struct PicturesCommand {
    /// The folder to write to
    folder: PathBuf,

    /// Moves at every position
    #[arg(long, default_value_t = 2)]
    width: u32,

    /// Plies
    #[arg(long, default_value_t = 4)]
    depth: u32,

    /// Where the leaves come from
    #[arg(long, default_value_t = 2)]
    seed: u64,
}

const SIZE: (u32, u32) = (760, 330);
const MARGIN: f64 = 30.0;
const TOP: f64 = 58.0;
const BOTTOM: f64 = 62.0;
/// Half the width of a position.
const HALF: i32 = 8;

const DARK: RGBColor = RGBColor(0, 114, 178);
const LIGHT: RGBColor = RGBColor(170, 210, 240);
const FAINT: RGBColor = RGBColor(200, 200, 200);

impl PicturesCommand {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let PicturesCommand { folder, width, depth, seed } = self;
        let picture = TreePicture { width, depth, seed };
        let mut output = io::stdout();
        let wrong = |error| explained("pictures", error);
        let mut value = 0;
        for (name, variant) in Variant::ALL {
            let (positions, found) = match variant {
                Variant::DepthFirst(search) if variant != Variant::SELECTIVE => {
                    let (found, positions) = picture.search(search).map_err(wrong)?;
                    value = found;
                    (positions, format!("value {value}"))
                }
                Variant::ProofNumber => {
                    let (holds, positions) = picture.prove(value).map_err(wrong)?;
                    let proven = if holds { "proven" } else { "disproved" };
                    (positions, format!("value {value} or more {proven}"))
                }
                _ => continue,
            };
            let title = format!("{name}: {found}, {}", effort(&positions));
            let mut svg = String::new();
            // The error borrows the text: it is told, not handed on.
            draw(&title, &positions, depth, &mut svg)
                .map_err(|error| anyhow::anyhow!("{error}"))?;
            let path = folder.join(format!("{name}.svg"));
            NewFile::create(&path)?.write(|file| Ok(file.write_all(svg.as_bytes())?))?;
            writeln!(output, "{}: {title}", path.display())?;
        }
        Ok(())
    }
}

fn effort(positions: &[PictureNode]) -> String {
    let leaves = positions.iter().filter(|position| position.value.is_some()).count();
    let evaluated = positions.iter().filter(|position| position.evaluated_after.is_some()).count();
    let visits = positions.iter().map(|position| position.visits).sum::<usize>();
    format!("{evaluated} of {leaves} leaves evaluated, {visits} visits")
}

/// What stands beside a position: its numbers, or how often it was visited.
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

fn draw<'a>(
    title: &str,
    positions: &[PictureNode],
    depth: u32,
    svg: &'a mut String,
) -> Result<(), DrawingError<'a>> {
    let area = SVGBackend::with_string(svg, SIZE).into_drawing_area();
    area.fill(&WHITE)?;
    let font = |size: i32| ("sans-serif", size).into_font();
    let centred = Pos::new(HPos::Center, VPos::Center);
    area.draw(&Text::new(title.to_owned(), (MARGIN as i32, 12), font(17)))?;

    let (width, height) = (f64::from(SIZE.0) - 2.0 * MARGIN, f64::from(SIZE.1) - TOP - BOTTOM);
    let point = |place: f64, ply: u32| {
        let down = f64::from(ply) / f64::from(depth.max(1));
        ((MARGIN + width * place) as i32, (TOP + height * down) as i32)
    };
    for position in positions {
        if let Some(parent) = position.parent_x {
            let ends = [point(parent, position.ply - 1), point(position.x, position.ply)];
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
        let style = font(13).color(&BLACK).pos(Pos::new(HPos::Left, VPos::Bottom));
        area.draw(&Text::new(note(position), (x + HALF + 2, y - HALF / 2), style))?;
        if let Some(value) = position.value {
            let colour = if position.evaluated_after.is_some() { BLACK } else { FAINT };
            let style = font(16).color(&colour).pos(centred);
            area.draw(&Text::new(value.to_string(), (x, y + 2 * HALF + 5), style))?;
        }
        if let Some(before) = position.evaluated_after {
            let style = font(11).color(&DARK).pos(centred);
            area.draw(&Text::new((before + 1).to_string(), (x, y + 4 * HALF + 6), style))?;
        }
    }
    area.present()
}
