//! The checksums of a dataset, in its file `SHA256SUMS`. That of the settings comes when all others are there.

use std::io::{self, ErrorKind};
use std::path::{MAIN_SEPARATOR, Path};

use anyhow::{Context, bail};
use kalah::regular_file;
use kalah_command::new_file::NewFile;
use sha2::{Digest, Sha256};

/// The checksums of the files of a directory.
pub(crate) struct Sums<'a> {
    directory: &'a Path,
    /// As `sha256sum` writes them.
    lines: String,
}

const FILE: &str = "SHA256SUMS";

/// Of 100,000 files.
const MAX_BYTES: u64 = 10 << 20;

impl<'a> Sums<'a> {
    /// No checksums.
    pub(crate) fn new(directory: &'a Path) -> Sums<'a> {
        Sums { directory, lines: String::new() }
    }

    /// The checksums that a directory has, or none.
    pub(crate) fn read(directory: &'a Path) -> anyhow::Result<Sums<'a>> {
        let path = directory.join(FILE);
        match regular_file::read(&path, MAX_BYTES) {
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(Sums::new(directory)),
            bytes => {
                let bytes = bytes.with_context(|| format!("'{}'", path.display()))?;
                Ok(Sums { directory, lines: String::from_utf8_lossy(&bytes).into_owned() })
            }
        }
    }

    pub(crate) fn write(&self) -> anyhow::Result<()> {
        NewFile::create(&self.directory.join(FILE))?.write_bytes(&self.lines)
    }

    /// Whether there is a checksum of this file.
    pub(crate) fn has(&self, path: &Path) -> bool {
        self.line(path).is_some()
    }

    /// The files of this ending.
    pub(crate) fn count(&self, ending: &str) -> usize {
        self.lines.lines().filter(|line| line.ends_with(ending)).count()
    }

    /// Adds the checksum of a file.
    pub(crate) fn add(&mut self, path: &Path) -> anyhow::Result<()> {
        self.lines += &self.line_of_file(path)?;
        Ok(())
    }

    /// Requires that a file has the checksum that is here.
    pub(crate) fn verify(&self, path: &Path) -> anyhow::Result<()> {
        if self.line(path) != Some(self.line_of_file(path)?.trim_end()) {
            bail!("'{}' has another checksum than in {FILE}", path.display());
        }
        Ok(())
    }

    fn line(&self, path: &Path) -> Option<&str> {
        let name = format!("  {}", self.name(path));
        self.lines.lines().find(|line| line.ends_with(&name))
    }

    /// The line of a file.
    fn line_of_file(&self, path: &Path) -> anyhow::Result<String> {
        let mut digest = Sha256::new();
        let read = regular_file::open(path).and_then(|mut file| io::copy(&mut file, &mut digest));
        read.with_context(|| format!("'{}'", path.display()))?;
        let hexadecimal = |text: String, byte: &u8| text + &format!("{byte:02x}");
        let sum = digest.finalize().iter().fold(String::new(), hexadecimal);
        Ok(format!("{sum}  {}\n", self.name(path)))
    }

    /// The name of a file in the directory.
    fn name(&self, path: &Path) -> String {
        let name = path.strip_prefix(self.directory).unwrap_or(path).display().to_string();
        name.replace(MAIN_SEPARATOR, "/")
    }
}
