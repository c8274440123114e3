//! JSON-RPC 2.0 as MCP uses it: messages and answers.

use serde_json::{json, Value};

/// The text is no JSON.
pub const PARSE_ERROR: i32 = -32700;
/// The value is no message, or one that is not allowed now.
pub const INVALID_REQUEST: i32 = -32600;
/// There is no such method.
pub const METHOD_NOT_FOUND: i32 = -32601;
/// The method takes other parameters.
pub const INVALID_PARAMS: i32 = -32602;
/// A defect of the server.
pub const INTERNAL_ERROR: i32 = -32603;
/// There is no such resource.
pub const RESOURCE_NOT_FOUND: i32 = -32002;

/// A message of a client.
#[derive(Clone, Debug, PartialEq)]
pub enum Message {
    /// A request, which is answered.
    Request {
        /// A text or a number.
        id: Value,
        method: String,
        /// Its parameters; an empty object by default.
        params: Value,
    },
    /// A notification, which is never answered.
    Notification { method: String, params: Value },
    /// An answer, which is ignored, because this side sends no requests.
    Response,
    /// An invalid message, with the answer to it.
    Invalid(Value),
}

/// Makes an answer with an error.
pub fn error(id: &Value, code: i32, message: impl Into<String>) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": message.into()}})
}

/// Makes an answer with a result.
pub fn result(id: &Value, result: Value) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "result": result})
}

/// Classifies a value as a message.
pub fn message(value: Value) -> Message {
    let is_id = |id: &Value| id.is_string() || id.is_i64() || id.is_u64();
    let id = value.get("id").cloned();
    // The id of an unreadable message is null.
    let known = id.clone().filter(is_id).unwrap_or(Value::Null);
    let invalid = |why: &str| Message::Invalid(error(&known, INVALID_REQUEST, why));
    if value.get("jsonrpc").and_then(Value::as_str) != Some("2.0") {
        return invalid("a message is an object with `jsonrpc` \"2.0\"");
    }
    let is_answer = value.get("result").is_some() || value.get("error").is_some();
    let method = match value.get("method") {
        Some(Value::String(method)) => method.clone(),
        Some(_) => return invalid("`method` is a text"),
        None if is_answer => return Message::Response,
        None => return invalid("a request has a `method`"),
    };
    let params = value.get("params").cloned().unwrap_or_else(|| json!({}));
    match id {
        None => Message::Notification { method, params },
        Some(id) if !is_id(&id) => invalid("`id` is a text or an integer"),
        Some(id) if !params.is_object() => {
            Message::Invalid(error(&id, INVALID_PARAMS, "`params` is an object"))
        }
        Some(id) => Message::Request { id, method, params },
    }
}
