//! Kernels over several axes as texts, each with shapes of its inputs. The readers of
//! `jumar-runtime` and the emitted C++ agree on them.
//!
//! | module | holds |
//! |---|---|
//! | [`cases`] | tiles and loops of several axes |
//! | [`choices`] | attributes that are enums or lists |
//! | [`controlled`] | loops under scalar control inside of a loop |
//! | [`elements`] | single elements |
//! | [`inside`] | stores that lie outside in part |
//! | [`joined`] | two passes that become one |
//! | [`optional`] | optional tensors |
//! | [`outside`] | scalars outside of tile loops |
//! | [`pairs`] | pairs of elements of two tensors |
//! | [`ragged`] | ranges that only the core knows |
//! | [`ranges`] | loops over ranges |
//! | [`reads`] | elements of tiles as scalars |
//! | [`same`] | expressions that are written twice |
//! | [`shown`] | values that are dumped |
//! | [`sorted`] | elements in their order |
//! | [`split`] | loops that are split |
//! | [`streamed`] | whole axes that may be too long for UB |
//! | [`tasks`] | kernels of real tasks |
//! | [`windows`] | windows of one tensor |

pub mod cases;
pub mod choices;
pub mod controlled;
pub mod decided;
pub mod elements;
pub mod inside;
pub mod joined;
pub mod optional;
pub mod outside;
pub mod pairs;
pub mod ragged;
pub mod ranges;
pub mod reads;
pub mod same;
pub mod shown;
pub mod sorted;
pub mod split;
pub mod streamed;
pub mod tasks;
pub mod windows;
