//! JSON Schemas of what commands print, made from its types, for the tests that compare them with
//! docs/formats/schemas.

use std::path::{Path, PathBuf};
use std::{env, fs};

use anyhow::{Context, ensure};
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::{Value, json};

/// The capture rule.
#[derive(JsonSchema)]
#[schemars(rename_all = "lowercase")]
#[allow(missing_docs, reason = "the names say it")]
pub enum CaptureRule {
    Standard,
    Empty,
}

/// The way of sowing.
#[derive(JsonSchema)]
#[schemars(rename_all = "lowercase")]
#[allow(missing_docs, reason = "the names say it")]
pub enum SowingRule {
    Single,
    Relay,
}

/// Margins in seeds by the letters of moves, from the view of the side to move.
#[derive(JsonSchema)]
#[schemars(transparent, extend("propertyNames" = {"pattern": "^[A-La-l]$"}))]
pub struct MovesByLetter<T>(pub std::collections::BTreeMap<char, T>);

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
        let required = schema["required"].as_array_mut().context("no members")?;
        required.retain(|other| other != member);
        required.push(json!(member));
    }
    check_file(&path(name), &schema)
}

/// As [`check`], for what has no format and no version.
///
/// # Errors
/// As for [`check`].
pub fn check_line<T: JsonSchema>(name: &str, title: &str) -> anyhow::Result<()> {
    check_file(&path(name), &schema::<T>(title)?)
}

/// What docs/formats/schemas says of a type of another crate: the schema `name`, without its format and
/// version, or one of its definitions. It allows everything if there is none.
pub fn written(generator: &mut SchemaGenerator, name: &str, definition: Option<&str>) -> Schema {
    let text = fs::read_to_string(path(name)).unwrap_or_default();
    let mut schema: Schema = serde_json::from_str(&text).unwrap_or_default();
    let definitions = schema.remove("$defs").unwrap_or_default();
    if let Some(definition) = definition {
        add_definition(generator, &definitions, definition);
        return Schema::new_ref(format!("#/$defs/{definition}"));
    }
    if let Value::Object(definitions) = definitions {
        generator.definitions_mut().extend(definitions);
    }
    for key in ["$schema", "title"] {
        schema.remove(key);
    }
    if let Some(Value::Object(members)) = schema.get_mut("properties") {
        members.retain(|member, _| member != "format" && member != "version");
    }
    if let Some(Value::Array(required)) = schema.get_mut("required") {
        required.retain(|member| member != "format" && member != "version");
    }
    schema
}

/// Adds one of these definitions, and those that it refers to.
fn add_definition(generator: &mut SchemaGenerator, definitions: &Value, name: &str) {
    let definition = &definitions[name];
    if generator.definitions_mut().insert(name.to_owned(), definition.clone()).is_none() {
        let text = definition.to_string();
        let names = text.split("\"#/$defs/").skip(1).filter_map(|rest| rest.split_once('"'));
        names.for_each(|(name, _)| add_definition(generator, definitions, name));
    }
}

fn path(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/formats/schemas");
    folder.join(format!("{name}.schema.json"))
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
            let is_variants = |key: &String| ["oneOf", "anyOf"].contains(&key.as_str());
            let has_variants = members.keys().any(is_variants);
            let is_object = members.contains_key("properties");
            if is_object && !members.contains_key("additionalProperties") {
                // The members of variants are members of the object.
                let others =
                    if has_variants { "unevaluatedProperties" } else { "additionalProperties" };
                members.insert(others.to_owned(), json!(false));
            }
            let inner = members.iter_mut().filter(|(key, _)| !(is_object && is_variants(key)));
            inner.for_each(|(_, schema)| close(schema));
        }
        _ => {}
    }
}

/// Requires that a file has what is made of the types. With the environment variable `WRITE_SCHEMAS` it is written.
///
/// # Errors
/// As for [`check`].
pub fn check_file(path: &Path, made: &Value) -> anyhow::Result<()> {
    let text = serde_json::to_string_pretty(made)? + "\n";
    if env::var_os("WRITE_SCHEMAS").is_some() {
        fs::write(path, &text)?;
    }
    let file = path.display();
    let written = fs::read_to_string(path).with_context(|| format!("'{file}'"))?;
    ensure!(text == written, "'{file}': not what the types make: WRITE_SCHEMAS=1 writes it");
    Ok(())
}
