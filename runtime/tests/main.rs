//! Readers of kernels against one another and against plain loops, and the headers and the machine against the API.

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
