//! What is done with bytes from outside, and what must hold then whatever they are.

#![allow(dead_code, reason = "a target of the fuzzer uses one of the functions")]

use std::fs;
use std::io::{Cursor, Write};
use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex};

use kalah::board::{AnyPosition, Board, Capture, Rules, Side};
use kalah::book::Book;
use kalah::printable::is_printable;
use kalah::proof_file::{ProofFile, ProofProgress};
use kalah::protocol::{Command, EngineMessage};
use kalah::search::{Evaluation, Network};
use kalah::solve::{Checkpoint, SolveProgress, SolveRequest, Solver, SolverResources};
use kalah::tablebase::TablebaseFiles;
use kalah::{StopToken, engine};
use kalah_games::AnnotatedGame;
use kalah_lab::ExplicitTree;
use kalah_records::{
    GameRecord, OpeningSettings, PartialPlayerSettings, games_from_text, read_lines,
};
use tempfile::TempDir;

/// Requires that an error can be told. It may quote what it is about: the program escapes it.
fn check_error(error: &dyn std::fmt::Display) {
    assert!(!error.to_string().is_empty());
}

/// A session of the engine. Searches end early: `quit` follows the last line.
pub(crate) fn session(data: &[u8]) {
    #[derive(Clone, Default)]
    struct Output(Arc<Mutex<Vec<u8>>>);

    impl Write for Output {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    // A large table takes seconds to make, and files are other targets.
    let is_harmless = |line: &&[u8]| {
        let line = String::from_utf8_lossy(line).to_lowercase();
        let is_large = line.contains("hash") && line.bytes().filter(u8::is_ascii_digit).count() > 2;
        !is_large && !line.contains("file") && !line.contains("tablebase")
    };
    let lines: Vec<&[u8]> = data.split(|&byte| byte == b'\n').filter(is_harmless).collect();
    let is_go = |line: &&&[u8]| String::from_utf8_lossy(line).trim_start().starts_with("go");
    let most_moves = lines.iter().filter(is_go).count();
    let input = [&lines.join(&b'\n'), &b"\nquit\n"[..]].concat();
    let output = Output::default();
    engine::run(Cursor::new(input), output.clone()).unwrap();
    let output = String::from_utf8(output.0.lock().unwrap().clone()).unwrap();
    assert!(!output.contains(['\x1b', '\0']), "{output:?}");
    let moves = output.lines().filter(|line| line.starts_with("bestmove ")).count();
    assert!(moves <= most_moves, "{output}");
}

/// Boards, moves, commands, messages and settings in text.
pub(crate) fn text(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    match text.parse::<Command>() {
        Ok(command) => {
            let written = command.to_string();
            let read = written.parse::<Command>().unwrap();
            assert_eq!(read.to_string(), written);
        }
        Err(error) => check_error(&error),
    }
    let _ = EngineMessage::from(&*text);
    let start = Board::start(Rules::default(), 4).unwrap();
    for capture in Capture::ALL {
        match Board::from_fen(&text, capture) {
            Ok(board) => {
                assert_eq!(Board::from_fen(&board.fen(), capture).unwrap(), board);
                let mut seeds: u32 =
                    Side::ALL.iter().map(|&side| u32::from(board.store(side))).sum();
                seeds += board.seeds_in_play();
                for mv in board.moves() {
                    let mut after = board;
                    after.play(mv).unwrap();
                    let stores: u32 =
                        Side::ALL.iter().map(|&side| u32::from(after.store(side))).sum();
                    assert_eq!(stores + after.seeds_in_play(), seeds, "{mv} on {}", board.fen());
                }
            }
            Err(error) => check_error(&error),
        }
    }
    let mut board = start;
    if let Err(error) = board.play_moves(&text) {
        check_error(&error);
    }
    if let Ok(mv) = start.parse_move(&text) {
        assert_eq!(start.parse_move(&mv.to_string()), Ok(mv));
    }
    games(&text);
    if let Err(error) = text.parse::<PartialPlayerSettings>() {
        check_error(&error);
    }
    if let Err(error) = text.parse::<OpeningSettings>() {
        check_error(&error);
    }
    if let Err(error) = text.parse::<ExplicitTree>() {
        check_error(&error);
    }
}

/// Games in any form: what is read is written, and read again.
fn games(text: &str) {
    match games_from_text(text, Capture::Standard) {
        Ok(games) => {
            for game in games {
                let written = game.to_string();
                assert!(written.chars().all(|c| c == '\n' || is_printable(c)), "{written:?}");
                let read = AnnotatedGame::parse(&written).unwrap();
                assert_eq!(read.len(), 1);
                assert_eq!(read[0].to_string(), written);
                let json = serde_json::to_string(&read[0]).unwrap();
                assert_eq!(serde_json::from_str::<AnnotatedGame>(&json).unwrap(), read[0]);
            }
        }
        Err(error) => check_error(&error),
    }
}

/// The file of the largest layer of a table.
pub(crate) fn table(data: &[u8]) {
    const SEEDS: u32 = 3;
    let rules = Rules::new(3, Capture::Standard).unwrap();
    thread_local! {
        /// Of a thread, not of the program: only so it is removed.
        static FOLDER: TempDir = TempDir::new().unwrap();
    }
    let folder = FOLDER.with(|folder| folder.path().to_owned());
    let largest = folder.join("kalah-3-standard-3.ktb");
    if !largest.exists() {
        let stop = StopToken::new();
        TablebaseFiles::build(&folder, rules, SEEDS, NonZeroUsize::MIN, &stop, &|_| ()).unwrap();
    }
    fs::write(largest, data).unwrap();
    let files = match TablebaseFiles::open(&folder, rules) {
        Ok(files) => files.unwrap(),
        Err(error) => return check_error(&error),
    };
    for board in boards(rules) {
        match files.gain(&board) {
            Ok(gain) => {
                assert!(gain.is_none_or(|gain| gain.unsigned_abs() <= board.seeds_in_play()));
            }
            Err(error) => check_error(&error),
        }
    }
    if let Err(error) = files.load(SEEDS, NonZeroUsize::MIN) {
        check_error(&error);
    }
}

/// Boards with few seeds.
fn boards(rules: Rules) -> impl Iterator<Item = Board> {
    let houses = rules.houses();
    (0..houses * houses).map(move |number| {
        let mut rows = [vec![0; houses], vec![0; houses]];
        rows[0][number % houses] = 1 + (number % 2) as u16;
        rows[1][number / houses] = 1;
        Board::new(rules, [&rows[0], &rows[1]], [0, 0], Side::South).unwrap()
    })
}

/// A network file, also with its checksum made right.
pub(crate) fn network(data: &[u8]) {
    let body = &data[..data.len().saturating_sub(4)];
    let right = [body, &crc32fast::hash(body).to_le_bytes()].concat();
    for bytes in [data, &right] {
        match Network::from_bytes(bytes) {
            Ok(network) => {
                assert_eq!(network.to_bytes(), bytes);
                let board = Board::start(network.rules(), 3).unwrap();
                let evaluation = Evaluation::Learned(Arc::new(network));
                let (houses, seeds) = (board.rules().houses(), board.seeds_in_play() as i32);
                let gain = match board.position() {
                    AnyPosition::Narrow(_, position) => evaluation.gain(&position, houses, seeds),
                    AnyPosition::Wide(_, position) => evaluation.gain(&position, houses, seeds),
                };
                assert!(gain.abs() <= seeds);
            }
            Err(error) => check_error(&error),
        }
    }
}

/// A checkpoint of the solver: as it is, and with the header and the checksums made right.
pub(crate) fn checkpoint(data: &[u8]) {
    const HEADER: usize = 16;
    const CONTENT: usize = 12;
    let rules = Rules::new(3, Capture::Standard).unwrap();
    let mut right = b"KALAHBND\x03\0\0\0\x03\0\0\0".to_vec();
    for record in data.get(HEADER..).unwrap_or_default().chunks_exact(CONTENT + 4) {
        right.extend(&record[..CONTENT]);
        right.extend(crc32fast::hash(&record[..CONTENT]).to_le_bytes());
    }
    for bytes in [data, &right] {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(bytes).unwrap();
        let checkpoint = match Checkpoint::open(file.path(), rules) {
            Ok(checkpoint) => checkpoint,
            Err(error) => {
                check_error(&error);
                continue;
            }
        };
        let resources = SolverResources { mebibytes: 4, ..SolverResources::default() };
        let mut solver = Solver::new(resources);
        solver.set_checkpoint(checkpoint);
        // Bounds that contradict each other have a right checksum here: the solver may be wrong, but it ends.
        let board = Board::start(rules, 2).unwrap();
        let request = SolveRequest { line: true, moves: true, ..SolveRequest::default() };
        let _ = solver.solve_with(&board, request, &StopToken::new(), &SolveProgress::default());
        let _ = solver.probe(&board);
        solver.flush_checkpoint().unwrap();
        drop(solver);
        // What was appended can be read.
        drop(Checkpoint::open(file.path(), rules).unwrap());
    }
}

/// A proof file: as it is, and its steps with the right header and checksum. No steps prove a wrong value.
pub(crate) fn proof_file(data: &[u8]) {
    /// Kalah(3,2) with a tablebase of 3 seeds and leaves of 8 positions.
    const HEADER: &[u8; 72] = b"\x89KPR\r\n\x1a\n\x01\0\x03\0\0\x03\0\0\x08\0\0\0\
        \0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\
        \x02\x02\x02\0\0\0\0\0\0\0\0\0\x02\x02\x02\0\0\0\0\0\0\0\0\0";
    const CLAIMS: usize = 20;
    const MARGIN: usize = 40;
    /// That of Kalah(3,2).
    const TRUE_MARGIN: i16 = 4;
    let verify = |bytes: &[u8]| {
        let proof = ProofFile::from_bytes(bytes).map_err(|error| check_error(&error)).ok()?;
        let (stop, progress) = (StopToken::new(), ProofProgress::default());
        // Sound files of any size are welcome, but not here.
        if proof.limits().table_seeds > 6 || proof.limits().leaf_nodes > 1000 {
            return None;
        }
        let report = proof.verify(NonZeroUsize::MIN, &stop, &progress);
        report.map_err(|error| check_error(&error)).ok()
    };
    verify(data);
    let counts = data.get(CLAIMS..MARGIN - 4).unwrap_or(&HEADER[CLAIMS..MARGIN - 4]);
    for margin in [TRUE_MARGIN, TRUE_MARGIN + 2, TRUE_MARGIN - 2] {
        let mut bytes = HEADER.to_vec();
        bytes[CLAIMS..MARGIN - 4].copy_from_slice(counts);
        bytes[MARGIN..MARGIN + 2].copy_from_slice(&margin.to_le_bytes());
        let end = data.len().saturating_sub(4);
        bytes.extend(data.get(HEADER.len()..end).unwrap_or_default());
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        let report = verify(&bytes);
        assert!(report.is_none() || margin == TRUE_MARGIN, "{report:?}");
    }
}

/// A record of games.
pub(crate) fn record(data: &[u8]) {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(data).unwrap();
    for game in read_lines::<GameRecord>(file.path()).unwrap() {
        match game {
            Ok(game) => {
                let written = serde_json::to_string(&game).unwrap();
                assert_eq!(
                    serde_json::from_str::<kalah_records::GameRecord>(&written).unwrap(),
                    game
                );
                if let Err(error) = game.boards() {
                    check_error(&error);
                }
            }
            Err(error) => {
                check_error(&error);
                break;
            }
        }
    }
}

/// A book: as it is, and with its checksums made right.
pub(crate) fn book(data: &[u8]) {
    const HEADER: usize = 64;
    const INDEX_ENTRY: usize = 16;
    const BLOCK: usize = 1024;
    read_book(data.to_vec());
    let mut right = data.to_vec();
    if right.len() < HEADER + INDEX_ENTRY + BLOCK {
        return;
    }
    let blocks = (right.len() - HEADER) / (INDEX_ENTRY + BLOCK);
    let index = HEADER..HEADER + blocks * INDEX_ENTRY;
    for (block, entry) in index.clone().step_by(INDEX_ENTRY).enumerate() {
        let start = index.end + block * BLOCK;
        let checksum = crc32fast::hash(&right[start..start + BLOCK]);
        right[entry + 8..entry + 12].copy_from_slice(&checksum.to_le_bytes());
    }
    let checksum = crc32fast::hash(&right[index]);
    right[32..36].copy_from_slice(&checksum.to_le_bytes());
    let checksum = crc32fast::hash(&right[..HEADER - 4]);
    right[HEADER - 4..HEADER].copy_from_slice(&checksum.to_le_bytes());
    read_book(right);
}

fn read_book(bytes: Vec<u8>) {
    match Book::from_bytes(bytes) {
        Ok(book) => {
            for position in book.iter() {
                match position {
                    Ok((board, entry)) => {
                        assert!(entry.margin.unsigned_abs() <= board.seeds_in_play());
                        assert_eq!(entry.moves.len(), board.moves().count());
                        let _ = book.probe(&board);
                    }
                    Err(error) => check_error(&error),
                }
            }
        }
        Err(error) => check_error(&error),
    }
}
