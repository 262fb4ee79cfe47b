//! Results for machines: what commands print as JSON is valid by the schemas in `docs/formats/schemas`.

use std::path::Path;

use serde_json::Value;

use crate::contest::Contest;

/// The schema of this name.
fn schema(name: &str) -> Value {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/formats/schemas");
    let path = folder.join(format!("{name}.schema.json"));
    let text = std::fs::read_to_string(&path)
        .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_str(&text).unwrap()
}

/// The only line of an output, valid by the schema of this name, as JSON.
#[track_caller]
pub(crate) fn checked(name: &str, output: &[String]) -> Value {
    let [line] = output else { panic!("not one line: {output:#?}") };
    let value = valid(name, line);
    assert_eq!(value["format"], format!("kalah-{name}"));
    value
}

/// A line, valid by the schema of this name, as JSON.
#[track_caller]
fn valid(name: &str, line: &str) -> Value {
    let value: Value = serde_json::from_str(line).unwrap();
    let validator = jsonschema::validator_for(&schema(name)).unwrap();
    let errors: Vec<String> = validator
        .iter_errors(&value)
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect();
    assert_eq!(errors, [""; 0], "{line}");
    value
}

/// Command lines, with the schema of each line that they print. A line finds the files that those before wrote.
const LINES: [(&str, &[&str]); 39] = [
    ("review --houses 3 --seeds 2 --moves AB --json", &["review"]),
    ("perft 3 --houses 3 --json", &["perft"]),
    ("bench --depth 1 --hash 1 --json", &["bench"]),
    ("solve --houses 3 --seeds 2 --moves --proof proof --json", &["solve", "solve-proof"]),
    ("solve --input boards --json", &["solve", "solve"]),
    ("solve --table 1 1 --json", &["solve-table", "solve-table"]),
    ("fair --houses 1 --seeds 1 --moved 0 --json", &["fair", "fair-counts"]),
    ("verify-proof proof --json", &["verify-proof"]),
    ("tablebase probe --fen '<3,0,0,1,0,1,1,0,1> N' --json", &["probe"]),
    ("tablebase info tables --json", &["tablebase-info"]),
    ("tablebase verify tables --json --samples 9", &["tablebase-verify"]),
    ("tablebase verify tables --json --all", &["tablebase-verify"]),
    ("dataset build data --houses 3 --seeds 2 --positions 20 --hash 16 --json", &["dataset-build"]),
    ("dataset verify data --json", &["dataset-verify"]),
    ("store add store solved --json", &["store-add"]),
    ("book info book --json", &["book-info"]),
    ("book probe book '<3,0,0,2,2,2,2,2,2>' --json", &["probe"]),
    ("book verify book --sample 1 --json", &["book-verify"]),
    (
        "match --engine builtin=minimax --engine builtin=pvs --each depth=1 --games 2 --seeds 2 \
         --houses 3 --record record --sprt 'elo0=0 elo1=5' --json",
        &["standing"],
    ),
    (
        "tournament --engine builtin=minimax --engine builtin=pvs --engine builtin=mtdf --each \
         depth=1 --games 2 --seeds 2 --houses 3 --json",
        &["standing"],
    ),
    ("standing record --json", &["standing"]),
    ("standing --counts 70,20,60 --json", &["counts"]),
    ("standing --counts 7,9,80,12,9 --sprt 'elo0=0 elo1=5' --json", &["counts"]),
    ("merge record --output merged --json", &["merge"]),
    (
        "tune --engine builtin=selective --each 'nodes=20 option.Exact=false' --parameter \
         \"name='Skill Level' start=5 min=0 max=20\" --iterations 2 --pairs 1 --seeds 1 --json",
        &["tune"],
    ),
    (
        "exam 'builtin=negascout depth=1' --positions set --precision 400 --time 100 --json",
        &["exam"],
    ),
    ("lab bounds --widths 2 --depths 1,2 --json", &["lab-bounds"]),
    ("lab examples --json", &["lab-examples"]),
    ("lab ordering --seeds 3 --positions 3 --depth 4 --hash 1 --json", &["lab-ordering"]),
    ("lab savings --seeds 3 --positions 3 --depths 3,4 --hash 1 --json", &["lab-savings"]),
    ("lab chance --seeds 1 --positions 4 --iterations 10,20 --hash 1 --json", &["lab-chance"]),
    ("lab work --houses 4 --seeds 2 --table-seeds 4 --positions 3 --hash 4 --json", &["lab-work"]),
    ("lab pearl --seeds 1,2 --depths 2,3 --shuffles 2 --json", &["lab-pearl"]),
    ("lab pearl --seeds 1 --depths 6 --shuffles 1 --json", &["lab-pearl"]),
    (
        "lab uniform --widths 20 --depths 2 --branching 2 --leaves 100 --trees 2 --json",
        &["lab-uniform"],
    ),
    (
        "lab ratings --houses 3 --seeds 2 --longest 1 --games 2 --each nodes=20 --json",
        &["lab-ratings"],
    ),
    (
        "train --out network --houses 3 --seeds 12 --positions 300 --nodes 20 --generations 1 --games 0 \
      --threads 1 --json",
        &["train"],
    ),
    (
        "train --out network --houses 3 --seeds 12 --positions 300 --nodes 20 --generations 1 --games 2 \
      --threads 1 --json",
        &["train"],
    ),
    ("tablebase info tables --json -q", &["tablebase-info"]),
];

