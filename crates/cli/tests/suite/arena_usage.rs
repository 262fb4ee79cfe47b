//! Matches and tournaments that make no sense: one clear error, and nothing is written.

use crate::contest::Contest;

/// A match that makes sense.
const MATCH: &str = "match --engine builtin=negascout --engine builtin=mtdf --each depth=2 \
                     --games 4 --record games";

#[track_caller]
fn assert_refused(words: &str, code: i32, named: &str) {
    let contest = Contest::new();
    contest.refused(words, code, named);
    assert!(contest.files().is_empty(), "{words}: {:?}", contest.files());
}

/// Requires that a match is refused when its second player is this one.
#[track_caller]
fn assert_player_refused(player: &str, code: i32, named: &str) {
    let player = shell_words::quote(player);
    let words = format!("match --engine 'builtin=negascout depth=1' --engine {player}");
    assert_refused(&format!("{words} --record games"), code, named);
}

#[test]
fn words_for_players_that_make_no_sense() {
    for (player, named) in [
        ("", "'cmd' or 'builtin'"),
        ("depth=3", "'cmd' or 'builtin'"),
        ("mtdf", "'mtdf' is not of the form key=value"),
        ("=mtdf depth=3", "key=value"),
        ("builtin=mtdf", "'mtdf' has no limit"),
        ("builtin= depth=3", "'builtin' takes"),
        ("builtin=stockfish depth=3", "stockfish"),
        ("builtin=mtdf builtin=pvs depth=3", "'builtin' is given twice"),
        ("builtin=mtdf cmd=kalah depth=3", "not both"),
        ("builtin=mtdf args=x depth=3", "'args' and 'dir' go with 'cmd'"),
        ("cmd=x option.seeds=5 depth=3", "'option.seeds' is not for a player"),
        ("builtin=mtdf dir=x depth=3", "'args' and 'dir' go with 'cmd'"),
        ("cmd= depth=3", "'cmd' takes"),
        ("cmd=kalah args=\"'\" depth=3", "quotation mark"),
        ("'builtin=mtdf depth=3", "quotation mark"),
        ("builtin=mtdf depth=3 proto=uci", "unknown key 'proto'"),
        ("builtin=mtdf depth=3 Name=x", "unknown key 'Name'"),
        ("builtin=mtdf depth=3 name=", "'name' takes"),
        ("builtin=mtdf depth=3 name=' '", "'name' takes"),
        ("builtin=mtdf depth=3 name=a\u{1b}b", "'name' takes"),
        ("builtin=mtdf depth=0", "not '0'"),
        ("builtin=mtdf depth=1000", "not '1000'"),
        ("builtin=mtdf depth=-1", "not '-1'"),
        ("builtin=mtdf depth=many", "not 'many'"),
        ("builtin=mtdf nodes=0", "not '0'"),
        ("builtin=mtdf nodes=1e3", "not '1e3'"),
        ("builtin=mcts iterations=0", "not '0'"),
        ("builtin=mtdf st=0", "'st' takes 0.000001 to 1000000000 seconds, not '0'"),
        ("builtin=mtdf st=1000000001", "'st' takes 0.000001 to 1000000000 seconds"),
        ("builtin=mtdf st=-1", "not '-1'"),
        ("builtin=mtdf st=inf", "not 'inf'"),
        ("builtin=mtdf st=1e3", "not '1e3'"),
        ("builtin=mtdf st=99999999999", "not '99999999999'"),
        ("builtin=mtdf tc=0", "'tc' takes 0.000001 to 1000000000 seconds, as in 60"),
        ("builtin=mtdf tc=0+5", "'tc' takes 0.000001 to 1000000000 seconds, as in 60"),
        ("builtin=mtdf tc=99999999:0", "'tc' takes"),
        ("builtin=mtdf tc=0/10", "'tc' takes"),
        ("builtin=mtdf tc=40/", "'tc' takes"),
        ("builtin=mtdf tc=10+", "'tc' takes"),
        ("builtin=mtdf tc=10+-1", "'tc' takes"),
        ("builtin=mtdf tc=nan", "'tc' takes"),
        ("builtin=mtdf tc=4294967295:0", "'tc' takes"),
        ("builtin=mtdf nodes=9223372036854775808", "'nodes' takes a whole number from 1 to"),
        ("builtin=mtdf tc=1:2:3", "'tc' takes"),
        ("builtin=mtdf tc=10 st=1", "'tc' and 'st'"),
        ("builtin=mtdf depth=3 timemargin=-1", "'timemargin' takes"),
        (
            "builtin=mtdf depth=3 timemargin=1.5",
            "'timemargin' takes a whole number of milliseconds",
        ),
        ("builtin=mtdf depth=3 deadline=0", "'deadline' takes 0.000001 to"),
        ("builtin=mtdf timemargin=5 deadline=5", "has no limit"),
        ("builtin=mtdf depth=3 option.=1", "option.NAME"),
        ("builtin=mtdf depth=3 'option.Hash=1\n2'", "option.NAME"),
        ("cmd=kalah depth=3 option.capture=empty", "the board is that of the match"),
        ("builtin=mtdf depth=3 option.Hash=1 option.hash=2", "'option.hash' is given twice"),
    ] {
        assert_player_refused(player, 2, named);
    }
}

