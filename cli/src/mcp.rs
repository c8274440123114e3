//! `jumar mcp`: the tools of a model, over standard input and output.

use super::{child, Failure, Outcome};
use jumar_llm::mcp::{worker, Server};
use std::io::BufReader;

pub const EXAMPLES: &str = "\
A client starts this command and speaks the Model Context Protocol with it, a message a line. For a client with a file of servers:

  {\"mcpServers\": {\"jumar\": {\"command\": \"jumar\", \"args\": [\"mcp\"]}}}

Tools: card, grammar, check, fix, fmt, emit, run, cost, explain. A tool is called in a process of its own with limits of time and memory; nothing is read from or written
to disk. `book/src/models/mcp.md` describes all of it.";

#[derive(clap::Args)]
pub struct Call {
    /// The time limit of a tool call, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 60.0)]
    time: f64,
    /// The memory limit of each tool call, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 4096)]
    memory: u64,
    /// Parallel calls; by default as many as this machine has cores
    #[arg(long, value_name = "N")]
    jobs: Option<usize>,
}

pub fn main(call: &Call) -> Outcome {
    let start = child::start("mcp-worker", vec![child::bytes(call.memory).to_string()])?;
    let server = Server {
        start,
        time: child::seconds("time", call.time)?,
        jobs: child::jobs(call.jobs),
    };
    server
        .serve(BufReader::new(std::io::stdin()), std::io::stdout())
        .map_err(|e| {
            Failure::call(
                format!("standard input cannot be read: {e}"),
                "a client of the protocol starts this command",
            )
        })
}

/// Runs `jumar mcp-worker`: the process that calls tools.
pub fn worker(memory: u64) -> Outcome {
    // The answers have a lock of their own, so that nothing else is written between them.
    worker::serve(
        memory,
        BufReader::new(std::io::stdin()),
        std::io::stdout().lock(),
    )
    .map_err(|e| Failure::call(e, "this command is called by `jumar mcp`"))
}
