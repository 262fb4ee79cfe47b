//! `kalah tablebase info`.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::bail;
use clap::Args;
use kalah::tablebase::{SurveyedFile, survey};

use super::super::table::{grouped, table};
use super::{explained, refuse};

/// List the tables of a directory
///
/// Shows the files of all rules with their seeds, positions, bytes and bits a position, and what is
/// wrong with them, if anything: headers, lengths and checksums of checksums are looked at, and
/// `kalah tablebase verify` looks at the rest. The status is 1 when something is wrong.
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub(super) struct Info {
    /// Where the files are
    #[arg(value_name = "DIR")]
    directory: PathBuf,
}

impl Info {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let files = survey(&self.directory).map_err(|error| explained("info", error))?;
        if files.is_empty() {
            bail!("there are no tables in '{}'", self.directory.display());
        }
        let header = ["rules", "seeds", "positions", "bytes", "bits", "state"];
        let mut out = io::stdout().lock();
        writeln!(out, "{}", table(header, 1, files.iter().map(row)))?;
        for (rules, seeds) in layers(&files) {
            writeln!(out, "{rules}: {}", reach(&seeds))?;
        }
        refuse(&self.directory, files.into_iter().filter_map(|file| file.contents.err()))
    }
}

fn row(file: &SurveyedFile) -> [String; 6] {
    let (rules, seeds) = match file.layer {
        Some((rules, seeds)) => {
            (format!("{} {}", rules.houses(), rules.capture()), seeds.to_string())
        }
        None => (String::new(), String::new()),
    };
    let (positions, bits, state) = match &file.contents {
        Ok((positions, bits)) => (grouped(*positions), bits.to_string(), "whole"),
        Err(_) => (String::new(), String::new(), "bad"),
    };
    [rules, seeds, positions, grouped(file.bytes), bits, state.to_owned()]
}

/// The layers that are whole, by rules.
fn layers(files: &[SurveyedFile]) -> BTreeMap<String, Vec<u32>> {
    let mut layers: BTreeMap<String, Vec<u32>> = BTreeMap::new();
    for file in files {
        if let (Some((rules, seeds)), Ok(_)) = (file.layer, &file.contents) {
            let rules = format!("{} houses, {} capture", rules.houses(), rules.capture());
            layers.entry(rules).or_default().push(seeds);
        }
    }
    layers
}

/// How far layers can be used.
fn reach(seeds: &[u32]) -> String {
    let used = seeds.iter().zip(0..).take_while(|&(&seeds, i)| seeds == i).count();
    let most = match used {
        0 => "no position can be probed".to_owned(),
        _ => format!("positions with at most {} seeds can be probed", used - 1),
    };
    if used == seeds.len() {
        return most;
    }
    let unused: Vec<String> = seeds[used..].iter().map(u32::to_string).collect();
    format!("{most}; for want of layer {used} those of {} seeds are not used", unused.join(", "))
}
