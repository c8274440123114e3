//! `jumar reward`: rewards of candidates, a line of JSON each, over standard input and output.

use super::eval::{hundredths, prepare_cpp, Judging};
use super::{child, complain, Failure, Outcome};
use jumar_llm::reward::Server;
use std::io::{BufReader, ErrorKind};

pub const EXAMPLES: &str = "\
Examples:
  jumar reward < asked.jsonl > rewards.jsonl                 a file of requests
  jumar reward --cases small --jobs 8                        a process that a trainer asks again and again

A request is a line: {\"id\": 7, \"task\": \"multikernelbench/softplus\", \"text\": \"..\", \"seed\": 1}; `id` and `seed` may be left out. An answer is a line, too, with the id, the
stage that was reached, codes, the reward from 0 to 1 and its parts, predicted cycles and their bound. A line that is no request is answered with an error, and the next is read.
`book/src/models/data.md` describes every field and the reward. Exit code 0: standard input has ended and all is answered; 2: the call is wrong.";

#[derive(clap::Args)]
pub struct Call {
    /// Requests that are judged in parallel; by default as many as this machine has cores
    #[arg(long, value_name = "N")]
    jobs: Option<usize>,
    /// Answer in the order of the requests, not each when it is known
    #[arg(long)]
    in_order: bool,
    /// The share of texts that are compiled and run as C++, too: all, none, or a percentage
    #[arg(long, value_name = "PART", value_parser = hundredths, default_value = "none")]
    cpp: u32,
    #[command(flatten)]
    judging: Judging,
}

pub fn main(call: &Call) -> Outcome {
    let (_, worker) = call.judging.worker(true)?;
    if call.cpp > 0 {
        prepare_cpp("`--cpp none` judges without C++")?;
    }
    let server = Server {
        worker,
        jobs: child::jobs(call.jobs),
        cpp: call.cpp,
        in_order: call.in_order,
    };
    match server.serve(BufReader::new(std::io::stdin()), std::io::stdout()) {
        Ok(served) => {
            if served.broken > 0 {
                complain(&format!(
                    "{} of {} lines were no request\n",
                    served.broken, served.lines
                ));
            }
            Ok(())
        }
        // The reader of the answers has gone.
        Err(e) if e.kind() == ErrorKind::BrokenPipe => Ok(()),
        Err(e) => Err(Failure::call(
            e,
            "requests come from standard input, and answers go to standard output",
        )),
    }
}
