//! The checksums of a dataset, in its file `SHA256SUMS`. That of the settings comes when all others are there.

use std::collections::BTreeMap;
use std::io::{self, ErrorKind};
use std::path::{MAIN_SEPARATOR, Path};

use anyhow::{Context, bail};
use kalah::regular_file;
use kalah_command::new_file::NewFile;
use sha2::{Digest, Sha256};

/// The checksums of the files of a directory.
pub(crate) struct Sums<'a> {
    directory: &'a Path,
    /// By the names of the files.
    sums: BTreeMap<String, String>,
}

const FILE: &str = "SHA256SUMS";

/// Of 100,000 files.
const MAX_BYTES: u64 = 10 << 20;

impl<'a> Sums<'a> {
    pub(crate) fn new(directory: &'a Path) -> Sums<'a> {
        Sums { directory, sums: BTreeMap::new() }
    }

    /// The checksums that a directory has, or none.
    pub(crate) fn read(directory: &'a Path) -> anyhow::Result<Sums<'a>> {
        let path = directory.join(FILE);
        match regular_file::read(&path, MAX_BYTES) {
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(Sums::new(directory)),
            bytes => {
                let bytes = bytes.with_context(|| format!("'{}'", path.display()))?;
                let text = String::from_utf8_lossy(&bytes);
                let lines = text.lines().filter_map(|line| line.split_once("  "));
                let sums = lines.map(|(sum, name)| (name.to_owned(), sum.to_owned())).collect();
                Ok(Sums { directory, sums })
            }
        }
    }

    /// Writes them as `sha256sum` does.
    pub(crate) fn write(&self) -> anyhow::Result<()> {
        let lines = self.sums.iter().map(|(name, sum)| format!("{sum}  {name}\n"));
        let lines: String = lines.collect();
        NewFile::create(&self.directory.join(FILE))?.write_bytes(lines)
    }

    pub(crate) fn has(&self, path: &Path) -> bool {
        self.sums.contains_key(&self.name(path))
    }

    pub(crate) fn count(&self, ending: &str) -> usize {
        self.sums.keys().filter(|name| name.ends_with(ending)).count()
    }

    pub(crate) fn add(&mut self, path: &Path) -> anyhow::Result<()> {
        self.sums.insert(self.name(path), sum_of(path)?);
        Ok(())
    }

    /// Removes the checksums of files, also from the disk: a kill while they are replaced leaves no wrong one.
    pub(crate) fn remove(&mut self, paths: &[&Path]) -> anyhow::Result<()> {
        let before = self.sums.len();
        for path in paths {
            self.sums.remove(&self.name(path));
        }
        if self.sums.len() < before { self.write() } else { Ok(()) }
    }

    /// Requires that a file has the checksum that is here.
    pub(crate) fn verify(&self, path: &Path) -> anyhow::Result<()> {
        if self.sums.get(&self.name(path)) != Some(&sum_of(path)?) {
            bail!("'{}' has another checksum than in {FILE}", path.display());
        }
        Ok(())
    }

    /// The name of a file in the directory.
    fn name(&self, path: &Path) -> String {
        let name = path.strip_prefix(self.directory).unwrap_or(path).display().to_string();
        name.replace(MAIN_SEPARATOR, "/")
    }
}

fn sum_of(path: &Path) -> anyhow::Result<String> {
    let mut digest = Sha256::new();
    let read = regular_file::open(path).and_then(|mut file| io::copy(&mut file, &mut digest));
    read.with_context(|| format!("'{}'", path.display()))?;
    Ok(format!("{:x}", digest.finalize()))
}
