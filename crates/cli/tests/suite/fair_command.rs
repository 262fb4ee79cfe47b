//! `kalah fair`: the starts that it finds, and work that goes on.

use kalah::Solver;
use kalah::board::{Board, Capture, Rules};
use kalah::solve::{SolveProgress, SolveRequest, SolverResources};
use kalah_fair::starts_with_moved;
#[cfg(unix)]
use rustix::process::Signal;
use serde_json::Value;

use crate::contest::Contest;
use crate::markup::assert_well_formed;

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The margins after all moves.
fn moves(solver: &mut Solver, board: &Board) -> Vec<(kalah::Move, i32)> {
    let request = SolveRequest { moves: true, ..SolveRequest::default() };
    let progress = SolveProgress::default();
    solver.solve_with(board, request, &kalah::StopToken::new(), &progress).unwrap().moves
}

/// The plies in a row, from this board on, in which a single move holds the draw.
fn single_moves(solver: &mut Solver, board: &Board) -> u64 {
    let moves = moves(solver, board);
    let mut holding = moves.iter().filter(|(_, margin)| *margin == 0).map(|(mv, _)| *mv);
    match (holding.next(), holding.next()) {
        (Some(single), None) => {
            let mut after = *board;
            after.play(single).unwrap();
            1 + single_moves(solver, &after)
        }
        _ => 0,
    }
}

#[test]
fn all_draws_next_to_a_start_are_found() {
    let contest = Contest::new();
    for (houses, seeds, capture) in
        [(2, 2, Capture::Standard), (3, 1, Capture::Empty), (3, 2, Capture::Standard)]
    {
        let game = format!("fair --houses {houses} --seeds {seeds} --capture {capture}");
        let (text, _) = contest.played(&format!("{game} --json --csv starts.csv"));
        let mut found = lines(&text);
        let counts = found.pop().unwrap();
        let rules = Rules::new(houses, capture).unwrap();
        let resources = SolverResources { mebibytes: 16, ..SolverResources::default() };
        let mut solver = Solver::new(resources);
        let mut draws = 0;
        for moved in 0..=2 {
            let mut results = [0, 0, 0];
            for board in starts_with_moved(rules, seeds, moved).unwrap() {
                let margin = solver.solve(&board).unwrap().margin;
                results[(margin.signum() + 1) as usize] += 1;
                let line = found.iter().find(|line| line["fen"] == board.fen());
                assert_eq!(line.is_some(), margin == 0, "{}", board.fen());
                let Some(line) = line else { continue };
                draws += 1;
                assert_eq!(line["moved"], moved);
                let moves = moves(&mut solver, &board);
                let written = line["moves"].as_object().unwrap();
                assert_eq!(written.len(), moves.len());
                assert!(moves.iter().all(|(mv, margin)| written[&mv.to_string()] == *margin));
                let holding = moves.iter().filter(|(_, margin)| *margin == 0);
                let sharp = holding.clone().map(|&(mv, _)| {
                    let mut after = board;
                    after.play(mv).unwrap();
                    single_moves(&mut solver, &after)
                });
                assert_eq!(line["sharp"].as_u64(), sharp.min(), "{}", board.fen());
                assert_eq!(line["holding"], holding.count());
            }
            let counts = &counts["moved"][usize::from(moved)];
            let names = ["losses", "draws", "wins"];
            assert_eq!(names.map(|name| counts[name].as_u64().unwrap()), results);
            assert_eq!(counts["boards"], results.iter().sum::<u64>());
        }
        assert_eq!(draws, found.len());
        let (text, _) = contest.played(&format!("{game} --count --json"));
        assert_eq!(lines(&text)[0]["moved"], counts["moved"], "{text}");
        let order = |line: &Value| {
            let number = |name: &str| line[name].as_i64().unwrap();
            (-number("holding"), number("sharp"), number("moved"))
        };
        assert!(found.is_sorted_by_key(order));
        let csv = contest.read("starts.csv");
        let mut rows = csv::Reader::from_reader(csv.as_bytes());
        let rows: Vec<csv::StringRecord> = rows.records().map(Result::unwrap).collect();
        assert!(
            rows.iter()
                .map(|row| &row[4])
                .eq(found.iter().map(|line| line["fen"].as_str().unwrap()))
        );
    }
}

