//! `kalah lab examples`.

use std::io::{self, Write};

use crate::{
    ExplicitNode, ExplicitTree, INFINITY, ProofExample, Replay, Visit, WorkedExample,
    proof_examples, worked_examples,
};
use clap::Args;
use kalah::search::{
    BoundTest, Comparison, DepthFirst, MinimaxPlayer, ProofNumbers, Query, Window,
};
use serde::Serialize;

use super::experiment::OutputOptions;
use kalah_charts::{Chart, Panel, Series};
use kalah_command::table::{MISSING, table, wrapped};

/// Replay the worked examples of a lecture, visit by visit.
///
/// The trees are those of T.-s. Hsu's lecture *Scout, NegaScout and Proof-Number Search*, completed
/// where its text does not determine them. Values, tests and windows are from MAX's view, except in
/// the negamax example, where they are from the view of the player to move.
///
/// Without --all, each replay has one line.
///
///   kalah lab examples
///   kalah lab examples --all | less
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub(super) struct ExamplesCommand {
    /// Print the trees and replay each visit
    #[arg(long)]
    all: bool,

    #[command(flatten)]
    outputs: OutputOptions,
}

/// A line of the replays.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct VisitRow {
    /// The slides of the example.
    slides: &'static str,
    /// The search.
    search: &'static str,
    /// The number of the visit, from 1.
    visit: usize,
    /// The name of the node.
    node: String,
    /// The player to move: MAX or MIN.
    player: &'static str,
    /// What the search asks about the node, in the notation of the lecture.
    question: String,
    /// The answer to the question, in the words of the lecture.
    answer: String,
    /// How often the search had visited the node before.
    earlier_visits: u32,
}

impl ExamplesCommand {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let files = self.outputs.prepare()?;
        let (examples, proofs) = (worked_examples()?, proof_examples()?);
        let mut output = if self.all { files.text() } else { Box::new(io::sink()) };
        let mut rows = Vec::new();
        for example in &examples {
            print_replays(&mut output, example, &mut rows)?;
        }
        for example in &proofs {
            print_proof_numbers(&mut output, example, &mut rows)?;
        }
        if !self.all {
            let table = overview(&examples, &proofs);
            writeln!(
                files.text(),
                "{table}\n{} visits are left out; --all prints them.",
                rows.len()
            )?;
        }
        files.write("examples", &serde_json::json!({}), &rows, &(), || chart(&examples))
    }
}

/// A line for each replay.
fn overview(examples: &[WorkedExample], proofs: &[ProofExample]) -> comfy_table::Table {
    let replays = examples.iter().flat_map(|example| {
        let example_and_replay = move |replay| (example, replay);
        example.replays.iter().map(example_and_replay)
    });
    let replays = replays.map(|(example, replay)| {
        let again = replay.visits.iter().filter(|visit| visit.earlier > 0).count();
        let (visits, again) = (replay.visits.len().to_string(), again.to_string());
        let (title, slides) = (example.title.to_owned(), example.slides.to_owned());
        [title, slides, replay.search.name().to_owned(), replay.value.to_string(), visits, again]
    });
    let proofs = proofs.iter().flat_map(|example| {
        example.thresholds.iter().map(|&v| {
            let title = format!("Proof and disproof numbers of at least {v}");
            let (numbers, _) = example.tree.proof_numbers(v);
            let numbers = numbers_text(numbers[example.tree.root().0]);
            let (search, missing) = ("pns".to_owned(), || MISSING.to_owned());
            [title, example.slides.to_owned(), search, numbers, missing(), missing()]
        })
    });
    let header = ["example", "slides", "search", "value", "visits", "repeated"];
    table(header, 3, replays.chain(proofs))
}

fn print_replays(
    output: &mut impl Write,
    example: &WorkedExample,
    rows: &mut Vec<VisitRow>,
) -> io::Result<()> {
    let WorkedExample { title, slides, reconstruction, tree, replays } = example;
    writeln!(output, "## {title} ({slides})\n\n{}\n", wrapped(reconstruction, 90))?;
    write!(output, "{}", outline(tree, |_| String::new()))?;
    for replay in replays {
        let name = replay.search.name();
        let visits = replay.visits.len();
        let again = replay.visits.iter().filter(|visit| visit.earlier > 0).count();
        writeln!(
            output,
            "\n{name}: value {}, {visits} visits, {again} of them repeated",
            replay.value
        )?;
        for (visit, number) in replay.visits.iter().zip(1..) {
            let row = row(example, replay, visit, number);
            let place =
                format!("{:indent$}{}", "", row.node, indent = 2 * tree.ply(visit.node) as usize);
            let VisitRow { player, question, answer, .. } = &row;
            let again = if visit.earlier > 0 { "  again" } else { "" };
            writeln!(output, "{number:>4}  {place:<18} {player}  {question} -> {answer}{again}")?;
            rows.push(row);
        }
    }
    if let [one, other] = &replays[..] {
        writeln!(output)?;
        for (one, other) in [(one, other), (other, one)] {
            let only = tree.nodes().filter(|&node| one.visits(node) && !other.visits(node));
            let only: Vec<String> = only.map(|node| label(tree, node)).collect();
            let names = [one, other].map(|replay| replay.search.name());
            let only = if only.is_empty() { "nothing".to_owned() } else { only.join(", ") };
            writeln!(output, "{} visits and {} skips: {only}", names[0], names[1])?;
        }
    }
    writeln!(output)
}

