//! What readers of JSON and TOML say, in words for people.

/// The message of an error of JSON, without the line and column at its end, and without names of types.
pub fn message_without_place(error: &serde_json::Error) -> String {
    let mut message = error.to_string();
    message.truncate(message.rfind(" at line ").unwrap_or(message.len()));
    if error.is_eof() {
        return "it ends too early".to_owned();
    }
    if ["expected ident", "expected value"].contains(&&*message) {
        return "no JSON begins here".to_owned();
    }
    without_names_of_types(&message)
}

/// A message of a reader of JSON or TOML, in which types have their common names.
pub fn without_names_of_types(message: &str) -> String {
    let Some((found, expected)) = message.rsplit_once(", expected ") else {
        return message.to_owned();
    };
    let is_type = |letter: char| {
        let bits = expected.strip_prefix(letter).unwrap_or_default();
        bits == "size" || bits.parse::<u8>().is_ok()
    };
    let expected = match expected {
        _ if is_type('u') => "a whole number of at least 0",
        _ if is_type('i') => "a whole number",
        _ if is_type('f') => "a number",
        _ if expected.starts_with("a nonzero u") => "a whole number of at least 1",
        "a sequence" => "an array",
        "a map" => "an object",
        "variant identifier" | "string or map" | "path string" => "a string",
        _ if expected.starts_with("struct ") || expected.contains(" tagged enum ") => "an object",
        _ => return message.to_owned(),
    };
    // Such as: invalid type: floating point `6.5`
    let found = found.rsplit_once(": ").map_or(found, |(_, found)| found);
    let found = found.trim_end_matches('`').rsplit_once('`').map_or(found, |(_, found)| found);
    let found = match found {
        "map" => "an object",
        found if found == "sequence" || found.starts_with("invalid length") => "an array",
        found => found,
    };
    format!("expected {expected}, not {found}")
}
