//! `kalah lab` as a program.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::thread;
use std::time::Duration;

use crate::command_line::assert_refused;
use crate::markup::assert_well_formed;
use crate::session::Session;

/// Every experiment at a size that takes no time, with words of its table.
const EXPERIMENTS: [(&[&str], &[&str]); 8] = [
    (&["bounds", "--widths", "2,3", "--depths", "1,2,3"], &["seed 1", "alphabeta", "to the node"]),
    (&["examples", "--all"], &["slide 10", "TEST[B, >=, 25] -> false", "[3, 9]", "(infinity, 0)"]),
    (
        &["ordering", "--seeds", "3", "--positions", "3", "--depth", "4", "--hash", "1"],
        &["Kalah(6,3)", "seed 1", "+ aspiration"],
    ),
    (
        &["savings", "--seeds", "3", "--positions", "3", "--depths", "3,4", "--hash", "1"],
        &["Kalah(6,3)", "seed 1", "negascout", "published"],
    ),
    (
        &["chance", "--seeds", "1", "--positions", "4", "--iterations", "10,20", "--hash", "1"],
        &["Kalah(6,1)", "seed 1", "flat-ucb", "best moves"],
    ),
    (
        &[
            "work",
            "--houses",
            "4",
            "--seeds",
            "2",
            "--table-seeds",
            "4",
            "--positions",
            "3",
            "--hash",
            "4",
        ],
        &["Kalah(4,2)", "seed 1", "target less margin", "fitted"],
    ),
    (
        &["pearl", "--seeds", "1,2", "--depths", "2,3,4", "--shuffles", "2"],
        &["seed 1", "1322", "+11.3 %", "90 would give"],
    ),
    (
        &["uniform", "--widths=20", "--depths=2", "--branching=2", "--leaves=100", "--trees=2"],
        &["seed 1", "negascout", "-10 to -20 %", "1.618"],
    ),
];

fn lab<'a>(arguments: &[&'a str]) -> Vec<&'a str> {
    [&["lab"], arguments].concat()
}

fn output(arguments: &[&str]) -> String {
    Session::run(arguments).wait_for_success().join("\n")
}

#[track_caller]
fn assert_svg(svg: &str) {
    assert!(svg.starts_with("<svg ") && svg.trim_end().ends_with("</svg>"));
    assert_well_formed(svg);
}

#[test]
fn every_experiment_prints_writes_and_draws() {
    let folder = tempfile::tempdir().unwrap();
    for (arguments, words) in EXPERIMENTS {
        let printed = output(&lab(arguments));
        assert!(words.iter().all(|&word| printed.contains(word)), "{arguments:?}: {printed}");

        let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
        let (csv, json, svg) = (path("rows.csv"), path("all.json"), path("chart.svg"));
        let files = ["--csv", &csv, "--json", &json, "--plot", &svg];
        assert_eq!(output(&lab(&[arguments, &files].concat())), printed);

        let mut rows = csv::Reader::from_path(&csv).unwrap();
        let header = rows.headers().unwrap().clone();
        let rows: Vec<csv::StringRecord> = rows.records().map(Result::unwrap).collect();
        assert!(!rows.is_empty() && header.len() > 3);
        let document: serde_json::Value =
            serde_json::from_str(&fs::read_to_string(&json).unwrap()).unwrap();
        assert_eq!(document["experiment"], arguments[0]);
        assert_eq!(document["rows"].as_array().unwrap().len(), rows.len());
        assert_svg(&fs::read_to_string(&svg).unwrap());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 3, "nothing else is left");
    }
}

/// Lines of a usual terminal, without that of the next prompt.
const SCREEN: usize = 23;

#[test]
fn a_screen_is_enough_unless_all_is_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let csv = folder.path().join("rows.csv").to_str().unwrap().to_owned();
    // With the rows of the CSV file for each line of --all.
    let long: [(&[&str], usize); 5] = [
        (&["bounds", "--widths", "2,3", "--depths", "1,2,3,4"], 1),
        (&["pearl", "--seeds", "1,2,3", "--depths", "2,3,4", "--shuffles", "1"], 1),
        (&["savings", "--seeds", "2,3,4", "--positions", "3", "--depths", "3", "--hash", "1"], 0),
        (
            &[
                "uniform",
                "--widths=2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17",
                "--depths=2",
                "--branching=2,3",
                "--leaves=100",
                "--trees=2",
            ],
            0,
        ),
        (&["examples"], 0),
    ];
    let table_rows = |text: &str| text.lines().filter(|line| line.starts_with('|')).count();
    for (arguments, rows_for_each) in long {
        let some = output(&lab(&[arguments, &["--csv", &csv]].concat()));
        let all = output(&lab(&[arguments, &["--all"]].concat()));
        assert!(some.lines().count() <= SCREEN, "{some}");
        assert!(all.lines().count() > SCREEN, "{all}");
        assert!(some.contains("left out; --all prints them."), "{some}");
        assert!(!all.contains("left out"), "{all}");
        if rows_for_each > 0 {
            let rows = csv::Reader::from_path(&csv).unwrap().records().count();
            assert_eq!(table_rows(&all), 2 + rows, "{all}");
            assert!(table_rows(&some) < table_rows(&all) && table_rows(&some) > 3, "{some}");
        }
    }
}

