//! JSON Schemas of what commands print, made from its types, for the tests that compare them with
//! docs/formats/schemas.

use std::path::Path;
use std::{env, fs};

use anyhow::{Context, ensure};
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

/// The capture rule.
#[derive(JsonSchema)]
#[schemars(rename_all = "lowercase")]
#[allow(missing_docs, reason = "the names say it")]
pub enum CaptureRule {
    Standard,
    Empty,
}

/// Margins in seeds by the letters of moves, from the view of the side to move.
#[derive(JsonSchema)]
#[schemars(transparent, extend("propertyNames" = {"pattern": "^[A-La-l]$"}))]
pub struct MovesByLetter<T>(std::collections::BTreeMap<char, T>);

/// Requires that docs/formats/schemas has the schema of this type, which `commands` print as the format
/// `kalah-` and `name`. With the environment variable `WRITE_SCHEMAS` the file is written.
///
/// # Errors
/// When the file has another schema, or cannot be read or written.
pub fn check<T: JsonSchema>(name: &str, commands: &str) -> anyhow::Result<()> {
    let mut schema = schema::<T>(commands)?;
    let members = [("format", json!(format!("kalah-{name}"))), ("version", json!(1))];
    for (member, value) in members {
        schema["properties"][member] = json!({ "const": value });
        schema["required"].as_array_mut().context("no members")?.push(json!(member));
    }
    check_file(name, &schema)
}

/// As [`check`], for what has no format and no version.
///
/// # Errors
/// As for [`check`].
pub fn check_line<T: JsonSchema>(name: &str, title: &str) -> anyhow::Result<()> {
    check_file(name, &schema::<T>(title)?)
}

fn schema<T: JsonSchema>(title: &str) -> anyhow::Result<Value> {
    let generator = SchemaSettings::draft2020_12().for_serialize().into_generator();
    let mut schema = generator.into_root_schema_for::<T>().to_value();
    close(&mut schema);
    let members = schema.as_object_mut().context("no object")?;
    members.insert("title".to_owned(), title.into());
    Ok(schema)
}

/// Lets all objects refuse unknown members: a schema describes one release exactly.
fn close(schema: &mut Value) {
    match schema {
        Value::Array(schemas) => schemas.iter_mut().for_each(close),
        Value::Object(members) => {
            let has = |members: &Map<String, Value>, key| members.contains_key(key);
            let has_variants = ["oneOf", "anyOf"].iter().any(|key| has(members, key));
            if has(members, "properties") && !has(members, "additionalProperties") {
                let key = if has_variants { "unevaluatedProperties" } else { "additionalProperties" };
                members.insert(key.to_owned(), json!(false));
            }
            // The members of variants are members of the object.
            let is_variants = |key: &str| has_variants && ["oneOf", "anyOf"].contains(&key);
            members.iter_mut().filter(|(key, _)| !is_variants(key)).for_each(|(_, schema)| close(schema));
        }
        _ => {}
    }
}

fn check_file(name: &str, schema: &Value) -> anyhow::Result<()> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/formats/schemas");
    let path = folder.join(format!("{name}.schema.json"));
    let text = serde_json::to_string_pretty(schema)? + "\n";
    if env::var_os("WRITE_SCHEMAS").is_some() {
        fs::write(&path, &text)?;
    }
    let path = path.display();
    let written = fs::read_to_string(format!("{path}")).with_context(|| format!("'{path}'"))?;
    ensure!(text == written, "'{path}' is not the schema of the type: WRITE_SCHEMAS=1 writes it");
    Ok(())
}
