//! A kernel in canonical form: one op a `let`, names from pools numbered in the order of definition, helpers inlined, constants folded.
//!
//! What is printed is the IR of the front end, so that two spellings of one kernel are one text, and the text read again is that kernel. A
//! function of tiles stays a call. Kernels of the queue level have no such form.

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

/// Where names of parameters and axes come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Names {
    /// From pools, as all others do.
    Pools,
    /// They are the author's; a launch knows the kernel by them.
    Author,
    /// The author's, and tiles and runs say their axes: `v_t_n_d_0` is over a run of `n` and all of `d`. What nothing reads any more gives its name to the next tile.
    Axes,
}

impl Names {
    /// True where parameters and axes keep the author's names.
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

/// A kernel of the front end in canonical form.
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

/// The head of a kernel in canonical form, and the names that its body has from there.
#[derive(Clone, Debug)]
pub struct Head {
    /// Everything before the body.
    pub text: String,
    /// Of a kernel with lists the head of the loop over their items, without and with their number.
    pub items: Option<[String; 2]>,
    /// What closes the text behind the body.
    pub tail: String,
    /// Levels of blocks around the body, that loop not among them.
    pub level: usize,
    /// Names of element type parameters.
    pub types: Vec<String>,
    /// Element type parameters of which arithmetic may be in `f32` or not.
    pub open: Vec<u8>,
    /// Element type parameters of which no instance is of floats.
    pub whole: Vec<u8>,
    /// Tensors that the body sees.
    pub tensors: Vec<HeadTensor>,
    /// Names of axes.
    pub axes: Vec<String>,
    /// Scalars that the body sees, with their pools.
    pub scalars: Vec<(String, Pool)>,
    /// Attributes that are one of several names, with their enums and these.
    pub choices: Vec<(String, String, Vec<String>)>,
}

/// A tensor of a head.
#[derive(Clone, Debug)]
pub struct HeadTensor {
    /// Its name in the body.
    pub name: String,
    /// Element type.
    pub ty: Ty,
    /// How many indices it has.
    pub rank: usize,
    /// The axes of its indices, where they have names.
    pub axes: Vec<Option<String>>,
    /// What the kernel does with it.
    pub role: Role,
    /// True where a launch may leave it out.
    pub optional: bool,
}

/// The head of a kernel of which the body is not written yet.
///
/// # Errors
/// [`Unprintable`] for what a canonical head cannot say.
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

/// A workspace: its name, its axes, and how large these are.
struct Work {
    name: String,
    axes: Vec<String>,
    sizes: Vec<Scalar>,
}

/// The text so far, and what everything is called.
struct Canon<'a> {
    kernel: &'a Kernel,
    body: &'a Body,
    calls: BTreeMap<SpanId, &'a InlinedCall>,
    how: Names,
    out: String,
    indent: usize,
    counters: Counters,
    /// A pool that has fewer names than one scope takes.
    spent: Option<Pool>,
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
    /// Of each run of a loop where it comes from.
    runs: BTreeMap<AxId, &'a AxSpec>,
    /// Axes of ranges whose ends only the core knows, with how many indices they have.
    core_ranges: BTreeMap<usize, &'a Scalar>,
    /// Sizes that a shape computes and names, and which of them it has.
    sizes: Vec<(Scalar, String)>,
    said_sizes: Vec<usize>,
    /// Axes that the body declares.
    new_axes: Vec<(String, Scalar)>,
    /// Names of workspaces, with the axes that they have.
    works: Vec<Work>,
    /// Names of values and scalars.
    values: BTreeMap<usize, String>,
    vars: BTreeMap<usize, String>,
    /// Definitions that only their use shows: ends of ranges.
    counts: BTreeMap<usize, Scalar>,
    /// Where values are used.
    uses: BTreeMap<usize, usize>,
    /// How long tiles are in use, and the statement that is being written.
    lives: Lives,
    now: usize,
    /// Scalars that got a name for the statement being written.
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

    /// The next name of a pool.
    fn name(&mut self, pool: Pool) -> String {
        self.name_along(pool, None)
    }

    /// The next name of a pool, of those that say these axes where they are to be said.
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

    /// One line.
    fn line(&mut self, text: &str) {
        self.out.push_str(&"    ".repeat(self.indent));
        self.out.push_str(text);
        self.out.push('\n');
    }
}

/// The axes that a loop, an index, a tile or an op of the body goes along.
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
        // Their values are defined elsewhere, and an append goes along the axes of its value.
        StmtKind::Do(
            TileStmt::Set { .. }
            | TileStmt::Append { .. }
            | TileStmt::Read { .. }
            | TileStmt::Dump { .. },
        ) => {}
    });
    used
}
