//! The first difference between two records or settings.

use serde::Serialize;
use serde_json::Value;

/// Says in which member two values differ first, in their serialized form, such as `'moves[3].score' is 1,
/// expected 2`: `predicate` makes the end of the sentence of its values as JSON.
pub(crate) fn difference<T: Serialize + PartialEq>(
    first: &T,
    second: &T,
    predicate: impl FnOnce([String; 2]) -> String,
) -> Option<String> {
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
    let predicate = predicate([first, second].map(|value| match value {
        Value::Null => "none".to_owned(),
        value => value.to_string(),
    }));
    Some(if member.is_empty() { predicate } else { format!("'{member}' {predicate}") })
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
    let predicate = |[found, expected]: [String; 2]| format!("is {found}, expected {expected}");
    difference(found, expected, predicate).map_or(Ok(()), Err)
}
