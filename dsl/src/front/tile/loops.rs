//! Loops: `for t in tiles(x)`, `for r in tiles(n)`, `for i in each(n)`,
//! `for (i, t) in tiles((each(b), d))`, and `for i in a..b` over scalars.
//!
//! Outermost tile loops stand at the top of the body, or there under scalar control. Inner loops
//! stand directly in one of them.

use crate::diag::Code;
use crate::front::cx::emitted::Emitted;
use crate::front::cx::emitted::{Frame, RunInfo};
use crate::front::cx::report::Report;
use crate::front::cx::value::{Header, LoopSpec, Num, Part, RunId, Val};
use crate::front::cx::Cx;
use crate::front::text::span::{text, Node};
use crate::ir::{AxFrom, AxSpec, LoopId, Scalar, ScalarTy, Stage, TileLoop, TileStmt};
use crate::items::{AxisMethod, RunMethod, ScalarMethod};
use proc_macro2::Ident;
use syn::{Expr, ExprForLoop, ExprMethodCall, Pat};

impl Cx<'_> {
    /// Reports J0601 for a scalar that only a core knows.
    pub fn host_known(&mut self, value: &Scalar, node: &(impl Node + ?Sized), what: &str) -> bool {
        if self.out.stage(value) <= Stage::Host {
            return true;
        }
        let d = self
            .error(
                Code::J0601,
                node,
                format!("{what} must be known to the host, this is known on the core only"),
            )
            .help("use axes, attributes, constants and `let`s of these");
        self.report.add(d);
        false
    }

    /// Reads a method of the variable of a tile loop.
    pub fn handle_method(&mut self, run: RunId, m: &ExprMethodCall, e: &Expr) -> Val {
        let name = m.method.to_string();
        let RunInfo {
            len, ax, is_each, ..
        } = *self.out.run(run);
        if let (Some(AxisMethod::Iota), false) = (AxisMethod::by_name(&name), is_each) {
            return self.iota(ax, m, e);
        }
        let args = self.args(&m.args);
        if let (Some(ScalarMethod::DivExact), false) = (ScalarMethod::by_name(&name), is_each) {
            return self.report.div_exact_of_tile(e);
        }
        match RunMethod::by_name(&name) {
            Some(method @ (RunMethod::Start | RunMethod::Len)) => {
                match self.report.exactly::<0>(&name, &args, e, "") {
                    Some(_) => Val::Num(Num::index(if method == RunMethod::Start {
                        self.out.run_start(run)
                    } else {
                        Scalar::Var(len)
                    })),
                    None => Val::Unknown,
                }
            }
            Some(RunMethod::End) if !is_each => match self.report.exactly::<0>("end", &args, e, "")
            {
                // The end has a name of its own, for which later phases know that no tile ends
                // behind its axis.
                Some(_) => {
                    let (end, span) =
                        (Num::index(self.out.run_start(run) + len), self.report.at(e));
                    Val::Num(self.out.pinned("end", end, span))
                }
                None => Val::Unknown,
            },
            Some(RunMethod::End) | None => {
                // A misspelt store still names the output it was meant for.
                self.report.doubt = true;
                let known: Vec<&str> = RunMethod::NAMES
                    .iter()
                    .copied()
                    .chain([AxisMethod::Iota.name()])
                    .collect();
                self.report
                    .no_method("the variable of a tile loop", &m.method, &known)
            }
        }
    }

    /// Reads a `for` statement.
    pub fn for_loop(&mut self, f: &ExprForLoop, e: &Expr) {
        if let Some(label) = &f.label {
            self.report.unsupported(
                &(label.name.span(), label.name.span()),
                "a label",
                "there is no `break` or `continue`: remove it",
            );
        }
        let range = match &*f.expr {
            Expr::Paren(p) => &*p.expr,
            other => other,
        };
        if let Expr::Range(r) = range {
            return self.scalar_for(f, r, e);
        }
        match self.expr(&f.expr) {
            Val::Loop(spec) => self.tile_for(*spec, f, e),
            Val::Zip(zip) => self.zip_for(&zip, f),
            Val::Unknown => self.broken_for(f),
            other => {
                let mut d =
                    self.error(Code::J0109, &f.expr, format!("`for` over {}", other.what()));
                d = match other {
                    Val::Tensor(p) => {
                        let x = self.draft.sig.param(p).name.clone();
                        let at = d.span();
                        d.help(format!("write `for t in tiles({x})`, or tiles of one of its axes: `for r in tiles(n)`"))
                            .fix(at, format!("tiles({x})"))
                            .maybe()
                    }
                    Val::List(p) => {
                        let xs = &self.draft.sig.param(p).name;
                        d.help(format!("write `for x in zip({xs})`, with other lists `for (x, y) in zip(({xs}, ys))`"))
                    }
                    Val::Num(_) => d
                        .expected(["0..n", "tiles(n)"])
                        .help("write a range, `for i in 0..n`, or tiles of an axis, `for t in tiles(n)`"),
                    Val::Share { .. } | Val::Split(_) => d.help("write `for i in 0..share.len()`"),
                    _ => d.help("loops run over `tiles(n)` with an axis `n`, `tiles(x)` with a tensor, or a range `a..b`"),
                };
                self.report.add(d);
                self.broken_for(f);
            }
        }
    }

    /// Reads the body of a loop whose header was wrong, for the mistakes in it.
    pub(super) fn broken_for(&mut self, f: &ExprForLoop) {
        self.draft.tile_loop = self.draft.tile_loop.or(Some(crate::ir::SpanId(0)));
        self.report.doubt = true;
        self.nested(Frame::Tile(None), |cx| {
            cx.names.bind_unknown(&f.pat);
            cx.block(&f.body);
        });
    }

    fn tile_for(&mut self, spec: LoopSpec, f: &ExprForLoop, e: &Expr) {
        let names = turn_names(&mut self.report, &spec, &f.pat);
        let parts = match &spec.parts {
            Some(parts) if self.may_stand(&spec, parts, &f.expr) => parts.clone(),
            _ => return self.broken_for(f),
        };
        let Some(names) = names else {
            return self.broken_for(f);
        };
        let (id, span) = (LoopId(self.out.loop_count), self.report.at(e));
        self.out.loop_count += 1;
        let (mut specs, mut runs) = (
            Vec::with_capacity(parts.len()),
            Vec::with_capacity(parts.len()),
        );
        for (part, name) in parts.into_iter().zip(&names) {
            let (run, spec) = new_run(&mut self.out, id, part, *name);
            runs.push(run);
            specs.push(spec);
        }
        let (body, ()) = self.nested(Frame::Tile(Some(id)), |cx| {
            for (run, name) in runs.iter().zip(names) {
                let Some(name) = name else { continue };
                let val = turn(&cx.out, *run);
                cx.names.bind(name.to_string(), val, false, name.ends());
            }
            cx.block(&f.body);
        });
        let tile = TileLoop {
            id,
            specs,
            buffer_num: spec.buffer_num,
            block_dim: spec.block_dim,
            exact: spec.exact,
            any_cut: spec.any_cut,
            split: spec.split,
            body: body.tile,
        };
        self.out.tile(TileStmt::Loop { tile }, span);
    }

    /// Reports J0109 for a loop that is neither an outermost tile loop nor directly inside of one.
    fn may_stand(&mut self, spec: &LoopSpec, parts: &[Part], node: &Expr) -> bool {
        let phase = self.out.phase();
        if phase.is_none() && self.report.inlining.is_empty() {
            self.draft.tile_loop = self.draft.tile_loop.or(Some(spec.span));
            return true;
        }
        let (Some(first), Some(outer)) = (self.draft.tile_loop, phase) else {
            let d = self
                .error(Code::J0109, node, "a tile loop in a helper")
                .help("tile loops stand in the kernel's body; a helper computes with the tiles that it is given");
            self.report.add(d);
            return false;
        };
        let label = |d: crate::diag::Diagnostic| {
            if first.0 == 0 {
                d
            } else {
                d.label(first, "the first one")
            }
        };
        let Some(outer) = outer else { return false };
        let cuts = |run: &&RunInfo| parts.iter().any(|part| part.of == run.of);
        let shared = self
            .out
            .runs_of(outer)
            .find(cuts)
            .map(|run| (run.name.clone(), run.over.is_some(), run.is_each, run.of));
        // Scalar control may stand between the two.
        let around = self
            .out
            .frames
            .iter()
            .rev()
            .find(|frame| **frame != Frame::Inner);
        let d = if around != Some(&Frame::Tile(Some(outer))) || !self.report.inlining.is_empty() {
            let names = loop_names(&self.out, outer);
            self.error(
                Code::J0109,
                node,
                format!("this tile loop stands in another one inside the loop {names}"),
            )
            .help("move it out of the loop or helper around it")
        } else if parts.iter().any(|part| part.over.is_some())
            || shared.as_ref().is_some_and(|(_, is_over, ..)| *is_over)
        {
            label(self.error(
                Code::J0109,
                node,
                "a tile loop over all elements of a tensor inside a tile loop",
            ))
            .help(
                "inside, an axis is tiled: `for c in tiles(d)`; else load both tensors in one loop",
            )
        } else if let Some((name, _, is_each, of)) = shared {
            let axis = self.out.body.axes[of.index()].name.clone();
            let what = if is_each { "an index" } else { "a tile" };
            label(self.error(
                Code::J0109,
                node,
                format!("the loop `{name}` cuts `{axis}` already"),
            ))
            .help(format!(
                "`{name}` is {what} of `{axis}`: use it, or loop over another axis"
            ))
        } else {
            return true;
        };
        self.report.add(d);
        false
    }

    fn scalar_for(&mut self, f: &ExprForLoop, r: &syn::ExprRange, e: &Expr) {
        let name = self.report.loop_name(&f.pat).flatten();
        let from = self.range_end(r.start.as_deref(), &f.expr);
        let to = self.range_end(r.end.as_deref(), &f.expr);
        if !matches!(r.limits, syn::RangeLimits::HalfOpen(_)) {
            let d = self.error(
                Code::J0101,
                &f.expr,
                "a closed range cannot stand in a kernel",
            );
            let d = d.help("write the end after the last value: `a..b + 1`");
            let at = d.span();
            self.report.add(match (&r.start, &r.end) {
                (Some(from), Some(to)) => d.fix(at, format!("{}..{} + 1", text(from), text(to))),
                _ => d,
            });
        }
        let ty = match (&from, &to) {
            (Some((a, _)), Some((b, _))) => a.ty.or(b.ty).unwrap_or(ScalarTy::Index),
            _ => ScalarTy::Index,
        };
        let good = matches!(ty, ScalarTy::Index | ScalarTy::I32);
        if !good {
            let d = self
                .error(Code::J0208, &f.expr, format!("a range of `{}`", ty.word()))
                .help("loops count with `usize` or `i32`");
            self.report.add(d);
        }
        let end = |cx: &mut Self, n: Option<(Num, &Expr)>| {
            n.filter(|_| good)
                .and_then(|(n, e)| cx.report.want(n, ty, e, "the other end of the range"))
        };
        let (from, to) = (end(self, from), end(self, to));
        let span = self.report.at(e);
        let base = name.map_or_else(|| "i".to_string(), Ident::to_string);
        let var = self.out.new_var(
            &base,
            if good { ty } else { ScalarTy::Index },
            false,
            Stage::Block,
        );
        self.out.loop_vars.push(var);
        let (body, ()) = self.nested(Frame::Inner, |cx| {
            if let Some(name) = name {
                let val = if good {
                    Val::Num(Num::new(Scalar::Var(var), ty))
                } else {
                    Val::Unknown
                };
                cx.names.bind(name.to_string(), val, false, name.ends());
            }
            cx.block(&f.body);
        });
        if let (Some(from), Some(to)) = (from, to) {
            self.out
                .stmts
                .for_loop(var, &from.value, &to.value, body, span);
        }
    }

    fn range_end<'e>(&mut self, end: Option<&'e Expr>, range: &Expr) -> Option<(Num, &'e Expr)> {
        if end.is_none() {
            self.report
                .unsupported(range, "an open range", "write both ends: `for i in 0..n`");
        }
        end.and_then(|e| Some((self.scalar(e)?, e)))
    }
}

