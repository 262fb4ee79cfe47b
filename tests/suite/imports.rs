//! Which source file imports which, as far as the text shows it: a small reader of Rust, without
//! macros. Tests inside the sources are left out.
//!
//! An import counts for the file that defines the name, whatever module re-exports it. So a
//! `mod.rs` that only declares and re-exports its children does not import them.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fs;
use std::path::{Path, PathBuf};

/// A path of names, for example `[kalah, board, Side]`.
type Names = Vec<String>;

/// A name that a `use` declaration brings into a file.
struct Import {
    /// The module in which it stands, from the root of the crate.
    module: Names,
    path: Names,
    /// `*` for a glob.
    name: String,
    is_public: bool,
}

/// A source file.
#[derive(Default)]
pub(crate) struct Source {
    /// Below `src`.
    pub(crate) path: PathBuf,
    pub(crate) lines: usize,
    /// From the root of its crate, for example `[kalah, board]`.
    pub(crate) module: Names,
    /// Structs, enums, traits and type aliases that are visible outside the file.
    pub(crate) public_types: Vec<String>,
    imports: Vec<Import>,
    /// Paths of two or more names outside `use`, each with its module.
    paths: Vec<(Names, Names)>,
    /// All names outside `use`.
    words: BTreeSet<String>,
}

/// All source files of the crate, ordered by path.
pub(crate) struct Sources {
    pub(crate) files: Vec<Source>,
    modules: BTreeMap<Names, usize>,
}

impl Source {
    pub(crate) fn new(path: &Path, text: &str) -> Source {
        let module = module_of(path);
        let source = Source {
            path: path.to_owned(),
            lines: text.lines().count(),
            module: module.clone(),
            ..Source::default()
        };
        let mut reader = Reader { tokens: tokens(text), at: 0, source };
        reader.module(&module);
        reader.source
    }

    /// Paths into the standard library.
    pub(crate) fn std_paths(&self) -> impl Iterator<Item = &Names> {
        let imported = self.imports.iter().map(|import| &import.path);
        let written = self.paths.iter().map(|(_, path)| path);
        imported.chain(written).filter(|path| path[0] == "std")
    }
}

/// The module that a file holds: `engine/state.rs` is `[kalah, engine, state]`. The program and the
/// library are crates of their own.
fn module_of(path: &Path) -> Names {
    let mut module: Names =
        path.with_extension("").iter().map(|name| name.to_string_lossy().into_owned()).collect();
    if matches!(module.last().map(String::as_str), Some("mod" | "main" | "lib")) {
        module.pop();
    }
    let is_program = path.starts_with("cli") || path == Path::new("main.rs");
    module.insert(0, if is_program { "main" } else { "kalah" }.to_owned());
    module
}

/// Names and punctuation; no comments, no literals.
fn tokens(text: &str) -> Vec<String> {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("r\"") || rest.starts_with("r#") {
            let hashes = rest[1..].chars().take_while(|&c| c == '#').count();
            let end = format!("\"{}", "#".repeat(hashes));
            let start = hashes + 2;
            rest[start..].find(&end).map_or(rest.len(), |found| start + found + end.len())
        } else if first == '"' {
            quoted_length(rest, '"')
        } else if first == '\'' {
            // A lifetime has no closing quotation mark.
            let is_char = rest.starts_with("'\\") || rest.chars().nth(2) == Some('\'');
            if is_char { quoted_length(rest, '\'') } else { 1 }
        } else {
            let name = rest.find(|c| !is_name(c)).unwrap_or(rest.len());
            let length = match name {
                0 if rest.starts_with("::") => 2,
                0 => first.len_utf8(),
                _ => name,
            };
            if !first.is_whitespace() {
                tokens.push(rest[..length].to_owned());
            }
            length
        };
        rest = &rest[length..];
    }
    tokens
}

/// The length of the literal in quotation marks with which a text begins.
fn quoted_length(text: &str, mark: char) -> usize {
    let mut is_escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            c if c == mark => return at + 1,
            _ => {}
        }
    }
    text.len()
}

struct Reader {
    tokens: Vec<String>,
    at: usize,
    source: Source,
}

impl Reader {
    fn token(&self, ahead: usize) -> &str {
        self.tokens.get(self.at + ahead).map_or("", String::as_str)
    }

