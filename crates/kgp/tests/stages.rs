//! Fair starts, exams and tournaments in stages, without sockets and without waiting.

use std::collections::HashSet;
use std::fs;

use kalah::{Board, Capture, Rules};
use kalah_fair::fair_starts;
use kalah_records::games_from_text;

use hall::{Hall, Tested};

#[allow(dead_code, reason = "shared with other tests")]
mod hall;

#[test]
fn each_pair_begins_with_a_fair_start_of_its_own() -> Tested {
    let folder = tempfile::tempdir()?;
    let record = folder.path().join("fair.jsonl");
    let arguments = format!("--openings fair --games 20 --record {}", record.display());
    let mut hall = Hall::new(&arguments)?;
    hall.join("a")?;
    hall.join("b")?;
    hall.play(&[], &[])?;
    assert!(hall.host.is_complete());
    let fair = fair_starts(Rules::default(), 4);
    let text = fs::read_to_string(&record)?;
    let games = games_from_text(&text, Capture::Standard)?;
    let starts: Vec<Board> = games.iter().map(|game| game.start).collect();
    assert!(starts.len() == 20 && starts.iter().all(|start| fair.contains(start)));
    let pairs: HashSet<_> = starts.iter().step_by(2).collect();
    assert_eq!(pairs.len(), 10, "an opening was used twice");
    drop(hall);
    // The record is continued under the same openings alone.
    let more = arguments.replace("20", "22");
    assert!(Hall::new(&more).is_ok());
    assert!(Hall::refusal(&more.replace("fair ", "plies=2 ")).contains("another tournament"));
    let large = Hall::refusal("--openings fair --houses 8 --seeds 8");
    assert!(large.contains("no fair starts of Kalah(8,8) are known"), "{large}");
    Ok(())
}

/// `a` plays well enough, `b` plays no moves of its own, `c` illegal ones, `d` goes away, and `e` plays as `a`.
const COURSE: &str = "--round-robin --players 5 --exam 'games=3' \
    --stage 'houses=6 seeds=6 keep=2' --stage 'houses=12 seeds=2 rounds=2'";

#[test]
fn an_exam_is_passed_by_wins_with_own_moves_and_without_illegal_ones() -> Tested {
    let mut hall = Hall::new(COURSE)?;
    let clients = ["a", "b", "c", "d", "e"].map(|token| hall.join(token));
    let [_, late, illegal, gone, _] = clients;
    let (late, illegal, gone) = (late?, illegal?, gone?);
    hall.play_as(&[late, gone], &[], &[illegal])?;
    hall.host.disconnect(gone as u64, "gone", hall.now)?;
    // Its time is over at each move.
    for _ in 0..400 {
        hall.play_as(&[late], &[], &[illegal])?;
        hall.pass(5)?;
    }
    assert!(hall.host.is_complete());
    let ranking = hall.host.ranking();
    let of = |name: &str| ranking.iter().find(|player| player.name == name);
    assert_eq!(ranking.len(), 5);
    assert_eq!(of("a").map(|player| player.stage), Some(3));
    assert_eq!(of("e").map(|player| player.stage), Some(3));
    for failed in ["b", "d"] {
        let player = of(failed).ok_or("not ranked")?;
        assert_eq!((player.stage, player.points, player.fault), (1, 0.0, None), "{failed}");
    }
    assert_eq!(of("c").map(|player| (player.stage, player.fault)), Some((1, Some("illegal move"))));
    // Who is out cannot come back.
    let again = hall.join("b")?;
    let heard = hall.heard(again);
    let told = heard.iter().find(|line| line.command == "error").and_then(|line| line.text(0));
    assert_eq!(told, Some("you are out of the tournament"));
    assert_eq!(heard.last().map(|line| line.command.as_str()), Some("goodbye"));
    let page = hall.host.page(false);
    for text in ["Ranking", "Stage 3", "Kalah(12,2)", "exam: illegal move", "not passed"] {
        assert!(page.contains(text), "{text}");
    }
    // The two who have passed have played one round of the second stage and two of the third.
    let standings = hall.host.standings();
    assert_eq!((standings.players.len(), standings.games().len()), (2, 2 + 4));
    Ok(())
}

