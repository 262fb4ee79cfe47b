//! The settings of players, as they are written on the command line and in records.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::key_values::split;
use crate::{KeyValues, SettingsError, TimeControl};
use kalah::search::Variant;

/// The settings of a player; as text, `key=value` words.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct PlayerSettings {
    /// The name, unique in a tournament.
    pub name: String,
    /// The engine that chooses the moves.
    #[serde(flatten)]
    pub engine: EngineSettings,
    /// The limits of each move.
    #[serde(flatten)]
    pub time_control: TimeControl,
    /// Whether the program ponders while the opponent thinks.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub ponder: bool,
    /// Whether the player is started again for each game.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub restart: bool,
    /// Protocol options and their values.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub options: BTreeMap<String, String>,
}

/// The engine of a player.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum EngineSettings {
    /// A search of this program, in its process.
    Builtin {
        /// The name of the search.
        builtin: String,
    },
    /// A program that speaks the protocol.
    Process {
        /// The program.
        cmd: String,
        /// Its arguments.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        args: Vec<String>,
        /// Its working directory; that of this process if `None`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        dir: Option<String>,
    },
}

/// Settings of one player, or of all players, that may be incomplete: as text `cmd=PROGRAM` (with `args=`
/// and `dir=`) or `builtin=SEARCH`, `name=`, limits, and `option.NAME=VALUE`.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(try_from = "KeyValues")]
pub struct PartialPlayerSettings {
    name: Option<String>,
    engine: Option<EngineSettings>,
    time_control: TimeControl,
    ponder: Option<bool>,
    restart: Option<bool>,
    options: BTreeMap<String, String>,
}

impl TryFrom<KeyValues> for PartialPlayerSettings {
    type Error = SettingsError;

    fn try_from(mut words: KeyValues) -> Result<PartialPlayerSettings, SettingsError> {
        let searches = Variant::NAMES.join(", ");
        let builtin = words.value("builtin", &searches)?.map(Variant::name);
        let is_given = |cmd: &String| !cmd.is_empty();
        let cmd = words.value_if("cmd", "the name of a program", is_given)?;
        let (args, dir) = (words.text("args"), words.text("dir"));
        let engine = match (builtin, cmd) {
            (Some(_), Some(_)) => {
                return Err(SettingsError::new("a player has either 'cmd' or 'builtin', not both"));
            }
            (None, Some(cmd)) => {
                let args = split(&args.unwrap_or_default())?;
                Some(EngineSettings::Process { cmd, args, dir })
            }
            (_, None) if args.is_some() || dir.is_some() => {
                return Err(SettingsError::new("'args' and 'dir' go with 'cmd'"));
            }
            (builtin, None) => {
                builtin.map(|name| EngineSettings::Builtin { builtin: name.to_owned() })
            }
        };
        let is_name = |name: &String| !name.trim().is_empty() && !name.contains(char::is_control);
        let name = words.value_if("name", "a name", is_name)?;
        let time_control = TimeControl::take(&mut words)?;
        let [ponder, restart] = ["ponder", "restart"].map(|key| words.switch(key));
        let (ponder, restart) = (ponder?, restart?);
        let mut options: BTreeMap<String, String> = BTreeMap::new();
        for (option, value) in words.with_prefix("option.", "option.NAME") {
            if option.is_empty() || [&option, &value].iter().any(|text| text.contains(['\n', '\r']))
            {
                return Err(SettingsError::value("option.NAME", "a line of text", &value));
            }
            if sets_board(&option) {
                return Err(SettingsError::new(format!(
                    "'option.{option}' is not for a player: the board is that of the match"
                )));
            }
            if options.keys().any(|earlier| earlier.eq_ignore_ascii_case(&option)) {
                return Err(SettingsError::new(format!("'option.{option}' is given twice")));
            }
            options.insert(option, value);
        }
        words.finish()?;
        Ok(PartialPlayerSettings { name, engine, time_control, ponder, restart, options })
    }
}

impl PartialPlayerSettings {
    /// Whether a limit of a move or of the clock is set.
    pub fn is_limited(&self) -> bool {
        self.time_control.is_limited()
    }
}

/// Whether an option of this name sets the board, which an engine is sent with each position.
pub fn sets_board(name: &str) -> bool {
    ["Houses", "Seeds", "Capture", "Sowing"].iter().any(|option| option.eq_ignore_ascii_case(name))
}

impl fmt::Display for PlayerSettings {
    /// Writes what [`PartialPlayerSettings`] reads.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = |key: &str, value: &str| {
            format!("{}={}", shell_words::quote(key), shell_words::quote(value))
        };
        let mut words = vec![word("name", &self.name)];
        match &self.engine {
            EngineSettings::Builtin { builtin } => words.push(word("builtin", builtin)),
            EngineSettings::Process { cmd, args, dir } => {
                words.push(word("cmd", cmd));
                if !args.is_empty() {
                    words.push(word("args", &shell_words::join(args)));
                }
                words.extend(dir.iter().map(|dir| word("dir", dir)));
            }
        }
        words.extend(self.time_control.words());
        let switches = [("ponder", self.ponder), ("restart", self.restart)];
        let switches = switches.into_iter().filter(|&(_, is_on)| is_on);
        words.extend(switches.map(|(key, _)| word(key, "on")));
        let options = self.options.iter();
        words.extend(options.map(|(name, value)| word(&format!("option.{name}"), value)));
        f.write_str(&words.join(" "))
    }
}

impl PlayerSettings {
    /// Whether an option is set; the case of its name does not matter.
    pub fn has_option(&self, name: &str) -> bool {
        self.options.keys().any(|option| option.eq_ignore_ascii_case(name))
    }

    /// Completes the settings of a player by those for `each` player. The player's own settings
    /// take precedence.
    ///
    /// # Errors
    /// When the engine or a limit is missing, or when `each` sets a name.
    pub fn new(
        own: PartialPlayerSettings,
        each: &PartialPlayerSettings,
    ) -> Result<PlayerSettings, SettingsError> {
        if each.name.is_some() {
            return Err(SettingsError::new("players cannot all have the same 'name'"));
        }
        let engine = own.engine.or_else(|| each.engine.clone());
        let engine =
            engine.ok_or_else(|| SettingsError::new("a player needs 'cmd' or 'builtin'"))?;
        let name = own.name.unwrap_or_else(|| match &engine {
            EngineSettings::Builtin { builtin } => builtin.clone(),
            EngineSettings::Process { cmd, .. } => {
                let file = Path::new(cmd).file_stem();
                file.map_or_else(|| cmd.clone(), |file| file.to_string_lossy().into_owned())
            }
        });
        let time_control = own.time_control.or(&each.time_control);
        if !time_control.is_limited() {
            return Err(SettingsError::new(format!(
                "'{name}' has no limit: set 'tc', 'st', 'nodes', 'depth' or 'iterations'"
            )));
        }
        let is_program = matches!(engine, EngineSettings::Process { .. });
        if own.ponder == Some(true) && !is_program {
            return Err(SettingsError::new(format!(
                "'{name}' is built in and cannot ponder: 'ponder' goes with 'cmd'"
            )));
        }
        let ponder = is_program && own.ponder.or(each.ponder).unwrap_or_default();
        let restart = own.restart.or(each.restart).unwrap_or_default();
        let options = own.options;
        let mut player = PlayerSettings { name, engine, time_control, ponder, restart, options };
        for (option, value) in &each.options {
            if !player.has_option(option) {
                player.options.insert(option.clone(), value.clone());
            }
        }
        Ok(player)
    }
}
