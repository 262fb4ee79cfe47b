//! The worked examples of T.-s. Hsu's lecture *Scout, NegaScout and Proof-Number Search* (slides of
//! 2015), replayed visit by visit.
//!
//! The text of the slides has the numbers of the figures, not the lines between them. Each example
//! states what the text determines of its tree and what was chosen here.

use std::io::{self, Write};

use clap::Args;
use serde::Serialize;

use super::commands::output::OutputOptions;
use super::experiment::published;
use super::explicit_tree::{ExplicitNode, ExplicitTree, TreeParseError};
use super::recorded::{RecordedGame, SearchEvent};
use super::uniform_tree::INFINITY;
use kalah::search::{
    BoundTest, Comparison, DepthFirst, MinimaxPlayer, ProofNumbers, Query, Score, TreeSearch,
    UnboundedTable, Window,
};
use kalah_charts::{Chart, Panel, Series};
use kalah_command::table::{MISSING, table, wrapped};

/// A tree with the visits of searches.
#[derive(Clone, Debug)]
pub struct WorkedExample {
    /// What it shows.
    pub title: &'static str,
    /// Its slides in the lecture.
    pub slides: &'static str,
    /// What the text determines and what was chosen.
    pub reconstruction: &'static str,
    /// The tree.
    pub tree: ExplicitTree,
    /// One replay for each search.
    pub replays: Vec<Replay>,
}

/// One search of a tree.
#[derive(Clone, Debug)]
pub struct Replay {
    /// The search.
    pub search: DepthFirst,
    /// All visits in order.
    pub visits: Vec<Visit>,
    /// The value of the root from MAX's view; outside the search window, a bound.
    pub value: i32,
}

/// One visit to a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Visit {
    /// The position.
    pub node: ExplicitNode,
    /// The query.
    pub query: Query,
    /// The result, from the view of the player to move.
    pub result: i32,
    /// The number of earlier visits to this position.
    pub earlier: u32,
}

/// A tree for proof and disproof numbers.
#[derive(Clone, Debug)]
pub struct ProofExample {
    /// Its slides in the lecture.
    pub slides: &'static str,
    /// What the text determines and what was chosen.
    pub reconstruction: &'static str,
    /// The tree.
    pub tree: ExplicitTree,
    /// The thresholds of the claims: the root's value is at least this.
    pub thresholds: &'static [i32],
}

impl Replay {
    fn of(tree: &ExplicitTree, search: DepthFirst, window: Option<Window>) -> Replay {
        let game = RecordedGame::new(tree.clone());
        let tree_search = TreeSearch { window, ..published(search) };
        let table = UnboundedTable::default();
        let value = tree_search.run(&game, &table, &tree.root(), tree.depth()).score.gain;
        Replay { search, visits: visits(&game.into_events()), value }
    }

    /// Whether the search visits this position.
    pub fn visits(&self, node: ExplicitNode) -> bool {
        self.visits.iter().any(|visit| visit.node == node)
    }
}

/// Pairs queries with their results.
fn visits(events: &[SearchEvent<ExplicitNode>]) -> Vec<Visit> {
    let mut visits: Vec<Visit> = Vec::new();
    let mut open = Vec::new();
    for event in events {
        match *event {
            SearchEvent::Entered(node, query) => {
                let earlier = visits.iter().filter(|visit| visit.node == node).count() as u32;
                open.push(visits.len());
                visits.push(Visit { node, query, result: 0, earlier });
            }
            SearchEvent::Left(_, Score { gain, .. }) => {
                if let Some(entered) = open.pop() {
                    visits[entered].result = gain;
                }
            }
            SearchEvent::Evaluated(..) => {}
        }
    }
    visits
}

