//! Schemas whose violations are reported once, at the key or the value that is wrong.
//!
//! Purpose: an editor shows one message for one mistake.
//! Invariant: the same files are valid.
//! Reason: of `anyOf` and `oneOf` a validator can only report that no branch fits, and it reports a required key as missing
//! where the key is there and misspelt.

use schemars::{Schema, transform::transform_subschemas};
use serde_json::{Map, Value, json};

/// Rewrites a schema and all within it.
pub(super) fn clarify(schema: &mut Schema) {
    transform_subschemas(&mut clarify, schema);
    list_words(schema);
    drop_null(schema);
    distinguish_by_type(schema);
    explain_unknown_keys(schema);
}

/// Replaces `oneOf` by `enum` if each branch is one word, so that the message lists them. taplo shows the descriptions.
fn list_words(schema: &mut Schema) {
    let Some(Value::Array(branches)) = schema.get("oneOf") else { return };
    let part = |name: &str| branches.iter().map(|one| one.get(name).cloned()).collect();
    let Some(words) = part("const") else { return };
    let words: Vec<Value> = words;
    let descriptions: Vec<Value> = part("description").unwrap_or_default();
    schema.remove("oneOf");
    schema.insert("type".to_owned(), json!("string"));
    schema.insert("enum".to_owned(), words.into());
    schema.insert("x-taplo".to_owned(), json!({"docs": {"enumValues": descriptions}}));
}

/// Removes `null`, which TOML does not have; if one branch remains, it is the whole schema.
fn drop_null(schema: &mut Schema) {
    if let Some(Value::Array(types)) = schema.get_mut("type") {
        types.retain(|one| one != "null");
        if let [only] = types.as_slice() {
            let only = only.clone();
            schema.insert("type".to_owned(), only);
        }
    }
    let Some(Value::Array(branches)) = schema.get_mut("anyOf") else { return };
    branches.retain(|one| one.get("type").is_none_or(|kind| kind != "null"));
    if let [only] = branches.as_slice() {
        let only = only.clone();
        schema.remove("anyOf");
        insert_missing(schema, only);
    }
}

fn insert_missing(schema: &mut Schema, from: Value) {
    let Value::Object(from) = from else { return };
    for (key, value) in from {
        if schema.get(&key).is_none() {
            schema.insert(key, value);
        }
    }
}

/// Replaces `anyOf` by conditions on the type. Branches of one type are lists of words, and become one list.
fn distinguish_by_type(schema: &mut Schema) {
    let Some(Value::Array(branches)) = schema.get("anyOf") else { return };
    let mut cases: Vec<Value> = Vec::new();
    for branch in branches {
        if branch.as_object().is_none_or(Map::is_empty) {
            return; // Every value is valid.
        }
        match cases.iter_mut().find(|case| type_of(case) == type_of(branch)) {
            Some(case) => append_words(case, branch),
            None => cases.push(branch.clone()),
        }
    }
    schema.remove("anyOf");
    schema.insert("type".to_owned(), cases.iter().map(type_of).collect());
    let conditions = cases.iter().map(|case| json!({"if": {"type": type_of(case)}, "then": case}));
    let conditions: Value = conditions.collect();
    // Editors complete keys and words of all branches, and do not evaluate conditions.
    let is_completed =
        |case: &&Value| ["$ref", "properties", "enum"].iter().any(|key| case.get(key).is_some());
    let mut completed: Vec<Value> = cases.iter().filter(is_completed).cloned().collect();
    if !completed.is_empty() {
        completed.push(json!({}));
        schema.insert("anyOf".to_owned(), completed.into());
    }
    schema.insert("allOf".to_owned(), conditions);
}

/// Tables have definitions of their own, and their references no type.
fn type_of(schema: &Value) -> Value {
    schema.get("type").cloned().unwrap_or(json!("object"))
}

fn append_words(to: &mut Value, from: &Value) {
    if let Value::Object(to) = to {
        to.remove("description");
    }
    for place in ["/enum", "/x-taplo/docs/enumValues"] {
        if let (Some(Value::Array(to)), Some(Value::Array(from))) =
            (to.pointer_mut(place), from.pointer(place))
        {
            to.extend(from.iter().cloned());
        }
    }
}

/// Reports an unknown key alone, at the key, with the keys that the table has. It may be a required one, misspelt.
///
/// taplo shows an error about a table at each of its lines, so the error is one about the key's value: an impossible
/// constant, which validators say that they expected.
fn explain_unknown_keys(schema: &mut Schema) {
    if schema.get("additionalProperties") != Some(&json!(false)) {
        return;
    }
    let Some(Value::Object(properties)) = schema.get("properties") else { return };
    let known: Vec<String> = properties.keys().cloned().collect();
    let expected = format!("one of the keys {}", known.join(", "));
    schema.insert("additionalProperties".to_owned(), json!({"const": expected}));
    if let Some(required) = schema.remove("required") {
        schema.insert("if".to_owned(), json!({"propertyNames": {"enum": known}}));
        schema.insert("then".to_owned(), json!({"required": required}));
    }
}
