//! Compares readers of kernels with one another and with plain loops, and the headers and the
//! machine with the API.

mod agree;
mod ascendc_names;
mod ascendc_suite;
mod axes;
mod headers;
mod kernels;
mod nests;
mod readers;
mod rows;
mod shown;
