//! The document of the interface and the schemas are made of the types.

use std::path::Path;

use anyhow::Context;
use kalah_command::schemas::{check, check_file};
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

use crate::add::AddedJson;
use crate::answer::{FailureJson, PositionQuery, PositionValue, PositionValues, PositionsRequest};

/// The document: `OpenAPI` 3.1, whose schemas are JSON Schemas of draft 2020-12.
fn document() -> anyhow::Result<Value> {
    let settings = |settings: SchemaSettings| {
        settings.with(|it| it.definitions_path = "/components/schemas".into())
    };
    let mut asked = settings(SchemaSettings::draft2020_12()).into_generator();
    let mut told = settings(SchemaSettings::draft2020_12().for_serialize()).into_generator();
    let query = asked.root_schema_for::<PositionQuery>().to_value();
    let body = asked.subschema_for::<PositionsRequest>();
    let [value, values] =
        [told.subschema_for::<PositionValue>(), told.subschema_for::<PositionValues>()];
    let failure = told.subschema_for::<FailureJson>();
    let content = |schema: &dyn Fn() -> Value| json!({"application/json": {"schema": schema()}});
    let refused = |status: &str, description: &str| {
        let headers = if status == "429" {
            let seconds = json!({"type": "integer", "minimum": 1});
            json!({"Retry-After": {"description": "Seconds to wait.", "schema": seconds}})
        } else {
            json!({})
        };
        let content = content(&|| json!(failure));
        let response = json!({"description": description, "headers": headers, "content": content});
        (status.to_owned(), response)
    };
    let responses = |ok: Value, others: &[&str]| {
        let all = [
            ("304", "The client has this answer already."),
            ("400", "The request is wrong; nothing was searched."),
            ("408", "The body of the request was slow."),
            ("413", "The body of the request is too long."),
            ("429", "Too much is asked for: by this client, or by all of them."),
            ("500", "The server has failed."),
            ("503", "The server is about to end."),
        ];
        let others = all.iter().filter(|(status, _)| others.contains(status));
        let mut responses: Map<String, Value> =
            others.map(|(status, text)| refused(status, text)).collect();
        if let Some(Value::Object(response)) = responses.get_mut("304") {
            response.remove("content");
        }
        responses.insert("200".to_owned(), ok);
        Value::Object(responses)
    };
    let tag = json!({"schema": {"type": "string"}, "description": "Of answers that are proven."});
    let paths = json!({
        "/v1/position": {"get": {
            "operationId": "position",
            "summary": "The value of a position and of all its moves.",
            "parameters": parameters(&query)?,
            "responses": responses(
                json!({
                    "description": "The value.",
                    "headers": {"ETag": tag},
                    "content": content(&|| json!(value)),
                }),
                &["304", "400", "429", "500", "503"],
            ),
        }},
        "/v1/positions": {"post": {
            "operationId": "positions",
            "summary": "The values of several positions, in their order.",
            "requestBody": {"required": true, "content": content(&|| json!(body))},
            "responses": responses(
                json!({"description": "The values.", "content": content(&|| json!(values))}),
                &["400", "408", "413", "429", "500", "503"],
            ),
        }},
        "/health": {"get": {
            "operationId": "health",
            "summary": "Whether the service answers.",
            "responses": {"200": {
                "description": "It does.",
                "content": {"application/json": {"schema": {
                    "type": "object",
                    "properties": {"status": {"const": "ok"}},
                    "required": ["status"],
                }}},
            }},
        }},
        "/metrics": {"get": {
            "operationId": "metrics",
            "summary": "What the service has done, for Prometheus.",
            "responses": {"200": {
                "description": "The text format of Prometheus.",
                "content": {"text/plain": {"schema": {"type": "string"}}},
            }},
        }},
    });
    let mut schemas = told.take_definitions(true);
    schemas.extend(asked.take_definitions(true));
    Ok(json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Kalah positions",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "Values of Kalah positions: the margin, in seeds, from the view of the side to move.",
            "license": {"name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0"},
        },
        "paths": paths,
        "components": {"schemas": schemas},
    }))
}

/// The members of a query as parameters.
fn parameters(query: &Value) -> anyhow::Result<Value> {
    let required = query["required"].as_array().context("no required members")?;
    let members = query["properties"].as_object().context("no members")?;
    let parameter = |(name, schema): (&String, &Value)| {
        let mut schema = schema.clone();
        let members = schema.as_object_mut()?;
        let description = members.remove("description")?;
        // A parameter is there or not; it is never null.
        if let Some(Value::Array(types)) = members.get_mut("type") {
            types.retain(|name| name != "null");
        }
        if let Some(Value::Array(any)) = members.remove("anyOf") {
            members.extend(any.first()?.as_object()?.clone());
        }
        let is_required = required.contains(&json!(name));
        Some(json!({
            "name": name, "in": "query", "required": is_required, "description": description,
            "schema": schema,
        }))
    };
    let parameters: Option<Vec<Value>> = members.iter().map(parameter).collect();
    Ok(json!(parameters.context("a member without a description")?))
}

#[test]
fn the_document_is_that_of_the_types() -> anyhow::Result<()> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/openapi.json");
    check_file(&path, &document()?)
}

#[test]
fn the_schemas_are_those_of_the_types() -> anyhow::Result<()> {
    check::<AddedJson>("store-add", "kalah store add --json")
}
