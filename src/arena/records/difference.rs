//! In what two values of one kind differ.

use serde::Serialize;
use serde_json::Value;

/// The first member in which two values differ, and what each has there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The member, as in `moves[3].score`; empty when the values have no members.
    pub member: String,
    /// What the values have there, as JSON.
    pub values: [String; 2],
}

impl Difference {
    /// Compares two values as they are written.
    pub(crate) fn between<T: Serialize + PartialEq>(first: &T, second: &T) -> Option<Difference> {
        if first == second {
            return None;
        }
        let [mut first, mut second] =
            [first, second].map(|value| serde_json::to_value(value).unwrap_or_default());
        let mut member = String::new();
        while let Some((name, values)) = differing_member(&mut first, &mut second) {
            [first, second] = values;
            if !member.is_empty() && !name.starts_with('[') {
                member.push('.');
            }
            member.push_str(&name);
        }
        let values = [first, second].map(|value| match value {
            Value::Null => "nothing".to_owned(),
            value => value.to_string(),
        });
        Some(Difference { member, values })
    }

    /// The difference, with these words for the one value and the other.
    pub(crate) fn text(&self, first: &str, second: &str) -> String {
        let Difference { member, values } = self;
        let subject = if member.is_empty() { String::new() } else { format!("'{member}' ") };
        format!("{subject}is {} {first} and {} {second}", values[0], values[1])
    }
}

/// Takes out what two values differ in; `None` when they differ as a whole.
fn differing_member(first: &mut Value, second: &mut Value) -> Option<(String, [Value; 2])> {
    match (first, second) {
        (Value::Object(first), Value::Object(second)) => {
            let mut keys = first.keys().chain(second.keys());
            let key = keys.find(|&key| first.get(key) != second.get(key))?.clone();
            let values = [first, second].map(|object| object.remove(&key).unwrap_or_default());
            Some((key, values))
        }
        (Value::Array(first), Value::Array(second)) => {
            let most = first.len().max(second.len());
            let place = (0..most).find(|&place| first.get(place) != second.get(place))?;
            let values = [first, second]
                .map(|array| array.get_mut(place).map(Value::take).unwrap_or_default());
            Some((format!("[{place}]"), values))
        }
        _ => None,
    }
}

/// Says in what a record differs from what is expected.
pub(crate) fn differ<T: Serialize + PartialEq>(here: &T, there: &T) -> Result<(), String> {
    match Difference::between(there, here) {
        None => Ok(()),
        Some(difference) => Err(difference.text("there", "here")),
    }
}
