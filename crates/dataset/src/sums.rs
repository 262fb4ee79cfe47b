//! The checksums of a dataset, in its file `SHA256SUMS`. That of the settings comes when all others are there.

use std::io::ErrorKind;
use std::path::Path;

use anyhow::{Context, bail};
use kalah::regular_file;
use sha2::{Digest, Sha256};

use crate::settings::write_text;

/// Lines of `SHA256SUMS`, as `sha256sum` writes them.
#[derive(Default)]
pub(crate) struct Sums(String);

const FILE: &str = "SHA256SUMS";

/// Of 100,000 files.
const MAX_BYTES: u64 = 10 << 20;

impl Sums {
    /// The checksums that a directory has, or none.
    pub(crate) fn read(directory: &Path) -> anyhow::Result<Sums> {
        let path = directory.join(FILE);
        match regular_file::read(&path, MAX_BYTES) {
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(Sums::default()),
            bytes => {
                let bytes = bytes.with_context(|| format!("'{}'", path.display()))?;
                Ok(Sums(String::from_utf8_lossy(&bytes).into_owned()))
            }
        }
    }

    pub(crate) fn write(&self, directory: &Path) -> anyhow::Result<()> {
        write_text(&directory.join(FILE), &self.0)
    }

    /// Whether there is a checksum of this file.
    pub(crate) fn has(&self, path: &Path) -> bool {
        self.line(path).is_some()
    }

    /// The files of this ending.
    pub(crate) fn count(&self, ending: &str) -> usize {
        self.0.lines().filter(|line| line.ends_with(ending)).count()
    }

    /// Adds the checksum of a file.
    pub(crate) fn add(&mut self, path: &Path) -> anyhow::Result<()> {
        self.0 += &line_of_file(path)?;
        Ok(())
    }

    /// Requires that a file has the checksum that is here.
    pub(crate) fn verify(&self, path: &Path) -> anyhow::Result<()> {
        if self.line(path) != Some(line_of_file(path)?.trim_end()) {
            bail!("'{}' has another checksum than in {FILE}", path.display());
        }
        Ok(())
    }

    fn line(&self, path: &Path) -> Option<&str> {
        let name = format!("  {}", path.file_name()?.display());
        self.0.lines().find(|line| line.ends_with(&name))
    }
}

/// The line of a file.
fn line_of_file(path: &Path) -> anyhow::Result<String> {
    let bytes =
        regular_file::read(path, u64::MAX).with_context(|| format!("'{}'", path.display()))?;
    let hexadecimal = |text: String, byte: &u8| text + &format!("{byte:02x}");
    let sum = Sha256::digest(bytes).iter().fold(String::new(), hexadecimal);
    Ok(format!("{sum}  {}\n", path.file_name().unwrap_or_default().display()))
}
