//! The session of one client: it answers requests, and passes on calls of tools.

use super::rpc::{self, error, result, Message};
use super::worker::Call;
use super::{resources, tools};
use serde_json::{json, Value};

/// Supported versions of the protocol, the oldest first.
pub const VERSIONS: [&str; 4] = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];

/// The only version with batches.
const WITH_BATCHES: &str = "2025-03-26";

const INSTRUCTIONS: &str = "jumar is a language inside Rust for Ascend NPU kernels. Read `card` first; write a kernel; `check` it and `fix` what can be fixed; `run` it on small inputs; `emit` the AscendC. Nothing is measured on an NPU: `cost` predicts.";

/// The handling of a message.
#[derive(Debug)]
pub enum Part {
    /// It is answered at once.
    Now(Value),
    /// A tool is called, and the answer has this id.
    Later(Value, Call),
}

/// The content of a line.
#[derive(Debug)]
pub enum Asked {
    /// The parts to answer; the flag says if the answer is an array.
    Parts(Vec<Part>, bool),
    /// A call is cancelled.
    Cancelled(Value),
}

/// The state of a client.
#[derive(Debug, Default)]
pub struct Session {
    version: Option<&'static str>,
}

impl Session {
    /// Handles a line of JSON.
    pub fn line(&mut self, bytes: &[u8]) -> Asked {
        let one = |part: Option<Part>| Asked::Parts(part.into_iter().collect(), false);
        match serde_json::from_slice::<Value>(bytes) {
            Err(e) => one(Some(Part::Now(error(
                &Value::Null,
                rpc::PARSE_ERROR,
                format!("no JSON: {e}"),
            )))),
            Ok(Value::Array(all)) => self.batch(all),
            Ok(value) => match rpc::message(value) {
                Message::Notification { method, params } if method == "notifications/cancelled" => {
                    Asked::Cancelled(params["requestId"].clone())
                }
                message => one(self.answer(message)),
            },
        }
    }

    /// Handles several messages. A cancellation within a batch comes too late and is ignored.
    fn batch(&mut self, all: Vec<Value>) -> Asked {
        let refuse = |why: &str| {
            Asked::Parts(
                vec![Part::Now(error(&Value::Null, rpc::INVALID_REQUEST, why))],
                false,
            )
        };
        if self.version != Some(WITH_BATCHES) {
            return refuse("the version of the protocol that was agreed on has no batches: send one message a line");
        }
        if all.is_empty() {
            return refuse("a batch has a message at least");
        }
        Asked::Parts(
            all.into_iter()
                .filter_map(|value| self.answer(rpc::message(value)))
                .collect(),
            true,
        )
    }

    /// Answers a message; a notification has no answer.
    fn answer(&mut self, message: Message) -> Option<Part> {
        match message {
            Message::Invalid(answer) => Some(Part::Now(answer)),
            Message::Notification { .. } | Message::Response => None,
            Message::Request { id, method, params } => Some(match self.request(&method, &params) {
                Ok(Found::Result(value)) => Part::Now(result(&id, value)),
                Ok(Found::Call(call)) => Part::Later(id, call),
                Err((code, why)) => Part::Now(error(&id, code, why)),
            }),
        }
    }

    fn request(&mut self, method: &str, params: &Value) -> Result<Found, (i32, String)> {
        let known: fn(&Value) -> Result<Found, (i32, String)> = match method {
            "initialize" => return self.initialize(params).map(Found::Result),
            "ping" => return Ok(Found::Result(json!({}))),
            "tools/list" => |params| {
                whole(params)?;
                let all: Vec<Value> = tools::TOOLS.iter().map(tools::Tool::listed).collect();
                Ok(Found::Result(json!({"tools": all})))
            },
            "tools/call" => |params| called(params).map(Found::Call),
            "resources/list" => |params| {
                whole(params)?;
                Ok(Found::Result(resources::list()))
            },
            "resources/templates/list" => |params| {
                whole(params)?;
                Ok(Found::Result(json!({"resourceTemplates": []})))
            },
            "resources/read" => |params| {
                let uri = params["uri"]
                    .as_str()
                    .ok_or((rpc::INVALID_PARAMS, "`uri` is a text".to_string()))?;
                let none = || {
                    (
                        rpc::RESOURCE_NOT_FOUND,
                        format!("there is no resource `{uri}`; `resources/list` has all"),
                    )
                };
                resources::read(uri).map(Found::Result).ok_or_else(none)
            },
            other => {
                return Err((
                    rpc::METHOD_NOT_FOUND,
                    format!("there is no method `{other}`"),
                ))
            }
        };
        if self.version.is_none() {
            return Err((
                rpc::INVALID_REQUEST,
                format!("`{method}` before `initialize`"),
            ));
        }
        known(params)
    }

    fn initialize(&mut self, params: &Value) -> Result<Value, (i32, String)> {
        if self.version.is_some() {
            return Err((rpc::INVALID_REQUEST, "`initialize` again".to_string()));
        }
        let asked = params["protocolVersion"].as_str();
        let asked = asked.ok_or((
            rpc::INVALID_PARAMS,
            "`protocolVersion` is a text".to_string(),
        ))?;
        let spoken = VERSIONS
            .into_iter()
            .find(|version| *version == asked)
            .unwrap_or(VERSIONS[VERSIONS.len() - 1]);
        self.version = Some(spoken);
        Ok(json!({
            "protocolVersion": spoken,
            "capabilities": {"tools": {"listChanged": false}, "resources": {"subscribe": false, "listChanged": false}},
            "serverInfo": {"name": "jumar", "title": "jumar", "version": env!("CARGO_PKG_VERSION")},
            "instructions": INSTRUCTIONS,
        }))
    }
}

/// The handler's result: an answer, or a call to make.
enum Found {
    Result(Value),
    Call(Call),
}

/// Refuses a cursor: lists are returned whole.
fn whole(params: &Value) -> Result<(), (i32, String)> {
    match params.get("cursor") {
        None | Some(Value::Null) => Ok(()),
        Some(cursor) => Err((
            rpc::INVALID_PARAMS,
            format!("there is no cursor {cursor}: lists are given whole"),
        )),
    }
}

fn called(params: &Value) -> Result<Call, (i32, String)> {
    let invalid = |why: String| (rpc::INVALID_PARAMS, why);
    let name = params["name"]
        .as_str()
        .ok_or_else(|| invalid("`name` is a text".to_string()))?;
    let tool = tools::by_name(name).ok_or_else(|| {
        let all: Vec<&str> = tools::TOOLS.iter().map(|tool| tool.name).collect();
        invalid(format!(
            "there is no tool `{name}`; there are {}",
            all.join(", ")
        ))
    })?;
    let arguments = match params.get("arguments") {
        None | Some(Value::Null) => json!({}),
        Some(arguments) if arguments.is_object() => arguments.clone(),
        Some(_) => return Err(invalid("`arguments` is an object".to_string())),
    };
    Ok(Call {
        tool: tool.name.to_string(),
        arguments,
    })
}
