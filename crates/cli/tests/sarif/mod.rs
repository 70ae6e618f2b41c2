//! Whether a document is what a JSON schema (draft 7) asks for, as far as the schema of SARIF needs it.
//!
//! `sarif-schema-2.1.0.json` is the schema of the standard, by OASIS Open (Static Analysis Results Interchange Format Version 2.1.0), which may
//! be copied and distributed without restriction as long as it is not changed; the copy is that of the crate `serde-sarif`
//! (MIT licence).

use serde_json::Value;

/// Keywords that say nothing about documents, or nothing that is not seen otherwise.
const SILENT: [&str; 8] = [
    "$schema",
    "title",
    "$id",
    "description",
    "default",
    "definitions",
    "format",
    "pattern",
];

/// What is wrong with a document; nothing if it is valid.
pub fn wrong(document: &Value) -> Vec<String> {
    let text = include_str!("sarif-schema-2.1.0.json");
    let schema: Value = serde_json::from_str(text).expect("a schema");
    let mut wrong = Vec::new();
    check(&schema, &schema, document, "", &mut wrong);
    wrong
}

fn check(root: &Value, schema: &Value, value: &Value, path: &str, wrong: &mut Vec<String>) {
    if let Some(reference) = schema["$ref"].as_str() {
        let pointer = reference
            .strip_prefix('#')
            .expect("a reference into the schema");
        let schema = root.pointer(pointer).expect("a definition");
        return check(root, schema, value, path, wrong);
    }
    for (keyword, asked) in schema.as_object().expect("a schema") {
        let fits = match keyword.as_str() {
            silent if SILENT.contains(&silent) => true,
            "type" => has_type(asked, value),
            "enum" => asked.as_array().is_some_and(|all| all.contains(value)),
            "minimum" => value
                .as_f64()
                .is_none_or(|n| n >= asked.as_f64().unwrap_or(n)),
            "maximum" => value
                .as_f64()
                .is_none_or(|n| n <= asked.as_f64().unwrap_or(n)),
            "minItems" => value
                .as_array()
                .is_none_or(|all| all.len() as u64 >= asked.as_u64().unwrap_or(0)),
            "uniqueItems" => value.as_array().is_none_or(|all| {
                asked == &Value::Bool(false)
                    || all
                        .iter()
                        .enumerate()
                        .all(|(i, one)| !all[..i].contains(one))
            }),
            "required" => value.as_object().is_none_or(|object| {
                let mut names = asked
                    .as_array()
                    .into_iter()
                    .flatten()
                    .filter_map(Value::as_str);
                names.all(|name| object.contains_key(name))
            }),
            "items" => {
                for (index, item) in value.as_array().into_iter().flatten().enumerate() {
                    check(root, asked, item, &format!("{path}/{index}"), wrong);
                }
                true
            }
            "properties" | "additionalProperties" => true,
            "anyOf" => asked
                .as_array()
                .into_iter()
                .flatten()
                .any(|one| fits(root, one, value)),
            "oneOf" => {
                let all = asked.as_array().into_iter().flatten();
                all.filter(|one| fits(root, one, value)).count() == 1
            }
            "not" => !fits(root, asked, value),
            other => panic!("the schema has the keyword {other}"),
        };
        if !fits {
            wrong.push(format!("{path}: {keyword} {asked}: {value}"));
        }
    }
    for (name, inner) in value.as_object().into_iter().flatten() {
        let path = format!("{path}/{name}");
        match (&schema["properties"][name], &schema["additionalProperties"]) {
            (Value::Null, Value::Bool(false)) => {
                wrong.push(format!("{path}: there is no such property"))
            }
            (Value::Null, Value::Null | Value::Bool(true)) => {}
            (Value::Null, other) => check(root, other, inner, &path, wrong),
            (known, _) => check(root, known, inner, &path, wrong),
        }
    }
}

fn fits(root: &Value, schema: &Value, value: &Value) -> bool {
    let mut wrong = Vec::new();
    check(root, schema, value, "", &mut wrong);
    wrong.is_empty()
}

fn has_type(asked: &Value, value: &Value) -> bool {
    let is = |name: &Value| match name.as_str() {
        Some("object") => value.is_object(),
        Some("array") => value.is_array(),
        Some("string") => value.is_string(),
        Some("boolean") => value.is_boolean(),
        Some("number") => value.is_number(),
        Some("integer") => value.is_i64() || value.is_u64(),
        Some("null") => value.is_null(),
        other => panic!("the schema has the type {other:?}"),
    };
    match asked {
        Value::Array(names) => names.iter().any(is),
        name => is(name),
    }
}

#[test]
fn documents_that_are_wrong_are_refused() {
    let document = |text: &str| wrong(&serde_json::from_str(text).expect("JSON"));
    assert_eq!(document(r#"{"version":"2.1.0","runs":[]}"#), [""; 0]);
    for text in [
        r#"{"runs":[]}"#,
        r#"{"version":"2.0.0","runs":[]}"#,
        r#"{"version":"2.1.0","runs":[],"more":1}"#,
        r#"{"version":"2.1.0","runs":[{}]}"#,
        r#"{"version":"2.1.0","runs":[{"tool":{"driver":{"name":3}}}]}"#,
        r#"{"version":"2.1.0","runs":[{"tool":{"driver":{"name":"a"}},"results":[{}]}]}"#,
    ] {
        assert!(!document(text).is_empty(), "{text}");
    }
}