#[test]
fn searches_that_cannot_play_so_are_refused() {
    for (player, named) in [
        ("builtin=mtdf depth=3 option.Nonsense=1", "Nonsense"),
        ("builtin=mtdf depth=3 option.Hash=many", "many"),
        ("builtin=mtdf depth=3 option.Search=pvs", "'builtin' sets the search"),
        ("builtin=mtdf iterations=5", "does not support 'iterations'"),
        ("builtin=mcts depth=5", "does not support 'depth'"),
        ("builtin=mtdf depth=3 option.Hash=999999999", "999999999"),
        ("builtin=mtdf depth=3 option.Book=/no/such/file", "option Book: '/no/such/file': "),
        ("builtin=mtdf depth=3 option.EvalFile=/no/file", "option EvalFile: '/no/file': "),
        (
            "builtin=mtdf depth=3 option.Tablebase=/no/such/folder",
            "option Tablebase: cannot read '/no/such/folder': ",
        ),
    ] {
        assert_player_refused(player, 1, named);
        assert_player_refused(player, 1, "player 'm");
    }
}

#[test]
fn words_for_all_players_that_make_no_sense() {
    for (each, named) in [
        ("name=x depth=2", "players cannot all have the same 'name'"),
        ("args=x", "'args' and 'dir' go with 'cmd'"),
        ("depth=x", "not 'x'"),
        ("games=3", "unknown key 'games'"),
        ("tc=1 st=1", "'tc' and 'st'"),
        ("", "has no limit"),
    ] {
        let each = shell_words::quote(each).into_owned();
        let words = MATCH.replace("--each depth=2", &format!("--each {each}"));
        assert_refused(&words, 2, named);
    }
}

