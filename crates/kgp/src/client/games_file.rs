//! The file that games are appended to as text.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

use anyhow::{Context, bail};

use kalah::file_lock::FileLock;
use kalah::regular_file;
use kalah_arena::is_json;
use kalah_games::AnnotatedGame;

/// Bytes that show what a file is.
const BEGINNING: u64 = 64;

/// A file of games as text, locked against other writers.
pub(super) struct GamesFile(FileLock);

impl GamesFile {
    /// Opens or creates a file, which stays as it is until the first game.
    pub(super) fn open(path: &Path) -> anyhow::Result<GamesFile> {
        let mut options = OpenOptions::new();
        options.read(true).append(true).create(true);
        let file = regular_file::open_with(path, &mut options)?;
        let file = FileLock::new(file).context("is being written to by another process")?;
        let mut beginning = Vec::new();
        let reader: &File = &file;
        reader.take(BEGINNING).read_to_end(&mut beginning)?;
        if is_json(&String::from_utf8_lossy(&beginning)) {
            bail!("begins like JSON, but games are appended as text");
        }
        Ok(GamesFile(file))
    }

    /// Appends a game, which begins a line, and waits until it is on the disk.
    pub(super) fn append(&self, game: &AnnotatedGame) -> io::Result<()> {
        let mut file: &File = &self.0;
        let end = file.metadata()?.len();
        let mut last = [b'\n'];
        // An empty file has no last byte.
        if file.seek(SeekFrom::End(-1)).is_ok() {
            file.read_exact(&mut last)?;
        }
        let line_break = if last == [b'\n'] { "" } else { "\n" };
        let text = format!("{line_break}{game}\n");
        let written = file.write_all(text.as_bytes()).and_then(|()| file.sync_data());
        if written.is_err() {
            // Removes the part that was written.
            let _ = file.set_len(end);
        }
        written
    }
}
