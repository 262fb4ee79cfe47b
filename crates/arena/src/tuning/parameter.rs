//! A parameter to tune, as it is written on the command line and in records.

use serde::{Deserialize, Serialize};

use kalah_records::{KeyValues, SettingsError};

/// The final learning rate unless another is set: that of fishtest.
const DEFAULT_RATE: f64 = 0.002;

/// The final step unless another is set, as a part of the range.
const DEFAULT_STEP: f64 = 0.05;

/// A smaller step would mostly be rounded away.
const MIN_STEP: f64 = 0.5;

/// An option of an engine with whole numbers as its values, and how it is tuned. As text, words of
/// `key=value`: `name`, `start`, `min`, `max`, and optionally `step` and `rate`.
///
/// ```
/// use kalah_arena::TuningParameter;
///
/// let parameter: TuningParameter = "name='Skill Level' start=5 min=0 max=20 step=2".parse()?;
/// assert_eq!((parameter.max, parameter.step, parameter.rate), (20, 2.0, 0.002));
/// # Ok::<(), kalah_records::SettingsError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "KeyValues")]
pub struct TuningParameter {
    /// The name of the option.
    pub name: String,
    /// The value to begin with.
    pub start: i32,
    /// The smallest value to try.
    pub min: i32,
    /// The largest value to try.
    pub max: i32,
    /// The distance of the values that play from the tuned one in the last iteration; earlier it is larger.
    pub step: f64,
    /// In the last iteration, each game won moves the value by `rate · step`.
    pub rate: f64,
}

kalah_records::from_words!(TuningParameter);

impl TryFrom<KeyValues> for TuningParameter {
    type Error = SettingsError;

    fn try_from(mut words: KeyValues) -> Result<TuningParameter, SettingsError> {
        let name = words.value_if("name", "the name of an option", |name: &String| {
            !name.trim().is_empty() && !name.contains(char::is_control)
        })?;
        let mut number = |key| words.value(key, "a whole number");
        let (start, min, max) = (number("start")?, number("min")?, number("max")?);
        let step = words.value_if("step", "a number of at least 0.5", |&step: &f64| {
            step.is_finite() && step >= MIN_STEP
        })?;
        let rate = words.value_if("rate", "a number above 0, at most 1", |&rate: &f64| {
            rate > 0.0 && rate <= 1.0
        })?;
        words.finish()?;
        let name = required(name, "name")?;
        let (start, min, max) =
            (required(start, "start")?, required(min, "min")?, required(max, "max")?);
        let wrong = |why: &str| Err(SettingsError::new(format!("'{name}': {why}")));
        if min >= max {
            return wrong("'min' has to be below 'max'");
        }
        if !(min..=max).contains(&start) {
            return wrong("'start' has to lie between 'min' and 'max'");
        }
        let range = f64::from(max) - f64::from(min);
        let step = step.unwrap_or((DEFAULT_STEP * range).max(MIN_STEP));
        if 2.0 * step > range {
            return wrong("'step' is more than half of the range");
        }
        Ok(TuningParameter { name, start, min, max, step, rate: rate.unwrap_or(DEFAULT_RATE) })
    }
}

fn required<T>(value: Option<T>, key: &str) -> Result<T, SettingsError> {
    value.ok_or_else(|| SettingsError::new(format!("a parameter needs '{key}'")))
}

impl TuningParameter {
    /// The distance from the smallest to the largest value.
    pub fn range(&self) -> f64 {
        f64::from(self.max) - f64::from(self.min)
    }

    /// The option with a value, as a word of [`PartialPlayerSettings`](kalah_records::PartialPlayerSettings)
    /// that may stand between single quotes.
    pub fn option_word(&self, value: i32) -> String {
        let name = &self.name;
        if shell_words::quote(name) == name.as_str() {
            return format!("option.{name}={value}");
        }
        let escaped: String = name.chars().fold(String::new(), |mut text, c| {
            text.extend(matches!(c, '"' | '\\' | '$' | '`').then_some('\\'));
            text.push(c);
            text
        });
        format!("option.\"{escaped}\"={value}")
    }
}