impl Report {
    /// Reads the name of a loop's variable, `None` for `_`. The outer `None` is an error.
    pub fn loop_name<'p>(&mut self, pat: &'p Pat) -> Option<Option<&'p Ident>> {
        match pat {
            Pat::Ident(p) if p.by_ref.is_none() && p.subpat.is_none() && p.mutability.is_none() => {
                self.ascii_name(&p.ident, Code::J0101);
                Some(Some(&p.ident))
            }
            Pat::Wild(_) => Some(None),
            other => {
                self.unsupported(
                    other,
                    "a pattern as loop variable",
                    "write a plain name: `for i in a..b`",
                );
                None
            }
        }
    }
}

/// Removes the parentheses around a pattern.
pub fn bare_pat(pat: &Pat) -> &Pat {
    match pat {
        Pat::Paren(p) => bare_pat(&p.pat),
        other => other,
    }
}

/// Reads one name for each run of an iteration, `None` for `_`. The outer `None` is an error.
fn turn_names<'p>(
    report: &mut Report,
    spec: &LoopSpec,
    pat: &'p Pat,
) -> Option<Vec<Option<&'p Ident>>> {
    let wanted = spec.parts.as_ref()?.len();
    let one = std::slice::from_ref;
    let (is_product, pats): (bool, Vec<&Pat>) = match bare_pat(pat) {
        Pat::Tuple(t) => (true, t.elems.iter().collect()),
        other => (false, one(other).iter().collect()),
    };
    if is_product == (spec.header == Header::Product) && pats.len() == wanted {
        let names: Vec<Option<Option<&Ident>>> =
            pats.into_iter().map(|pat| report.loop_name(pat)).collect();
        return names
            .into_iter()
            .collect::<Option<Vec<_>>>()
            .filter(|names| names_differ(report, names));
    }
    let (found, of) = match (is_product, wanted) {
        (false, _) => ("one name".to_string(), format!("{wanted} axes")),
        (true, 1) => (format!("{} names", pats.len()), "one axis".to_string()),
        (true, _) => (format!("{} names", pats.len()), format!("{wanted} axes")),
    };
    let like = match spec.header {
        Header::Product => {
            format!(
                "({})",
                ["i", "j", "k", "l", "m", "n"]
                    .into_iter()
                    .cycle()
                    .take(wanted)
                    .collect::<Vec<_>>()
                    .join(", ")
            )
        }
        Header::Tiles | Header::Each => "t".to_string(),
    };
    let d = report
        .error(
            Code::J0109,
            pat,
            format!("{found} for an iteration of {of}"),
        )
        .help(format!(
            "write one name an axis, or `_`: `for {like} in ..`"
        ));
    report.add(d);
    None
}

