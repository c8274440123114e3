//! `jumar mcp`: the tools of a model, over standard input and output.

use super::{child, Failure, Outcome};
use jumar_llm::mcp::{worker, Server};
use std::io::BufReader;

pub const EXAMPLES: &str = "\
A client starts this command and speaks the Model Context Protocol with it, a message a line. For a client with a file of servers:

  {\"mcpServers\": {\"jumar\": {\"command\": \"jumar\", \"args\": [\"mcp\"]}}}

Tools: card, grammar, check, fix, fmt, emit, run, cost, explain. A tool is called in a process of its own with limits of time and memory; nothing is read from or written
to disk. `docs/mcp.md` describes all of it.";

/// The arguments.
#[derive(clap::Args)]
pub struct Call {
    /// Seconds that a call of a tool may take
    #[arg(long, value_name = "SECONDS", default_value_t = 60.0)]
    time: f64,
    /// Memory that calls of tools may take, in MiB, each
    #[arg(long, value_name = "MIB", default_value_t = 4096)]
    memory: u64,
    /// Calls at a time; left out, as many as this machine has cores
    #[arg(long, value_name = "N")]
    jobs: Option<usize>,
}

/// Does it.
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

/// `jumar mcp-worker`: the process that tools are called in.
pub fn worker(memory: u64) -> Outcome {
    // The answers go through a lock of their own: nothing else may write between them.
    worker::serve(
        memory,
        BufReader::new(std::io::stdin()),
        std::io::stdout().lock(),
    )
    .map_err(|e| Failure::call(e, "this command is called by `jumar mcp`"))
}
