//! Training: it improves the evaluation, is deterministic and resumes, and the engine plays with the
//! network.

use std::fs;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use kalah::StopToken;
use kalah::board::{AnyPosition, Board, Capture, Rules, Side};
use kalah::printable::with_causes;
use kalah::search::{BLOCK_NEURONS, Evaluation, MAX_BLOCKS, MAX_NEURONS, Network};
use kalah_lab::training::{
    Sample, SelfPlayer, TrainingConfig, TrainingError, TrainingJob, TrainingRun,
    read_learning_curves, read_samples,
};
use tempfile::tempdir;

use crate::command_line::assert_refused;
use crate::session::Session;

fn config() -> TrainingConfig {
    TrainingConfig {
        houses: 4,
        capture: "standard".to_owned(),
        sowing: "single".to_owned(),
        seeds: vec![3, 4],
        positions: 6_000,
        nodes: 200,
        generations: 2,
        neurons: BLOCK_NEURONS,
        seed: 1,
    }
}

/// As small as can be with several jobs in each generation.
fn small() -> TrainingConfig {
    TrainingConfig { positions: 1_000, nodes: 50, ..config() }
}

fn run(config: &TrainingConfig, folder: &Path, threads: usize) -> Result<Network, TrainingError> {
    config.run(folder, NonZeroUsize::new(threads).unwrap(), &StopToken::new(), &|_| {})
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
fn a_tiny_training_run_improves_the_evaluation() {
    let folder = tempdir().unwrap();
    let network = run(&config(), folder.path(), 2).unwrap();
    let rules = Rules::new(4, Capture::Standard).unwrap();
    assert_eq!(network.rules(), rules);
    // Positions of another run, with deeper searches.
    let other =
        TrainingConfig { seed: 2, positions: 2_000, nodes: 2_000, generations: 1, ..config() };
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
fn equal_settings_make_equal_networks() {
    let [one, two, broken] = [tempdir().unwrap(), tempdir().unwrap(), tempdir().unwrap()];
    let network = run(&small(), one.path(), 1).unwrap();
    assert_eq!(run(&small(), two.path(), 2).unwrap(), network);

    // Stopped again and again, both during games and between epochs.
    let mut times = 0_u32;
    let found = loop {
        // Work in progress is lost, so each attempt is stopped a little later.
        let (events, stop) = (AtomicU32::new(0), StopToken::new());
        let progress = |_| {
            if events.fetch_add(1, Relaxed) >= 20 * times {
                stop.stop();
            }
        };
        let threads = NonZeroUsize::new(2).unwrap();
        match small().run(broken.path(), threads, &stop, &progress) {
            Ok(network) => break network,
            Err(TrainingError::Interrupted) => times += 1,
            Err(error) => panic!("{error}"),
        }
    };
    assert!(times > 2, "{times}");
    assert_eq!(found, network);
}

/// Plays jobs for others, the last one first.
fn play(run: &mut TrainingRun, jobs: &[TrainingJob]) {
    let player = SelfPlayer::new(&small()).unwrap();
    for &job in jobs.iter().rev() {
        let samples = player.play(job, run.network(), &StopToken::new()).unwrap();
        run.report([(job, samples)]).unwrap();
    }
}

#[test]
fn jobs_make_the_same_network_in_any_order_and_with_losses() {
    let [alone, folder] = [tempdir().unwrap(), tempdir().unwrap()];
    let network = run(&small(), alone.path(), 2).unwrap();
    let files = |folder: &Path| {
        let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
        let mut files: Vec<_> =
            files.map(|file| (file.file_name(), fs::read(file.path()).unwrap())).collect();
        files.sort();
        files
    };

    let mut others = TrainingRun::new(&small(), folder.path()).unwrap();
    let jobs = others.next_jobs(7).unwrap();
    assert_eq!(jobs.len(), 7);
    assert_eq!(others.next_jobs(1).unwrap()[0].number, 7);
    others.abandon(jobs[2]);
    assert_eq!(others.next_jobs(1).unwrap(), [jobs[2]]);
    play(&mut others, &jobs[..5]);
    let played = others.positions();
    others.report([(jobs[0], vec![])]).unwrap();
    assert_eq!(others.positions(), played);
    assert!(!others.is_played());
    assert!(matches!(others.fit(&StopToken::new(), &|_| {}), Err(TrainingError::NoSamples)));
    drop(others);

    // What was done is not done again, by others or by this machine.
    let mut again = TrainingRun::new(&small(), folder.path()).unwrap();
    assert_eq!(again.positions(), played);
    assert_eq!(again.next_jobs(1).unwrap(), [jobs[5]]);
    drop(again);
    assert_eq!(run(&small(), folder.path(), 2).unwrap(), network);
    assert_eq!(files(folder.path()), files(alone.path()));

    // The second generation once more, by others alone.
    for entry in fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap()) {
        if entry.file_name().to_str().unwrap().starts_with("generation-2") {
            fs::remove_file(entry.path()).unwrap();
        }
    }
    let mut others = TrainingRun::new(&small(), folder.path()).unwrap();
    while others.generation().is_some() {
        assert_eq!(others.generation(), Some(2));
        while !others.is_played() {
            let jobs = others.next_jobs(40).unwrap();
            play(&mut others, &jobs);
        }
        others.fit(&StopToken::new(), &|_| {}).unwrap();
    }
    assert_eq!(**others.network().unwrap(), network);
    let in_use = TrainingRun::new(&small(), folder.path());
    assert!(matches!(in_use, Err(TrainingError::InUse(_))), "{in_use:?}");
    drop(others);
    assert_eq!(files(folder.path()), files(alone.path()));
}

#[test]
fn only_the_last_network_has_more_neurons() {
    let folder = tempdir().unwrap();
    let tiny = TrainingConfig { positions: 1, nodes: 20, ..config() };
    let blocks = |network: &Network| network.parameters().blocks.len();
    assert_eq!(blocks(&run(&tiny, folder.path(), 1).unwrap()), 1);
    // A folder from before there was a choice goes on with 32.
    let settings = folder.path().join("course.json");
    let text = fs::read_to_string(&settings).unwrap();
    let old: String = text.lines().filter(|line| !line.contains("neurons")).collect();
    assert_ne!(old, text.lines().collect::<String>());
    fs::write(&settings, old).unwrap();
    run(&tiny, folder.path(), 1).unwrap();

    let large = TrainingConfig { neurons: MAX_NEURONS, ..tiny };
    let folder = tempdir().unwrap();
    assert_eq!(blocks(&run(&large, folder.path(), 1).unwrap()), MAX_BLOCKS);
    let first = Network::read(&folder.path().join("generation-1.knn")).unwrap();
    assert_eq!(blocks(&first), 1);
}

#[test]
fn folders_of_other_runs_and_damaged_files_are_named() {
    let folder = tempdir().unwrap();
    let tiny = TrainingConfig { positions: 1, nodes: 20, generations: 1, ..config() };
    run(&tiny, folder.path(), 1).unwrap();
    let other = TrainingConfig { seed: 2, ..tiny.clone() };
    let error = run(&other, folder.path(), 1).unwrap_err();
    assert!(matches!(error, TrainingError::OtherRun(_)), "{error}");

    let settings = folder.path().join("course.json");
    let text = fs::read_to_string(&settings).unwrap();
    fs::write(&settings, &text[..text.len() / 2]).unwrap();
    let error = run(&tiny, folder.path(), 1).unwrap_err();
    assert!(matches!(error, TrainingError::Settings { .. }), "{error}");
    assert_eq!(error.to_string(), format!("'{}' is damaged", settings.display()));
    fs::write(&settings, text).unwrap();

    // Each cause is told once.
    let below = settings.join("run");
    let error = with_causes(&run(&tiny, &below, 1).unwrap_err());
    assert!(error.starts_with(&format!("'{}': ", below.join("course.json").display())), "{error}");
    assert_eq!(error.matches("os error").count(), 1, "{error}");
    let (network, positions) =
        (folder.path().join("generation-1.knn"), folder.path().join("generation-1-000.csv"));
    let whole = fs::read(&network).unwrap();
    for (bytes, why) in [(&b"no network"[..], "not a network file"), (&whole[..50], "is damaged")] {
        fs::write(&network, bytes).unwrap();
        let error = with_causes(&run(&tiny, folder.path(), 1).unwrap_err());
        assert_eq!(error, format!("'{}': {why}", network.display()));
    }
    fs::remove_file(&network).unwrap();
    fs::create_dir(&network).unwrap();
    let error = with_causes(&run(&tiny, folder.path(), 1).unwrap_err());
    let why = "cannot be read: a directory, not a regular file";
    assert_eq!(error, format!("'{}': {why}", network.display()));
    fs::remove_dir(&network).unwrap();
    let seeds = |seeds: &str| format!("houses,search,proven,outcome\n{seeds},0,false,\n");
    let (other_board, other_seeds) = (seeds("1 2 3"), seeds(&["65535"; 8].join(" ")));
    for text in ["no samples\n", "houses,search\n1 2,x\n", &other_board, &other_seeds] {
        fs::write(&positions, text).unwrap();
        let error = run(&tiny, folder.path(), 1).unwrap_err();
        assert!(matches!(error, TrainingError::Damaged { .. }), "{error}");
    }
    for wrong in [
        TrainingConfig { seeds: vec![], ..tiny.clone() },
        TrainingConfig { neurons: 0, ..tiny.clone() },
        TrainingConfig { neurons: BLOCK_NEURONS + 1, ..tiny.clone() },
        TrainingConfig { neurons: MAX_NEURONS + BLOCK_NEURONS, ..tiny.clone() },
    ] {
        assert!(matches!(run(&wrong, folder.path(), 1), Err(TrainingError::Config(_))));
    }

    let [curve] = &read_learning_curves(folder.path()).unwrap()[..] else { panic!() };
    assert_eq!((curve.generation, curve.errors.len()), (1, 24));
    fs::write(folder.path().join("generation-1-errors.csv"), "epoch\n1\n").unwrap();
    let error = read_learning_curves(folder.path()).unwrap_err().to_string();
    assert!(error.contains("generation-1-errors.csv"), "{error}");
}

#[test]
fn the_command_makes_a_network_that_the_engine_plays_with() {
    let folder = tempdir().unwrap();
    let file = folder.path().join("my net.knn");
    let curves = folder.path().join("curves.svg");
    let mut session = Session::run(&[
        "train",
        "--houses",
        "3",
        "--capture",
        "empty",
        "--seeds",
        "12",
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
        "--curves",
        curves.to_str().unwrap(),
    ]);
    let output = session.wait_for_success().join("\n");
    assert!(output.contains("network     '"), "{output}");
    assert!(output.contains("new against current, 2 games"), "{output}");
    let curves = fs::read_to_string(curves).unwrap();
    assert!(curves.starts_with("<svg") && curves.contains("validation samples"), "{curves}");
    let network = Network::read(&file).unwrap();
    assert_eq!(network.rules(), Rules::new(3, Capture::Empty).unwrap());

    let mut session = Session::start();
    session.send("setoption name Capture value empty");
    session.send("setoption name Houses value 3");
    let is_learned = |session: &mut Session| {
        session.send("eval");
        session.until("Expected").iter().any(|line| line.starts_with("Network"))
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
    session.send("setoption name Houses value 2");
    assert!(!is_learned(&mut session));

    session.send("setoption name EvalFile value /no/such/file");
    let error = session.line();
    assert!(error.contains("option EvalFile: '/no/such/file': cannot be read: "), "{error}");
    session.quit();
}

#[test]
fn invalid_settings_are_refused_before_the_work() {
    let folder = tempdir().unwrap();
    let file = folder.path().join("net.knn");
    let out = file.to_str().unwrap();
    let wrong: [(&[&str], &str); 8] = [
        (&["--games", "3"], "3"),
        (&["--st", "-1"], "-1"),
        (&["--houses", "13"], "from 1 to 12"),
        (&["--houses", "12", "--seeds", "100"], "2400 seeds"),
        (&["--positions", "0"], "0"),
        (&["--neurons", "0"], "32 to 128, in steps of 32"),
        (&["--neurons", "33"], "32 to 128, in steps of 32"),
        (&["--neurons", "160"], "32 to 128, in steps of 32"),
    ];
    for (arguments, named) in wrong {
        assert_refused(&[&["train", "--out", out], arguments].concat(), 2, named);
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}
