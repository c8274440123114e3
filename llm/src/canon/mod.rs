//! The canonical form of a kernel: one op in each `let`, names from pools numbered in the order of
//! definition, helpers inlined, constants folded.
//!
//! The input is the IR of the front end. So two spellings of one kernel give one text, and parsing
//! that text gives the kernel again. A function of tiles stays a call. Kernels of the queue level
//! have no canonical form.
//!
//! Start reading at `print`.

mod body;
mod index;
mod live;
mod names;
mod scalars;
mod signature;

pub use names::{stem, Pool, OTHERS};
pub(crate) use scalars::pascal;
pub use scalars::TYPES;

use jumar::dsl::diag::Diagnostic;
use jumar::dsl::front::{parse_file, Parsed};
use jumar::dsl::ir::tile::Body;
use jumar::dsl::ir::{
    dim_size, walk_stmts, Access, AxId, AxSpec, Dim, InlinedCall, Kernel, ParamKind, Role, Scalar,
    Signature, Source, SpanId, StmtKind, TileExpr, TileStmt, Ty,
};
use live::Lives;
use names::Counters;
use std::collections::{BTreeMap, BTreeSet};

/// The source of the names of parameters and axes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Names {
    /// From pools, like all other names.
    Pools,
    /// From the author; a launch refers to the kernel's parameters by them.
    Author,
    /// From the author, and names of tiles and runs contain their axes: `v_t_n_d_0` is over a run
    /// of `n` and all of `d`. A name is reused when nothing reads its tile any more.
    Axes,
}

impl Names {
    /// True if parameters and axes keep the author's names.
    fn are_the_authors(self) -> bool {
        match self {
            Names::Author | Names::Axes => true,
            Names::Pools => false,
        }
    }
}

/// Why a kernel has no canonical form.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what} has no canonical form")]
pub struct Unprintable {
    /// The construct without a canonical form.
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
    /// The front end refuses the text.
    #[error("the text has errors: {}", .0.first().map_or("", |d| d.message.as_str()))]
    Wrong(Vec<Diagnostic>),
    /// The text has no kernel.
    #[error("the text has no kernel")]
    Empty,
    /// One of its kernels has no canonical form.
    #[error("kernel `{kernel}`: {why}")]
    Unprintable { kernel: String, why: Unprintable },
}

/// Returns the name and the canonical form of every kernel of a text.
///
/// # Errors
/// [`CanonError`] if the front end refuses the text or a kernel has no such form.
pub fn canonical(text: &str, how: Names) -> Result<Vec<(String, String)>, CanonError> {
    let parsed = parse_file(text).map_err(|(d, _)| CanonError::Wrong(vec![d]))?;
    if parsed.is_empty() {
        return Err(CanonError::Empty);
    }
    parsed.into_iter().map(|parsed| one(parsed, how)).collect()
}

fn one(parsed: Parsed, how: Names) -> Result<(String, String), CanonError> {
    let Parsed {
        name,
        kernel,
        diagnostics,
        ..
    } = parsed;
    let Some(kernel) = kernel else {
        return Err(CanonError::Wrong(diagnostics));
    };
    match print(&kernel, how) {
        Ok(text) => Ok((name, text)),
        Err(why) => Err(CanonError::Unprintable { kernel: name, why }),
    }
}

/// Prints a kernel of the front end in canonical form.
///
/// # Errors
/// [`Unprintable`] for a kernel of the queue level, or one that is lowered.
pub fn print(kernel: &Kernel, how: Names) -> Result<String, Unprintable> {
    let Some(body) = kernel.tiles() else {
        return Err(Unprintable::new("a kernel of the queue level"));
    };
    let mut canon = Canon::new(kernel, body, how);
    canon.name_signature()?;
    canon.name_axes()?;
    canon.head()?;
    canon.body()?;
    match canon.spent {
        Some(pool) => Err(Unprintable::new(format!(
            "a scope with more than {} names of `{}`",
            pool.most(),
            pool.letters()
        ))),
        None => Ok(canon.out),
    }
}

