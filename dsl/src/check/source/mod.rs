//! Checks of the kernel as the author wrote it, before it is lowered.
//!
//! | file | enforces |
//! |---|---|
//! | `types` | J0203 op dtypes, J0204 cast pairs, J0205 round modes, J0501 dtypes of the chip; lints J0901 and J0903, J0902 at queue level |
//! | `half_sums` | J0902 sums of tile kernels that are rounded to 16 bits after every step |
//! | `number_ranges` | J0208 numbers that the element type of this instance does not hold |
//! | `declared` | J0410 memory, J0305 constant counts and units of queue-level declarations |
//! | `positions`, `numbers` | J0904 integers that go through floats which do not hold them |
//! | `addresses`, `turns` | J0216 and J0217 indices of tiles that may leave a tensor, J0505, J0214, J0411 iterations that touch the same elements |
//! | `loop_scalars`, `cut` | J0214 results that depend on the cut |
//! | `outputs` | J0210 outputs that some path does not write, J0211 additions to memory without values |
//! | `deterministic` | J0220 sums of floats in no order |
//! | `cover` | J0219 outputs with elements that no store of a tile kernel reaches |
//! | `soc` | J0502 APIs of the chip, J0503 block dim |
//! | `ranges`, `small_shapes` | nothing: they compute how long a range may be, and launches that a kernel allows |

pub mod addresses;
pub mod cover;
pub mod cut;
pub mod declared;
pub mod deterministic;
pub mod half_sums;
pub mod loop_scalars;
pub mod number_ranges;
pub mod numbers;
pub mod outputs;
pub mod positions;
pub mod ranges;
pub mod small_shapes;
pub mod soc;
pub mod turns;
pub mod types;
