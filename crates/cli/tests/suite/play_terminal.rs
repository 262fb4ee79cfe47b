//! `kalah play` in a pseudo-terminal, by what is on its screen.

use std::fs;
use std::process::{Command, Stdio};

use kalah::board::{Board, Capture, Rules, Side};
use kalah::engine::{MAX_SKILL_LEVEL, skill_word};
use kalah_games::AnnotatedGame;
use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;

use crate::command_line::assert_refused;
use crate::records::{Folder, games};
use crate::terminal::PseudoTerminal;

/// A usual terminal.
const USUAL: (u16, u16) = (80, 24);

/// A captures, F ends in the store.
const CAPTURE: &str = "<6,0,0,1,0,0,0,0,1,1,1,1,1,4,1>";

fn two_humans(size: (u16, u16), arguments: &str) -> PseudoTerminal {
    let arguments = format!("play --north human --speed off {arguments}");
    PseudoTerminal::start(size, &arguments)
}

/// The running engines of a program.
fn engines(id: u32) -> Vec<Pid> {
    let tasks = fs::read_dir(format!("/proc/{id}/task")).unwrap();
    let children = tasks.flatten().map(|task| fs::read_to_string(task.path().join("children")));
    let children: Vec<i32> = children
        .flatten()
        .flat_map(|ids| ids.split_whitespace().map(|id| id.parse().unwrap()).collect::<Vec<_>>())
        .collect();
    let is_engine = |id: &i32| {
        fs::read_to_string(format!("/proc/{id}/comm")).is_ok_and(|name| name.trim() == "kalah")
    };
    children.into_iter().filter(is_engine).filter_map(Pid::from_raw).collect()
}

#[test]
fn a_whole_game_by_keys() {
    let mut play = two_humans(USUAL, "--houses 4 --seeds 3");
    let mut board = Board::start(Rules::new(4, Capture::Standard).unwrap(), 3).unwrap();
    let mut turns = 0;
    play.wait_for("South begins");
    while let Some(mv) = board.moves().last() {
        let mover = board.side();
        board.play(mv).unwrap();
        // Either case does, and so does the number of the house.
        match turns % 3 {
            0 => play.press(&mv.letter().to_ascii_lowercase().to_string()),
            1 => play.press(&mv.letter().to_ascii_uppercase().to_string()),
            _ => play.press(&(mv.house.index() + 1).to_string()),
        }
        turns += 1;
        let next = match (board.is_over(), board.side() == mover) {
            (true, _) => "The game is over.",
            (_, true) => "moves again!",
            _ if board.side() == Side::South => "South to move.",
            _ => "North to move.",
        };
        play.wait_until(&format!("{mv} to be sown, {next}"), |screen| {
            screen.contains(&format!("({mv})")) && screen.contains(next)
        });
        for side in Side::ALL {
            let store = board.store(side).to_string();
            assert!(play.screen().contains(&store), "{}", play.screen());
        }
    }
    let margin = board.result().unwrap();
    assert_eq!(margin, 0);
    play.wait_for("The game is over. A draw: 12 to 12.");
    // Then it is over, until a move is taken back.
    play.press_for("a", "n begins a new one");
    play.press_for("u", "Taken back.");
    play.press_for("q", "Quit?");
    play.press("y");
    assert!(play.wait_for_end().success());
    assert!(!play.terminal().alternate_screen());
}

#[test]
fn captures_extra_turns_takebacks_hints_and_values() {
    let fen = format!("{CAPTURE} S");
    let mut play = PseudoTerminal::with(USUAL, |command| {
        command.args(["play", "--north", "human", "--speed", "off", "--fen", &fen]);
    });
    play.wait_for("South begins");
    play.press_for("a", "South sowed A and captured 5 seeds!");
    play.press_for("u", "Taken back.");
    play.press_for("v", "All proven: A +1  F +1");
    assert!(play.screen().contains("+1✓"), "{}", play.screen());
    play.press_for("t", "Hint: A (wins by 1, proven).");
    // The cursor: two steps go round.
    play.press_for("\x1b[C", "▸A◂");
    play.press_for("\x1b[C", "▸F◂");
    play.press_for("\r", "The last seed fell into the store");
    play.press("q");
    play.wait_for("Quit?");
    play.press("n");
    play.press_for("x", "Resign this game? y/n");
    play.press_for("y", "resigned.");
}