#[test]
fn people_get_a_table_and_counts() {
    let contest = Contest::new();
    let (text, _) = contest.played("fair --houses 3 --seeds 1 --moved 1");
    assert!(
        text.contains("| <3,0,0,1,1,1,1,1,1> S | A 0 B -4 C 0  |     0 |       2 |     0 |"),
        "{text}"
    );
    let (text, _) = contest.played("fair --houses 2 --seeds 2 --moved 0");
    assert!(text.starts_with("| seeds moved | boards | wins | draws | losses |"), "{text}");
}

#[test]
fn a_picture_has_the_counts_of_boards_and_of_first_moves() {
    let contest = Contest::new();
    let (text, _) = contest.played("fair --houses 3 --seeds 2 --json --plot starts.svg");
    let mut starts = lines(&text);
    let counts = starts.pop().unwrap();
    let svg = contest.read("starts.svg");
    assert_well_formed(&svg);
    let texts: Vec<&str> = svg
        .split("</text>")
        .filter_map(|before| before.rsplit_once('>').map(|(_, text)| text))
        .collect();
    // What stands behind a text.
    let behind = |text: &str| texts[1 + texts.iter().position(|it| *it == text).expect(text)];
    let sum = |name: &str| -> u64 {
        counts["moved"].as_array().unwrap().iter().map(|it| it[name].as_u64().unwrap()).sum()
    };
    let boards = sum("boards");
    for (name, text) in [
        ("wins", "first player wins"),
        ("draws", "draw: fair starts"),
        ("losses", "first player loses"),
    ] {
        let percent = 100.0 * sum(name) as f64 / boards as f64;
        assert_eq!(behind(text), format!("{} ({percent:.1} %)", sum(name)));
    }
    for (holding, text) in [(1, "1 move"), (2, "2 moves"), (3, "3 moves")] {
        let number = starts.iter().filter(|start| start["holding"] == holding).count();
        assert_eq!(behind(text), number.to_string());
    }
    let margins = starts.iter().flat_map(|start| start["moves"].as_object().unwrap().values());
    let lost: Vec<i64> = margins.map(|margin| -margin.as_i64().unwrap()).collect();
    for seeds in (0..=12).step_by(2) {
        let number = lost.iter().filter(|&&it| it == seeds).count().to_string();
        let column = texts.windows(2).any(|pair| pair == [&*number, &*seeds.to_string()]);
        assert!(column || number == "0", "{number} lose {seeds}: {texts:?}");
    }
}

#[cfg(unix)]
#[test]
fn work_that_is_stopped_goes_on() {
    let contest = Contest::new();
    // Far longer than until the first records.
    let long = "fair --seeds 5 --hash 64 --threads 1 --checkpoint found";
    for (signal, status) in [(Signal::KILL, None), (Signal::INT, Some(130))] {
        let ended = contest.stopped_at_work(long, "found", signal);
        assert_eq!(ended.status.code(), status, "{}", ended.errors);
        let says_so = ended.errors.contains("the same command continues from 'found'");
        assert_eq!(says_so, status.is_some(), "{}", ended.errors);
    }
    // What has been found is not searched again.
    let small =
        "fair --houses 4 --seeds 4 --moved 1 --hash 4 --threads 1 --json --checkpoint small";
    let run = || {
        let (text, _) = contest.played(small);
        let mut lines = lines(&text);
        let nodes = lines.pop().unwrap()["nodes"].as_u64().unwrap();
        (lines, nodes)
    };
    let (first, again) = (run(), run());
    assert!(first.0 == again.0 && again.1 < first.1, "{} nodes of {}", again.1, first.1);
}

#[test]
fn what_cannot_be_searched_is_refused() {
    let contest = Contest::new();
    contest.refused("fair --moved 4", 2, "from 0 to 3");
    contest.refused("fair --houses 12 --seeds 42 --moved 1", 1, "too many seeds to solve");
    contest.refused("fair --houses 2 --count --csv starts", 2, "--csv");
    contest.refused("fair --houses 2 --count --plot starts.svg", 2, "--plot");
    contest.refused("fair --houses 2 --plot starts.png", 2, ".svg");
    contest.refused("fair --houses 2 --csv a.svg --plot a.svg", 1, "named for two files");
    contest.refused("fair --houses 13", 2, "from 1 to 12");
    contest.refused("fair --houses 2 --csv same --checkpoint same", 2, "name the same file");
    contest.refused("fair --houses 2 --plot a.svg --checkpoint a.svg", 2, "name the same file");
    contest.refused("fair --houses 2 --csv no/such/file", 1, "cannot write 'no/such/file'");
    assert!(contest.files().is_empty());
}