/// Commands whose results are not for `--json`, or whose schema another test has.
const WITHOUT: [(&str, &str); 15] = [
    ("book-build", "writes a file"),
    ("book-merge", "writes a file"),
    ("completions", "prints a script"),
    ("compliance", "has its schema in the tests of compliance"),
    ("games", "prints the lines of records, which have a schema"),
    ("gui", "is for people"),
    ("kgp-serve", "serves until it is stopped, and writes records"),
    ("lab-pictures", "writes pictures"),
    ("lab-values", "writes a picture"),
    ("man", "writes manual pages"),
    ("play", "is for people"),
    ("serve", "answers over HTTP, by a document of its own"),
    ("watch", "follows what others print as JSON"),
    ("puzzles", "writes a file"),
    ("tablebase-build", "writes files"),
];

/// The subcommands without subcommands, as manual pages name them: clap writes a page for each.
fn commands() -> Vec<String> {
    let contest = Contest::new();
    contest.played("man pages");
    let pages = std::fs::read_dir(contest.path("pages")).unwrap();
    let name = |page: std::fs::DirEntry| page.file_name().into_string().unwrap();
    let names: Vec<String> =
        pages.map(|page| name(page.unwrap()).trim_end_matches(".1").to_owned()).collect();
    let is_leaf = |name: &&String| {
        let group = format!("{name}-");
        !names.iter().any(|other| other.starts_with(&group))
    };
    let leaves = names.iter().filter(is_leaf).filter_map(|name| name.strip_prefix("kalah-"));
    leaves.filter(|name| !name.split('-').any(|word| word == "help")).map(str::to_owned).collect()
}

#[test]
fn every_command_that_prints_results_has_a_schema() {
    let commands = commands();
    assert!(commands.len() > 30, "{commands:#?}");
    for (command, reason) in WITHOUT {
        assert!(commands.iter().any(|name| name == command), "no '{command}', which {reason}");
    }
    for command in &commands {
        let words = command.replace('-', " ");
        let is_checked = |(line, _): &(&str, &[&str])| {
            let line = line.replace('-', " ");
            line.strip_prefix(&words).is_some_and(|rest| rest.starts_with(' '))
        };
        let is_without = WITHOUT.iter().any(|(name, _)| name == command);
        assert!(
            is_without || LINES.iter().any(is_checked),
            "'{command}' needs --json, a schema, and a line here"
        );
    }
}

#[test]
fn the_output_of_every_command_is_as_its_schema_says() {
    let contest = Contest::new();
    contest.write("boards", "<3,0,0,2,2,2,2,2,2> S\n<3,0,0,1,2,2,2,2,2> N\n");
    let solved = r#"{"fen":"<1,0,0,1,1>","capture":"standard","sowing":"single","moves":{"A":0}}"#;
    contest.write("solved", solved);
    contest.played("exam --make set --houses 3 --seeds 2");
    contest.played("tablebase build tables --houses 2 --seeds 3");
    contest.played("book build book --houses 3 --seeds 2 --plies 1 --threads 1 --hash 16");
    for (words, schemas) in LINES {
        let (output, _) = contest.played(words);
        let lines: Vec<String> = output.lines().map(str::to_owned).collect();
        assert_eq!(lines.len(), schemas.len(), "{words}: {output}");
        for (name, line) in schemas.iter().zip(lines) {
            checked(name, &[line]);
        }
    }
    // A file of the laboratory has what is printed.
    let bounds = "lab bounds --widths 2 --depths 1 --json";
    let (printed, _) = contest.played(bounds);
    contest.played(&format!("{bounds} file"));
    assert_eq!(contest.read("file").trim_end(), printed);
    // Games are printed as they were recorded.
    let (games, _) = contest.played("games record --json");
    assert_eq!(games, contest.read("record").trim_end());
    assert_eq!(games.lines().inspect(|line| drop(valid("record", line))).count(), 2);
    contest.refused("games record --json --format csv", 2, "--json");
}

#[test]
fn bad_files_are_in_the_output_and_the_status() {
    let contest = Contest::new();
    contest.played("tablebase build tables --houses 2 --seeds 1");
    contest.write("tables/kalah-2-standard-1.ktb", "no table");
    for (words, name) in
        [("info tables", "tablebase-info"), ("verify tables --seed 1", "tablebase-verify")]
    {
        let ended = contest.run(&format!("tablebase {words} --json"));
        assert_eq!(ended.status.code(), Some(1), "{words}: {}", ended.errors);
        let value = checked(name, &ended.output);
        let fault = if name == "tablebase-info" {
            &value["files"][1]["fault"]
        } else {
            &value["rules"][0]["faults"][0]
        };
        assert!(fault.as_str().unwrap().ends_with(": not a tablebase file"), "{value}");
    }
}
