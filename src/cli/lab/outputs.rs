//! What an experiment leaves behind besides its table.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::Args;
use serde::Serialize;

use super::super::chart::Chart;
use super::super::new_file::NewFile;

/// Where measurements and chart are to go.
#[derive(Args)]
pub(super) struct Outputs {
    /// Write all measurements to this file, a line each, with a header
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,

    /// Write sizes, seed, all measurements and what was worked out from them to this file
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,

    /// Draw a chart; the name ends in .svg
    #[arg(long, value_name = "FILE", value_parser = picture)]
    plot: Option<PathBuf>,
}

/// The files, ready to be written.
pub(super) struct Files {
    csv: Option<NewFile>,
    json: Option<NewFile>,
    plot: Option<NewFile>,
}

/// All that there is to know of an experiment.
#[derive(Serialize)]
struct Document<'a, S, R, T> {
    experiment: &'a str,
    setup: &'a S,
    rows: &'a [R],
    /// What was worked out from the rows.
    summary: &'a T,
}

fn picture(path: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(path);
    match path.extension() {
        Some(extension) if extension.eq_ignore_ascii_case("svg") => Ok(path),
        _ => Err("charts are SVG: the name has to end in .svg".to_owned()),
    }
}

impl Outputs {
    /// Makes sure that the files can be written before the work begins.
    pub(super) fn prepare(&self) -> anyhow::Result<Files> {
        let create = |path: &Option<PathBuf>| path.as_deref().map(NewFile::create).transpose();
        let files =
            Files { csv: create(&self.csv)?, json: create(&self.json)?, plot: create(&self.plot)? };
        let all: Vec<&Path> = [&files.csv, &files.json, &files.plot]
            .into_iter()
            .flatten()
            .map(NewFile::path)
            .collect();
        for (i, path) in all.iter().enumerate() {
            if all[..i].contains(path) {
                bail!("'{}' is to be two files at once", path.display());
            }
        }
        Ok(files)
    }
}

impl Files {
    /// Writes what was asked for.
    pub(super) fn write(
        self,
        experiment: &str,
        setup: &impl Serialize,
        rows: &[impl Serialize],
        summary: &impl Serialize,
        chart: impl FnOnce() -> Chart,
    ) -> anyhow::Result<()> {
        if let Some(csv) = self.csv {
            csv.write(|file| {
                let mut csv = csv::Writer::from_writer(file);
                rows.iter().try_for_each(|row| csv.serialize(row))?;
                Ok(csv.flush()?)
            })?;
        }
        if let Some(json) = self.json {
            json.write(|file| {
                let document = Document { experiment, setup, rows, summary };
                serde_json::to_writer_pretty(&mut *file, &document)?;
                Ok(writeln!(file)?)
            })?;
        }
        if let Some(plot) = self.plot {
            let svg = chart().svg().context("cannot draw the chart")?;
            plot.write(|file| Ok(file.write_all(svg.as_bytes())?))?;
        }
        Ok(())
    }
}
