//! The suites of this crate as one program: `cargo test -p jumar-llm --test suite MODULE` runs one
//! of them.
//!
//! | module | proves |
//! |---|---|
//! | `ascendc` | candidates in AscendC are judged by their behaviour |
//! | `bridges` | answers in the forms of the benchmarks keep their rules, compile and are right |
//! | `canon` | every kernel has one canonical form, which is that kernel and its own canonical form |
//! | `card` | the op card stays within its tokens, and its lines run |
//! | `cheats` | kernels that avoid the work are refused for their trick |
//! | `corpus` | the files for engines of other languages are written |
//! | `data` | training data does not leak, and its claims hold |
//! | `eval` | stages, classes, scores, records, prompts and reports of an evaluation |
//! | `grammar` | grammars accept every kernel and refuse other texts |
//! | `hazards` | grammars hold where random texts do not come: reserved words, depth, length |
//! | `mcp` | tools keep their schemas |
//! | `prefix` | a right beginning is alive, and a wrong one dies where the checker points |
//! | `tasks` | every answer is right on every reader, and every task detects wrong results |
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