/// The examples of SCOUT and NegaScout.
///
/// # Errors
/// Only if a tree in this file were malformed.
pub fn worked_examples() -> Result<Vec<WorkedExample>, TreeParseError> {
    let example = |title, slides, reconstruction, tree: &str, searches: &[_]| {
        let tree: ExplicitTree = tree.parse()?;
        let replays = searches.iter().map(|&(search, window)| Replay::of(&tree, search, window));
        let replays = replays.collect();
        Ok(WorkedExample { title, slides, reconstruction, tree, replays })
    };
    Ok(vec![
        example(
            "TEST, called by SCOUT, may visit fewer nodes than alpha-beta",
            "slide 10",
            "The text determines that TEST[p, >, 5] follows the root's first branch, worth 5, that \
             K is p's first branch and has 8 before 15, and that the test fails at p's third \
             branch. The value of that branch is not among the figure's numbers; 4 was chosen, and \
             every value up to 5 would do.",
            "(5 p(K(8 15) 10 4))",
            &[(DepthFirst::Scout, None), (DepthFirst::AlphaBeta, None)],
        )?,
        example(
            "SCOUT may visit a node many times that alpha-beta cuts off",
            "slide 11",
            "The figure's values, row by row, are 5 10, 25, 20, 8; its windows are [10, infinity] \
             for A and [10, 25] three times below. Its four tests have the printed answers if B \
             has a branch worth 0 before C and one worth 20 after it, and if D is worth 1 to 7: 0 \
             and D's 6 were chosen, since they are not among the numbers. (Without the 0, C would \
             be B's first branch, which SCOUT evaluates without a test, and TEST[C, >, 0] could \
             only be another notation for that.)",
            "(5 10 A(25 B(0 C(8 D=6) 20)))",
            &[(DepthFirst::Scout, None), (DepthFirst::AlphaBeta, None)],
        )?,
        example(
            "NegaScout, a procedure for each player",
            "slides 23 and 24",
            "The text determines the root's window [3, 9], the values 5 4 7 4 4 5 in sequence and \
             3 4 apart from them, and the search windows: [3, 9] three times, [5, 6], [4, 5] four \
             times and [3, 4] at a re-search. The lines between the values are missing. This tree \
             has the values in that order, with 3 4 a row below, and is searched with these \
             windows, with [4, 5] at three interior positions and at leaves below them; other \
             trees are too. The 3 beside the word re-search is taken for the leaf below.",
            "(((5 (4 7)) (4 (3 4))) (4 5))",
            &[(DepthFirst::NegaScoutMinimax, Some(Window { alpha: 3, beta: 9 }))],
        )?,
        example(
            "NegaScout as a negamax procedure",
            "slide 29",
            "The text determines everything: two moves a position, three plies, the leaves -5 -4 \
             -6 -7 -4 -4 -5 -9 from the view of the player to move there, and the window [4, 5]. \
             The right half is never visited. A window such as [5, 5] on the slide is the rest of \
             the window after a move has been searched.",
            "(((5 4) (6 7)) ((4 4) (5 9)))",
            &[(DepthFirst::NegaScout, Some(Window { alpha: 4, beta: 5 }))],
        )?,
    ])
}

/// The examples of proof numbers.
///
/// # Errors
/// Only if a tree in this file were malformed.
pub fn proof_examples() -> Result<Vec<ProofExample>, TreeParseError> {
    let example = |slides, reconstruction, tree: &str, thresholds| {
        Ok(ProofExample { slides, reconstruction, tree: tree.parse()?, thresholds })
    };
    Ok(vec![
        example(
            "slides 34 and 38, left",
            "The nodes a to h, the leaves 1 ? 1 ? ? and the numbers 1,2 and 1,1 and 2,1 of a, b and \
             c determine the only tree with two rows of moves.",
            "a(b(d=1 e=?) c(f=1 g=? h=?))",
            &[1],
        )?,
        example(
            "slides 34 and 38, right",
            "The nodes a to k and the numbers 2,1 and infinity,0 and 1,1 and 2,1 determine a tree \
             with h above i, j and k. The text has the leaves 1 ? ? ?; the numbers require 0 for \
             the others. Which of d and e is 0, and which of i, j and k is unknown, was chosen.",
            "a(b(d=0 e=?) c(f=1 g=? h(i=0 j=? k=0)))",
            &[1],
        )?,
        example(
            "slides 42 and 43",
            "The text has the nodes a to h, the values ? ? ? 18 10 and, twice, the question v <= \
             18. The shape is that of slide 34; 18 at d and 10 at f were chosen.",
            "a(b(d=18 e=?) c(f=10 g=? h=?))",
            &[10, 18, 19],
        )?,
    ])
}