/// Reports J0109 for one name twice in a header.
fn names_differ(report: &mut Report, names: &[Option<&Ident>]) -> bool {
    let given: Vec<&Ident> = names.iter().flatten().copied().collect();
    let Some(at) = (1..given.len()).find(|at| given[..*at].contains(&given[*at])) else {
        return true;
    };
    let d = report
        .error(
            Code::J0109,
            given[at],
            format!("`{}` names two axes of an iteration", given[at]),
        )
        .help("give each a name of its own");
    report.add(d);
    false
}

/// Makes a run of a loop over one axis.
fn new_run(out: &mut Emitted, by: LoopId, part: Part, name: Option<&Ident>) -> (RunId, AxSpec) {
    let Part {
        of,
        over,
        size,
        length,
    } = part;
    let is_each = size.is_each();
    let base = name.map_or_else(
        || if is_each { "i" } else { "t" }.to_string(),
        Ident::to_string,
    );
    // A single index is the author's variable itself. A tile is no number, so its first index is an
    // internal variable. In a range it is the distance from the range's own first index.
    let first = match out.firsts.contains_key(&of) {
        true => format!("{base}_nth"),
        false if is_each => base.clone(),
        false => format!("{base}_start"),
    };
    let start = out.new_var(&first, ScalarTy::Index, false, Stage::Block);
    let len = out.new_var(&format!("{base}_len"), ScalarTy::Index, false, Stage::Block);
    let ax = out.new_ax(
        base.strip_prefix("r#").unwrap_or(&base),
        AxFrom::Run { of: by },
    );
    out.runs.push(RunInfo {
        name: base,
        by,
        is_each,
        over,
        start,
        len,
        ax,
        of,
    });
    (
        RunId(out.runs.len() - 1),
        AxSpec {
            ax,
            of,
            start,
            len,
            size,
            length,
        },
    )
}

/// Makes the value of an iteration's name.
fn turn(out: &Emitted, run: RunId) -> Val {
    if out.run(run).is_each {
        Val::Num(Num::index(out.run_start(run)))
    } else {
        Val::Handle(run)
    }
}

/// Names a loop by the names of its iteration: `r`, `(i, t)`.
fn loop_names(out: &Emitted, of: LoopId) -> String {
    let names: Vec<&str> = out.runs_of(of).map(|run| run.name.as_str()).collect();
    match &names[..] {
        [one] => format!("`{one}`"),
        names => format!("`({})`", names.join(", ")),
    }
}
