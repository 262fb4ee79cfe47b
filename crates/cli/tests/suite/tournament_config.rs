//! Tournaments from a file, and what they would play.

use std::fs;
#[cfg(unix)]
use std::process::Command;

use kalah_records::{GameRecord, GameTime};

use crate::contest::Contest;
use crate::terminal::PseudoTerminal;

const FILE: &str = r#"
    format = "gauntlet"
    ratings = "davidson"
    games = 4
    houses = 4
    seeds = 3
    capture = "empty"
    seed = 7
    concurrency = 2
    record = "games"
    adjudicate = 6

    [openings]
    plies = 2
    order = "sequential"

    [resign]
    movecount = 2
    score = 900

    [each]
    nodes = 100
    option.Hash = 4

    [[engine]]
    builtin = "pvs"
    name = "the first"

    [[engine]]
    builtin = "mtdf"
    option = { Eval = "material" }

    [[engine]]
    builtin = "negascout"
    nodes = 200
"#;

/// The games without what depends on the speed of the machine.
fn timeless(mut games: Vec<GameRecord>) -> Vec<GameRecord> {
    for game in &mut games {
        game.time = None::<GameTime>;
        for played in &mut game.moves {
            played.time = 0.0;
        }
    }
    games
}

#[test]
fn a_file_plays_what_the_options_play() {
    let contest = Contest::new();
    fs::create_dir(contest.path("cups")).unwrap();
    contest.write("cups/cup.toml", FILE);
    let (standing, _) = contest.played("tournament --config cups/cup.toml");
    let (by_options, _) = contest.played(
        "tournament --format gauntlet --ratings davidson --games 4 --houses 4 --seeds 3 --capture empty \
         --seed 7 --concurrency 2 --record games --adjudicate 6 --openings 'plies=2 order=sequential' \
         --resign 'movecount=2 score=900' --each 'nodes=100 option.Hash=4' \
         --engine 'builtin=pvs name=\"the first\"' --engine 'builtin=mtdf option.Eval=material' \
         --engine 'builtin=negascout nodes=200'",
    );
    assert_eq!(standing, by_options);
    // A path in the file begins at its folder.
    assert_eq!(timeless(contest.games("cups/games")), timeless(contest.games("games")));
}

#[test]
fn words_in_one_text_are_a_table() {
    let contest = Contest::new();
    contest.write(
        "texts.toml",
        "openings = 'plies=1'\neach = 'depth=1'\nengine = ['builtin=pvs', \"builtin=pvs name='b c'\"]",
    );
    let (text, _) = contest.played("match --config texts.toml --dry-run");
    assert!(text.contains("openings plies=1") && text.contains("| b c "), "{text}");
}

#[test]
fn options_take_precedence() {
    let contest = Contest::new();
    contest.write("cup.toml", FILE);
    let dry = |options: &str| {
        contest.played(&format!("tournament --config cup.toml --dry-run {options}")).0
    };
    let unchanged = dry("");
    assert!(unchanged.starts_with("Kalah(4,3), empty capture"), "{unchanged}");
    assert!(unchanged.contains("8 games, gauntlet"), "{unchanged}");
    for (option, seen) in [
        ("--games 6", "12 games, gauntlet"),
        ("--format round-robin", "12 games, round-robin"),
        ("--houses 5", "Kalah(5,3)"),
        ("--seeds 5", "Kalah(4,5)"),
        ("--capture standard", "standard capture"),
        ("--seed 1", "seed 1"),
        ("--shard 1/2", "4 games"),
        ("--concurrency 1", "one game at a time"),
    ] {
        let changed = dry(option);
        assert!(changed.contains(seen), "{option}: {changed}");
    }
    // Also the default, if it is given.
    assert!(dry("--seeds 4").starts_with("Kalah(4,4)"));
    fs::create_dir(contest.path("cups")).unwrap();
    contest.write("cups/cup.toml", FILE);
    contest.played("tournament --config cups/cup.toml --record mine");
    assert_eq!(contest.games("mine").len(), 8);
    assert!(!contest.path("cups/games").exists());
}

