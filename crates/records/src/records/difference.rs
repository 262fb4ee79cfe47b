//! The first difference between two records or settings.

use serde::Serialize;
use serde_json::Value;

/// The first member in which two values differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Difference {
    /// The path of the member, for example `moves[3].score`; empty if the values have no members.
    pub member: String,
    /// The two values of the member, as JSON.
    pub values: [String; 2],
}

impl Difference {
    /// Compares two values in their serialized form.
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
            Value::Null => "none".to_owned(),
            value => value.to_string(),
        });
        Some(Difference { member, values })
    }

    /// Names the member before the rest of the sentence.
    pub(super) fn sentence(&self, predicate: &str) -> String {
        match self.member.as_str() {
            "" => predicate.to_owned(),
            member => format!("'{member}' {predicate}"),
        }
    }
}

/// Takes the first differing member out of two values; `None` if they differ as a whole.
fn differing_member(first: &mut Value, second: &mut Value) -> Option<(String, [Value; 2])> {
    match (first, second) {
        (Value::Object(first), Value::Object(second)) => {
            let mut keys = first.keys().chain(second.keys());
            let key = keys.find(|&key| first.get(key) != second.get(key))?.clone();
            let values = [first, second].map(|object| object.remove(&key).unwrap_or_default());
            Some((key, values))
        }
        (Value::Array(first), Value::Array(second)) => {
            let length = first.len().max(second.len());
            let place = (0..length).find(|&place| first.get(place) != second.get(place))?;
            let values = [first, second]
                .map(|array| array.get_mut(place).map(Value::take).unwrap_or_default());
            Some((format!("[{place}]"), values))
        }
        _ => None,
    }
}

/// Requires that a value is as expected, as it is serialized.
///
/// # Errors
/// Names the first difference.
pub fn require_equal<T: Serialize + PartialEq>(expected: &T, found: &T) -> Result<(), String> {
    match Difference::between(found, expected) {
        None => Ok(()),
        Some(difference) => {
            let [found, expected] = &difference.values;
            Err(difference.sentence(&format!("is {found}, expected {expected}")))
        }
    }
}
