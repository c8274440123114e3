use super::*;
pub(super) const TABLES: &[Table] = &[];
