//! Tiles as values, and the loops that give them.

use super::{Element, GlobalTensor, Mark, Rhs, Scalar};

/// Part of a tensor in UB, as an immutable value.
pub struct Tile<T>(Mark<T>);

impl<T> Clone for Tile<T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for Tile<T> {}

impl<T> Tile<T> {
    pub(crate) fn stub() -> Self {
        Tile(Mark::default())
    }
}

macro_rules! operators {
    ($($tr:ident $f:ident),*) => {$(
        impl<T: Element, R: Rhs<T>> std::ops::$tr<R> for Tile<T> {
            type Output = Tile<T>;
            fn $f(self, _: R) -> Tile<T> { self }
        }
        operators!(@scalar $tr $f f32 f64 i32);
    )*};
    (@scalar $tr:ident $f:ident $($s:ty)*) => {$(
        impl<T: Element> std::ops::$tr<Tile<T>> for $s {
            type Output = Tile<T>;
            fn $f(self, rhs: Tile<T>) -> Tile<T> { rhs }
        }
    )*};
}
operators!(Add add, Sub sub, Mul mul, Div div);

impl<T: Element> std::ops::Neg for Tile<T> {
    type Output = Tile<T>;
    fn neg(self) -> Tile<T> {
        self
    }
}

/// Divides the elements of `x`, shape ignored, among the cores and then into tiles that fit in UB.
pub fn tiles<T: Element>(x: &GlobalTensor<T>) -> FlatTiles {
    let _ = x;
    FlatTiles
}

/// Divides the rows of `x` (all axes but the last) among the cores and then into tiles of whole rows.
pub fn row_tiles<T: Element>(x: &GlobalTensor<T>) -> RowTiles {
    let _ = x;
    RowTiles
}

macro_rules! tile_loops {
    ($($(#[doc = $doc:literal])+ $loops:ident -> $tile:ident { $($(#[doc = $mdoc:literal])+ $m:ident)* })*) => {$(
        $(#[doc = $doc])+
        pub struct $loops;
        #[doc = concat!("One turn of [`", stringify!($loops), "`].")]
        #[derive(Clone, Copy)]
        pub struct $tile;
        impl Iterator for $loops {
            type Item = $tile;
            fn next(&mut self) -> Option<$tile> { None }
        }
        impl $loops {
            $($(#[doc = $mdoc])+ pub fn $m(self, n: usize) -> Self { let _ = n; self })*
        }
        impl $tile {
            /// This tile of `x`; padding and tail are taken care of.
            pub fn load<T: Element>(&self, x: &GlobalTensor<T>) -> Tile<T> {
                let _ = x;
                Tile::stub()
            }
            /// Writes this tile of `y`; exactly the valid elements.
            pub fn store<T: Element>(&self, y: &mut GlobalTensor<T>, v: Tile<T>) {
                let _ = (y, v);
            }
            /// A tile of this extent, every element the same. Its type is `f32` unless a turbofish or the `let` says another.
            pub fn full<T: Element>(&self, value: impl Scalar<T>) -> Tile<T> {
                let _ = value;
                Tile::stub()
            }
            /// Index of the first element (row, column) of this tile.
            pub fn start(&self) -> usize { 0 }
        }
    )*};
}

tile_loops! {
    /// Tiles of elements, from [`tiles`].
    FlatTiles -> FlatTile {
        /// Elements of a tile; left out, the largest that fits is solved for.
        tile_length
        /// Buffers of each queue: 2 (the default) is double buffering.
        buffer_num
        /// Blocks to launch; left out, as many as there are cores and work.
        block_dim
    }
    /// Tiles of whole rows, from [`row_tiles`].
    RowTiles -> RowTile {
        /// Rows of a tile; left out, the largest count that fits is solved for.
        rows
        /// Buffers of each queue: 2 (the default) is double buffering.
        buffer_num
        /// Blocks to launch; left out, as many as there are cores and work.
        block_dim
    }
    /// Tiles of columns inside a row tile, from [`RowTile::col_tiles`].
    ColTiles -> ColTile {
        /// Columns of a tile; left out, the largest count that fits is solved for.
        tile_length
    }
}

impl FlatTile {
    /// Elements of this tile; the last one of a block is shorter.
    #[allow(clippy::len_without_is_empty)]
    pub fn len(&self) -> usize {
        0
    }
}

impl RowTile {
    /// Rows of this tile; the last one of a block has fewer.
    pub fn rows(&self) -> usize {
        0
    }
    /// The row `g`, the same for every row of the tile: `[1, cols]`.
    pub fn load_row<T: Element>(&self, g: &GlobalTensor<T>) -> Tile<T> {
        let _ = g;
        Tile::stub()
    }
    /// One element a row of `x`: `[rows, 1]`.
    pub fn load_col<T: Element>(&self, x: &GlobalTensor<T>) -> Tile<T> {
        let _ = x;
        Tile::stub()
    }
    /// Writes one element a row.
    pub fn store_col<T: Element>(&self, y: &mut GlobalTensor<T>, v: Tile<T>) {
        let _ = (y, v);
    }
    /// One value a row, all the same: `[rows, 1]`. Its type is `f32` unless a turbofish or the `let` says another.
    pub fn col<T: Element>(&self, value: impl Scalar<T>) -> Tile<T> {
        let _ = value;
        Tile::stub()
    }
    /// Splits the columns of this row tile.
    pub fn col_tiles(&self) -> ColTiles {
        ColTiles
    }
}

impl ColTile {
    /// Columns of this tile; the last one of a row is shorter.
    #[allow(clippy::len_without_is_empty)]
    pub fn len(&self) -> usize {
        0
    }
    /// These columns of the row `g`: `[1, cols]`.
    pub fn load_row<T: Element>(&self, g: &GlobalTensor<T>) -> Tile<T> {
        let _ = g;
        Tile::stub()
    }
}
