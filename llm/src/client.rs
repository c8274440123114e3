//! A server that speaks the chat completions of OpenAI's interface, and where each takes a grammar.

use crate::eval::prompt::Message;
use serde::Deserialize;
use serde_json::{json, Value};
use std::time::Duration;

/// Whose server it is, which decides the field that a grammar is sent in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Api {
    /// `structured_outputs: {grammar}`; either dialect.
    Vllm,
    /// `grammar`, in GBNF.
    LlamaCpp,
    /// `ebnf`.
    Sglang,
    /// A custom tool whose input is of a grammar in Lark.
    OpenAi,
}

/// A model behind an address.
#[derive(Clone, Debug)]
pub struct Server {
    /// Up to the version, `http://127.0.0.1:8000/v1`.
    pub url: String,
    /// The model's name there.
    pub model: String,
    /// Whose interface it is.
    pub api: Api,
    /// Sent as a bearer token.
    pub key: Option<String>,
    /// How far samples go apart.
    pub temperature: f64,
    /// Tokens of a reply, at most.
    pub max_tokens: u32,
    /// How long one request may take.
    pub timeout: Duration,
    /// How often a request is made again that found no server, or one that was not able to answer.
    pub retries: u32,
}

/// What a server answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    /// The text.
    pub text: String,
    /// Why it ends there.
    pub finish: Option<String>,
    /// Its tokens.
    pub tokens: Option<u64>,
}

/// The name of the tool that a kernel is handed to where the grammar is that of a tool.
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

/// Why there is no reply, and whether another try may find one.
struct Refusal {
    why: String,
    again: bool,
}

impl Server {
    /// The body of a request whose reply follows a grammar.
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

    /// Asks once, and again where the server was not able to answer.
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

/// The reply in the body of an answer.
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
    // A reply without text is one, and is judged as such.
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
