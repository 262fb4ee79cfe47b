//! `kalah lab values`.

use std::path::PathBuf;

use anyhow::bail;
use clap::Args;
use kalah::board::{RuleSet, Sowing};
use maud::{Markup, html};

use kalah_charts::drawing::{INK, svg_file, text};
use kalah_command::new_file::NewFile;
use kalah_command::options::svg_path;
use kalah_command::table::signed;
use kalah_exact::survey::{self, SurveyRow};

/// Draw the values of starts that `kalah solve --table M N --csv FILE` has found.
///
/// A square for each start, with the margin of the first player: blue where that player wins, orange
/// where the other one does, the darker the larger the share of all seeds that the margin is. Empty
/// squares are not solved.
///
///   kalah lab values values.csv values.svg
///   kalah lab values docs/notebook/values.csv docs/pictures/values.svg
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub struct ValuesCommand {
    /// The survey to read
    csv: PathBuf,

    /// The SVG file to write
    #[arg(value_parser = svg_path())]
    svg: PathBuf,
}

const TITLE: &str = "Values of the starts of all boards";

/// Sizes in pixels.
const CELL: i32 = 44;
const LEFT: i32 = 64;
const TOP: i32 = 74;
const GAP: i32 = 40;
const BOTTOM: i32 = 16;

/// Red, green and blue.
const WIN: [u8; 3] = [0, 114, 178];
const LOSS: [u8; 3] = [213, 94, 0];
const DRAW: &str = "#E1E1E1";
const UNKNOWN: &str = "#FAFAFA";
const LINES: &str = "#C8C8C8";

/// A margin of this share of all seeds has the full colour.
const FULL_SHARE: f64 = 0.5;

/// The lightest colour of a win, as a part of the full one.
const LIGHTEST: f64 = 0.25;

impl ValuesCommand {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let rows = survey::read(&self.csv)?;
        let file = NewFile::create(&self.svg)?;
        if file.is(&self.csv) {
            bail!("'{}' cannot be both survey and picture", self.csv.display());
        }
        let (houses, seeds) = largest(&rows);
        let panels = rule_sets(&rows).len() as i32;
        let height = panels * (TOP + houses * CELL + GAP) - GAP + BOTTOM;
        let size = (LEFT + seeds * CELL + LEFT / 4, height);
        file.write_bytes(svg_file(TITLE, size, &squares(&rows)))
    }
}

/// Both capture rules, and relay sowing if there are values under it.
fn rule_sets(rows: &[SurveyRow]) -> Vec<RuleSet> {
    let has_rows = |rule_set: &RuleSet| rows.iter().any(|row| row.rule_set == *rule_set);
    let is_shown = |it: &RuleSet| it.sowing() == Sowing::Single || has_rows(it);
    RuleSet::ALL.into_iter().filter(is_shown).collect()
}

/// The largest numbers of houses and of seeds.
fn largest(rows: &[SurveyRow]) -> (i32, i32) {
    let largest = |of: fn(&SurveyRow) -> u16| i32::from(rows.iter().map(of).max().unwrap_or(1));
    (largest(|row| row.houses), largest(|row| row.seeds))
}

fn squares(rows: &[SurveyRow]) -> Markup {
    let (houses, seeds) = largest(rows);
    let (middle, height) = (LEFT + seeds * CELL / 2, houses * CELL);
    let label =
        |label: &str, place: (i32, i32), size: i32| text(label, place, (size, "middle", INK));
    html! {
        @for (rule_set, panel) in rule_sets(rows).into_iter().zip(0..) {
            @let above = panel * (TOP + height + GAP);
            (label(&rule_set.to_string(), (middle, above + 22), 18))
            (label("seeds in each house", (middle, above + 44), 14))
            g transform=(format!("translate(18 {}) rotate(-90)", above + TOP + height / 2)) {
                (label("houses a side", (0, 0), 14))
            }
            @for seeds in 1..=seeds {
                (label(&seeds.to_string(), (LEFT + seeds * CELL - CELL / 2, above + TOP - 12), 14))
            }
            @for houses in 1..=houses {
                @let top = above + TOP + (houses - 1) * CELL;
                (label(&houses.to_string(), (LEFT - 16, top + CELL / 2), 14))
                @for seeds in 1..=seeds {
                    @let is_here = |row: &&SurveyRow| {
                        (row.rule_set, i32::from(row.houses), i32::from(row.seeds)) == (rule_set, houses, seeds)
                    };
                    (square(rows.iter().find(is_here), (LEFT + (seeds - 1) * CELL, top)))
                }
            }
        }
    }
}

/// The square of a start, with its margin if that is known.
fn square(row: Option<&SurveyRow>, (left, top): (i32, i32)) -> Markup {
    let margin = row.map_or(0, |row| row.margin);
    let share = row.map_or(0.0, |row| f64::from(margin) / f64::from(2 * row.houses * row.seeds));
    let fill = row.map_or(UNKNOWN.to_owned(), |_| colour_of(share));
    let ink = if share.abs() > FULL_SHARE / 2.0 { "white" } else { "black" };
    html! {
        rect x=(left) y=(top) width=(CELL) height=(CELL) fill=(fill) stroke=(LINES) {}
        @if row.is_some() {
            (text(&signed(margin), (left + CELL / 2, top + CELL / 2), (16, "middle", ink)))
        }
    }
}

/// The colour of a margin that is this share of all seeds.
fn colour_of(share: f64) -> String {
    if share == 0.0 {
        return DRAW.to_owned();
    }
    let full = if share > 0.0 { WIN } else { LOSS };
    let strength = LIGHTEST + (1.0 - LIGHTEST) * (share.abs() / FULL_SHARE).min(1.0);
    let [r, g, b] = full.map(|part| (255.0 - (255.0 - f64::from(part)) * strength) as u8);
    format!("#{r:02X}{g:02X}{b:02X}")
}