fn row(example: &WorkedExample, replay: &Replay, visit: &Visit, number: usize) -> VisitRow {
    let tree = &example.tree;
    let player = tree.player(visit.node);
    // This procedure of the lecture is a negamax one.
    let (query, result) = if replay.search == DepthFirst::NegaScout {
        (visit.query, visit.result)
    } else {
        visit.from_max_view(player)
    };
    let node = tree.name(visit.node);
    let answer = match query {
        Query::Test(BoundTest { comparison, value, .. }) => {
            let (_, result) = visit.from_max_view(player);
            comparison.holds(result, value).to_string()
        }
        Query::Value | Query::Window(_) => result.to_string(),
    };
    VisitRow {
        slides: example.slides,
        search: replay.search.name(),
        visit: number,
        node: node.to_owned(),
        player: player_name(player),
        question: query_text(node, query),
        answer,
        earlier_visits: visit.earlier,
    }
}

fn print_proof_numbers(
    output: &mut impl Write,
    example: &ProofExample,
    rows: &mut Vec<VisitRow>,
) -> io::Result<()> {
    let ProofExample { slides, reconstruction, tree, thresholds } = example;
    writeln!(
        output,
        "## Proof and disproof numbers ({slides})\n\n{}",
        wrapped(reconstruction, 90)
    )?;
    for &v in *thresholds {
        let (all_numbers, next) = tree.proof_numbers(v);
        let numbers = |node: ExplicitNode| numbers_text(all_numbers[node.0]);
        writeln!(output, "\nproof, disproof of a value of at least {v}:\n")?;
        write!(output, "{}", outline(tree, |node| format!("  ({})", numbers(node))))?;
        let next = match (next, all_numbers[tree.root().0].answer()) {
            (Some(node), _) => format!("evaluated next: {}", tree.name(node)),
            (None, Some(true)) => "proved".to_owned(),
            (None, _) => "disproved".to_owned(),
        };
        writeln!(output, "\n{next}")?;
        rows.extend(tree.nodes().zip(1..).map(|(node, number)| VisitRow {
            slides,
            search: "pns",
            visit: number,
            node: tree.name(node).to_owned(),
            player: player_name(tree.player(node)),
            question: format!("proof, disproof of >= {v}"),
            answer: numbers(node),
            earlier_visits: 0,
        }));
    }
    writeln!(output)
}

fn numbers_text(ProofNumbers { proof, disproof }: ProofNumbers) -> String {
    let text = |number: u32| match number {
        ProofNumbers::INFINITE => "infinity".to_owned(),
        _ => number.to_string(),
    };
    format!("{}, {}", text(proof), text(disproof))
}

/// An indented outline of a tree, with a note at every position.
fn outline(tree: &ExplicitTree, note: impl Fn(ExplicitNode) -> String) -> String {
    let line = |node| {
        let indent = 4 + 2 * tree.ply(node) as usize;
        format!("{:indent$}{}{}\n", "", label(tree, node), note(node))
    };
    tree.nodes().map(line).collect()
}

/// The name of a position with its value or player.
fn label(tree: &ExplicitTree, node: ExplicitNode) -> String {
    match tree.value(node) {
        Some(value) => format!("{} = {value}", tree.name(node)),
        None if tree.children(node).is_empty() => format!("{} = ?", tree.name(node)),
        None => format!("{} {}", tree.name(node), player_name(tree.player(node))),
    }
}

fn player_name(player: MinimaxPlayer) -> &'static str {
    match player {
        MinimaxPlayer::Max => "MAX",
        MinimaxPlayer::Min => "MIN",
    }
}

/// A query in the notation of the lecture.
fn query_text(node: &str, query: Query) -> String {
    match query {
        Query::Value => format!("EVAL[{node}]"),
        Query::Window(Window { alpha, beta }) => {
            format!("[{}, {}]", bound_text(alpha), bound_text(beta))
        }
        Query::Test(BoundTest { comparison, value, .. }) => {
            format!("TEST[{node}, {}, {value}]", symbol(comparison))
        }
    }
}

fn bound_text(value: i32) -> String {
    if value.abs() < INFINITY {
        value.to_string()
    } else if value > 0 {
        "infinity".to_owned()
    } else {
        "-infinity".to_owned()
    }
}

fn symbol(comparison: Comparison) -> &'static str {
    match comparison {
        Comparison::Greater => ">",
        Comparison::AtLeast => ">=",
        Comparison::Less => "<",
        Comparison::AtMost => "<=",
    }
}

/// The ply of every visit.
fn chart(examples: &[WorkedExample]) -> Chart {
    let panel = |example: &WorkedExample| {
        let series = example.replays.iter().map(|replay| {
            let plies = replay.visits.iter().map(|visit| example.tree.ply(visit.node).into());
            let name = replay.search.name();
            Series::line(name, (1..).map(f64::from).zip(plies))
        });
        Panel::new(example.slides, ["visit", "ply"], series)
    };
    Chart::new("Visits of the searches in the examples", examples.iter().map(panel))
}
