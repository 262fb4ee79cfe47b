//! The program in the surroundings of other people: folders with spaces and letters that are not ASCII, no home or
//! one that cannot be written to, other languages.

use std::process::Command;

use tempfile::TempDir;

use crate::resource_limits::WORKS;
use crate::runs::runs;

/// The language and the home. In Turkish a small I has its dot when it becomes a capital.
const SURROUNDINGS: [(&str, Option<&str>); 3] =
    [("tr_TR.UTF-8", None), ("C", Some("/proc")), ("xx_YY.ISO-8859-1", Some("/no/such/home"))];

#[test]
fn homes_languages_and_names_of_folders_do_not_matter() {
    for (index, work) in WORKS.iter().enumerate() {
        let all = SURROUNDINGS.len();
        for (language, home) in SURROUNDINGS.iter().cycle().skip(index).take(runs(1, all)) {
            let folder = TempDir::with_prefix("Spiele für İğne, 50 % ").unwrap();
            let is_result = work.run(folder.path(), |words| {
                let mut command = Command::new(env!("CARGO_BIN_EXE_kalah"));
                command.args(words).env_clear().envs([("LANG", language), ("LC_ALL", language)]);
                command.envs(home.map(|home| ("HOME", home))).current_dir(folder.path());
                command
            });
            assert!(is_result, "{}", work.arguments);
        }
    }
}
