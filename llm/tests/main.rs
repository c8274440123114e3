//! The suites of this crate as one program: `cargo test -p jumar-llm --test suite MODULE` runs one of them.
//!
//! | module | proves |
//! |---|---|
//! | `ascendc` | candidates that are AscendC are judged for what they do |
//! | `bridges` | answers in the forms of the benchmarks keep their rules, compile and are right |
//! | `canon` | every kernel has one canonical form, which is that kernel and its own canonical form |
//! | `card` | the op card keeps to its tokens, and its lines run |
//! | `cheats` | what is paid for without the work is refused for what it does |
//! | `corpus` | the files that engines of other languages are held to are written |
//! | `data` | training data does not leak, and says what is so |
//! | `eval` | stages, classes, scores, records, prompts and reports of an evaluation |
//! | `grammar` | grammars take every kernel and refuse other texts |
//! | `hazards` | grammars hold where random texts do not come: reserved words, depth, length |
//! | `mcp` | tools take and give what they say |
//! | `prefix` | a right beginning is alive, and a wrong one dies where the checker points |
//! | `tasks` | every answer is right on every reader, and every task can tell a wrong one |
//! | `variants` | right kernels with other names, in another order, under branches are right |
//! | `walks` | random texts under the masks parse, and are defined and typed |

mod ascendc;
mod bridges;
mod canon;
mod card;
mod cheats;
mod corpus;
mod data;
mod eval;
#[cfg(feature = "mask")]
mod grammar;
#[cfg(feature = "mask")]
mod hazards;
mod mcp;
mod prefix;
mod support;
mod tasks;
mod variants;
#[cfg(feature = "mask")]
mod walks;