#[test]
fn the_best_of_each_stage_go_on_and_a_restart_goes_on_there() -> Tested {
    let folder = tempfile::tempdir()?;
    let record = folder.path().join("cup.jsonl");
    let arguments = format!(
        "--round-robin --players 4 --exam 'games=1 wins=0' --stage houses=3 --stage 'houses=4 keep=50%' --stage 'houses=8 seeds=8' \
         --record {}",
        record.display()
    );
    let tokens = ["a", "b", "c", "d"];
    let mut hall = Hall::new(&arguments)?;
    for token in tokens {
        hall.join(token)?;
    }
    hall.play(&[], &[])?;
    assert!(hall.host.is_complete());
    // All play one game in the exam and 2 * 6 in the next stages, two players play 2 in the last one.
    let text = fs::read_to_string(&record)?;
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 4 + 12 + 12 + 2);
    let stages = |stage: usize| {
        lines.iter().filter(|line| line.contains(&format!("\"Stage\":\"{stage}\""))).count()
    };
    assert_eq!([1, 2, 3, 4].map(stages), [4, 12, 12, 2]);
    let ranking = hall.host.ranking();
    drop(hall);
    assert_eq!(ranking.iter().map(|player| player.stage).collect::<Vec<_>>(), [4, 4, 3, 3]);
    for kept in [2, 4, 9, 16, 24, 28, 29] {
        fs::write(&record, lines[..kept].join("\n") + "\n")?;
        let mut hall = Hall::new(&arguments)?;
        assert!(!hall.host.is_complete());
        for token in tokens {
            hall.join(token)?;
        }
        hall.play(&[], &[])?;
        assert!(hall.host.is_complete(), "after {kept} games");
        let numbers =
            hall.host.standings().games().iter().map(|game| game.game).collect::<Vec<_>>();
        let different: HashSet<_> = numbers.iter().collect();
        assert_eq!((numbers.len(), different.len()), (26, 26));
        assert_eq!(hall.host.ranking().len(), 4);
    }
    let other = Hall::refusal(&arguments.replace("keep=50%", "keep=3"));
    assert!(other.contains("another tournament"), "{other}");
    Ok(())
}

#[test]
fn a_tournament_is_over_when_fewer_than_two_pass_the_exam() -> Tested {
    let mut hall = Hall::new("--round-robin --players 2 --exam games=2")?;
    let (_, wrong) = (hall.join("a")?, hall.join("b")?);
    hall.play_as(&[], &[], &[wrong])?;
    assert!(hall.host.is_complete());
    assert_eq!(hall.finished().len(), 4);
    assert_eq!(hall.host.standings().players, [""; 0]);
    let ranking = hall.host.ranking();
    assert_eq!(ranking.iter().map(|player| &*player.name).collect::<Vec<_>>(), ["a", "b"]);
    assert!(hall.host.page(true).contains("passed"));
    Ok(())
}

#[test]
fn a_player_who_does_not_come_back_loses_its_games_in_each_stage() -> Tested {
    let mut hall = Hall::new("--round-robin --players 3 --stage houses=3 --stage houses=4")?;
    let (gone, _, _) = (hall.join("a")?, hall.join("b")?, hall.join("c")?);
    hall.host.disconnect(gone as u64, "gone", hall.now)?;
    for _ in 0..2 {
        hall.play(&[], &[])?;
        assert!(!hall.host.is_complete());
        hall.pass(60)?;
    }
    hall.play(&[], &[])?;
    assert!(hall.host.is_complete());
    let standings = hall.host.standings();
    assert_eq!((standings.games().len(), standings.total(0).losses), (12, 8));
    Ok(())
}

