//! Merges the records of a tournament's shards into one.

use std::env;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, Write};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use anyhow::{anyhow, bail};
use rustc_hash::FxHashMap;
use serde::Serialize;

use crate::records::difference::difference;
use crate::records::read::GameLine;
use crate::{Conditions, GameRecord, JsonLines, RecordError, Seat};
use kalah::atomic_file::create_temporary;
use kalah::board::Side;
use kalah::text_file;

/// Records of one tournament, merged. Games stay in their files, which may be larger than memory.
pub(super) struct MergedRecords {
    inputs: Vec<Input>,
    /// Lines and the indices of their inputs, ordered by game number.
    lines: Vec<(GameLine, usize)>,
}

struct Input {
    path: PathBuf,
    /// Stays open, so that it is the file that was checked.
    file: File,
    was_torn: bool,
}

/// Values that must be the same in all games, with the index of the input that had them first.
#[derive(Default)]
struct Common {
    conditions: Option<(usize, Conditions)>,
    players: FxHashMap<String, (usize, Seat)>,
}

impl MergedRecords {
    /// Reads records and checks that they are of one tournament. A game in several of them is taken
    /// once; a torn last line is skipped.
    ///
    /// # Errors
    /// If a file cannot be read, if games are of different tournaments, if two games of the same
    /// number differ in more than times, if the result of one contradicts its moves, or if there are no games.
    pub(super) fn read(paths: &[PathBuf]) -> anyhow::Result<MergedRecords> {
        let mut merged = MergedRecords { inputs: Vec::new(), lines: Vec::new() };
        let mut common = Common::default();
        let mut contradiction = None;
        for (input, path) in paths.iter().enumerate() {
            let with_path = RecordError::io("read", path);
            // What comes through a pipe is kept, to be read again.
            let is_file = path.is_file();
            let (games, mut file) = open(path, is_file).map_err(&with_path)?;
            let mut games = JsonLines::<GameRecord>::new(BufReader::new(games), path);
            while let Some(game) = games.next() {
                let game = game?;
                if game.game == 0 {
                    let reason = "game numbers begin with 1";
                    return Err(RecordError::line(path, games.line(), reason).into());
                }
                if let Err(reason) = game.check_result() {
                    contradiction
                        .get_or_insert_with(|| RecordError::line(path, games.line(), &reason));
                }
                common.check(&game, input, paths)?;
                let mut line = games.line_of(game.game);
                if !is_file {
                    line.start = file.stream_position().map_err(&with_path)?;
                    file.write_all(games.text()).map_err(&with_path)?;
                }
                merged.lines.push((line, input));
            }
            let was_torn = games.was_torn();
            merged.inputs.push(Input { path: path.clone(), file, was_torn });
        }
        if merged.lines.is_empty() {
            bail!("there are no games to merge");
        }
        merged.lines.sort_unstable();
        merged.lines = merged.without_copies()?;
        contradiction.map_or(Ok(merged), |contradiction| Err(contradiction.into()))
    }

    /// The number of games, without copies.
    pub(super) fn games(&self) -> usize {
        self.lines.len()
    }

    /// The game numbers that are missing before the last game.
    pub(super) fn missing(&self) -> Vec<RangeInclusive<u64>> {
        let mut missing = Vec::new();
        let mut next = 1;
        for (line, _) in &self.lines {
            if line.game > next {
                missing.push(next..=line.game - 1);
            }
            next = line.game.saturating_add(1);
        }
        missing
    }

    /// The files with a torn last line.
    pub(super) fn torn(&self) -> impl Iterator<Item = &Path> {
        self.inputs.iter().filter(|input| input.was_torn).map(|input| input.path.as_path())
    }

    /// Writes the games ordered by number, each line unchanged but for its end.
    pub(super) fn write(&self, to: impl Write) -> anyhow::Result<()> {
        let mut to = BufWriter::new(to);
        for &line in &self.lines {
            to.write_all(&self.text(line)?)?;
        }
        Ok(to.flush()?)
    }

    fn without_copies(&self) -> anyhow::Result<Vec<(GameLine, usize)>> {
        let mut unique = Vec::with_capacity(self.lines.len());
        for copies in self.lines.chunk_by(|(a, _), (b, _)| a.game == b.game) {
            let mut one = copies[0];
            for &other in &copies[1..] {
                let texts = [self.text(one)?, self.text(other)?];
                if texts[0] != texts[1] {
                    self.check_copies([one, other], &texts)?;
                }
                // The choice does not depend on the order of the inputs.
                if texts[1] < texts[0] {
                    one = other;
                }
            }
            unique.push(one);
        }
        Ok(unique)
    }

    /// Requires that two records of one game differ only in times.
    fn check_copies(
        &self,
        lines: [(GameLine, usize); 2],
        texts: &[Vec<u8>; 2],
    ) -> anyhow::Result<()> {
        let game = |text| serde_json::from_slice::<GameRecord>(text).map_err(io::Error::from);
        let [first, second] = [game(&texts[0])?, game(&texts[1])?].map(|game| game.without_times());
        let paths = lines.map(|(_, input)| self.inputs[input].path.as_path());
        require_same(|| format!("game {}", lines[0].0.game), paths, &first, &second)
    }

    fn text(&self, (line, input): (GameLine, usize)) -> Result<Vec<u8>, RecordError> {
        let Input { path, file, .. } = &self.inputs[input];
        let text = line.read(file).map_err(RecordError::io("read", path))?;
        Ok([text.trim_ascii(), b"\n"].concat())
    }
}

/// Opens an input and the file in which its games stay: itself, or a temporary one.
fn open(path: &Path, is_file: bool) -> io::Result<(Box<dyn Read + Send>, File)> {
    if is_file {
        let file = File::open(path)?;
        return Ok((Box::new(file.try_clone()?), file));
    }
    let temporary = create_temporary(&env::temp_dir())?;
    Ok((text_file::open(path)?, temporary.as_file().try_clone()?))
}

impl Common {
    /// Compares a game with the earlier ones.
    fn check(&mut self, game: &GameRecord, input: usize, paths: &[PathBuf]) -> anyhow::Result<()> {
        let (first, conditions) =
            self.conditions.get_or_insert_with(|| (input, game.conditions.clone()));
        let pair = |first: usize| [first, input].map(|input| paths[input].as_path());
        let tournament = || "the tournament".to_owned();
        require_same(tournament, pair(*first), conditions, &game.conditions)?;
        for side in Side::ALL {
            // The random seed differs from game to game.
            let seat = Seat { random_seed: 0, ..game.seat(side).clone() };
            let name = &seat.player.name;
            let (first, known) =
                self.players.entry(name.clone()).or_insert_with(|| (input, seat.clone()));
            require_same(|| format!("player '{name}'"), pair(*first), known, &seat)?;
        }
        Ok(())
    }
}

fn require_same<T: Serialize + PartialEq>(
    what: impl FnOnce() -> String,
    files: [&Path; 2],
    first: &T,
    second: &T,
) -> anyhow::Result<()> {
    let values = |[first, second]: [String; 2]| {
        format!("is {first} in the first and {second} in the second")
    };
    let Some(difference) = difference(first, second, values) else { return Ok(()) };
    let [first, second] = files.map(Path::display);
    Err(anyhow!("{} is not the same in '{first}' and '{second}': {difference}", what()))
}
