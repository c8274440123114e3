//! A kernel in canonical form: one op a `let`, names from pools numbered in the order of definition, helpers inlined, constants folded.
//!
//! What is printed is the IR of the front end, so that two spellings of one kernel are one text, and the text read again is that kernel. A
//! function of tiles stays a call. Kernels of the queue level have no such form.

mod body;
mod index;
mod names;
mod scalars;
mod signature;

pub use names::{Pool, OTHERS};
pub use scalars::TYPES;

use jumar::dsl::diag::Diagnostic;
use jumar::dsl::front::{parse_file, InlinedCall, Parsed};
use jumar::dsl::ir::{walk_stmts, Access, AxId, Kernel, Level, Scalar, SpanId, StmtKind, TileExpr};
use names::Counters;
use std::collections::{BTreeMap, BTreeSet};

/// Where names of parameters and axes come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Names {
    /// From pools, as all others do.
    Pools,
    /// They are the author's; a launch knows the kernel by them.
    Author,
}

/// Why a kernel has no canonical form.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what} has no canonical form")]
pub struct Unprintable {
    /// What it contains.
    what: String,
}

impl Unprintable {
    fn new(what: impl Into<String>) -> Self {
        Unprintable { what: what.into() }
    }
}

/// Why a text has no canonical form.
#[derive(Clone, Debug, thiserror::Error)]
pub enum CanonError {
    /// It is not right.
    #[error("the text has errors: {}", .0.first().map_or("", |d| d.message.as_str()))]
    Wrong(Vec<Diagnostic>),
    /// It has no kernel.
    #[error("the text has no kernel")]
    Empty,
    /// One of its kernels has none.
    #[error("kernel `{kernel}`: {why}")]
    Unprintable {
        /// Its name.
        kernel: String,
        /// Why.
        why: Unprintable,
    },
}

/// Every kernel of a text in canonical form, each as a text of its own, with its name.
///
/// # Errors
/// [`CanonError`] where the front end refuses the text or a kernel has no such form.
pub fn canonical(text: &str, how: Names) -> Result<Vec<(String, String)>, CanonError> {
    let parsed = parse_file(text).map_err(|(d, _)| CanonError::Wrong(vec![d]))?;
    if parsed.is_empty() {
        return Err(CanonError::Empty);
    }
    parsed.into_iter().map(|parsed| one(parsed, how)).collect()
}

fn one(parsed: Parsed, how: Names) -> Result<(String, String), CanonError> {
    let Parsed { name, kernel, diagnostics, calls, .. } = parsed;
    let Some(kernel) = kernel else { return Err(CanonError::Wrong(diagnostics)) };
    match print(&kernel, &calls, how) {
        Ok(text) => Ok((name, text)),
        Err(why) => Err(CanonError::Unprintable { kernel: name, why }),
    }
}

/// A kernel of the front end in canonical form; `calls` are those that it noted.
///
/// # Errors
/// [`Unprintable`] for a kernel of the queue level, or one that is lowered.
pub fn print(kernel: &Kernel, calls: &[InlinedCall], how: Names) -> Result<String, Unprintable> {
    if kernel.level != Level::Tile {
        return Err(Unprintable::new("a kernel of the queue level"));
    }
    let mut canon = Canon::new(kernel, calls, how);
    canon.name_signature()?;
    canon.name_axes()?;
    canon.head()?;
    canon.body()?;
    Ok(canon.out)
}

/// The text so far, and what everything is called.
struct Canon<'a> {
    kernel: &'a Kernel,
    calls: BTreeMap<SpanId, &'a InlinedCall>,
    how: Names,
    out: String,
    indent: usize,
    counters: Counters,
    /// Names that no pool may give: the author's.
    taken: BTreeSet<String>,
    /// Names of parameters, one of a list for each of its numbers.
    params: Vec<String>,
    /// Names of lists of numbers, by the author's.
    lists: BTreeMap<String, String>,
    /// Names of enums, by the attribute.
    enums: BTreeMap<usize, String>,
    /// Names of what an item of lists has, by parameter.
    items: BTreeMap<usize, String>,
    /// The list that says how many items there are.
    first_list: Option<usize>,
    /// Names of axes: of the signature, and of tiles.
    sig_axes: Vec<String>,
    axes: Vec<String>,
    /// Axes that anything goes along, in order.
    used_axes: Vec<usize>,
    /// Axes of ranges whose ends only the core knows.
    core_ranges: BTreeSet<usize>,
    /// Sizes that a shape computes and names, and which of them it has.
    sizes: Vec<(Scalar, String)>,
    said_sizes: Vec<usize>,
    /// Axes that the body declares.
    new_axes: Vec<(String, Scalar)>,
    /// Names of workspaces, with the axes that they have.
    works: Vec<Option<(String, Vec<String>)>>,
    /// Names of values and scalars.
    values: BTreeMap<usize, String>,
    vars: BTreeMap<usize, String>,
    /// Definitions that only their use shows: ends of ranges.
    counts: BTreeMap<usize, Scalar>,
    /// Where values are used.
    uses: BTreeMap<usize, usize>,
    /// Scalars that got a name for the statement being written.
    hoists: Vec<(Scalar, String)>,
    in_signature: bool,
}