/// An agent that the server has started, and that joins.
fn join_started(hall: &mut Hall, name: &str) -> Tested {
    hall.host.expect(name.to_owned(), name.to_owned());
    hall.join(name)?;
    Ok(())
}

#[test]
fn an_agent_that_cannot_run_loses_its_games_as_one_that_has_left() -> Tested {
    let folder = tempfile::tempdir()?;
    let arguments = format!(
        "--round-robin --players 3 --exam 'games=1 wins=1' --stage houses=3 --record {}",
        folder.path().join("course.jsonl").display()
    );
    let mut hall = Hall::new(&arguments)?;
    for name in ["a", "c"] {
        join_started(&mut hall, name)?;
    }
    hall.play(&[], &[])?;
    assert_eq!(hall.finished(), [""; 0]);
    hall.host.give_up("b", hall.now)?;
    let events = hall.host.take_events();
    let told = "b cannot run, and counts as a player that has left";
    assert!(events.iter().any(|event| event == told), "{events:?}");
    assert!(hall.host.page(true).contains(told));
    hall.play(&[], &[])?;
    hall.pass(59)?;
    assert!(!hall.host.is_complete());
    drop(hall);
    // As well when the tournament goes on.
    let mut hall = Hall::new(&arguments)?;
    for name in ["a", "c"] {
        join_started(&mut hall, name)?;
    }
    hall.host.give_up("b", hall.now)?;
    hall.play(&[], &[])?;
    assert!(!hall.host.is_complete());
    hall.pass(60)?;
    hall.play(&[], &[])?;
    assert!(hall.host.is_complete());
    let ranking = hall.host.ranking();
    let last = ranking.last().map(|player| (player.name.as_str(), player.stage));
    assert_eq!((ranking.len(), last), (3, Some(("b", 1))));
    Ok(())
}

#[test]
fn who_is_given_up_but_comes_after_all_plays_and_one_who_is_not_listed_is_no_player() -> Tested {
    let folder = tempfile::tempdir()?;
    let names = folder.path().join("names");
    fs::write(&names, "a\nb\n")?;
    let mut hall = Hall::new(&format!("--round-robin --names-file {}", names.display()))?;
    join_started(&mut hall, "a")?;
    hall.host.give_up("c", hall.now)?;
    hall.play(&[], &[])?;
    assert_eq!(hall.finished(), [""; 0]);
    hall.host.give_up("b", hall.now)?;
    join_started(&mut hall, "b")?;
    assert!(!hall.host.page(true).contains("cannot run"));
    hall.play(&[], &[])?;
    assert!(hall.host.is_complete());
    assert!(hall.finished().iter().all(|game| game.ends_with("played out")));
    Ok(())
}

#[test]
fn wrong_stages_are_refused_in_their_words() {
    for (arguments, expected) in [
        ("--round-robin --stage houses=13", "'houses' takes 1 to 12"),
        ("--round-robin --stage seeds=0", "'seeds' takes"),
        ("--round-robin --stage keep=1", "'keep' takes"),
        ("--round-robin --stage keep=101%", "'keep' takes"),
        ("--round-robin --stage time=x", "'time' takes seconds"),
        ("--round-robin --stage board=6", "unknown key 'board'"),
        ("--round-robin --exam 'games=3 wins=4'", "'wins' takes"),
        ("--round-robin --exam against=level", "'against' takes random or greedy"),
        ("--round-robin --stage 'houses=8 seeds=8 openings=fair'", "no fair starts of Kalah(8,8)"),
        ("--openings fair --opening-plies 2", "cannot be used with"),
        ("--openings 'random=2 margin=9'", "openings with margin= need searches"),
        ("--stage houses=6", "--round-robin"),
        ("--exam games=3", "--round-robin"),
        ("--agent name=Ann", "an agent needs cmd=PROGRAM"),
        ("--agents /no/such/folder --round-robin", "cannot read the agents in '/no/such/folder'"),
    ] {
        let refusal = Hall::refusal(arguments);
        assert!(refusal.contains(expected), "{arguments}: {refusal}");
    }
}
