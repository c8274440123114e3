//! The memories of a chip.

use super::Chip;

macro_rules! spaces {
    ($($(#[$doc:meta])* $v:ident = $name:literal, $bytes:expr;)*) => {
        /// A physical memory.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Space { $($(#[$doc])* $v,)* }
        impl Space {
            /// Every memory, in the order in which the C++ headers are told their sizes.
            pub const ALL: &[Space] = &[$(Space::$v,)*];
            /// Its name in messages.
            pub const fn name(self) -> &'static str {
                match self { $(Space::$v => $name,)* }
            }
            /// Bytes of it that one core of a chip has; none of what all cores share.
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
    /// Unified buffer, of a vector core.
    Ub = "UB", |chip| Some(chip.ub_bytes);
    /// Operands of products on their way from GM, of a cube core as all after it.
    L1 = "L1", |chip| Some(chip.l1_bytes);
    /// Left operands of products.
    L0A = "L0A", |chip| Some(chip.l0ab_bytes);
    /// Right operands of products.
    L0B = "L0B", |chip| Some(chip.l0ab_bytes);
    /// Products.
    L0C = "L0C", |chip| Some(chip.l0c_bytes);
    /// What is added to products.
    Bt = "BT", |chip| Some(chip.bt_bytes);
}
