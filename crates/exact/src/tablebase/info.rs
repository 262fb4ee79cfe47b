//! `kalah tablebase info`.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use kalah::board::Rules;
use kalah::printable::counted;
use kalah::tablebase::{SurveyedFile, TablebaseError};
use serde::Serialize;

use super::{fault, report_bad_files, survey_tables};
use kalah_command::output::OutputOption;
use kalah_command::table::{grouped, table};

/// List the tables of a directory
///
/// Lists the files of all rules with their seeds, positions, bytes, bits for each position, and
/// state. Headers, lengths and the checksums of checksums are checked; `kalah tablebase verify`
/// checks the rest. The exit status is 1 if a file is bad, or missing below another.
///
///   kalah tablebase info tables
///   kalah tablebase info ~/tables
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub struct InfoCommand {
    /// Directory of the files
    #[arg(value_name = "DIR")]
    directory: PathBuf,

    #[command(flatten)]
    output: OutputOption,
}

/// The files of a directory of tablebases.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct TablesJson {
    /// The files, by rules and seeds.
    files: Vec<TableFileJson>,
}

/// A file of a directory.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct TableFileJson {
    /// The path of the file.
    path: String,
    /// Houses a side; null if the name of the file does not tell them.
    houses: Option<usize>,
    /// The capture rule; null if the name of the file does not tell it.
    #[cfg_attr(test, schemars(with = "Option<kalah_command::schemas::CaptureRule>"))]
    capture: Option<&'static str>,
    /// The way of sowing; null if the name of the file does not tell it.
    #[cfg_attr(test, schemars(with = "Option<kalah_command::schemas::SowingRule>"))]
    sowing: Option<&'static str>,
    /// Seeds in the houses of both sides; null if the name of the file does not tell them.
    seeds: Option<u32>,
    /// The size of the file.
    bytes: u64,
    /// Positions; null for a bad file.
    positions: Option<u64>,
    /// Bits of each value; null for a bad file.
    bits: Option<u32>,
    /// What is wrong; null if the file is whole.
    fault: Option<String>,
}

impl InfoCommand {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let files = survey_tables("info", &self.directory)?;
        let json = TablesJson { files: files.iter().map(TableFileJson::new).collect() };
        let header = ["rules", "seeds", "positions", "bytes", "bits", "state"];
        let mut out = self.output.text();
        writeln!(out, "{}", table(header, 1, files.iter().map(row)))?;
        for (rules, seeds) in good_layers(&files) {
            writeln!(out, "{rules}: {}", usable_text(&seeds))?;
        }
        self.output.print("kalah-tablebase-info", &json)?;
        let missing = self.missing_layers(&files);
        let errors = files.into_iter().filter_map(|file| file.contents.err());
        report_bad_files(&self.directory, errors.chain(missing))
    }

    /// The layers below one that has a file.
    fn missing_layers(&self, files: &[SurveyedFile]) -> Vec<TablebaseError> {
        let (mut missing, mut expected) = (Vec::new(), None);
        for (rules, seeds) in files.iter().filter_map(|file| file.layer) {
            let first = expected.filter(|&(of, _)| of == rules).map_or(0, |(_, first)| first);
            missing.extend((first..seeds).map(|seeds| TablebaseError::MissingLayer {
                directory: self.directory.clone(),
                seeds,
            }));
            expected = Some((rules, seeds + 1));
        }
        missing
    }
}

impl TableFileJson {
    fn new(file: &SurveyedFile) -> TableFileJson {
        let (layer, contents) = (file.layer, file.contents.as_ref());
        TableFileJson {
            path: file.path.display().to_string(),
            houses: layer.map(|(rules, _)| rules.houses()),
            capture: layer.map(|(rules, _)| rules.capture().name()),
            sowing: layer.map(|(rules, _)| rules.sowing().name()),
            seeds: layer.map(|(_, seeds)| seeds),
            bytes: file.bytes,
            positions: contents.ok().map(|&(positions, _)| positions),
            bits: contents.ok().map(|&(_, bits)| bits),
            fault: contents.err().map(fault),
        }
    }
}

fn row(file: &SurveyedFile) -> [String; 6] {
    let rules = |rules: Rules| format!("{} {}", rules.houses(), rules.rule_set().name());
    let layer = file.layer.map(|(of, seeds)| (rules(of), seeds.to_string()));
    let (rules, seeds) = layer.unwrap_or_default();
    let (positions, bits, state) = match file.contents {
        Ok((positions, bits)) => (grouped(positions), bits.to_string(), "whole"),
        Err(_) => (String::new(), String::new(), "bad"),
    };
    [rules, seeds, positions, grouped(file.bytes), bits, state.to_owned()]
}

/// The seeds of the layers that are not bad, by rules.
fn good_layers(files: &[SurveyedFile]) -> BTreeMap<String, Vec<u32>> {
    let mut layers: BTreeMap<String, Vec<u32>> = BTreeMap::new();
    for file in files {
        if let (Some((rules, seeds)), Ok(_)) = (file.layer, &file.contents) {
            layers.entry(rules.to_string()).or_default().push(seeds);
        }
    }
    layers
}

/// Which positions can be probed, and which layers are above a gap.
fn usable_text(seeds: &[u32]) -> String {
    let usable = seeds.iter().zip(0..).take_while(|&(&seeds, i)| seeds == i).count();
    let text = match usable {
        0 => "no position can be probed".to_owned(),
        _ => format!("positions with at most {} can be probed", counted(usable - 1, "seed")),
    };
    if usable == seeds.len() {
        return text;
    }
    let unused: Vec<String> = seeds[usable..].iter().map(u32::to_string).collect();
    let unused = unused.join(", ");
    format!(
        "{text}; layer {usable} is bad or missing, so the layers of {unused} seeds are not used"
    )
}