    fn starts_with(&self, tokens: &[&str]) -> bool {
        tokens.iter().enumerate().all(|(ahead, &token)| self.token(ahead) == token)
    }

    fn is_name(&self, ahead: usize) -> bool {
        self.token(ahead).starts_with(|c: char| c.is_alphabetic() || c == '_')
    }

    /// Reads to the end of a module.
    fn module(&mut self, module: &Names) {
        let mut depth = 0;
        let mut is_public = false;
        while self.at < self.tokens.len() {
            if self.starts_with(&["#", "[", "cfg", "(", "test", ")", "]", "mod"]) {
                self.at += 10;
                self.skip_block();
            } else if self.token(0) == "mod" && self.token(2) == "{" {
                let inner = [&module[..], &[self.token(1).to_owned()]].concat();
                self.at += 3;
                self.module(&inner);
            } else if self.token(0) == "use" && self.token(1) != "<" {
                self.at += 1;
                self.imports(module, &mut Vec::new(), is_public);
                is_public = false;
            } else if self.token(0) == "pub" {
                is_public = true;
                self.at += 1;
                if self.token(0) == "(" {
                    while self.token(0) != ")" {
                        self.at += 1;
                    }
                    self.at += 1;
                }
                if matches!(self.token(0), "struct" | "enum" | "trait" | "type") {
                    self.source.public_types.push(self.token(1).to_owned());
                }
            } else if self.is_name(0) {
                is_public = false;
                self.path(module);
            } else {
                match self.token(0) {
                    "{" => depth += 1,
                    "}" if depth == 0 => {
                        self.at += 1;
                        return;
                    }
                    "}" => depth -= 1,
                    _ => {}
                }
                self.at += 1;
            }
        }
    }

    /// Goes behind the end of a block that has been entered.
    fn skip_block(&mut self) {
        let mut depth = 1;
        while depth > 0 && self.at < self.tokens.len() {
            match self.token(0) {
                "{" => depth += 1,
                "}" => depth -= 1,
                _ => {}
            }
            self.at += 1;
        }
    }

    /// Reads what follows a `use` or stands in its braces.
    fn imports(&mut self, module: &Names, prefix: &mut Names, is_public: bool) {
        let length = prefix.len();
        loop {
            match self.token(0) {
                "{" => {
                    self.at += 1;
                    while !matches!(self.token(0), "}" | "") {
                        self.imports(module, prefix, is_public);
                        self.at += usize::from(self.token(0) == ",");
                    }
                    self.at += 1;
                    break;
                }
                "::" => self.at += 1,
                "" | ";" | "," | "}" => {
                    // What is imported by its own name, `self` or an alias; never an empty path.
                    break;
                }
                _ => {
                    let name = self.token(0).to_owned();
                    self.at += 1;
                    if self.token(0) == "::" {
                        prefix.push(name);
                        continue;
                    }
                    let mut path = prefix.clone();
                    if name != "self" || prefix.is_empty() {
                        path.push(name);
                    }
                    let mut name = path.last().cloned().unwrap_or_default();
                    if self.token(0) == "as" {
                        self.token(1).clone_into(&mut name);
                        self.at += 2;
                    }
                    let module = module.clone();
                    self.source.imports.push(Import { module, path, name, is_public });
                    break;
                }
            }
        }
        prefix.truncate(length);
        if length == 0 && self.token(0) == ";" {
            self.at += 1;
        }
    }

    /// Reads a name, or several with `::` between them.
    fn path(&mut self, module: &Names) {
        let is_member = self.at > 0 && matches!(self.tokens[self.at - 1].as_str(), "." | "::");
        let mut path = vec![self.token(0).to_owned()];
        self.at += 1;
        while self.token(0) == "::" && self.is_name(1) {
            path.push(self.token(1).to_owned());
            self.at += 2;
        }
        if is_member {
            return;
        }
        self.source.words.insert(path[0].clone());
        if path.len() > 1 {
            self.source.paths.push((module.clone(), path));
        }
    }
}