#[test]
fn charts_show_intervals_and_published_values() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("chart.svg").to_str().unwrap().to_owned();
    let chart = |arguments: &[&str]| {
        output(&lab(&[arguments, &["--plot", &path]].concat()));
        fs::read_to_string(&path).unwrap()
    };
    let has_intervals = |svg: &str| svg.contains("Bars are 95 % intervals.");
    let by_name =
        |name: &str| EXPERIMENTS.iter().find(|(arguments, _)| arguments[0] == name).unwrap().0;
    for name in ["ordering", "chance", "work", "uniform"] {
        assert!(has_intervals(&chart(by_name(name))), "{name}");
    }
    assert!(!has_intervals(&chart(by_name("bounds"))));
    let pearl = chart(by_name("pearl"));
    assert!(has_intervals(&pearl), "of the shuffled orders");
    // Hollow marks: three depths in two orders, and one in the legend.
    let hollow = pearl.split("<path ").skip(1).filter(|mark| {
        let (mark, _) = mark.split_once('>').unwrap();
        mark.contains("fill=\"none\"")
    });
    assert_eq!(hollow.count(), 7);
    assert!(pearl.contains(">1 seed a house, Pearl 1980<"));
}

#[test]
fn pictures_are_drawn_of_all_searches_of_trees() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_str().unwrap();
    let printed = output(&lab(&["pictures", path]));
    assert_eq!(printed.lines().count(), 11);
    for line in printed.lines() {
        let (file, title) = line.split_once(": ").unwrap();
        let svg = fs::read_to_string(file).unwrap();
        assert_svg(&svg);
        assert!(svg.contains(title), "{title}");
    }
    assert!(printed.contains("minimax: value 2, 16 of 16 leaves evaluated, 31 visits"));
    assert!(printed.contains("pns: value 2 or more proven"));
    assert_refused(&lab(&["pictures", &format!("{path}/minimax.svg")]), 1, "minimax.svg");
    output(&lab(&["pictures", &format!("{path}/a/new/folder")]));
}

#[test]
fn seeds_change_what_is_random() {
    let run = |seed| {
        let (arguments, _) = EXPERIMENTS[7];
        output(&lab(&[arguments, &["--seed", seed]].concat())).replace(seed, "")
    };
    assert_eq!(run("77"), run("77"));
    assert_ne!(run("77"), run("78"));
}

#[test]
fn wrong_sizes_are_wrong_usage() {
    let wrong: [(&[&str], &str); 32] = [
        (&["nonsense"], "nonsense"),
        (&["bounds", "--widths", "1"], "width 1"),
        (&["bounds", "--widths", "5000"], "width 5000"),
        (&["bounds", "--depths", "0"], "depth 0"),
        (&["bounds", "--depths", "256"], "depth 256"),
        (&["bounds", "--widths", "30", "--depths", "200"], "depth 200"),
        (&["uniform", "--widths", "1"], "width 1"),
        (&["uniform", "--branching", "1"], "width 1"),
        (&["uniform", "--depths", "0"], "depth 0"),
        (&["uniform", "--widths", "60", "--depths", "40"], "depth 40"),
        (&["uniform", "--trees", "0"], "0"),
        (&["ordering", "--depth", "0"], "depth 0"),
        (&["ordering", "--houses", "13"], "13"),
        (&["pearl", "--depths", "0"], "depth 0"),
        (&["pearl", "--houses", "0"], "0"),
        (&["pearl", "--seeds", "400"], "1023"),
        (&["chance", "--iterations", "0"], "0"),
        (&["chance", "--positions", "0"], "0"),
        (&["pictures", "nowhere", "--width", "1"], "width 1"),
        (&["pictures", "nowhere", "--width", "9", "--depth", "9"], "256"),
        (&["pearl", "--seeds", "0"], "0"),
        (&["pearl", "--shuffles", "0"], "0"),
        (&["pearl", "--shuffles", "99999999999"], "99999999999"),
        (&["uniform", "--branching", "1000000"], "width 1000000"),
        (&["uniform", "--branching", "100"], "branching 100"),
        (&["uniform", "--leaves", "1"], "more than 1 leaves"),
        (&["ordering", "--hash", "0"], "0"),
        (&["savings", "--hash", "0"], "0"),
        (&["chance", "--hash", "0"], "0"),
        (&["chance", "--iterations", "99999999999"], "99999999999"),
        (&["savings", "--depths", "90"], "depth 90"),
        (&["savings", "--seeds", "0", "--depths", "4"], "from 1 to 511"),
    ];
    for (arguments, named) in wrong {
        assert_refused(&lab(arguments), 2, named);
    }
    assert_refused(&lab(&["bounds", "--plot", "chart.png"]), 2, ".svg");
}

