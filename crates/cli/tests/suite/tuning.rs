//! Tuning: SPSA finds the best values of noisy functions, and `kalah tune` comes to the same values
//! however often it is interrupted.

use fastrand::Rng;
use kalah_arena::{Spsa, TuningParameter};
use proptest::prelude::*;

use crate::contest::Contest;

fn parameter(words: &str) -> TuningParameter {
    format!("name=x {words}").parse().unwrap()
}

/// Wins less losses of the first player in games of players with these strengths, in units of which
/// 1 makes a win e times as likely as a loss.
fn played(games: u32, strengths: [f64; 2], random: &mut Rng) -> f64 {
    let win = 1.0 / (1.0 + (strengths[1] - strengths[0]).exp());
    (0..games).map(|_| if random.f64() < win { 1.0 } else { -1.0 }).sum()
}

/// The values after a run in which the strength of a player is a function of its values.
fn tuned(spsa: &Spsa, games: u32, strength: impl Fn(&[i32]) -> f64) -> Vec<f64> {
    let mut random = Rng::with_seed(spsa.seed);
    let mut values = spsa.start();
    for iteration in 0..spsa.iterations {
        let trial = spsa.trial(iteration, &values);
        let strengths = [strength(&trial.plus), strength(&trial.minus)];
        let points = played(games, strengths, &mut random);
        values = spsa.update(iteration, &values, &trial, points);
    }
    values
}

#[test]
fn the_best_values_of_noisy_functions_are_found() {
    for seed in 0..20 {
        let mut random = Rng::with_seed(seed);
        let (min, max) = (random.i32(-500..0), random.i32(200..1000));
        let step = (max - min) / 20;
        let best: Vec<f64> = (0..4).map(|_| f64::from(random.i32(min..=max))).collect();
        let parameters: Vec<TuningParameter> = (0..4)
            .map(|_| {
                let start = random.i32(min..=max);
                parameter(&format!("start={start} min={min} max={max} step={step}"))
            })
            .collect();
        let range = parameters[0].range();
        let strength = |values: &[i32]| {
            let losses = values
                .iter()
                .zip(&best)
                .map(|(&value, best)| ((f64::from(value) - best) / range).powi(2));
            -4.0 * losses.sum::<f64>()
        };
        let spsa = Spsa { parameters, iterations: 10_000, seed };
        let found = tuned(&spsa, 16, strength);
        for (found, best) in found.iter().zip(&best) {
            assert!((found - best).abs() < 0.1 * range, "seed {seed}: {found}, best {best}");
        }
    }
}

#[test]
fn a_best_value_at_a_bound_is_reached() {
    for (seed, sign) in (0..10).flat_map(|seed| [(seed, 1.0), (seed, -1.0)]) {
        let parameters = vec![parameter("start=5 min=0 max=10 step=1 rate=0.05")];
        let spsa = Spsa { parameters, iterations: 1000, seed };
        let found = tuned(&spsa, 8, |values| sign * 0.5 * f64::from(values[0]))[0];
        let expected = if sign > 0.0 { 10.0 } else { 0.0 };
        assert!((found - expected).abs() < 0.5, "seed {seed}: {found}, expected {expected}");
    }
}

#[test]
fn values_are_rounded_without_bias() {
    let spsa = Spsa {
        parameters: vec![parameter("start=3 min=0 max=10 step=0.5")],
        iterations: 100_000,
        seed: 1,
    };
    let (mut sum, mut squares) = (0.0, 0.0);
    for iteration in 50_000..spsa.iterations {
        let trial = spsa.trial(iteration, &[3.3]);
        let [plus, minus] = [trial.plus[0], trial.minus[0]].map(f64::from);
        sum += plus + minus;
        squares += (plus - minus).abs();
    }
    let trials = f64::from(spsa.iterations - 50_000);
    assert!((sum / trials / 2.0 - 3.3).abs() < 0.02, "{}", sum / trials / 2.0);
    // The distance is twice the step, and a little more before the end.
    assert!((1.0..1.06).contains(&(squares / trials)), "{}", squares / trials);
}

