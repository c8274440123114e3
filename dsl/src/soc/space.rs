//! The memories of a chip.

use super::Chip;

macro_rules! spaces {
    ($($(#[$doc:meta])* $v:ident = $name:literal, $bytes:expr;)*) => {
        /// A physical memory.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Space { $($(#[$doc])* $v,)* }
        impl Space {
            /// Every memory, in the order in which the C++ headers expect their sizes.
            pub const ALL: &[Space] = &[$(Space::$v,)*];
            /// Returns the name for messages.
            pub const fn name(self) -> &'static str {
                match self { $(Space::$v => $name,)* }
            }
            /// Returns the bytes that one core of a chip has, `None` for memory that all cores
            /// share.
            pub fn bytes(self, chip: &Chip) -> Option<i64> {
                let of: fn(&Chip) -> Option<i64> = match self { $(Space::$v => $bytes,)* };
                of(chip)
            }
        }
    };
}

spaces! {
    /// Global memory, which all cores share.
    Gm = "GM", |_| None;
    /// Unified buffer of a vector core.
    Ub = "UB", |chip| Some(chip.ub_bytes);
    /// Memory of a cube core for operands of matrix products on their way from GM.
    L1 = "L1", |chip| Some(chip.l1_bytes);
    /// Memory of a cube core for left operands.
    L0A = "L0A", |chip| Some(chip.l0ab_bytes);
    /// Memory of a cube core for right operands.
    L0B = "L0B", |chip| Some(chip.l0ab_bytes);
    /// Memory of a cube core for matrix products.
    L0C = "L0C", |chip| Some(chip.l0c_bytes);
    /// Bias table of a cube core, whose entries are added to products.
    Bt = "BT", |chip| Some(chip.bt_bytes);
}
