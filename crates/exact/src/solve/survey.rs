//! A survey: the values of many starts in one CSV file, which grows from run to run.

use std::io::{self, Write};
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, anyhow};
use kalah::board::{Board, RuleSet, Rules, Sowing};
use kalah::regular_file;
use kalah::solve::{SolveError, SolveRequest};
use kalah::tablebase::positions;
use serde::{Deserialize, Serialize};

use super::session::SolveSession;
use super::solving_kalah::published;
use kalah_command::new_file::NewFile;

/// The most houses a side, and the most seeds in a house, of a start.
pub const MAX_SIZE: u16 = 12;

/// Most bytes of a survey: all starts have some 30 KB.
const MAX_BYTES: u64 = 1 << 20;

/// A solved start.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SurveyRow {
    /// Houses a side.
    pub houses: u16,
    /// In each house.
    pub seeds: u16,
    /// The capture rule, or relay sowing: a [`RuleSet::name`].
    #[serde(rename = "capture", with = "rule_set_name")]
    pub rule_set: RuleSet,
    /// From the first player's view, in seeds.
    pub margin: i32,
    /// The margin after each first move, as in `A 4 B 2`; nothing if only the margin of the start is known.
    pub moves: String,
    /// The result in *Solving Kalah*.
    pub published: Option<char>,
    /// Positions searched.
    pub nodes: u64,
    /// Time of the solver.
    pub seconds: f64,
    /// Threads of the solver.
    pub threads: usize,
    /// Memory of the tables, in MiB.
    pub hash: usize,
}

/// The columns of the file, which are the fields of [`SurveyRow`].
const COLUMNS: &str = "houses,seeds,capture,margin,moves,published,nodes,seconds,threads,hash";

mod rule_set_name {
    use kalah::board::RuleSet;
    use serde::{Deserialize, Deserializer, Serializer, de};

    #[allow(clippy::trivially_copy_pass_by_ref)] // serde calls it so
    pub(super) fn serialize<S: Serializer>(rule_set: &RuleSet, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(rule_set.name())
    }

    pub(super) fn deserialize<'a, D: Deserializer<'a>>(from: D) -> Result<RuleSet, D::Error> {
        let name = String::deserialize(from)?;
        let unknown = || {
            let names = RuleSet::ALL.map(RuleSet::name).join(", ");
            de::Error::custom(format!("unknown rules '{name}', expected one of {names}"))
        };
        RuleSet::from_name(&name).ok_or_else(unknown)
    }
}

/// Reads a survey.
pub fn read(path: &Path) -> anyhow::Result<Vec<SurveyRow>> {
    let context = || format!("'{}'", path.display());
    let bytes = regular_file::read(path, MAX_BYTES).with_context(context)?;
    let not_a_survey = || format!("'{}' is not a survey of starts", path.display());
    let mut reader = csv::Reader::from_reader(&bytes[..]);
    // Other columns would be lost when the file is written again.
    let columns = reader.headers().with_context(not_a_survey)?;
    if !columns.is_empty() && columns.iter().ne(COLUMNS.split(',')) {
        return Err(anyhow!("its columns are not {COLUMNS}").context(not_a_survey()));
    }
    let rows: Result<Vec<SurveyRow>, _> = reader.deserialize().collect();
    let rows = rows.with_context(not_a_survey)?;
    for row in &rows {
        let is_start = |number: &u16| (1..=MAX_SIZE).contains(number);
        let most = 2 * i32::from(MAX_SIZE) * i32::from(MAX_SIZE);
        if ![row.houses, row.seeds].iter().all(is_start) || !(-most..=most).contains(&row.margin) {
            let SurveyRow { houses, seeds, margin, .. } = row;
            let what = anyhow!("Kalah({houses},{seeds}) has the margin {margin}");
            return Err(what.context(not_a_survey()));
        }
    }
    Ok(rows)
}

fn write(path: &Path, rows: &[SurveyRow]) -> anyhow::Result<()> {
    NewFile::create(path)?.write(|file| {
        let mut csv = csv::Writer::from_writer(file);
        rows.iter().try_for_each(|row| csv.serialize(row))?;
        Ok(csv.flush()?)
    })
}

/// Solves the starts of all boards with up to `max_houses` houses a side and `max_seeds` seeds in each
/// house, under both capture rules or under relay sowing, with all first moves, from the smallest on, and
/// adds them to a file. Those that the file has are skipped. After a start that takes longer than `limit`,
/// larger ones of the same houses and rules are left out.
pub(super) fn run(
    session: &mut SolveSession,
    (max_houses, max_seeds): (u16, u16),
    sowing: Sowing,
    limit: Duration,
    path: &Path,
) -> anyhow::Result<()> {
    let _lock = NewFile::create(path)?.lock()?;
    let mut rows = if path.exists() { read(path)? } else { Vec::new() };
    let mut output = io::stdout().lock();
    let mut left_out = Vec::new();
    for (houses, seeds, rule_set) in starts(max_houses, max_seeds, sowing) {
        let is_start =
            |row: &SurveyRow| (row.houses, row.seeds, row.rule_set) == (houses, seeds, rule_set);
        if rows.iter().any(is_start) || left_out.contains(&(houses, rule_set)) {
            continue;
        }
        let board = Board::start(Rules::new(usize::from(houses), rule_set)?, seeds)?;
        let request = SolveRequest { moves: true, ..SolveRequest::default() };
        let start = format!("Kalah({houses},{seeds}), {}", rule_set.name());
        let solved = match session.solve_within(&board, request, limit) {
            Ok(solved) => solved.ok_or_else(|| format!("not within {} s", limit.as_secs())),
            Err(error) if error.is::<SolveError>() => Err(error.to_string()),
            Err(error) => return Err(error),
        };
        let solved = match solved {
            Ok(solved) => solved,
            Err(why) => {
                left_out.push((houses, rule_set));
                writeln!(output, "{start}: {why}")?;
                continue;
            }
        };
        let (margin, seconds) = (solved.margin, solved.seconds);
        rows.push(SurveyRow {
            houses,
            seeds,
            rule_set,
            margin,
            moves: solved.moves_text(" "),
            published: published(houses, seeds, rule_set),
            nodes: solved.nodes,
            seconds: (seconds * 1e3).round() / 1e3,
            threads: session.resources.threads.get(),
            hash: session.resources.mebibytes,
        });
        rows.sort_by_key(|row| (row.rule_set.index(), row.houses, row.seeds));
        write(path, &rows)?;
        writeln!(output, "{start}: {margin} in {seconds:.2} s")?;
        output.flush()?;
    }
    Ok(())
}

/// All starts, from the one with the fewest positions on.
fn starts(max_houses: u16, max_seeds: u16, sowing: Sowing) -> Vec<(u16, u16, RuleSet)> {
    let of_houses = |houses| (1..=max_seeds).map(move |seeds| (houses, seeds));
    let rule_sets = RuleSet::ALL.into_iter().filter(|rule_set| rule_set.sowing() == sowing);
    let all = |(houses, seeds)| rule_sets.clone().map(move |rule_set| (houses, seeds, rule_set));
    let mut starts: Vec<_> = (1..=max_houses).flat_map(of_houses).flat_map(all).collect();
    starts.sort_by_key(|&(houses, seeds, _)| {
        let all = 2 * u32::from(houses) * u32::from(seeds);
        positions(usize::from(houses), all).unwrap_or(u64::MAX)
    });
    starts
}