/// Any parameter with a value inside its bounds.
fn any_parameter() -> impl Strategy<Value = (TuningParameter, f64)> {
    let bounds = (any::<i32>(), any::<i32>()).prop_filter("different", |(a, b)| a != b);
    (bounds, 0.0..=1.0_f64, 0.0..=1.0_f64, 0.001..=1.0).prop_map(|((a, b), at, step, rate)| {
        let (min, max) = (a.min(b), a.max(b));
        let range = f64::from(max) - f64::from(min);
        let step = (step * range / 2.0).max(0.5);
        let value = (f64::from(min) + at * range).clamp(f64::from(min), f64::from(max));
        let name = "x".to_owned();
        (TuningParameter { name, start: min, min, max, step, rate }, value)
    })
}

proptest! {
    #[test]
    fn values_stay_within_their_bounds_and_move_to_the_winner(
        parameters in prop::collection::vec(any_parameter(), 1..5),
        (iterations, iteration) in (1..10_000_u32).prop_flat_map(|all| (Just(all), 0..all)),
        points in -1000..=1000_i32,
        seed: u64,
    ) {
        let (parameters, values): (Vec<_>, Vec<_>) = parameters.into_iter().unzip();
        let spsa = Spsa { parameters, iterations, seed };
        let trial = spsa.trial(iteration, &values);
        prop_assert_eq!(&trial, &spsa.trial(iteration, &values));
        let updated = spsa.update(iteration, &values, &trial, f64::from(points));
        for (number, parameter) in spsa.parameters.iter().enumerate() {
            let (plus, minus) = (trial.plus[number], trial.minus[number]);
            let bounds = parameter.min..=parameter.max;
            prop_assert!(bounds.contains(&plus) && bounds.contains(&minus));
            let distance = (f64::from(plus) - f64::from(minus)).abs();
            prop_assert!(distance + 1.0 >= 2.0 * parameter.step, "{distance} of {parameter:?}");
            let (min, max) = (f64::from(parameter.min), f64::from(parameter.max));
            prop_assert!((min..=max).contains(&updated[number]));
        }
        let one = spsa.update(iteration, &values, &trial, 0.0);
        prop_assert_eq!(one, values);
    }
}

/// A run that takes a moment.
const TUNE: &str = "tune --engine 'builtin=selective name=s option.Exact=false' --each nodes=60 \
    --parameter \"name='Skill Level' start=5 min=0 max=20 step=2 rate=0.05\" \
    --parameter 'name=Hash start=2 min=1 max=4 step=1' --iterations 6 --pairs 2 --record run";

#[test]
fn an_interrupted_run_continues_to_the_same_values() {
    let undisturbed = Contest::new();
    let (output, _) = undisturbed.played(TUNE);
    let whole = undisturbed.read("run");
    assert_eq!(whole.lines().count(), 7);
    assert!(output.contains("6 iterations, 24 games"), "{output}");
    let last = output.lines().last().unwrap();
    assert!(
        last.starts_with("option.\"Skill Level\"=") && last.contains(" option.Hash="),
        "{last}"
    );

    let contest = Contest::new();
    let mut random = Rng::with_seed(1);
    let header = whole.find('\n').unwrap();
    let anywhere = (0..5).map(|_| random.usize(0..whole.len()));
    for cut in [0, 1, header, header + 1, whole.len() - 1].into_iter().chain(anywhere) {
        contest.write("run", &whole[..cut]);
        let concurrency = 1 + cut % 3;
        let (again, errors) = contest.played(&format!("{TUNE} --concurrency {concurrency}"));
        assert_eq!(contest.read("run"), whole, "cut at {cut}");
        assert_eq!(again, output);
        // A line that lacks only its line break is whole.
        let is_torn = cut > 0 && !whole[cut - 1..=cut].contains('\n');
        let said = errors.contains("the record ended with an incomplete iteration");
        assert_eq!(said, is_torn, "cut at {cut}: {errors}");
    }
    contest.write("run", [whole.as_bytes(), &[0; 50]].concat());
    contest.played(TUNE);
    assert_eq!(contest.read("run"), whole);
}

