//! The parameters of a tuning run.

use std::str::FromStr;

use kalah_arena::TuningParameter;
use kalah_records::{PartialPlayerSettings, PlayerSettings, SettingsError};

#[test]
fn the_word_of_an_option_is_read_back() -> Result<(), SettingsError> {
    for name in ["Hash", "Skill Level", "a\"b", "a\\b $c `d`", "a'b", "*"] {
        let parameter =
            TuningParameter { name: name.to_owned(), ..TuningParameter::from_str(WORDS)? };
        let words = format!("builtin=pvs depth=1 {}", parameter.option_word(-7));
        let player = PlayerSettings::new(words.parse()?, &PartialPlayerSettings::default())?;
        assert_eq!(
            player.options.into_iter().collect::<Vec<_>>(),
            [(name.to_owned(), "-7".to_owned())]
        );
    }
    Ok(())
}

const WORDS: &str = "name=x start=0 min=-10 max=10";

#[test]
fn the_step_and_the_rate_have_defaults() {
    let read = |words: &str| words.parse().map(|read: TuningParameter| (read.step, read.rate));
    assert_eq!(read(WORDS), Ok((1.0, 0.002)));
    assert_eq!(read("name=x start=1 min=0 max=2"), Ok((0.5, 0.002)));
    assert_eq!(read(&format!("{WORDS} step=10 rate=1")), Ok((10.0, 1.0)));
    assert!(read(&format!("{WORDS} step=10.1")).is_err());
    // The range of all numbers does not overflow.
    let all = format!("name=x start=0 min={} max={}", i32::MIN, i32::MAX);
    assert!(read(&all).is_ok());
}