/// The head of a kernel in canonical form, and the names that it gives to the body.
#[derive(Clone, Debug)]
pub struct Head {
    /// The text before the body.
    pub text: String,
    /// For a kernel with lists: the head of the loop over their items, without and with the item's
    /// number.
    pub items: Option<[String; 2]>,
    /// The text behind the body, which closes the blocks.
    pub tail: String,
    /// Levels of blocks around the body, without the loop over items.
    pub level: usize,
    /// Names of element type parameters.
    pub types: Vec<String>,
    /// Element type parameters that are not bound by `Float`, by position.
    pub open: Vec<u8>,
    /// Element type parameters without an instance of floats, by position.
    pub whole: Vec<u8>,
    /// Tensors that the body sees.
    pub tensors: Vec<HeadTensor>,
    /// Names of axes.
    pub axes: Vec<String>,
    /// Scalars that the body sees, with their pools.
    pub scalars: Vec<(String, Pool)>,
    /// Attributes that are one of several names, with their enum and its variants.
    pub choices: Vec<(String, String, Vec<String>)>,
}

/// A tensor of a head.
#[derive(Clone, Debug)]
pub struct HeadTensor {
    /// Its name in the body.
    pub name: String,
    pub ty: Ty,
    /// The number of its indices.
    pub rank: usize,
    /// The axes of its indices, as far as they have names.
    pub axes: Vec<Option<String>>,
    /// Input, output, or both.
    pub role: Role,
    /// True if a launch may leave it out.
    pub optional: bool,
}

/// Prints the head of a kernel whose body is not written yet.
///
/// # Errors
/// [`Unprintable`] for a construct without a form in a canonical head.
pub fn head(sig: &Signature, how: Names) -> Result<Head, Unprintable> {
    let (chips, body, spans) = (Vec::new(), Body::default(), Vec::new());
    let kernel = Kernel {
        sig: sig.clone(),
        chips,
        deterministic: None,
        body: Source::Tile(body.clone()),
        calls: Vec::new(),
        spans,
    };
    let mut canon = Canon::new(&kernel, &body, how);
    canon.name_signature()?;
    canon.name_axes()?;
    canon.head()?;
    let (level, text) = (canon.indent, std::mem::take(&mut canon.out));
    let lists: Vec<(usize, &str)> = sig
        .lists()
        .map(|(id, p)| (id.index(), p.name.as_str()))
        .collect();
    let items = (!lists.is_empty()).then(|| {
        let before = (canon.indent, canon.counters.clone());
        canon.zip(&lists, Some("i0"));
        let numbered = std::mem::take(&mut canon.out);
        (canon.indent, canon.counters) = before;
        canon.zip(&lists, None);
        [std::mem::take(&mut canon.out), numbered]
    });
    let in_body = |at: usize| canon.items.get(&at).unwrap_or(&canon.params[at]).clone();
    let (mut tensors, mut scalars, mut choices) = (Vec::new(), Vec::new(), Vec::new());
    for (at, param) in sig.params.iter().enumerate() {
        match &param.kind {
            ParamKind::Tensor {
                role,
                dtype,
                shape,
                optional,
                ..
            } => {
                let (name, rank) = (in_body(at), shape.len());
                let axes = shape
                    .iter()
                    .map(|dim| canon.axis_of_size(&dim_size(dim)))
                    .collect();
                tensors.push(HeadTensor {
                    name,
                    ty: *dtype,
                    rank,
                    axes,
                    role: *role,
                    optional: *optional,
                });
            }
            ParamKind::Attr { choices: names, .. } if !names.is_empty() => {
                choices.push((
                    in_body(at),
                    canon.enums[&at].clone(),
                    names.iter().map(|v| scalars::pascal(v)).collect(),
                ));
            }
            ParamKind::Attr { ty, part, .. } => {
                let name = part.as_ref().map_or_else(
                    || in_body(at),
                    |part| format!("{}[{}]", canon.params[at], part.at),
                );
                scalars.push((name, signature::scalar_pool(*ty, false)));
            }
        }
    }
    let own = canon.sig_axes.iter().cloned();
    let said = sig.params.iter().flat_map(|p| match &p.kind {
        ParamKind::Tensor { shape, .. } => shape.as_slice(),
        ParamKind::Attr { .. } => &[],
    });
    let attr = |dim: &Dim| match dim {
        Dim::Expr {
            size: Scalar::Attr(id, _),
        } if sig.part(*id).is_none() => Some(canon.params[id.index()].clone()),
        Dim::Expr { .. } | Dim::Axis { .. } | Dim::At { .. } => None,
    };
    let whole = (0..sig.dtypes.len())
        .filter(|at| sig.instances.iter().all(|row| !row[*at].is_float()))
        .map(|at| at as u8)
        .collect();
    let axes: BTreeSet<String> = own
        .chain(said.filter_map(attr))
        .chain(canon.sizes.iter().map(|(_, name)| name.clone()))
        .collect();
    let axes = axes.into_iter().collect();
    let tail = (0..canon.indent)
        .rev()
        .map(|level| "    ".repeat(level) + "}\n")
        .collect();
    let types = (0..sig.dtypes.len())
        .map(|at| canon.param_ty(at as u8))
        .collect::<Result<_, _>>()?;
    let open = (0..)
        .zip(&sig.dtypes)
        .filter(|(_, d)| d.set != "Float")
        .map(|(at, _)| at)
        .collect();
    Ok(Head {
        text,
        items,
        tail,
        level,
        types,
        open,
        whole,
        tensors,
        axes,
        scalars,
        choices,
    })
}

