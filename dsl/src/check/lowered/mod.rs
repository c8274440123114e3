//! Every lowered body, whoever wrote it.
//!
//! | file | enforces |
//! |---|---|
//! | `queues` | J0401..J0409 queue protocol and positions |
//! | `bounds`, `local` | J0306, J0307, J0310 alignment, J0308 GM bounds, J0309 UB bounds; J0602 where no proof is found |
//! | `limits`, `rows` | J0310 masks, repeats and strides that their fields do not hold; J0602 where no proof is found |
//! | `funcs` | device functions, each alone, and what their callers promise |
//! | `alias` | J0311 operands that share memory; J0602 where no proof is found |
//! | `memory` | J0301, J0303 block and buffer counts, J0302, J0304 UB capacity, J0305 given sizes |
//! | `unread` | J0415 results at queue level that are overwritten before anything reads them |
//! | `store_overlap` | J0505 stores of different blocks to one place |
//! | `uniform` | J0412 barriers that not every block comes to |
//! | `items` | lists: what differs from item to item |
//! | `homes`, `origin` | what others ask: where a tensor lives, what a scalar is computed of |

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