#[test]
fn a_program_is_tuned_like_the_search_that_it_is() {
    let contest = Contest::new();
    let short = TUNE.replace("--iterations 6", "--iterations 2");
    contest.played(&short);
    let program = format!("cmd={}", env!("CARGO_BIN_EXE_kalah"));
    let words =
        short.replace("builtin=selective", &program).replace("--record run", "--record other");
    contest.played(&words);
    let iterations = |name| {
        let record = contest.read(name);
        record.lines().skip(1).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(iterations("run").len(), 2);
    assert_eq!(iterations("run"), iterations("other"));
    let words = words.replace("max=20", "max=21");
    contest.refused(&words, 1, "option Skill Level takes a whole number from 0 to 20, not '21'");
    contest.refused(&words.replace("Skill Level", "Nonsense"), 1, "it has no option 'Nonsense'");
}

#[test]
fn a_record_of_anything_else_is_refused_and_left_alone() {
    let contest = Contest::new();
    let short = TUNE.replace("--iterations 6", "--iterations 2");
    contest.played(&short);
    let whole = contest.read("run");
    for (words, named) in [
        (TUNE.to_owned(), "line 1: 'iterations' is 2, expected 6"),
        (format!("{short} --seed 2"), "'conditions.seed' is 1, expected 2"),
        (short.replace("max=4", "max=5"), "'parameters[1].max' is 4, expected 5"),
        (short.replace("nodes=60", "nodes=61"), "'player.nodes' is 60, expected 61"),
    ] {
        contest.refused(&words, 1, named);
        contest.refused(&words, 1, "'run' is of another tuning run");
        assert_eq!(contest.read("run"), whole);
    }
    let lines: Vec<&str> = whole.lines().collect();
    let text = |lines: &[&str]| lines.join("\n") + "\n";
    let (header, first, second) = (lines[0], lines[1], lines[2]);
    let moved = first.replace("\"values\":[", "\"values\":[1");
    let results = first.replace("\"pairs\":[", "\"pairs\":[7");
    let played = first.replace("\"plus\":[", "\"plus\":[1");
    for (damaged, named) in [
        (text(&[header, second]), "line 2: the number of the iteration is 2, expected 1"),
        (text(&[header, first, first]), "line 3: the number of the iteration is 1, expected 2"),
        (text(&[header, first, second, second]), "line 4: there are more than 2 iterations"),
        (text(&[header, header]), "line 2: the settings are not the first line"),
        (text(&[first]), "line 1: the first line has no settings"),
        (text(&[header, &moved]), "line 2: the values do not follow from the results"),
        (text(&[header, &results]), "line 2: the number of pairs is"),
        (text(&[header, &played]), "line 2: of the values that played, '[0][0]' is"),
        (text(&[header, "{}", second]), "line 2: not a line of a tuning run"),
        ("Dear diary".to_owned(), "line 1: not a line of a tuning run"),
        ("{\"game\":1}\n".to_owned(), "line 1: not a line of a tuning run"),
    ] {
        contest.write("run", &damaged);
        contest.refused(&short, 1, named);
        assert_eq!(contest.read("run"), damaged);
    }
}

#[test]
fn the_values_are_written_for_spreadsheets_and_drawn() {
    let contest = Contest::new();
    contest.played(&format!("{TUNE} --csv values.csv --plot values.svg"));
    let csv = contest.read("values.csv");
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!((lines.len(), lines[0]), (7, "iteration,score,Skill Level,Hash"));
    assert!(lines[6].starts_with("6,"), "{csv}");
    let svg = contest.read("values.svg");
    for text in ["Tuning of s", "Skill Level, 0 to 20", "Hash, 1 to 4", "iterations"] {
        assert!(svg.contains(text), "'{text}' is not in the picture");
    }
}

#[test]
fn runs_that_make_no_sense() {
    let refused = |words: &str, code, named| {
        let contest = Contest::new();
        contest.refused(words, code, named);
        assert!(contest.files().is_empty(), "{words}: {:?}", contest.files());
    };
    for (words, named) in [
        ("", "a parameter needs 'name'"),
        ("name=x start=1 min=0", "a parameter needs 'max'"),
        ("name=x start=1 min=0 max=many", "'max' takes a whole number, not 'many'"),
        ("name=x start=1 min=0 max=2147483648", "'max' takes a whole number"),
        ("name=x start=1.5 min=0 max=9", "'start' takes a whole number"),
        ("name=x start=10 min=0 max=9", "'start' has to lie between"),
        ("name=x start=0 min=0 max=0", "'min' has to be below 'max'"),
        ("name=x start=5 min=9 max=0", "'min' has to be below 'max'"),
        ("name= start=1 min=0 max=9", "'name' takes"),
        ("name=x start=1 min=0 max=9 step=5", "more than half of the range"),
        ("name=x start=1 min=0 max=9 step=0", "'step' takes"),
        ("name=x start=1 min=0 max=9 step=inf", "'step' takes"),
        ("name=x start=1 min=0 max=9 step=nan", "'step' takes"),
        ("name=x start=1 min=0 max=9 rate=0", "'rate' takes"),
        ("name=x start=1 min=0 max=9 rate=2", "'rate' takes"),
        ("name=x start=1 min=0 max=9 end=2", "unknown key 'end'"),
        ("name=hash start=1 min=0 max=9", "'hash' is given twice"),
        ("name=exact start=1 min=0 max=9", "'exact' is a parameter to tune"),
    ] {
        refused(&format!("{TUNE} --parameter \"{words}\""), 2, named);
    }
    for (more, named) in [
        ("--iterations 0", "0"),
        ("--pairs 0", "0"),
        ("--plot values.png", ".svg"),
        ("--engine builtin=pvs", "--engine"),
        ("--shard 1/2", "--shard"),
    ] {
        let base = TUNE.replace("--iterations 6 --pairs 2", "");
        refused(&format!("{base} {more}"), 2, named);
    }
    refused("tune --engine builtin=pvs --each depth=1", 2, "--parameter");
    refused(&TUNE.replace("--each nodes=60", ""), 2, "'s' has no limit");
    for (parameter, named) in [
        ("name=Nonsense start=1 min=0 max=9", "Nonsense"),
        ("name=OwnBook start=1 min=0 max=9", "OwnBook"),
        ("name='Solver Hash' start=8 min=-1 max=9", "'-1'"),
    ] {
        refused(&format!("{TUNE} --parameter \"{parameter}\""), 1, named);
    }
    refused(&format!("{TUNE} --csv run"), 1, "cannot be both record and output");
    refused(&format!("{TUNE} --csv a.svg --plot a.svg"), 1, "named for two files");
    // A value that is too large is found before any game is played.
    refused(&TUNE.replace("max=20", "max=21"), 1, "'21'");
}

#[cfg(unix)]
#[test]
fn faults_of_the_engine_are_told_wherever_results_are() {
    const ENGINE: &str = r"while read -r line; do
    case $line in
    uci) printf 'option name Margin type spin default 5 min 0 max 9\nuciok\n' ;;
    isready) echo readyok ;;
    go*) exit 3 ;;
    esac
done";
    let contest = Contest::new();
    contest.write("engine.sh", ENGINE);
    let words = "tune --engine 'name=bad cmd=sh args=engine.sh' --each depth=1 --iterations 2 --pairs 2 \
                 --parameter 'name=Margin start=5 min=0 max=9' --record run";
    let told = "8 of 8 games lost by faults (crashed: 8)";
    for more in ["", "--json"] {
        let ended = contest.run(&format!("{words} {more}"));
        assert_eq!(ended.status.code(), Some(1), "{}", ended.errors);
        assert!(ended.errors.trim_end().ends_with(&format!("kalah: {told}")), "{}", ended.errors);
        if more.is_empty() {
            assert!(ended.output.iter().any(|line| line == told), "{:?}", ended.output);
        } else {
            let json: serde_json::Value = serde_json::from_str(&ended.output[0]).unwrap();
            assert_eq!((&json["faults"], &json["fault_kinds"]["crashed"]), (&8.into(), &8.into()));
        }
    }
    let record = contest.read("run");
    assert_eq!(record.matches(r#""faults":{"crashed":4}"#).count(), 2, "{record}");
}