#[test]
fn a_file_that_makes_no_sense_is_refused() {
    let contest = Contest::new();
    for (text, named) in [
        ("gmaes = 4", "line 1: unknown field `gmaes`, expected one of `format`"),
        ("\n[openings]\nplie = 4", "line 2: unknown key 'plie', expected one of plies"),
        ("games = 4\ngames = 6", "line 2: "),
        ("games = -1", "line 1: "),
        ("games = 1e3", "line 1: "),
        ("games = '4'", "line 1: "),
        ("houses = 4\nengine = [3]", "expected a table or a text"),
        ("[each]\nnodes = 0", "'nodes' takes"),
        ("[each]\nnodes = [1, 2]", "'nodes' takes one value"),
        ("[each]\nnodes = 2026-01-01", "'nodes' takes one value"),
        ("[[engine]]\nbuiltin = 'chess'", "'builtin' takes"),
        ("[[engine]]\nbuiltin = 'pvs'\nhash = 3", "unknown key 'hash'"),
        ("adjudicate = 25", "line 1: expected a whole number from 1 to 24, not 25"),
        ("\nseeds = 0", "line 2: expected a whole number from 1 to 511, not 0"),
        ("houses = 6.5", "expected a whole number from 1 to 12, not 6.5"),
        ("houses = 6.0", "expected a whole number from 1 to 12, not 6.0"),
        ("houses = ''", "expected a whole number from 1 to 12, not ''"),
        ("concurrency = 0", "expected a whole number of at least 1, less than 2^64, not 0"),
        ("games = -1", "expected a whole number of at least 0, less than 2^64, not -1"),
        ("games = 9223372036854775808", "line 1: expected a whole number from -2^63 to 2^63 - 1"),
        ("games = 99999999999999999999", "line 1: expected a whole number from -2^63 to 2^63 - 1"),
        ("games = 0xffffffffffffffffffffffffffffffff", "expected a whole number from -2^63 to"),
        ("games = 0xfffffffffffffffffffffffffffffffff", "expected a whole number from -2^63 to"),
        ("houses = -99999999999999999999", "line 1: expected a whole number from -2^63 to"),
        ("affinity = 99999999999999999999", "line 1: expected a whole number from -2^63 to"),
        ("[each]\nnodes = 9223372036854775808", "expected a whole number from -2^63 to"),
        ("[each]\nnodes = 99999999999999999999", "expected a whole number from -2^63 to"),
        ("[openings]\nplies = 99999999999999999999", "expected a whole number from -2^63 to"),
        ("[[engine]]\nhash = 0xffffffffffffffffffff", "expected a whole number from -2^63 to"),
        ("engine = 3", "line 1: expected an array, not 3"),
        ("record = 3", "line 1: expected a string, not 3"),
        ("capture = 'none'", "line 1: "),
        ("shard = '3/2'", "PART/OF"),
        ("games = [", "line 1: "),
        ("\u{1b}[2J", "line 1: "),
    ] {
        contest.write("bad.toml", text);
        contest.refused("tournament --config bad.toml", 1, "'bad.toml': ");
        contest.refused("tournament --config bad.toml", 1, named);
    }
    contest.write("bad.toml", [0xff, 0xfe]);
    contest.refused("tournament --config bad.toml", 1, "'bad.toml': ");
    contest.refused("tournament --config missing.toml", 1, "'missing.toml': ");
    contest.refused("tournament --config /dev/zero", 1, "not a regular file");
    contest.write("cup.toml", FILE);
    contest.refused("match --config cup.toml", 2, "'format' and 'ratings'");
    contest.refused("tournament --config cup.toml --each depth=2", 2, "cannot be used with");
    contest.write("test.toml", format!("sprt = 'elo0=0 elo1=5'\n{FILE}"));
    contest.refused("tournament --config test.toml", 2, "'sprt'");
    contest.write("empty.toml", "");
    contest.refused("tournament --config empty.toml", 2, "at least two players");
    contest.refused("tournament --config empty.toml --all", 2, "--dry-run");
}