impl Visit {
    /// The query and the result from MAX's view.
    pub fn from_max_view(&self, player: MinimaxPlayer) -> (Query, i32) {
        match (player, self.query) {
            (MinimaxPlayer::Max, query) => (query, self.result),
            (MinimaxPlayer::Min, Query::Window(Window { alpha, beta })) => {
                (Query::Window(Window { alpha: -beta, beta: -alpha }), -self.result)
            }
            // Tests are always from MAX's view.
            (MinimaxPlayer::Min, query) => (query, -self.result),
        }
    }
}

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
pub struct ExamplesCommand {
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
        let output = if self.all { files.text() } else { Box::new(io::sink()) };
        let mut printer = Printer { output, rows: Vec::new(), overview: Vec::new() };
        examples.iter().try_for_each(|example| printer.print_replays(example))?;
        proofs.iter().try_for_each(|example| printer.print_proof_numbers(example))?;
        let Printer { rows, overview, .. } = printer;
        if !self.all {
            let header = ["example", "slides", "search", "value", "visits", "repeated"];
            let (table, visits) = (table(header, 3, overview), rows.len());
            writeln!(files.text(), "{table}\n{visits} visits are left out; --all prints them.")?;
        }
        files.write("examples", &serde_json::json!({}), &rows, &(), || chart(&examples))
    }
}

/// Prints replays, and collects their visits and a line for each.
struct Printer {
    output: Box<dyn Write>,
    rows: Vec<VisitRow>,
    overview: Vec<[String; 6]>,
}

impl Printer {
    fn print_replays(&mut self, example: &WorkedExample) -> io::Result<()> {
        let WorkedExample { title, slides, reconstruction, tree, replays } = example;
        let Printer { output, rows, overview } = self;
        writeln!(output, "## {title} ({slides})\n\n{}\n", wrapped(reconstruction, 90))?;
        write!(output, "{}", outline(tree, |_| String::new()))?;
        for replay in replays {
            let name = replay.search.name();
            let again = replay.visits.iter().filter(|visit| visit.earlier > 0).count();
            let (value, visits) = (replay.value, replay.visits.len());
            writeln!(output, "\n{name}: value {value}, {visits} visits, {again} of them repeated")?;
            let numbers = [value.to_string(), visits.to_string(), again.to_string()];
            let [value, visits, again] = numbers.each_ref().map(String::as_str);
            overview.push([title, slides, name, value, visits, again].map(str::to_owned));
            for (visit, number) in replay.visits.iter().zip(1..) {
                let row = row(example, replay, visit, number);
                let indent = 2 * tree.ply(visit.node) as usize;
                let place = format!("{:indent$}{}", "", row.node);
                let VisitRow { player, question, answer, .. } = &row;
                let again = if visit.earlier > 0 { "  again" } else { "" };
                writeln!(
                    output,
                    "{number:>4}  {place:<18} {player}  {question} -> {answer}{again}"
                )?;
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

    fn print_proof_numbers(&mut self, example: &ProofExample) -> io::Result<()> {
        let ProofExample { slides, reconstruction, tree, thresholds } = example;
        let Printer { output, rows, overview } = self;
        let reconstruction = wrapped(reconstruction, 90);
        writeln!(output, "## Proof and disproof numbers ({slides})\n\n{reconstruction}")?;
        for &v in *thresholds {
            let (all_numbers, next) = tree.proof_numbers(v);
            let numbers = |node: ExplicitNode| numbers_text(all_numbers[node.0]);
            writeln!(output, "\nproof, disproof of a value of at least {v}:\n")?;
            write!(output, "{}", outline(tree, |node| format!("  ({})", numbers(node))))?;
            let title = format!("Proof and disproof numbers of at least {v}");
            let root = numbers(tree.root());
            let line: [&str; 6] = [&title, slides, "pns", &root, MISSING, MISSING];
            overview.push(line.map(str::to_owned));
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
    match value {
        INFINITY.. => "infinity".to_owned(),
        _ if value <= -INFINITY => "-infinity".to_owned(),
        _ => value.to_string(),
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
