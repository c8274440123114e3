//! Source mutants: how many small faults in the checker, the lowering, the emitter and the
//! simulator the suites notice.
//!
//! ```sh
//! cargo run -p jumar-mutants -- make build/mutants      # a copy of the workspace with all mutants
//! cd build/mutants && cargo test --workspace --no-run   # built once
//! JUMAR_MUTANT=7 cargo test --workspace                 # with the seventh one; 0 is jumar itself
//! cargo run -p jumar-mutants -- list                    # the mutants, a line each
//! ```
//!
//! A mutant replaces one operator: a comparison includes or excludes its limit, a condition is
//! negated, a step of one has the other sign. All mutants are in one build, each behind a switch
//! that the process reads once, so forty mutants cost one build. [`SEED`] draws the operators; each
//! of the four parts has as many. A mutant may be equivalent to the source, and then nothing can
//! notice it.
#![forbid(unsafe_code)]

mod copy;
mod places;

use places::{Mutant, PARTS};
use std::path::Path;
use std::process::ExitCode;

/// Another seed draws other mutants.
const SEED: u64 = 51;

/// Number of mutants of each part.
const OF_EACH: usize = 10;

/// Draws the mutants, which are numbered from 1 on.
fn mutants(root: &Path) -> Result<Vec<Mutant>, String> {
    let mut all = Vec::new();
    for part in PARTS {
        let mut found = places::places(root, part)?;
        let rank = |m: &Mutant| {
            jumar_kit::tier::hash(
                SEED,
                format!("{}:{}:{}", m.file, m.line, m.at.start).as_bytes(),
            )
        };
        found.sort_by_key(rank);
        // Overlapping mutants would exclude one another.
        let mut drawn: Vec<Mutant> = Vec::new();
        for one in found {
            let meets = |m: &Mutant| {
                m.file == one.file && m.at.start < one.at.end && one.at.start < m.at.end
            };
            if drawn.len() < OF_EACH && !drawn.iter().any(meets) {
                drawn.push(one);
            }
        }
        all.extend(drawn);
    }
    Ok(all)
}

fn run() -> Result<(), String> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let root = jumar_kit::files::workspace();
    let all = mutants(&root)?;
    match words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["list"] => {
            for (number, m) in (1..).zip(&all) {
                println!(
                    "{number}\t{}:{}\t{}  ->  {}",
                    m.file, m.line, m.was, m.becomes
                );
            }
            Ok(())
        }
        ["make", folder] => copy::make(&root, Path::new(folder), &all),
        _ => Err("`list`, or `make FOLDER`".to_string()),
    }
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("error: {why}");
            ExitCode::FAILURE
        }
    }
}