impl<'a> Canon<'a> {
    fn new(kernel: &'a Kernel, calls: &'a [InlinedCall], how: Names) -> Self {
        let first_list = kernel.sig.lists().find(|(id, _)| kernel.sig.dtype(*id).is_some()).map(|(id, _)| id.index());
        let (mut core_ranges, mut uses) = (BTreeSet::new(), BTreeMap::new());
        let mut count = |v: usize| *uses.entry(v).or_insert(0) += 1;
        walk_stmts(&kernel.body.stmts, &mut |s| match &s.kind {
            StmtKind::Loop { tile } => {
                core_ranges.extend(tile.specs.iter().filter(|spec| spec.length.is_some()).map(|spec| spec.of.index()));
            }
            StmtKind::Def { expr, .. } => TileExpr::operands(expr).for_each(|v| count(v.index())),
            StmtKind::Set { from, .. } => count(from.index()),
            StmtKind::Store { value, to, .. } => {
                count(value.index());
                to.ids().for_each(|ids| count(ids.value.index()));
            }
            StmtKind::Append { value, mask, .. } => [value, mask].into_iter().for_each(|v| count(v.index())),
            StmtKind::Read { value, .. } | StmtKind::Dump { value, .. } => count(value.index()),
            _ => {}
        });
        Canon {
            kernel,
            calls: calls.iter().map(|call| (call.span, call)).collect(),
            how,
            out: String::new(),
            indent: 0,
            counters: Counters::default(),
            taken: BTreeSet::new(),
            params: Vec::new(),
            lists: BTreeMap::new(),
            enums: BTreeMap::new(),
            items: BTreeMap::new(),
            first_list,
            sig_axes: Vec::new(),
            axes: Vec::new(),
            used_axes: used_axes(kernel),
            core_ranges,
            sizes: Vec::new(),
            said_sizes: Vec::new(),
            new_axes: Vec::new(),
            works: vec![None; kernel.body.works.len()],
            values: BTreeMap::new(),
            vars: BTreeMap::new(),
            counts: BTreeMap::new(),
            uses,
            hoists: Vec::new(),
            in_signature: false,
        }
    }

    /// The next name of a pool.
    fn name(&mut self, pool: Pool) -> String {
        self.counters.next(pool, &self.taken)
    }

    /// One line.
    fn line(&mut self, text: &str) {
        self.out.push_str(&"    ".repeat(self.indent));
        self.out.push_str(text);
        self.out.push('\n');
    }
}

/// The axes that a loop, an index, a tile or an op of the body goes along.
fn used_axes(kernel: &Kernel) -> Vec<usize> {
    let mut used = Vec::new();
    let access = |access: &Access, used: &mut Vec<usize>| {
        used.extend(access.index.iter().flat_map(|i| i.terms.iter().map(|term| term.ax.index())));
    };
    walk_stmts(&kernel.body.stmts, &mut |s| match &s.kind {
        StmtKind::Loop { tile } => {
            used.extend(tile.specs.iter().map(|spec| spec.of.index()));
            used.extend(tile.split.map(AxId::index));
        }
        StmtKind::Store { to, .. } => access(to, &mut used),
        StmtKind::Def { value, expr } => {
            match expr {
                TileExpr::Load { from } | TileExpr::LoadOr { from, .. } => access(from, &mut used),
                TileExpr::Top { along, to, .. } => used.extend([along.index(), to.index()]),
                TileExpr::Pick { along, .. } | TileExpr::Scan { along, .. } => {
                    used.push(along.index());
                }
                TileExpr::Reduce { over, .. } => used.extend(over.iter().map(AxId::index)),
                _ => {}
            }
            used.extend(kernel.body.values[value.index()].axes.iter().map(AxId::index));
        }
        _ => {}
    });
    used
}