#[test]
fn the_loser_reads_it_and_the_end_offers_no_moves() {
    let mut play = PseudoTerminal::with(USUAL, |command| {
        let arguments = ["--south", "engine:1", "--north", "human", "--speed", "off", "--fen"];
        command.arg("play").args(arguments).arg("<1,9,0,1,1> S");
    });
    play.wait_for("The game is over. You lose by 9: 10 to 1.");
    let screen = play.screen();
    assert!(screen.contains("1 house a side"), "{screen}");
    assert!(screen.contains("take back") && !screen.contains("sow "), "{screen}");
    assert!(!screen.contains("resign"), "{screen}");
}

#[test]
fn the_menu_and_the_level() {
    let mut play = PseudoTerminal::start(USUAL, "play --speed off");
    play.wait_for("Start the game");
    play.press_for("?", "Capture: if the last seed falls into an empty house");
    play.press_for("x", "engine, level 5 (casual player)");
    // Two lines down is the number of houses, then that of the seeds.
    play.press_for("\x1b[H\x1b[B\x1b[C", "◂ engine, level 6 (casual player) ▸");
    play.press_for("\x1b[D\x1b[D\x1b[D\x1b[D", "◂ engine, level 2 (newcomer) ▸");
    play.press_for("\x1b[B\x1b[C", "◂ 7 ▸");
    play.press_for("\x1b[B99", "◂ 73 ▸");
    play.press_for("\x7f", "◂ 9 ▸");
    play.press_for("n", "7 houses a side, 126 seeds");
    play.press_for("+", "Engine, level 3 (beginner).");
    play.press_for("-", "Engine, level 2 (newcomer).");
    play.click("options");
    play.wait_for("Back to the game");
    play.press_for("\x1b", "North  engine, level 2 (newcomer)");
    play.press("q");
    assert!(play.wait_for_end().success());
}

#[test]
fn an_engine_answers_and_a_takeback_goes_to_the_humans_turn() {
    let mut play = PseudoTerminal::start(USUAL, "play --level 3 --speed fast --movetime 100");
    play.wait_for("South begins");
    play.press_for("a", "3 seeds in hand");
    let has_answered = |screen: &str| screen.contains("South  you, to move");
    play.wait_until("the answer", |screen| has_answered(screen) && screen.contains("North sowed"));
    play.press_for("u", "Taken back.");
    play.wait_until("the start", |screen| has_answered(screen) && !screen.contains("1. "));
    // The other side: the engine begins.
    play.press_for("o\x1b[A\x1b[C", "◂ engine, level 0 (first game) ▸");
    play.press_for("\x1b[B\x1b[D\x1b[D\x1b[D\x1b[D", "◂ human ▸");
    play.press("\x1b");
    play.wait_until("a move of South", |screen| screen.contains("North  you, to move"));
}