#[test]
fn what_does_not_fit_in_memory_is_refused() {
    // Below the limit of nodes, and terabytes to remember.
    assert_refused(&lab(&["bounds", "--widths", "1000", "--depths", "6"]), 1, "MiB");
    for experiment in ["ordering", "savings", "chance"] {
        assert_refused(&lab(&[experiment, "--hash", "999999999999"]), 1, "999999999999");
    }
}

#[test]
fn files_that_cannot_be_written_are_told_before_the_work() {
    let folder = tempfile::tempdir().unwrap();
    let name = |path: &Path| path.to_str().unwrap().to_owned();
    let missing = name(&folder.path().join("missing/rows.csv"));
    // Sizes that would take hours.
    let long = ["savings", "--depths", "20", "--positions", "10000"];
    assert_refused(&lab(&[&long[..], &["--csv", &missing]].concat()), 1, "missing");
    let is_folder = name(folder.path());
    assert_refused(&lab(&[&long[..], &["--json", &is_folder]].concat()), 1, &is_folder);
    let twice = name(&folder.path().join("twice"));
    let both = ["--json", &twice, "--csv", &twice];
    assert_refused(&lab(&[&long[..], &both].concat()), 1, "twice");
    let detour = name(&folder.path().join(".").join("twice"));
    let both = ["--json", &twice, "--csv", &detour];
    assert_refused(&lab(&[&long[..], &both].concat()), 1, "twice");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn an_error_leaves_files_as_they_were() {
    let folder = tempfile::tempdir().unwrap();
    let csv = folder.path().join("rows.csv");
    fs::write(&csv, "precious").unwrap();
    let arguments = ["bounds", "--widths", "1", "--csv", csv.to_str().unwrap()];
    assert_refused(&lab(&arguments), 2, "width 1");
    assert_eq!(fs::read_to_string(&csv).unwrap(), "precious");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[cfg(unix)]
#[test]
fn links_and_rights_stay_as_they_are() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let name = |name: &str| path(name).to_str().unwrap().to_owned();
    let small = ["bounds", "--widths", "2", "--depths", "1"];

    fs::write(path("rows.csv"), "old").unwrap();
    fs::set_permissions(path("rows.csv"), fs::Permissions::from_mode(0o600)).unwrap();
    symlink("rows.csv", path("link")).unwrap();
    output(&lab(&[&small[..], &["--csv", &name("link")]].concat()));
    assert!(path("link").is_symlink());
    assert!(fs::read_to_string(path("rows.csv")).unwrap().starts_with("width,"));
    assert_eq!(fs::metadata(path("rows.csv")).unwrap().permissions().mode() & 0o777, 0o600);

    let both = ["--csv", &name("link"), "--json", &name("rows.csv")];
    assert_refused(&lab(&[&small[..], &both].concat()), 1, "two files");
    symlink("nothing", path("loose")).unwrap();
    assert_refused(&lab(&[&small[..], &["--csv", &name("loose")]].concat()), 1, "loose");
    assert!(path("loose").is_symlink());
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 3);
}

/// The processor time that a process has used, in ticks of the system.
#[cfg(target_os = "linux")]
fn ticks(process: u32) -> u64 {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).unwrap();
    let fields = stat.rsplit(')').next().unwrap().split_whitespace();
    fields.skip(11).take(2).map(|ticks| ticks.parse::<u64>().unwrap()).sum()
}

/// Nothing is left behind by an experiment that is broken off.
#[cfg(target_os = "linux")]
#[test]
fn no_temporary_file_lies_around_during_the_work() {
    let folder = tempfile::tempdir().unwrap();
    let csv = folder.path().join("rows.csv");
    let long = ["lab", "savings", "--depths", "16", "--csv", csv.to_str().unwrap()];
    let mut child = Command::new(env!("CARGO_BIN_EXE_kalah")).args(long).spawn().unwrap();
    while ticks(child.id()) < 20 {
        thread::sleep(Duration::from_millis(5));
    }
    let running = child.try_wait().unwrap().is_none();
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(running);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn a_closed_output_is_no_failure() {
    for (arguments, _) in EXPERIMENTS {
        Session::closing_output_after(0, &lab(arguments)).wait_for_success();
        Session::closing_output_after(1, &lab(arguments)).wait_for_success();
    }
}
