//! The smallest kernels that once showed a mistake, each on every reader.