impl Sources {
    /// The sources of this crate.
    pub(crate) fn read() -> Sources {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        let mut files = Vec::new();
        let mut folders = vec![root.clone()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                } else if path.extension().is_some_and(|extension| extension == "rs") {
                    let text = fs::read_to_string(&path).unwrap();
                    files.push(Source::new(path.strip_prefix(&root).unwrap(), &text));
                }
            }
        }
        Sources::new(files)
    }

    pub(crate) fn new(mut files: Vec<Source>) -> Sources {
        files.sort_by(|a, b| a.path.cmp(&b.path));
        let modules =
            files.iter().enumerate().map(|(file, source)| (source.module.clone(), file)).collect();
        Sources { files, modules }
    }

    /// The files whose names a file uses, itself excepted.
    pub(crate) fn imported_by(&self, file: usize) -> BTreeSet<usize> {
        let source = &self.files[file];
        // A re-export alone is not a use.
        let imports = source
            .imports
            .iter()
            .filter(|import| !import.is_public || source.words.contains(&import.name))
            .map(|import| (&import.module, &import.path));
        let paths = source.paths.iter().map(|(module, path)| (module, path));
        imports
            .chain(paths)
            .filter_map(|(module, path)| self.definition(&self.absolute(file, module, path, 0)?))
            .filter(|&imported| imported != file)
            .collect()
    }

    /// The path from the root of a crate; none if it leads out of both.
    fn absolute(&self, file: usize, module: &Names, path: &Names, depth: u32) -> Option<Names> {
        let source = &self.files[file];
        let (base, rest) = match path[0].as_str() {
            "kalah" => (vec!["kalah".to_owned()], &path[1..]),
            "crate" => (source.module[..1].to_vec(), &path[1..]),
            "self" => (module.clone(), &path[1..]),
            "super" => (module[..module.len() - 1].to_vec(), &path[1..]),
            first => {
                let child = [&module[..], &path[..1]].concat();
                if self.modules.contains_key(&child) {
                    (child, &path[1..])
                } else {
                    let mut imports = source.imports.iter();
                    let import = imports.find(|import| import.name == first && depth < 9)?;
                    if import.path == *path {
                        return None;
                    }
                    let base = self.absolute(file, &import.module, &import.path, depth + 1)?;
                    (base, &path[1..])
                }
            }
        };
        let mut absolute = base;
        for name in rest {
            match name.as_str() {
                "super" => drop(absolute.pop()),
                _ => absolute.push(name.clone()),
            }
        }
        Some(absolute)
    }

    /// The file that defines a name; none for a module.
    fn definition(&self, path: &[String]) -> Option<usize> {
        self.definition_within(path, 0)
    }

    fn definition_within(&self, path: &[String], depth: u32) -> Option<usize> {
        let end = (1..=path.len()).rev().find(|&end| self.modules.contains_key(&path[..end]))?;
        let name = path.get(end)?;
        let file = self.modules[&path[..end]];
        let source = &self.files[file];
        let mut imports = source.imports.iter();
        let Some(import) = imports.find(|import| import.name == *name && depth < 9) else {
            return Some(file);
        };
        let mut target = self.absolute(file, &import.module, &import.path, 0)?;
        target.extend_from_slice(&path[end + 1..]);
        self.definition_within(&target, depth + 1)
    }

    /// Files that import each other, directly or around: each circle once, the shortest through
    /// each of its files.
    pub(crate) fn circles(&self) -> BTreeSet<Vec<usize>> {
        let edges: Vec<_> = (0..self.files.len()).map(|file| self.imported_by(file)).collect();
        (0..self.files.len()).filter_map(|file| shortest_circle(&edges, file)).collect()
    }

    pub(crate) fn names(&self, files: &[usize]) -> String {
        let names = files.iter().map(|&file| self.files[file].path.display().to_string());
        names.collect::<Vec<_>>().join(" -> ")
    }
}

/// The shortest way from a file back to it, beginning with its first file.
fn shortest_circle(edges: &[BTreeSet<usize>], start: usize) -> Option<Vec<usize>> {
    let mut previous = BTreeMap::new();
    let mut queue = VecDeque::from([start]);
    while let Some(file) = queue.pop_front() {
        for &next in &edges[file] {
            if next == start {
                let mut circle = vec![file];
                while let Some(&before) = previous.get(&circle[circle.len() - 1]) {
                    circle.push(before);
                }
                circle.reverse();
                let least = (0..circle.len()).min_by_key(|&place| circle[place])?;
                circle.rotate_left(least);
                return Some(circle);
            }
            if next != start && !previous.contains_key(&next) {
                previous.insert(next, file);
                queue.push_back(next);
            }
        }
    }
    None
}
