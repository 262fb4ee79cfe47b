//! Records of the parts of a tournament, joined into the record of all of it.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use rustc_hash::FxHashMap;
use serde::Serialize;
use thiserror::Error;

use super::difference::Difference;
use super::error::RecordError;
use super::game_record::{Conditions, GameRecord, Seat};
use super::games::{GameLine, read_games};
use crate::board::Side;

/// Why records cannot be joined.
#[derive(Debug, Error)]
pub enum MergeError {
    /// A record cannot be used.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// What should be the same in all games is not.
    #[error("{what} is not the same in '{}' and '{}': {}", files[0].display(), files[1].display(),
            difference.text("in the first", "in the second"))]
    Different {
        /// What it is.
        what: String,
        /// Where the two are.
        files: [PathBuf; 2],
        /// In what they differ.
        difference: Box<Difference>,
    },
    /// All records are empty.
    #[error("there are no games to join")]
    NoGames,
    /// The joint record cannot be written.
    #[error(transparent)]
    Write(#[from] io::Error),
}

/// Records that belong together. The games stay in their files: there may be more of them than
/// the memory holds.
pub struct MergedRecords {
    inputs: Vec<Input>,
    /// Lines and the places of their inputs, in the order of the games.
    lines: Vec<(GameLine, usize)>,
}

struct Input {
    path: PathBuf,
    /// The file that was checked, whatever its name stands for by now.
    file: File,
    was_torn: bool,
}

/// What has to be the same in all games, and the place of the input that had it first.
#[derive(Default)]
struct Common {
    conditions: Option<(usize, Conditions)>,
    players: FxHashMap<String, (usize, Seat)>,
}

impl MergedRecords {
    /// Reads records and makes sure that they are of one tournament. A game that is in several of
    /// them is taken once. A last line that was torn when its writer ended is passed over.
    ///
    /// # Errors
    /// When a file cannot be read, when games are not of one tournament, when two games of the
    /// same number differ in more than times, and when there are no games.
    pub fn of(paths: &[PathBuf]) -> Result<MergedRecords, MergeError> {
        let mut merge = MergedRecords { inputs: Vec::new(), lines: Vec::new() };
        let mut common = Common::default();
        for (input, path) in paths.iter().enumerate() {
            let mut games = read_games(path)?;
            while let Some(game) = games.next() {
                let game = game?;
                common.check(&game, input, paths)?;
                merge.lines.push((games.line_of(&game), input));
            }
            let was_torn = games.was_torn();
            merge.inputs.push(Input { path: path.clone(), file: games.into_file(), was_torn });
        }
        if merge.lines.is_empty() {
            return Err(MergeError::NoGames);
        }
        merge.lines.sort_unstable();
        merge.lines = merge.without_copies()?;
        Ok(merge)
    }

    /// Games, each counted once.
    pub fn games(&self) -> usize {
        self.lines.len()
    }

    /// Numbers up to the greatest that no game has.
    pub fn missing(&self) -> Vec<RangeInclusive<u64>> {
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

    /// Files of which a torn last line was passed over.
    pub fn torn(&self) -> impl Iterator<Item = &Path> {
        self.inputs.iter().filter(|input| input.was_torn).map(|input| input.path.as_path())
    }

    /// Writes the games in the order of their numbers, each line as it was.
    ///
    /// # Errors
    /// When a file can no longer be read, or the games cannot be written.
    pub fn write(&self, to: impl Write) -> Result<(), MergeError> {
        let mut to = BufWriter::new(to);
        for &line in &self.lines {
            to.write_all(&self.text(line)?)?;
        }
        Ok(to.flush()?)
    }

    /// The lines with one of each game.
    fn without_copies(&self) -> Result<Vec<(GameLine, usize)>, MergeError> {
        let mut kept = Vec::with_capacity(self.lines.len());
        for copies in self.lines.chunk_by(|(a, _), (b, _)| a.game == b.game) {
            let mut one = copies[0];
            for &other in &copies[1..] {
                let texts = [self.text(one)?, self.text(other)?];
                if texts[0] != texts[1] {
                    self.check_copies([one, other], &texts)?;
                }
                // Whatever the order of the inputs, the same copy is taken.
                if texts[1] < texts[0] {
                    one = other;
                }
            }
            kept.push(one);
        }
        Ok(kept)
    }

    /// Requires that two lines of one game differ in times only.
    fn check_copies(
        &self,
        lines: [(GameLine, usize); 2],
        texts: &[Vec<u8>; 2],
    ) -> Result<(), MergeError> {
        let game = |text| serde_json::from_slice::<GameRecord>(text).map_err(io::Error::from);
        let [first, second] = [game(&texts[0])?, game(&texts[1])?].map(|game| game.without_times());
        let paths = lines.map(|(_, input)| self.inputs[input].path.as_path());
        require_same(|| format!("game {}", lines[0].0.game), paths, &first, &second)
    }

    fn text(&self, (line, input): (GameLine, usize)) -> Result<Vec<u8>, RecordError> {
        let Input { path, file, .. } = &self.inputs[input];
        let error = |source| RecordError::Io { what: "read", path: path.clone(), source };
        line.read(file).map_err(error)
    }
}

impl Common {
    /// Compares a game with those before.
    fn check(
        &mut self,
        game: &GameRecord,
        input: usize,
        paths: &[PathBuf],
    ) -> Result<(), MergeError> {
        let (first, conditions) =
            self.conditions.get_or_insert_with(|| (input, game.conditions.clone()));
        let pair = |first: usize| [first, input].map(|input| paths[input].as_path());
        let tournament = || "the tournament".to_owned();
        require_same(tournament, pair(*first), conditions, &game.conditions)?;
        for side in Side::ALL {
            // Chance is drawn anew for each game.
            let seat = Seat { random_seed: 0, ..game.seat(side).clone() };
            let name = &seat.player.name;
            match self.players.get(name) {
                Some((first, known)) => {
                    require_same(|| format!("player '{name}'"), pair(*first), known, &seat)?;
                }
                None => {
                    self.players.insert(name.clone(), (input, seat));
                }
            }
        }
        Ok(())
    }
}

fn require_same<T: Serialize + PartialEq>(
    what: impl FnOnce() -> String,
    files: [&Path; 2],
    first: &T,
    second: &T,
) -> Result<(), MergeError> {
    match Difference::between(first, second) {
        None => Ok(()),
        Some(difference) => {
            let files = files.map(Path::to_owned);
            Err(MergeError::Different { what: what(), files, difference: Box::new(difference) })
        }
    }
}