#[test]
fn games_are_saved_and_continued() {
    let folder = TempDir::new().unwrap();
    let in_folder = |arguments: &str| {
        PseudoTerminal::with(USUAL, |command| {
            command.current_dir(&folder).arg("play").args(arguments.split(' '));
        })
    };
    let read = |name: &str| {
        let text = fs::read_to_string(folder.path().join(name)).unwrap();
        let moves = |game: &AnnotatedGame| game.moves.iter().map(|ply| ply.mv.letter()).collect();
        AnnotatedGame::parse(&text).unwrap().iter().map(moves).collect::<Vec<String>>()
    };
    let mut play = in_folder("--north human --speed off");
    play.wait_for("South begins");
    play.press_for("s", "There is no move to save.");
    play.press_for("c", "moves again!");
    play.press_for("s", "Save to (Esc: no): game.txt_");
    play.press_for("\r", "Saved to game.txt.");
    play.press_for("f", "North to move.");
    play.press_for("s\r", "'game.txt' exists. Replace it? y/n");
    play.press("n");
    play.press_for("q", "Quit? This game is not saved. y/n");
    play.press_for("ns\r", "Replace it? y/n");
    play.press_for("y", "Saved to game.txt.");
    play.press("q");
    assert!(play.wait_for_end().success());
    assert_eq!(read("game.txt"), ["CF"]);

    // Saved after each move; a new game does not replace the old one.
    let mut play = in_folder("game.txt --save game.txt --north human --speed off");
    play.wait_for("2 moves played. North to move.");
    play.press_for("b", "North sowed b");
    play.press_for("n\r", "South begins");
    play.press_for("a", "South sowed A");
    play.send_signal(Signal::TERM);
    assert_eq!(play.wait_for_end().code(), Some(130));
    assert!(!play.terminal().alternate_screen());
    assert_eq!(read("game.txt"), ["CFb", "A"]);

    let mut play = in_folder("--save game.txt");
    play.wait_for("exists: continue it with 'kalah play game.txt --save game.txt'");
    assert_eq!(play.wait_for_end().code(), Some(2));
    assert_eq!(read("game.txt"), ["CFb", "A"]);
}

#[test]
fn records_and_other_json_are_not_replaced() {
    let folder = Folder::new();
    let record = folder.play("games.jsonl", &["--shard", "1/12"]);
    let text = folder.write("game.txt", "{ a game } 1. CF b *\n");
    let json = folder.write("game.json", games(&text, &["--format", "json"]).join("\n"));
    let object = folder.write("object.json", "\u{feff}{ \"moves\": \"CF b\" }\n");
    let array = folder.write("array.json", "[\n{\"moves\": \"CF b\"}]\n");
    for file in [&record, &json, &object, &array] {
        let before = fs::read(file).unwrap();
        let named = format!("cannot write '{file}': it is ");
        for arguments in [&["play", file, "--save", file][..], &["play", "--save", file]] {
            assert_refused(arguments, 2, &named);
        }
        assert!(fs::read(file).unwrap() == before, "{file}");
    }
    // A comment is in braces, too.
    let mut play = two_humans(USUAL, &format!("{text} --save {text}"));
    play.wait_for("3 moves played.");
}

#[test]
fn what_has_not_changed_is_not_saved_again() {
    const OVER: &str = "<3,5,2,0,0,0,2,2,2>\n";
    let folder = Folder::new();
    let over = folder.write("over.txt", OVER);
    let mut play = two_humans(USUAL, &format!("{over} --save {over}"));
    play.wait_for("The game is over.");
    play.press("q");
    assert!(play.wait_for_end().success());
    assert_eq!(fs::read_to_string(&over).unwrap(), OVER);
    // Another file does not have the game yet.
    let copy = folder.path("copy.txt");
    let mut play = two_humans(USUAL, &format!("{over} --save {copy}"));
    play.wait_for("The game is over.");
    assert_eq!(AnnotatedGame::parse(&fs::read_to_string(copy).unwrap()).unwrap().len(), 1);
}

#[test]
fn what_is_tried_after_a_resignation_is_a_variation() {
    const RESIGNED: &str = "[South \"Ann\"]\n[Reason \"resigned\"]\n1. CF ba 0-1\n";
    let folder = Folder::new();
    let file = folder.write("game.txt", RESIGNED);
    for (keys, expected) in [
        (&[("a", "South sowed A")][..], "1. CF ba (1... a 2. A) 0-1"),
        (&[("u", "Taken back"), ("c", "North sowed c")], "CF ba (1... a 2. A) (1... c) 0-1"),
    ] {
        let mut play = two_humans(USUAL, &format!("{file} --save {file}"));
        play.wait_for("4 moves played.");
        for (key, said) in keys {
            play.press_for(key, said);
        }
        play.press("q");
        assert!(play.wait_for_end().success());
        let text = fs::read_to_string(&file).unwrap();
        assert!(text.contains(expected) && text.contains("[South \"Ann\"]"), "{text}");
    }
}

