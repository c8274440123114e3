//! The table of language items: everything that a kernel calls besides ops and library functions,
//! which have tables of their own.
//!
//! An item is written once, where its stub stands. The macro makes three things of it:
//!
//! - the stub that rustc and editors see;
//! - a variant for the `match` of the front end, which therefore covers every item;
//! - a row for suggestions, docs and grammars.

use crate::ir::Level;
pub use crate::surface::kinds::*;

/// A method or function of the language.
#[derive(Clone, Copy, Debug)]
pub struct Item {
    /// Type that has the method, `None` for a function.
    pub of: Option<&'static str>,
    pub name: &'static str,
    /// Type parameters as Rust writes them.
    pub generics: &'static str,
    /// Parameters, in parentheses.
    pub params: &'static str,
    /// Result type, empty where there is none.
    pub result: &'static str,
    /// Level of the item, `None` for both.
    pub level: Option<Level>,
    /// One line for the docs.
    pub doc: &'static str,
}

impl Item {
    /// Returns the number of arguments without the receiver.
    pub fn arity(&self) -> usize {
        let inner = self.params.trim_matches(['(', ')']);
        // A type of a parameter has commas only inside of angle brackets, and no row has those.
        inner.split(',').filter(|param| param.contains(':')).count()
    }
    /// True if a call names a type, `::<f32>`, because no argument determines it.
    pub fn names_type(&self) -> bool {
        let is_word = |c: char| !(c.is_alphanumeric() || c == '_');
        let named = self
            .generics
            .split(',')
            .filter_map(|g| g.split(':').next()?.split_whitespace().last());
        named
            .into_iter()
            .any(|t| !self.params.split(is_word).any(|word| word == t))
    }
}