/// A workspace with its name, its axes and their sizes.
struct Work {
    name: String,
    axes: Vec<String>,
    sizes: Vec<Scalar>,
}

/// The printer: the text so far, and the names of all parts of the kernel.
struct Canon<'a> {
    kernel: &'a Kernel,
    body: &'a Body,
    calls: BTreeMap<SpanId, &'a InlinedCall>,
    how: Names,
    out: String,
    indent: usize,
    counters: Counters,
    /// A pool that has fewer names than one scope needs.
    spent: Option<Pool>,
    /// Names of the author, which no pool may give.
    taken: BTreeSet<String>,
    /// Names of parameters; all parts of a list of numbers have the name of the list.
    params: Vec<String>,
    /// Names of lists of numbers, by the author's.
    lists: BTreeMap<String, String>,
    /// Names of enums, by the attribute.
    enums: BTreeMap<usize, String>,
    /// Names of the items of lists, by parameter.
    items: BTreeMap<usize, String>,
    /// The list that gives the number of items.
    first_list: Option<usize>,
    /// Names of axes: of the signature, and of tiles.
    sig_axes: Vec<String>,
    axes: Vec<String>,
    /// Axes that some statement uses, in order.
    used_axes: Vec<usize>,
    /// For each run, the axis of the loop that makes it.
    runs: BTreeMap<AxId, &'a AxSpec>,
    /// Axes of ranges whose ends only the core knows, with the number of their indices.
    core_ranges: BTreeMap<usize, &'a Scalar>,
    /// Sizes that a shape computes and names, and those that are written already.
    sizes: Vec<(Scalar, String)>,
    said_sizes: Vec<usize>,
    /// Axes that the body declares.
    new_axes: Vec<(String, Scalar)>,
    /// Names of workspaces, with their axes.
    works: Vec<Work>,
    /// Names of values and scalars.
    values: BTreeMap<usize, String>,
    vars: BTreeMap<usize, String>,
    /// Numbers of indices of ranges, which are written at their use, as the ends of the range.
    counts: BTreeMap<usize, Scalar>,
    /// How often each value is used.
    uses: BTreeMap<usize, usize>,
    /// The lifetimes of tiles, and the number of the current statement.
    lives: Lives,
    now: usize,
    /// Scalars that got a name for the current statement.
    hoists: Vec<(Scalar, String)>,
    in_signature: bool,
}