#[test]
fn a_file_has_the_games_of_one_session_at_a_time() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("games.txt");
    let save = ["play", "--north", "human", "--save", file.to_str().unwrap()];
    let mut play = two_humans(USUAL, &format!("--save {}", file.display()));
    play.wait_for("South begins");
    // Before there is a file, and after.
    for (key, said) in [("a", "South sowed A"), ("b", "North sowed b")] {
        assert_refused(&save, 1, "another process is writing to");
        play.press_for(key, said);
    }
    play.press("q");
    assert!(play.wait_for_end().success());
    let names = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name());
    assert_eq!(names.collect::<Vec<_>>(), ["games.txt"]);
}

#[cfg(target_os = "linux")]
#[test]
fn an_engine_that_is_killed_is_started_again() {
    let arguments = "play --seeds 6 --south engine:20 --movetime 600000 --speed off";
    let mut play = PseudoTerminal::start(USUAL, arguments);
    play.wait_for("thinks");
    let mut killed = Vec::new();
    for _ in 0..2 {
        let engine = loop {
            match engines(play.id()).into_iter().find(|id| !killed.contains(id)) {
                Some(engine) => break engine,
                None => std::thread::yield_now(),
            }
        };
        killed.push(engine);
        kill_process(engine, Signal::KILL).unwrap();
        play.wait_for("The engine was started again");
        // It has answered once, when space has it move at once.
        play.press_for(" ", "South sowed");
        play.press_for("u", "Taken back.");
    }
    // One that waits is started again without a word.
    play.press_for("o\x1b[A\x1b[D", "◂ engine, level 19 (champion) ▸");
}