macro_rules! items {
    // Rows are methods `on` types, free `functions`, an `extension` of Rust's own types, or methods
    // that Rust's types have already.
    ($(#[doc = $about:literal])+ $kind:ident of $what:expr; $($how:ident $head:tt { $($body:tt)* })+) => {
        $(items!(@stubs $how $head { $($body)* });)+
        items!(@table [$($about)+] $kind $what; $($($body)*)+);
    };
    (@stubs on ($([$($gen:tt)*] $ty:ty),+) $body:tt) => {
        $(items!(@impl [$($gen)*] $ty, $body);)+
    };
    (@impl [$($gen:tt)*] $ty:ty, {$($(#[doc = $doc:literal])+ $level:ident $variant:ident => fn $name:ident $([$($g:tt)*])? ($($params:tt)*) $(-> $ret:ty)?;)*}) => {
        #[allow(clippy::len_without_is_empty, unused_variables)]
        impl<$($gen)*> $ty {
            $($(#[doc = $doc])+ pub fn $name $(<$($g)*>)? ($($params)*) $(-> $ret)? { $crate::items::never_run() })*
        }
    };
    (@stubs functions () {$($(#[doc = $doc:literal])+ $level:ident $variant:ident => fn $name:ident $([$($g:tt)*])? ($($params:tt)*) $(-> $ret:ty)?;)*}) => {
        $($(#[doc = $doc])+ #[allow(unused_variables)] pub fn $name $(<$($g)*>)? ($($params)*) $(-> $ret)? { $crate::items::never_run() })*
    };
    (@stubs extension ($(#[doc = $about:literal])+ $tr:ident $of:tt for $([$($gen:tt)*] $ty:ty),+) $body:tt) => {
        items!(@trait [$($about)+] $tr $of $body);
        $(items!(@extended $tr $of [$($gen)*] $ty, $body);)+
    };
    (@trait [$($about:literal)+] $tr:ident [$($of:ident)?] {$($(#[doc = $doc:literal])+ $level:ident $variant:ident => fn $name:ident ($($params:tt)*) -> $ret:ty;)*}) => {
        $(#[doc = $about])+
        pub trait $tr $(<$of>)? {
            $($(#[doc = $doc])+ fn $name ($($params)*) -> $ret;)*
        }
    };
    (@extended $tr:ident [$($of:ident)?] [$($gen:tt)*] $ty:ty, {$($(#[doc = $doc:literal])+ $level:ident $variant:ident => fn $name:ident ($($params:tt)*) -> $ret:ty;)*}) => {
        #[allow(unused_variables)]
        impl<$($gen)*> $tr $(<$of>)? for $ty {
            $(fn $name ($($params)*) -> $ret { $crate::items::never_run() })*
        }
    };
    (@stubs rust () $body:tt) => {};
    (@table [$($about:literal)+] $kind:ident $what:expr; $($(#[doc = $doc:literal])+ $level:ident $variant:ident => fn $name:ident $([$($g:tt)*])? ($($params:tt)*) $(-> $ret:ty)?;)*) => {
        $(#[doc = $about])+
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[allow(missing_docs)]
        pub enum $kind { $($variant),* }
        impl $kind {
            /// Every item, in the order of the text.
            pub const ALL: &[$kind] = &[$($kind::$variant),*];
            /// The names in order.
            pub const NAMES: &[&str] = &[$(stringify!($name)),*];
            /// The rows in order.
            pub const ITEMS: &[$crate::items::Item] = &[$($crate::items::Item {
                of: $what,
                name: stringify!($name),
                generics: concat!("" $(, stringify!($($g)*))?),
                params: stringify!(($($params)*)),
                result: concat!("" $(, stringify!($ret))?),
                level: $crate::items::level::$level,
                doc: concat!($($doc),+).trim_ascii(),
            }),*];
            /// Finds an item by its name.
            pub fn by_name(name: &str) -> Option<$kind> {
                match name {
                    $(stringify!($name) => Some($kind::$variant),)*
                    _ => None,
                }
            }
            pub const fn name(self) -> &'static str {
                match self { $($kind::$variant => stringify!($name)),* }
            }
        }
    };
}
pub(crate) use items;

/// Levels as the rows name them.
#[allow(non_upper_case_globals)]
pub(crate) mod level {
    use super::Level;
    pub const tile: Option<Level> = Some(Level::Tile);
    pub const queue: Option<Level> = Some(Level::Queue);
    pub const both: Option<Level> = None;
}

/// Panics; it is the body of every stub.
pub(crate) fn never_run<T>() -> T {
    unreachable!("kernels run in the simulator, never in Rust")
}

/// Returns all items: functions, then methods by the type that has them.
pub fn all() -> impl Iterator<Item = &'static Item> {
    KINDS.iter().copied().flatten()
}

const KINDS: &[&[Item]] = &[
    Function::ITEMS,
    TileMethod::ITEMS,
    PlaceMethod::ITEMS,
    GmMethod::ITEMS,
    ViewMethod::ITEMS,
    OptionalMethod::ITEMS,
    ZipMethod::ITEMS,
    LoopMethod::ITEMS,
    RunMethod::ITEMS,
    AxisMethod::ITEMS,
    ScalarMethod::ITEMS,
    LocalMethod::ITEMS,
    PipeMethod::ITEMS,
    QueueMethod::ITEMS,
    BufMethod::ITEMS,
    SliceMethod::ITEMS,
    SplitMethod::ITEMS,
    ShareMethod::ITEMS,
    ExtentMethod::ITEMS,
];

macro_rules! attributes {
    ($(#[doc = $about:literal])+ $kind:ident { $($(#[doc = $doc:literal])+ $variant:ident($name:literal) $form:literal,)* }) => {
        $(#[doc = $about])+
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $kind {
            $($(#[doc = $doc])+ $variant),*
        }
        impl $kind {
            /// The names in order.
            pub const NAMES: &[&str] = &[$($name),*];
            /// Each form as written, with its documentation.
            pub const FORMS: &[(&str, &str)] = &[$(($form, concat!($($doc),+).trim_ascii())),*];
            /// Finds an attribute by its name.
            pub fn by_name(name: &str) -> Option<$kind> {
                match name {
                    $($name => Some($kind::$variant),)*
                    _ => None,
                }
            }
        }
    };
}

attributes! {
    /// Attributes of a kernel.
    KernelAttr {
        /// Makes these instances only.
        Instances("instances") "#[instances(f16, f32)]",
        /// Checks for these chips instead of the default one.
        Chips("chips") "#[chips(ascend310p)]",
        /// Equal inputs give equal bits, run after run.
        Deterministic("deterministic") "#[deterministic]",
        /// The function is a kernel.
        Kernel("kernel") "#[kernel]",
    }
}

attributes! {
    /// Attributes of a parameter.
    ParamAttr {
        /// Names the axes of a tensor.
        Shape("shape") "#[shape(n.., d)]",
        /// Value of an attribute that a launch leaves out.
        Default("default") "#[default(1.0)]",
        /// Input and output in one.
        Inplace("inplace") "#[inplace]",
        /// The elements are indices of an axis.
        Index("index") "#[index(m)]",
        /// At a list: the axis of another tensor that is as long as the lists.
        List("list") "#[list(l)]",
    }
}

/// Attributes of rustc and its tools that may stand on a kernel or a parameter.
pub const FOREIGN_ATTRIBUTES: &[&str] = &[
    "doc",
    "allow",
    "expect",
    "warn",
    "deny",
    "forbid",
    "cfg",
    "cfg_attr",
    "inline",
    "must_use",
    "deprecated",
    "cold",
    "track_caller",
    "no_mangle",
    "test",
    "bench",
    "ignore",
    "should_panic",
];