impl<'a> Canon<'a> {
    fn new(kernel: &'a Kernel, body: &'a Body, how: Names) -> Self {
        let first_list = kernel
            .sig
            .lists()
            .find(|(id, _)| kernel.sig.dtype(*id).is_some())
            .map(|(id, _)| id.index());
        let (mut runs, mut core_ranges, mut uses) =
            (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        walk_stmts(&body.stmts, &mut |s| {
            let mut read = BTreeSet::new();
            jumar::dsl::ir::uses(s, &mut read);
            read.into_iter()
                .for_each(|v| *uses.entry(v.index()).or_insert(0) += 1);
            if let StmtKind::Do(TileStmt::Loop { tile }) = &s.kind {
                runs.extend(tile.specs.iter().map(|spec| (spec.ax, spec)));
                core_ranges.extend(
                    tile.specs
                        .iter()
                        .filter_map(|spec| Some((spec.of.index(), spec.length.as_ref()?))),
                );
            }
        });
        Canon {
            kernel,
            body,
            calls: kernel.calls.iter().map(|call| (call.span, call)).collect(),
            how,
            out: String::new(),
            indent: 0,
            counters: Counters::default(),
            spent: None,
            taken: BTreeSet::new(),
            params: Vec::new(),
            lists: BTreeMap::new(),
            enums: BTreeMap::new(),
            items: BTreeMap::new(),
            first_list,
            sig_axes: Vec::new(),
            axes: Vec::new(),
            used_axes: used_axes(body),
            runs,
            core_ranges,
            sizes: Vec::new(),
            said_sizes: Vec::new(),
            new_axes: Vec::new(),
            works: Vec::new(),
            values: BTreeMap::new(),
            vars: BTreeMap::new(),
            counts: BTreeMap::new(),
            uses,
            lives: Lives::of(&body.stmts),
            now: 0,
            hoists: Vec::new(),
            in_signature: false,
        }
    }

    /// Returns the next name of a pool.
    fn name(&mut self, pool: Pool) -> String {
        self.name_along(pool, None)
    }

    /// Returns the next name of a pool; it contains the axes `along` under [`Names::Axes`].
    fn name_along(&mut self, pool: Pool, along: Option<&str>) -> String {
        let stem = self.stem(pool, along);
        let (name, is_own) = self.counters.next(pool, stem, &self.taken);
        if !is_own {
            self.spent = Some(pool);
        }
        name
    }

    fn stem(&self, pool: Pool, along: Option<&str>) -> String {
        match along {
            Some(axes) if self.how == Names::Axes => stem(pool, axes),
            Some(_) | None => pool.letters(),
        }
    }

    /// Appends one indented line.
    fn line(&mut self, text: &str) {
        self.out.push_str(&"    ".repeat(self.indent));
        self.out.push_str(text);
        self.out.push('\n');
    }
}

/// Collects the axes that a loop, an index, a tile or an op of the body uses.
fn used_axes(body: &Body) -> Vec<usize> {
    let mut used = Vec::new();
    let access = |access: &Access, used: &mut Vec<usize>| {
        used.extend(
            access
                .index
                .iter()
                .flat_map(|i| i.terms.iter().map(|term| term.ax.index())),
        );
    };
    walk_stmts(&body.stmts, &mut |s| match &s.kind {
        StmtKind::Do(TileStmt::Loop { tile }) => {
            used.extend(tile.specs.iter().map(|spec| spec.of.index()));
            used.extend(tile.split.map(AxId::index));
        }
        StmtKind::Do(TileStmt::Store { to, .. }) => access(to, &mut used),
        StmtKind::Do(TileStmt::Def { value, expr }) => {
            match expr {
                TileExpr::Load { from } | TileExpr::LoadOr { from, .. } => access(from, &mut used),
                TileExpr::Top { along, to, .. } => used.extend([along.index(), to.index()]),
                TileExpr::Pick { along, .. } | TileExpr::Scan { along, .. } => {
                    used.push(along.index());
                }
                TileExpr::Reduce { over, .. } => used.extend(over.iter().map(AxId::index)),
                _ => {}
            }
            used.extend(body.values[value.index()].axes.iter().map(AxId::index));
        }
        StmtKind::LetScalar { .. }
        | StmtKind::SetScalar { .. }
        | StmtKind::For { .. }
        | StmtKind::If { .. } => {}
        StmtKind::Promise { .. } => {}
        // Their values are defined elsewhere, and an append uses the axes of its value.
        StmtKind::Do(
            TileStmt::Set { .. }
            | TileStmt::Append { .. }
            | TileStmt::Read { .. }
            | TileStmt::Dump { .. },
        ) => {}
    });
    used
}
