//! Checks that hold for every lowered body, from whichever source.
//!
//! | file | enforces |
//! |---|---|
//! | `queues` | J0401..J0409 queue protocol and positions |
//! | `bounds`, `local` | J0306, J0307, J0310 alignment, J0308 GM bounds, J0309 UB bounds; J0602 where no proof is found |
//! | `limits`, `rows` | J0310 masks, repeats and strides that their fields do not hold; J0602 where no proof is found |
//! | `funcs` | device functions, each alone, and the requirements on their callers |
//! | `alias` | J0311 operands that share memory; J0602 where no proof is found |
//! | `memory` | J0301, J0303 block and buffer counts, J0302, J0304 UB capacity, J0305 given sizes |
//! | `unread` | J0415 results at queue level that are overwritten before anything reads them |
//! | `store_overlap` | J0505 stores of different blocks to one place |
//! | `uniform` | J0412 barriers that not every block reaches |
//! | `items` | J0109 barriers under scalar control in kernels with lists |
//! | `homes`, `origin` | nothing: they tell where a tensor lives and which values depend on a share |

pub mod alias;
pub mod bounds;
pub mod funcs;
pub mod homes;
pub mod items;
pub mod limits;
pub mod local;
pub mod memory;
pub mod origin;
pub mod queues;
pub mod rows;
pub mod store_overlap;
pub mod uniform;
pub mod unread;
