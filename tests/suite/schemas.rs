//! Results for machines: what commands print as JSON is valid by the schemas in `docs/schemas`.

use std::path::Path;

use serde_json::Value;

/// The schema of this name.
fn schema(name: &str) -> Value {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/schemas");
    let path = folder.join(format!("{name}.schema.json"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path:?}: {error}"));
    serde_json::from_str(&text).unwrap()
}

/// The only line of an output, valid by the schema of this name, as JSON.
#[track_caller]
pub(crate) fn checked(name: &str, output: &[String]) -> Value {
    let [line] = output else { panic!("not one line: {output:#?}") };
    let value: Value = serde_json::from_str(line).unwrap();
    let validator = jsonschema::validator_for(&schema(name)).unwrap();
    let errors: Vec<String> = validator
        .iter_errors(&value)
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect();
    assert_eq!(errors, [""; 0], "{line}");
    assert_eq!(value["format"], format!("kalah-{name}"));
    value
}