#[test]
fn contests_that_make_no_sense() {
    for (more, named) in [
        ("--games 3", "an even number"),
        ("--games -2", "-2"),
        ("--games many", "many"),
        ("--concurrency 0", "0"),
        ("--shard 0/2", "expected PART/OF"),
        ("--shard 3/2", "expected PART/OF"),
        ("--shard 1/0", "expected PART/OF"),
        ("--shard 1", "expected PART/OF"),
        ("--shard 1/2 --sprt 'elo0=0 elo1=5'", "SPRT needs exactly two players"),
        ("--seed x", "x"),
        ("--houses 0", "0"),
        ("--houses 13", "13"),
        ("--seeds 600", "from 1 to 511"),
        ("--capture red", "red"),
        ("--adjudicate 0", "0"),
        ("--adjudicate 25", "25"),
        ("--resign ''", "'movecount' and 'score'"),
        ("--resign movecount=2", "'movecount' and 'score'"),
        ("--resign 'movecount=0 score=5'", "not '0'"),
        ("--resign 'movecount=1 score=0'", "not '0'"),
        ("--resign 'movecount=1 score=-5'", "not '-5'"),
        ("--resign 'movecount=1 score=5 twosided=perhaps'", "perhaps"),
        ("--resign 'movecount=1 score=5 score=6'", "given twice"),
        ("--sprt 'elo0=5 elo1=5'", "elo"),
        ("--sprt 'elo0=0 elo1=5 alpha=0'", "alpha"),
        ("--sprt 'elo0=0 elo1=5 beta=1'", "beta"),
        ("--sprt 'elo0=0 elo1=nan'", "elo1"),
        ("--sprt 'elo0=0 elo1=5 model=best'", "model"),
        ("--sprt 'elo0=0 elo1=5 gamma=1'", "gamma"),
        ("--openings ''", "of which only file goes with plies"),
        ("--openings 'plies=2 random=2'", "of which only file goes with plies"),
        ("--openings 'random=2 order=random'", "'order' does not go with 'random'"),
        ("--openings 'plies=2 depth=3'", "'margin'"),
        ("--openings 'plies=2 order=best'", "best"),
        ("--engine builtin=pvs", "a match has two players, not 3"),
        ("--nonsense", "--nonsense"),
        ("extra", "extra"),
    ] {
        let words: Vec<&str> = more.split_whitespace().collect();
        let option = words[0];
        let mut base = MATCH.to_owned();
        if option == "--games" {
            base = base.replace("--games 4", "");
        }
        assert_refused(&format!("{base} {more}"), 2, named);
    }
    assert_refused("match --record games", 2, "--engine");
    assert_refused("match --engine 'builtin=mtdf depth=1' --record games", 2, "two players");
    assert_refused("tournament --engine 'builtin=mtdf depth=1' --record games", 2, "two players");
    let twins = "match --engine builtin=mtdf --engine builtin=mtdf --each depth=1";
    assert_refused(&format!("{twins} --record games"), 2, "two players have the name 'mtdf'");
    let tournament = MATCH.replace("match", "tournament");
    assert_refused(&format!("{tournament} --format swiss"), 2, "round-robin or gauntlet");
    assert_refused(&format!("{tournament} --sprt 'elo0=0 elo1=5'"), 2, "--sprt");
}

#[test]
fn openings_that_are_not_there_are_refused_before_play() {
    for (openings, named) in [("file=no/such/file", "no/such/file"), ("file=/", "/")] {
        assert_refused(&format!("{MATCH} --openings {openings}"), 1, named);
    }
    let contest = Contest::new();
    contest.write("boards", "<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4>\nDear diary,\n");
    contest.refused(&format!("{MATCH} --openings file=boards"), 1, "2");
    contest.write("empty", "");
    contest.refused(&format!("{MATCH} --openings file=empty"), 1, "empty");
    assert_eq!(contest.files(), ["boards", "empty"]);
}

#[test]
fn no_games_are_no_failure() {
    let contest = Contest::new();
    let (output, _) = contest.played(&MATCH.replace("--games 4", "--games 0"));
    assert!(output.contains("negascout against mtdf, 0 games"), "{output}");
    let tournament = MATCH.replace("match", "tournament").replace("--games 4", "--games 0");
    contest.played(&tournament);
}

/// Any number of games can be asked for: only those that are played take memory.
#[cfg(unix)]
#[test]
fn games_without_number_are_begun_like_any_others() {
    let contest = Contest::new();
    let words = MATCH.replace("--games 4", "--games 18446744073709551614");
    let ended = contest.stopped_at_work(&words, "games", rustix::process::Signal::INT);
    assert_eq!(ended.status.code(), Some(130));
}

#[test]
fn models_of_ratings_are_named() {
    let contest = Contest::new();
    contest.played(&MATCH.replace("--games 4", "--games 2"));
    contest.refused("standing games --ratings x", 2, "expected ml or davidson");
}

#[test]
fn more_games_at_a_time_than_there_are_do_no_harm() {
    let contest = Contest::new();
    contest.played(&format!("{MATCH} --concurrency {}", usize::MAX));
    assert_eq!(contest.games("games").len(), 4);
}