#[cfg(target_os = "linux")]
#[test]
fn signals_restore_the_terminal_and_end_the_engines() {
    for signal in [Signal::INT, Signal::TERM, Signal::HUP] {
        let mut play =
            PseudoTerminal::start(USUAL, "play --seeds 6 --south engine:20 --movetime 600000");
        play.wait_for("thinks");
        while engines(play.id()).is_empty() {
            std::thread::yield_now();
        }
        let running = engines(play.id());
        play.send_signal(signal);
        assert_eq!(play.wait_for_end().code(), Some(130));
        assert!(!play.terminal().alternate_screen() && !play.terminal().hide_cursor());
        for engine in running {
            let command = format!("/proc/{}/comm", engine.as_raw_nonzero());
            while fs::read_to_string(&command).is_ok_and(|name| name.trim() == "kalah") {
                std::thread::yield_now();
            }
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_terminal_that_is_closed_ends_the_program() {
    for arguments in ["play", "play --south human --north engine"] {
        let mut play = PseudoTerminal::start(USUAL, arguments);
        play.wait_for("Kalah");
        assert_eq!(play.hang_up().code(), Some(130), "{arguments}");
    }
}

#[test]
fn a_program_that_is_no_engine_is_left_alone_after_three_attempts() {
    let mut play = PseudoTerminal::start(USUAL, "play --south engine --engine /bin/false");
    play.wait_for("The engine failed 3 times: exit status: 1. Space tries again.");
    play.press_for("o\x1b[A\x1b[D\x1b[D\x1b[D\x1b[D\x1b[D\x1b[D", "◂ human ▸");
    // Together with the next key it would be another one.
    play.press_for("\x1b", "take back");
    play.press_for("c", "moves again!");
}

#[test]
fn sides_can_be_swapped() {
    let mut play = two_humans(USUAL, "--swap");
    play.wait_for("South begins");
    play.press_for("w", "Sides can be swapped once");
    play.press_for("a", "North to move, or to swap sides with w.");
    play.press_for("w", "North took over South's side: the players have swapped.");
    play.press_for("b", "North sowed b");
}

#[test]
fn a_screen_that_was_disturbed_is_drawn_anew() {
    let mut play = two_humans(USUAL, "");
    play.wait_for("South begins");
    play.press_for("cf", "North to move");
    // Ctrl-L.
    play.disturb("\x1b[2J\x1b[Hnoise");
    play.press("\x0c");
    play.wait_for_screen(AFTER_A_TURN);
    // Ctrl-Z, without a shell that could stop the program.
    play.disturb("noise");
    play.press("\x1a");
    play.wait_for_screen(AFTER_A_TURN);
}

#[test]
fn a_clock_that_runs_out_loses() {
    let folder = Folder::new();
    let file = folder.path("lost.txt");
    let mut play = two_humans(USUAL, &format!("--clock 1/move --save {file}"));
    play.wait_for("The time of South is up. North wins.");
    let saved = fs::read_to_string(file).unwrap();
    assert!(saved.contains("time forfeit"), "{saved}");
    let mut play = two_humans(USUAL, "--clock 5:00+3");
    play.wait_for("4:5");
    play.press_for("p", "Pause.");
    play.press_for("pa", "North to move.");
}

#[test]
fn clicks_sow_and_choose() {
    let mut play = two_humans(USUAL, "");
    play.wait_for("South begins");
    play.click("B         C");
    play.wait_for("South sowed B");
    // A seed of a house that has five now.
    play.click("●       │ ●       │ ●       │ ●");
    play.click("take back");
    play.wait_for("Taken back.");
    play.click("quit");
    assert!(play.wait_for_end().success());
}

#[test]
fn screens_of_all_sizes() {
    let mut play = two_humans(USUAL, "");
    play.wait_for("South begins");
    play.press_for("cf", "North to move");
    play.wait_for_screen(AFTER_A_TURN);
    play.resize(40, 12);
    play.wait_for_screen(SMALL);
    play.resize(30, 12);
    play.wait_for("The terminal is too small");
    play.resize(80, 24);
    play.wait_for_screen(AFTER_A_TURN);
    let mut play = two_humans(USUAL, "--houses 12 --seeds 12");
    play.wait_for("South begins");
    play.press_for("k", "South sowed K");
    play.wait_for_screen(TWELVE_BY_TWELVE);
}

const AFTER_A_TURN: &str = "
 Kalah  6 houses a side, 48 seeds
 ▶ North  human, to move

              f         e         d         c         b         a
  ╭──────┬─────────┬─────────┬─────────┬─────────┬─────────┬─────────┬──────╮
  │      │    4    │    4    │    5    │    5    │    5    │    5    │      │
  │      │ ● ● ● ● │ ● ● ● ● │ ● ● ● ● │ ● ● ● ● │ ● ● ● ● │ ● ● ● ● │      │
  │North │         │         │ ●       │ ●       │ ●       │ ●       │South │
  │  0   ├─────────┼─────────┼─────────┼─────────┼─────────┼─────────┤  2   │
  │      │         │         │         │ ●       │ ●       │         │      │
  │      │ ● ● ● ● │ ● ● ● ● │         │ ● ● ● ● │ ● ● ● ● │         │      │
  │      │    4    │    4    │    0    │    5    │    5    │    0    │      │
  ╰──────┴─────────┴─────────┴─────────┴─────────┴─────────┴─────────┴──────╯
              A         B         C         D         E        (F)

   South  human

 South sowed F. North to move.

 1. CF


 a-f sow  u take back  t hint  v values  s save  n new game  o options
 x resign  ? rules  q quit
";

const SMALL: &str = "
 ▶North human               South human
         f   e   d   c   b   a
╭──────┬───┬───┬───┬───┬───┬───┬──────╮
│North │ 4 │ 4 │ 5 │ 5 │ 5 │ 5 │South │
│  0   ├───┼───┼───┼───┼───┼───┤  2   │
│      │ 4 │ 4 │ 0 │ 5 │ 5 │ 0 │      │
╰──────┴───┴───┴───┴───┴───┴───┴──────╯
         A   B   C   D   E  (F)
 South sowed F. North to move.
 1. CF

 a-f sow  ? rules  q quit  u take back
";

const TWELVE_BY_TWELVE: &str = "
 Kalah  12 houses a side, 288 seeds
 ▶ North  human, to move

           l    k    j    i    h    g    f    e    d    c    b    a
  ╭──────┬────┬────┬────┬────┬────┬────┬────┬────┬────┬────┬────┬────┬──────╮
  │      │ 12 │ 12 │ 13 │ 13 │ 13 │ 13 │ 13 │ 13 │ 13 │ 13 │ 13 │ 13 │      │
  │      │●●●●│●●●●│●●●●│●●●●│●●●●│●●●●│●●●●│●●●●│●●●●│●●●●│●●●●│●●●●│      │
  │North │●●●+│●●●+│●●●+│●●●+│●●●+│●●●+│●●●+│●●●+│●●●+│●●●+│●●●+│●●●+│South │
  │  0   ├────┼────┼────┼────┼────┼────┼────┼────┼────┼────┼────┼────┤  1   │
  │      │●●●+│●●●+│●●●+│●●●+│●●●+│●●●+│●●●+│●●●+│●●●+│●●●+│    │●●●+│      │
  │      │●●●●│●●●●│●●●●│●●●●│●●●●│●●●●│●●●●│●●●●│●●●●│●●●●│    │●●●●│      │
  │      │ 12 │ 12 │ 12 │ 12 │ 12 │ 12 │ 12 │ 12 │ 12 │ 12 │ 0  │ 13 │      │
  ╰──────┴────┴────┴────┴────┴────┴────┴────┴────┴────┴────┴────┴────┴──────╯
           A    B    C    D    E    F    G    H    I    J   (K)   L

   South  human

 South sowed K. North to move.

 1. K


 a-l sow  u take back  t hint  v values  s save  n new game  o options
 x resign  ? rules  q quit
";

#[test]
fn without_colours_and_unicode() {
    let no_color = |command: &mut Command| {
        command.args(["play", "--north", "human"]).env("NO_COLOR", "1").env("LC_ALL", "C");
    };
    let mut plain = PseudoTerminal::with(USUAL, no_color);
    plain.wait_for("South begins");
    let mut colourful = two_humans(USUAL, "");
    colourful.wait_for("South begins");
    let has_colours = |play: &PseudoTerminal| {
        let (rows, columns) = play.terminal().size();
        let cells = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
        let mut cells = cells.filter_map(|(row, column)| play.terminal().cell(row, column));
        cells.any(|cell| {
            [cell.fgcolor(), cell.bgcolor()].iter().any(|color| *color != vt100::Color::Default)
        })
    };
    assert!(has_colours(&colourful) && !has_colours(&plain));
    assert!(plain.screen().is_ascii() && !colourful.screen().is_ascii(), "{}", plain.screen());
}

#[test]
fn no_terminal_no_game() {
    for arguments in [&["play"][..], &["play", "--level", "3"]] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_kalah"));
        let output = command.args(arguments).stdin(Stdio::null()).output().unwrap();
        assert_eq!(output.status.code(), Some(1));
        let errors = String::from_utf8(output.stderr).unwrap();
        assert_eq!(
            errors,
            "kalah: 'kalah play' needs a terminal, but standard input is not one; programs speak the \
             protocol with 'kalah' alone\n"
        );
    }
}

#[test]
fn the_page_has_the_words_of_all_levels() {
    let page = include_str!("../../../../docs/manual/play.md");
    let rows = page.lines().filter_map(|line| {
        let mut cells = line.strip_prefix("| ")?.strip_suffix(" |")?.split(" | ");
        let (levels, word) = (cells.next()?, cells.next()?);
        let (first, last) = levels.split_once('–').unwrap_or((levels, levels));
        Some((first.parse::<u8>().ok()?, last.parse::<u8>().ok()?, word))
    });
    let words: Vec<(u8, &str)> = rows
        .flat_map(|(first, last, word)| (first..=last).map(move |level| (level, word)))
        .collect();
    let expected: Vec<(u8, &str)> =
        (0..=MAX_SKILL_LEVEL).map(|level| (level, skill_word(level))).collect();
    assert_eq!(words, expected);
}