#[test]
fn a_dry_run_prints_the_games_and_plays_none() {
    let contest = Contest::new();
    contest.write("cup.toml", FILE);
    let (dry, _) = contest.played("tournament --config cup.toml --dry-run --all");
    assert_eq!(contest.files(), ["cup.toml"]);
    contest.played("tournament --config cup.toml");
    for game in contest.games("games") {
        let [south, north] = [&game.south, &game.north].map(|seat| seat.player.name.clone());
        let place = dry.lines().find(|line| {
            let cells: Vec<&str> = line.split('|').map(str::trim).collect();
            cells.get(1..6)
                == Some(&[
                    &south,
                    &north,
                    &game.opening,
                    &game.game.to_string(),
                    &game.round.to_string(),
                ])
        });
        assert!(place.is_some(), "{} is not in {dry}", game.game);
    }
    let (played, _) = contest.played("tournament --config cup.toml --dry-run");
    assert!(played.contains("8 games, gauntlet, all of them in the record"), "{played}");
    let (more, _) = contest.played("tournament --config cup.toml --dry-run --games 8");
    assert!(more.contains("16 games, gauntlet, 8 of them in the record"), "{more}");
    assert!(more.contains("as in the record") && more.contains("and 6 more games"), "{more}");
    // The record has games of a longer tournament.
    let (fewer, _) = contest.played("tournament --config cup.toml --dry-run --games 2");
    assert!(fewer.contains("4 games, gauntlet, all of them in the record"), "{fewer}");
    contest.refused("tournament --config cup.toml --dry-run --seed 1", 1, "of another tournament");
    for unfinished in ["", "{\"game\":1"] {
        contest.write("games", unfinished);
        let (none, _) = contest.played("tournament --config cup.toml --dry-run");
        assert!(none.contains("8 games, gauntlet\n"), "{none}");
    }
}

#[test]
fn a_dry_run_tells_how_long_games_take() {
    let contest = Contest::new();
    let time = |players: &str, options: &str| {
        let words = format!("match --dry-run --houses 6 --seeds 4 --games 100 {players} {options}");
        contest.played(&words).0.lines().last().unwrap().to_owned()
    };
    // The program is not started: there is none.
    let clocks = "--engine 'cmd=./none name=a tc=60+1' --engine 'cmd=./none name=b tc=10/10'";
    // 15.6 moves of each: 60 + 15.6 s and 2 periods of 10 s, in 100 games.
    assert!(
        time(clocks, "").starts_with("takes 3 hours if players use all"),
        "{}",
        time(clocks, "")
    );
    let moves = "--engine 'builtin=pvs st=1' --engine 'builtin=mtdf nodes=5000000'";
    // 15.6 moves of each take a second.
    assert!(time(moves, "").starts_with("takes 52 minutes"), "{}", time(moves, ""));
    assert!(time(moves, "--concurrency 2").starts_with("takes 26 minutes"));
    let unlimited = "--engine 'builtin=pvs st=1' --engine 'builtin=mtdf depth=3'";
    assert!(time(unlimited, "").ends_with("no time limits the moves of mtdf"));
    let test = contest.played(&format!("match --dry-run {moves} --sprt 'elo0=0 elo1=5'")).0;
    assert!(test.contains("games until the sequential test is decided"), "{test}");
    let test = contest.played(&format!("match --dry-run {moves} --games 8 --sprt 'elo0=0 elo1=5'"));
    assert!(test.0.contains("at most 8 games"), "{test:?}");
}

#[test]
fn the_example_of_the_documentation_can_be_played() {
    let contest = Contest::new();
    let example = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/manual/cup.toml");
    contest.write("cup.toml", fs::read_to_string(example).unwrap());
    let (text, _) = contest.played("tournament --config cup.toml --dry-run");
    assert!(text.contains("60 games, round-robin"), "{text}");
}

#[cfg(unix)]
#[test]
fn a_terminal_shows_the_games_in_progress() {
    let contest = Contest::new();
    let mut terminal = PseudoTerminal::with((80, 24), |command| {
        command.args(["match", "--engine", "builtin=pvs", "--engine", "builtin=mtdf"]);
        command.args(["--each", "st=0.5", "--games", "2"]).current_dir(contest.path("."));
    });
    terminal.wait_until("each player has a score", |screen| {
        let line = screen.lines().find(|line| line.contains(" ply "));
        line.is_some_and(|line| line.contains("pvs") && line.contains("mtdf") && line.contains('/'))
    });
}

/// The error is that of a file, not of the output.
#[cfg(unix)]
#[test]
fn a_folder_that_is_gone_is_told() {
    let contest = Contest::new();
    contest.write("cup.toml", FILE);
    fs::create_dir(contest.path("gone")).unwrap();
    let ran = Command::new("sh")
        .args(["-c", "rmdir ../gone; exec \"$@\"", "sh", env!("CARGO_BIN_EXE_kalah")])
        .args(["tournament", "--record", "games", "--config"])
        .arg(contest.path("cup.toml"))
        .current_dir(contest.path("gone"))
        .output()
        .unwrap();
    let errors = String::from_utf8(ran.stderr).unwrap();
    assert!(errors.starts_with("kalah: cannot write 'games': No such file"), "{errors}");
    assert_eq!(ran.status.code(), Some(1));
}
