//! Learned evaluations: that a course learns something, is the same every time and goes on where it was
//! broken off, and that the engine plays with what it is given.

use std::fs;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use kalah::board::{AnyPosition, Board, Capture, Rules, Side};
use kalah::search::{Evaluation, Network};
use kalah::training::{Course, Sample, TrainingError, read_samples};
use tempfile::tempdir;

use crate::command_line::assert_refused;
use crate::session::Session;

fn course() -> Course {
    Course {
        houses: 4,
        capture: "standard".to_owned(),
        seeds: vec![3, 4],
        positions: 6_000,
        nodes: 200,
        generations: 2,
        seed: 1,
    }
}

fn run(course: &Course, folder: &Path, threads: usize) -> Result<Network, TrainingError> {
    course.run(folder, NonZeroUsize::new(threads).unwrap(), &|| true, &|_| {})
}

fn samples(folder: &Path, generation: u32) -> Vec<Sample> {
    let file = fs::File::open(folder.join(format!("generation-{generation}-000.csv"))).unwrap();
    read_samples(file).unwrap()
}

/// A position of samples, with South to move and nothing in the stores.
fn board(sample: &Sample, rules: Rules) -> Board {
    let seeds: Vec<u16> = sample.houses.split(' ').map(|seeds| seeds.parse().unwrap()).collect();
    let (own, opponent) = seeds.split_at(rules.houses());
    Board::new(rules, [own, opponent], [0, 0], Side::South).unwrap()
}

/// How far an evaluation is off, on average, in seeds.
fn error(evaluation: &Evaluation, samples: &[Sample], rules: Rules) -> f64 {
    let off = |sample: &Sample| {
        let board = board(sample, rules);
        let AnyPosition::Narrow(_, position) = board.position() else { unreachable!() };
        let gain = evaluation.gain(&position, rules.houses(), board.seeds_in_play() as i32);
        f64::from((gain - sample.search).abs())
    };
    samples.iter().map(off).sum::<f64>() / samples.len() as f64
}

#[test]
fn a_tiny_course_learns_something() {
    let folder = tempdir().unwrap();
    let network = run(&course(), folder.path(), 2).unwrap();
    let rules = Rules::new(4, Capture::Standard).unwrap();
    assert_eq!(network.rules(), rules);
    // Positions of another course, with searches that see more.
    let other = Course { seed: 2, nodes: 2_000, generations: 1, ..course() };
    let judges = tempdir().unwrap();
    run(&other, judges.path(), 2).unwrap();
    let samples = samples(judges.path(), 1);
    let learned = error(&Evaluation::Learned(Arc::new(network)), &samples, rules);
    let material = error(&Evaluation::material(), &samples, rules);
    let plain = error(&Evaluation::default(), &samples, rules);
    assert!(learned < 0.7 * material, "{learned} {material}");
    assert!(learned < plain, "{learned} {plain}");
}

#[test]
fn the_same_course_makes_the_same_network() {
    let [one, two, broken] = [tempdir().unwrap(), tempdir().unwrap(), tempdir().unwrap()];
    let network = run(&course(), one.path(), 1).unwrap();
    assert_eq!(run(&course(), two.path(), 2).unwrap(), network);

    // Broken off again and again, now in a game, now between passes.
    let mut times = 0_u32;
    let found = loop {
        // What is under way is lost: each time a little more is done before the end.
        let events = AtomicU32::new(0);
        let watch = |_| {
            events.fetch_add(1, Relaxed);
        };
        let is_wanted = || events.load(Relaxed) <= 100 * times;
        let threads = NonZeroUsize::new(2).unwrap();
        match course().run(broken.path(), threads, &is_wanted, &watch) {
            Ok(network) => break network,
            Err(TrainingError::Interrupted) => times += 1,
            Err(error) => panic!("{error}"),
        }
    };
    assert!(times > 2, "{times}");
    assert_eq!(found, network);
}

