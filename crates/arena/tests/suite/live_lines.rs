//! The games in progress, as they are shown above the progress bar.

use std::time::{Duration, Instant};

use kalah::board::{Board, Capture, Rules};
use kalah::protocol::EngineScore;
use kalah::search::Bound;
use kalah_arena::commands::live_lines;
use kalah_arena::{GameInProgress, MoveEvaluation};

#[test]
fn a_line_has_the_players_and_fits_a_terminal() {
    let evaluation = |centiseeds, depth| {
        let score = Some(EngineScore { centiseeds, bound: Bound::Exact, proven: depth == 0 });
        MoveEvaluation { score, exact: score, depth: Some(depth), nodes: None }
    };
    let mut game = GameInProgress {
        game: 12,
        players: ["favourite".to_owned(), "\u{1b}[2J and a long name".to_owned()],
        begun: Instant::now().checked_sub(Duration::from_secs(2)).unwrap(),
        board: Board::from_fen("<6,9,5,0,1,6,0,6,6,0,6,5,5,5,0> S", Capture::default()).unwrap(),
        plies: 21,
        evaluations: [evaluation(150, 14), evaluation(-1200, 0)],
    };
    let expected =
        "    12 favourite          +1.50/14   9:5   \\u{1b}[2J and a…    -12.00! ply 21\n";
    assert_eq!(live_lines(&[game.clone()]), expected);
    game.evaluations = [evaluation(-14400, 160), MoveEvaluation::default()];
    game.board = Board::start(Rules::default(), 4).unwrap();
    assert!(live_lines(&[game.clone()]).trim_end().chars().count() < 80);
    let bound = |bound| Some(EngineScore { centiseeds: -90, bound, proven: false });
    for (score, expected) in [(Bound::Lower, " >-0.90/3 "), (Bound::Upper, " <-0.90/3 ")] {
        game.evaluations[0] = MoveEvaluation { score: bound(score), ..evaluation(0, 3) };
        let line = live_lines(&[game.clone()]);
        assert!(line.contains(expected), "{line}");
    }
    game.begun = Instant::now();
    assert_eq!(live_lines(&[game]), "", "a game that has just begun");
}
