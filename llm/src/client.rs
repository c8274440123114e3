//! A client of the chat completions API of OpenAI, with the grammar field of each server.

use crate::eval::prompt::Message;
use serde::Deserialize;
use serde_json::{json, Value};
use std::time::Duration;

/// The kind of a server, which decides the request field of the grammar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Api {
    /// `structured_outputs: {grammar}`, in GBNF or Lark.
    Vllm,
    /// The field `grammar`, in GBNF.
    LlamaCpp,
    /// The field `ebnf`.
    Sglang,
    /// A custom tool whose input follows a grammar in Lark.
    OpenAi,
}

/// A model behind an address.
#[derive(Clone, Debug)]
pub struct Server {
    /// The address up to the version: `http://127.0.0.1:8000/v1`.
    pub url: String,
    /// The model's name on the server.
    pub model: String,
    pub api: Api,
    /// A key that is sent as a bearer token.
    pub key: Option<String>,
    /// The sampling temperature.
    pub temperature: f64,
    /// The limit of a reply in tokens.
    pub max_tokens: u32,
    /// The time limit of one request.
    pub timeout: Duration,
    /// How often a request is retried that no server answered, or that failed with 429 or 5xx.
    pub retries: u32,
}

/// A reply of the server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    pub text: String,
    /// The finish reason that the server gives.
    pub finish: Option<String>,
    /// The tokens of the reply.
    pub tokens: Option<u64>,
}

/// The name of the custom tool that takes a kernel, for [`Api::OpenAi`].
const TOOL: &str = "kernel";

#[derive(Deserialize)]
struct Completion {
    choices: Vec<Choice>,
    usage: Option<Usage>,
}

#[derive(Deserialize)]
struct Usage {
    completion_tokens: Option<u64>,
}

#[derive(Deserialize)]
struct Choice {
    message: Said,
    finish_reason: Option<String>,
}

#[derive(Deserialize)]
struct Said {
    content: Option<String>,
    tool_calls: Option<Vec<ToolCall>>,
}

#[derive(Deserialize)]
struct ToolCall {
    custom: Option<CustomCall>,
}

#[derive(Deserialize)]
struct CustomCall {
    input: String,
}

/// Why there is no reply, and if a retry may find one.
struct Refusal {
    why: String,
    again: bool,
}

impl Server {
    /// Returns the body of a request; with a grammar, the reply has to follow it.
    pub fn body(&self, messages: &[Message], seed: u64, grammar: Option<&str>) -> Value {
        let mut body = json!({
            "model": self.model,
            "messages": messages,
            "temperature": self.temperature,
            "seed": seed,
        });
        let limit = match self.api {
            Api::OpenAi => "max_completion_tokens",
            Api::Vllm | Api::LlamaCpp | Api::Sglang => "max_tokens",
        };
        body[limit] = json!(self.max_tokens);
        let Some(grammar) = grammar else { return body };
        match self.api {
            Api::Vllm => body["structured_outputs"] = json!({ "grammar": grammar }),
            Api::LlamaCpp => body["grammar"] = json!(grammar),
            Api::Sglang => body["ebnf"] = json!(grammar),
            Api::OpenAi => {
                let format = json!({ "type": "grammar", "grammar": { "syntax": "lark", "definition": grammar } });
                let custom =
                    json!({ "name": TOOL, "description": "Takes the kernel.", "format": format });
                body["tools"] = json!([{ "type": "custom", "custom": custom }]);
                body["tool_choice"] = json!({ "type": "custom", "custom": { "name": TOOL } });
                body["parallel_tool_calls"] = json!(false);
            }
        }
        body
    }

    /// Asks the server, and retries with a growing delay.
    ///
    /// # Errors
    /// Says why there is no reply.
    pub fn ask(
        &self,
        messages: &[Message],
        seed: u64,
        grammar: Option<&str>,
    ) -> Result<Reply, String> {
        let body = self.body(messages, seed, grammar).to_string();
        let mut tried = 0;
        loop {
            match self.try_once(&body) {
                Ok(reply) => return Ok(reply),
                Err(refusal) if refusal.again && tried < self.retries => {
                    std::thread::sleep(Duration::from_millis(500 << tried.min(6)));
                    tried += 1;
                }
                Err(refusal) => return Err(refusal.why),
            }
        }
    }

    fn try_once(&self, body: &str) -> Result<Reply, Refusal> {
        let lost = |e: ureq::Error| Refusal {
            why: format!("no answer: {e}"),
            again: true,
        };
        let config = ureq::Agent::config_builder()
            .timeout_global(Some(self.timeout))
            .http_status_as_error(false);
        let agent: ureq::Agent = config.build().into();
        let mut request = agent
            .post(format!(
                "{}/chat/completions",
                self.url.trim_end_matches('/')
            ))
            .header("content-type", "application/json");
        if let Some(key) = &self.key {
            request = request.header("authorization", format!("Bearer {key}"));
        }
        let mut answer = request.send(body).map_err(lost)?;
        let status = answer.status().as_u16();
        let text = answer.body_mut().read_to_string().map_err(lost)?;
        if status != 200 {
            let said: String = text.chars().take(200).collect();
            return Err(Refusal {
                why: format!("status {status}: {said}"),
                again: status == 429 || status >= 500,
            });
        }
        read(&text).map_err(|why| Refusal { why, again: false })
    }
}

/// Reads the reply from the body of an answer.
///
/// # Errors
/// Says what is missing.
pub fn read(body: &str) -> Result<Reply, String> {
    let answer: Completion =
        serde_json::from_str(body).map_err(|e| format!("the answer is no chat completion: {e}"))?;
    let tokens = answer.usage.and_then(|usage| usage.completion_tokens);
    let choice = answer
        .choices
        .into_iter()
        .next()
        .ok_or("the answer has no choice")?;
    let handed = choice
        .message
        .tool_calls
        .into_iter()
        .flatten()
        .find_map(|call| call.custom);
    // A reply without text is judged like any other candidate.
    let text = handed
        .map(|call| call.input)
        .or(choice.message.content)
        .unwrap_or_default();
    Ok(Reply {
        text,
        finish: choice.finish_reason,
        tokens,
    })
}