#[test]
fn folders_of_other_courses_and_damaged_files_are_named() {
    let folder = tempdir().unwrap();
    let tiny = Course { positions: 1, nodes: 20, generations: 1, ..course() };
    run(&tiny, folder.path(), 1).unwrap();
    let other = Course { seed: 2, ..tiny.clone() };
    let error = run(&other, folder.path(), 1).unwrap_err();
    assert!(matches!(error, TrainingError::OtherCourse(_)), "{error}");

    let (network, positions) =
        (folder.path().join("generation-1.knn"), folder.path().join("generation-1-000.csv"));
    fs::write(&network, "no network").unwrap();
    let error = run(&tiny, folder.path(), 1).unwrap_err().to_string();
    assert!(error.contains("generation-1.knn"), "{error}");
    assert!(error.contains("no learned evaluation"), "{error}");
    fs::remove_file(&network).unwrap();
    for text in ["houses,search\n1 2,x\n", "houses,search,proven,outcome\n1 2 3,4,false,\n"] {
        fs::write(&positions, text).unwrap();
        let error = run(&tiny, folder.path(), 1).unwrap_err();
        assert!(
            matches!(error, TrainingError::Damaged { .. } | TrainingError::Course(_)),
            "{error}"
        );
    }
    let none = Course { seeds: vec![], ..tiny.clone() };
    assert!(matches!(run(&none, folder.path(), 1), Err(TrainingError::Course(_))));
}

#[test]
fn the_command_makes_a_network_that_the_engine_plays_with() {
    let folder = tempdir().unwrap();
    let file = folder.path().join("my net.knn");
    let mut session = Session::run(&[
        "train",
        "--houses",
        "5",
        "--capture",
        "empty",
        "--seeds",
        "3",
        "--positions",
        "500",
        "--nodes",
        "50",
        "--generations",
        "1",
        "--games",
        "2",
        "--st",
        "0.001",
        "--out",
        file.to_str().unwrap(),
    ]);
    let output = session.wait_for_success().join("\n");
    assert!(output.contains("network     '"), "{output}");
    assert!(output.contains("new against present, 2 games"), "{output}");
    let network = Network::read(&file).unwrap();
    assert_eq!(network.rules(), Rules::new(5, Capture::Empty).unwrap());

    let mut session = Session::start();
    session.send("setoption name Capture value empty");
    session.send("setoption name Houses value 5");
    let is_learned = |session: &mut Session| {
        session.send("eval");
        session.until("Expected").iter().any(|line| line.starts_with("Learned"))
    };
    session.send("position startpos");
    assert!(!is_learned(&mut session));
    session.send(&format!("setoption name EvalFile value {}", file.display()));
    assert!(is_learned(&mut session));
    session.send("setoption name Eval value plain");
    assert!(!is_learned(&mut session));
    session.send("setoption name Eval value auto");
    session.send("setoption name Search value negascout");
    assert!(!is_learned(&mut session));
    session.send("setoption name Search value selective");
    assert!(is_learned(&mut session));
    session.send("go depth 6");
    session.until("bestmove ");
    // Another board: the network is not for it.
    session.send("setoption name Houses value 4");
    assert!(!is_learned(&mut session));

    session.send("setoption name EvalFile value /no/such/file");
    let error = session.line();
    assert!(error.contains("option EvalFile: '/no/such/file': cannot read it"), "{error}");
    session.quit();
}

#[test]
fn what_is_wrong_is_said_before_the_work() {
    let folder = tempdir().unwrap();
    let file = folder.path().join("net.knn");
    let out = file.to_str().unwrap();
    let wrong: [(&[&str], &str); 5] = [
        (&["--games", "3"], "3"),
        (&["--st", "-1"], "-1"),
        (&["--houses", "13"], "13 houses"),
        (&["--houses", "12", "--seeds", "100"], "2400 seeds"),
        (&["--positions", "0"], "0"),
    ];
    for (arguments, named) in wrong {
        assert_refused(&[&["train", "--out", out], arguments].concat(), 2, named);
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}
