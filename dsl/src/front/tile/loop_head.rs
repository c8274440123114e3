//! The head of a tile loop: `tiles(n)`, `tiles(x)`, `each(n)`, `tiles((each(b), d))`, and the
//! overrides behind it.

use crate::diag::Code;
use crate::front::cx::report::Report;
use crate::front::cx::value::{Arg, Header, LoopSpec, Part, Val};
use crate::front::cx::Cx;
use crate::front::queue::extent::bare;
use crate::front::text::span::text;
use crate::front::text::words::method_ends;
use crate::ir::{AxFrom, AxId, Level, ParamId, RunSize, Scalar};
use crate::items::LoopMethod;
use syn::{Expr, ExprCall, ExprMethodCall};

/// Most buffers of one queue: one position has no more blocks.
const MAX_BUFFER_NUM: i64 = crate::soc::MAX_BLOCKS_PER_POSITION;

impl Cx<'_> {
    /// Reads `tiles(n)`, `tiles(x)` or `tiles((n, each(m)))`.
    pub fn tiles_call(&mut self, c: &ExprCall, e: &Expr) -> Val {
        self.use_level(Level::Tile, e, "tiles");
        let args = self.args(&c.args);
        let span = self.report.at(e);
        let usage = match &args[..] {
            [_, _, ..] => format!(
                "tiles(({}))",
                args.iter()
                    .map(|(_, e)| text(e))
                    .collect::<Vec<_>>()
                    .join(", ")
            ),
            _ => "tiles(n)".to_string(),
        };
        let Some([arg]) = self.report.exactly::<1>("tiles", &args, e, &usage) else {
            return LoopSpec::tiles(None, span);
        };
        if let Val::Tuple(vals) = &arg.0 {
            let parts = self.product(vals, arg.1);
            return LoopSpec::plain(Header::Product, parts, span);
        }
        let part = match &arg.0 {
            Val::Tensor(p) => self.draft.shape_known[p.index()].then(|| Part {
                over: Some(*p),
                ..Part::of(self.elements_ax(*p))
            }),
            Val::Loop(each) if each.header == Header::Each => {
                return tiles_of_each(&mut self.report, (**each).clone(), e, arg.1)
            }
            _ => self.part(arg, "tiles"),
        };
        LoopSpec::plain(Header::Tiles, part.map(|part| vec![part]), span)
    }

    /// Reads `each(n)`, whose iteration is one index.
    pub fn each_call(&mut self, c: &ExprCall, e: &Expr) -> Val {
        self.use_level(Level::Tile, e, "each");
        let args = self.args(&c.args);
        let span = self.report.at(e);
        let part = match self.report.exactly::<1>("each", &args, e, "each(n)") {
            Some([arg]) => self.part(arg, "each"),
            None => None,
        };
        let part = part.map(|part| {
            vec![Part {
                size: RunSize::Each {},
                ..part
            }]
        });
        LoopSpec::plain(Header::Each, part, span)
    }

    /// Reads the axes of `tiles((n, each(m)))`.
    fn product(&mut self, vals: &[Val], node: &Expr) -> Option<Vec<Part>> {
        let nodes: Vec<&Expr> = match bare(node) {
            Expr::Tuple(t) => t.elems.iter().collect(),
            _ => vec![node; vals.len()],
        };
        if vals.is_empty() {
            let d = self
                .error(Code::J0109, node, "a tile loop over no axis")
                .help("name the axes that are cut: `tiles((n, g))`");
            self.report.add(d);
            return None;
        }
        let args: Vec<Arg<'_>> = vals.iter().cloned().zip(nodes).collect();
        let found: Vec<Option<Part>> = args.iter().map(|arg| self.factor(arg)).collect();
        let parts: Vec<Part> = found.into_iter().collect::<Option<_>>()?;
        let twice = (1..parts.len())
            .find(|at| parts[..*at].iter().any(|before| before.of == parts[*at].of));
        let Some(at) = twice else { return Some(parts) };
        let name = self.out.body.axes[parts[at].of.index()].name.clone();
        let d = self
            .error(
                Code::J0109,
                args[at].1,
                format!("`{name}` twice in one loop"),
            )
            .help("a loop cuts an axis once; another axis of that size is `let m = new_axis(..)`");
        self.report.add(d);
        None
    }

    /// Reads one axis of a product: a name, or `each(n)`.
    fn factor(&mut self, arg: &Arg<'_>) -> Option<Part> {
        let problem = match &arg.0 {
            Val::Loop(each) if each.header == Header::Each && !each.has_overrides() => {
                return each.parts.as_ref().and_then(|parts| parts.first().cloned());
            }
            Val::Loop(spec) if spec.header == Header::Each => "an override inside of a product",
            Val::Loop(_) => "a loop inside of a product",
            Val::Tensor(_) => "all elements of a tensor in a product",
            _ => return self.part(arg, "tiles"),
        };
        let help = match &arg.0 {
            Val::Tensor(_) => "a product has the axes of `#[shape(..)]`: `tiles((n, each(m)))`",
            _ => "in a product stand axes and `each(..)`, overrides behind it: `tiles((n, each(m))).size((8, _))`",
        };
        let d = self.error(Code::J0109, arg.1, problem).help(help);
        self.report.add(d);
        None
    }

    /// Reads an axis that a loop goes through.
    fn part(&mut self, arg: &Arg<'_>, call: &str) -> Option<Part> {
        if let (false, Some(of)) = (matches!(arg.0, Val::Handle(_)), self.axis_of(&arg.0)) {
            return Some(Part::of(of));
        }
        let d = match &arg.0 {
            Val::Range(range) => return self.range_part(range, arg.1),
            Val::Handle(_) => self
                .error(Code::J0109, arg.1, format!("`{call}` of a tile"))
                .help("a tile is as small as UB asks for; give the loop around a `.size(..)`"),
            Val::Num(_) => {
                let size = text(arg.1);
                let takes = if call == "each" {
                    "an axis"
                } else {
                    "an axis or a tensor"
                };
                self.error(Code::J0106, arg.1, format!("`{call}` takes {takes}, `{size}` is a number"))
                    .help(format!("an axis is a name of `#[shape(..)]`; its first indices are a range, `{call}(0..{size})`, and scalars are counted by `for i in 0..{size}`"))
            }
            Val::Tensor(p) => {
                let name = self.draft.sig.param(*p).name.clone();
                self.error(
                    Code::J0106,
                    arg.1,
                    format!("`{call}` takes an axis, `{name}` is a GlobalTensor"),
                )
                .help(format!(
                    "name the axes of `{name}`, `#[shape(n, d)]`, and say which: `{call}(n)`"
                ))
            }
            _ => {
                self.wrong_kind(
                    arg,
                    if call == "each" {
                        "an axis"
                    } else {
                        "an axis or a GlobalTensor"
                    },
                );
                return None;
            }
        };
        self.report.add(d);
        None
    }

    /// Returns the axis of all elements of a tensor.
    fn elements_ax(&mut self, p: ParamId) -> AxId {
        match self.draft.sig.shape(p).to_vec().as_slice() {
            [dim] => self.dim_ax(p, 0, dim),
            _ => {
                let whole = AxFrom::Whole {
                    extent: self.draft.sig.elements(p),
                };
                let found = self
                    .out
                    .body
                    .axes
                    .iter()
                    .position(|ax| ax.from == whole && ax.name == "elements");
                found.map_or_else(|| self.out.new_ax("elements", whole), |at| AxId(at as u32))
            }
        }
    }

    /// Reads an override such as `.size(n)`.
    pub fn loop_override(&mut self, mut spec: LoopSpec, m: &ExprMethodCall, e: &Expr) -> Val {
        let name = m.method.to_string();
        let (is_inside, is_each) = (self.out.phase().is_some(), spec.header == Header::Each);
        // An inner loop takes only a size, which `each` does not have, and a promise.
        let is_known = |method: &LoopMethod| match method {
            LoopMethod::Size => !is_each,
            LoopMethod::AnyCut => is_inside,
            LoopMethod::BufferNum
            | LoopMethod::BlockDim
            | LoopMethod::Exact
            | LoopMethod::Split => !is_inside,
        };
        let method = LoopMethod::by_name(&name);
        if method.is_some_and(|method| spec.says(method)) {
            let d = self
                .error(
                    Code::J0109,
                    &m.method,
                    format!("`{name}` twice on one loop"),
                )
                .help("say it once");
            self.report.add(d);
        }
        match method.filter(is_known) {
            None => {
                self.args(m.args.iter().filter(|a| !matches!(a, Expr::Infer(_))));
                let what = match (is_inside, is_each) {
                    (true, _) => "a tile loop inside another",
                    (false, true) => "`each`",
                    (false, false) => "`tiles`",
                };
                let known = LoopMethod::ALL
                    .iter()
                    .copied()
                    .filter(is_known)
                    .map(LoopMethod::name);
                self.report
                    .no_method(what, &m.method, &known.collect::<Vec<_>>());
            }
            Some(LoopMethod::Size) => self.sizes(&mut spec, m, e),
            Some(LoopMethod::Exact) => {
                let args = self.args(&m.args);
                spec.exact |= self.report.exactly::<0>("exact", &args, e, "").is_some();
            }
            Some(LoopMethod::AnyCut) => {
                let args = self.args(&m.args);
                spec.any_cut |= self.report.exactly::<0>("any_cut", &args, e, "").is_some();
            }
            Some(LoopMethod::Split) => {
                let args = self.args(&m.args);
                if let Some([arg]) = self.report.exactly::<1>("split", &args, e, ".split(d)") {
                    self.split_along(&mut spec, arg);
                }
            }
            Some(LoopMethod::BlockDim) => {
                if let Some((value, node)) = self.override_number(&name, m, e) {
                    if self.at_least_one(&value, &name, node) {
                        spec.block_dim = Some(value);
                    }
                }
            }
            Some(LoopMethod::BufferNum) => {
                if let Some((value, node)) = self.override_number(&name, m, e) {
                    spec.buffer_num =
                        buffer_num(&mut self.report, &value, node).or(spec.buffer_num);
                }
            }
        }
        Val::Loop(Box::new(spec))
    }

    /// Reads `.split(d)`, with an axis of the kernel that the loop itself does not cut.
    fn split_along(&mut self, spec: &mut LoopSpec, arg: &Arg<'_>) {
        let Some(ax) = self.axis_of(&arg.0) else {
            self.wrong_kind(arg, "an axis");
            return;
        };
        let cuts = spec.parts.iter().flatten().any(|part| part.of == ax);
        if !cuts {
            spec.split = Some(ax);
            return;
        }
        let name = self.out.body.axes[ax.index()].name.clone();
        let d = self
            .error(Code::J0109, arg.1, format!("a loop over `{name}` that is split along `{name}`"))
            .help("its iterations are divided already; `.split(d)` names an axis that tiles have from end to end: `x.at(r, ..)`");
        self.report.add(d);
    }

    /// Reads `.size(8)` or `.size((8, _))`: one entry an axis, `_` where the size is solved for.
    fn sizes(&mut self, spec: &mut LoopSpec, m: &ExprMethodCall, e: &Expr) {
        let entries: Vec<&Expr> = match m.args.first().map(bare) {
            Some(Expr::Tuple(t)) if m.args.len() == 1 => t.elems.iter().collect(),
            Some(_) if m.args.len() == 1 => m.args.iter().collect(),
            _ => {
                m.args.iter().for_each(|entry| drop(self.size_entry(entry)));
                let usage = if spec.header == Header::Product {
                    ".size((8, _))"
                } else {
                    ".size(n)"
                };
                let found = m.args.len();
                let d = self
                    .error(
                        Code::J0106,
                        e,
                        format!("`size` takes 1 argument, found {found}"),
                    )
                    .help(format!("write `{usage}`"))
                    .number("found", found as i64)
                    .number("allowed", 1);
                return self.report.add(d);
            }
        };
        let wanted = spec.parts.as_ref().map_or(entries.len(), Vec::len);
        let sizes: Vec<Option<Scalar>> =
            entries.iter().map(|entry| self.size_entry(entry)).collect();
        if wanted != entries.len() {
            let count = |n: usize, one: &str, more: &str| {
                if n == 1 {
                    format!("1 {one}")
                } else {
                    format!("{n} {more}")
                }
            };
            let like = vec!["_"; wanted].join(", ");
            let like = if wanted == 1 {
                like
            } else {
                format!("({like})")
            };
            let found = entries.len();
            let d = self
                .error(
                    Code::J0106,
                    &method_ends(m),
                    format!("`size` has {} for {}", count(found, "entry", "entries"), count(wanted, "axis", "axes")),
                )
                .help(format!("one entry an axis, a number in place of `_`, which is solved for: `.size({like})`"))
                .number("found", found as i64)
                .number("allowed", wanted as i64);
            return self.report.add(d);
        }
        for ((part, size), entry) in spec.parts.iter_mut().flatten().zip(sizes).zip(&entries) {
            match (size, &part.size) {
                (Some(_), RunSize::Each {}) => {
                    let d = self
                        .error(
                            Code::J0106,
                            *entry,
                            "a size for `each(..)`, of which an iteration is one index",
                        )
                        .help("write `_` there: it has nothing to choose");
                    let at = d.span();
                    self.report.add(d.fix(at, "_"));
                }
                (Some(size), RunSize::Solved {} | RunSize::Given { .. }) => {
                    part.size = RunSize::Given { size }
                }
                (None, _) => {}
            }
        }
    }

    /// Reads the author's size of one axis; `None` for `_`, and after an error.
    fn size_entry(&mut self, entry: &Expr) -> Option<Scalar> {
        if matches!(bare(entry), Expr::Infer(_)) {
            return None;
        }
        let arg = (self.expr(entry), entry);
        let value = self.index_arg(&arg, "`size`")?;
        self.at_least_one(&value, "size", entry).then_some(value)
    }

    /// Reports J0601 for a number that only a core knows, J0305 for a number below 1.
    fn at_least_one(&mut self, value: &Scalar, name: &str, node: &Expr) -> bool {
        if !self.host_known(value, node, &format!("`{name}`")) {
            return false;
        }
        let Some(n) = value.as_int().filter(|n| *n < 1) else {
            return true;
        };
        let d = self.error(
            Code::J0305,
            node,
            format!("{name} {n}, at least 1 is needed"),
        );
        let at = d.span();
        let least = if name == "size" { "_" } else { "1" };
        let d = d
            .help("leave it out: the largest that fits is solved for")
            .fix(at, least)
            .maybe()
            .number("found", n)
            .number("allowed", 1);
        self.report.add(d);
        false
    }

    /// Reads the number of an override, and its place.
    fn override_number<'e>(
        &mut self,
        name: &str,
        m: &'e ExprMethodCall,
        e: &Expr,
    ) -> Option<(Scalar, &'e Expr)> {
        let args = self.args(&m.args);
        let [arg] = self
            .report
            .exactly::<1>(name, &args, e, &format!(".{name}(n)"))?;
        let value = self.index_arg(arg, &format!("`{name}`"))?;
        Some((value, arg.1))
    }
}

/// Reports J0109 for `tiles(each(n))`, and reads it as `each(n)`.
fn tiles_of_each(report: &mut Report, each: LoopSpec, e: &Expr, node: &Expr) -> Val {
    let now = text(node);
    let d = report
        .error(Code::J0109, e, "tiles of single indices")
        .help(format!(
            "an iteration of `each(..)` is one index, which is no tile: `for i in {now}`"
        ));
    let at = d.span();
    report.add(d.fix(at, now));
    Val::Loop(Box::new(each))
}

/// Reads a number of buffers in the possible range.
fn buffer_num(report: &mut Report, value: &Scalar, node: &Expr) -> Option<i64> {
    let d = match value.as_int() {
        Some(n) if (1..=MAX_BUFFER_NUM).contains(&n) => return Some(n),
        Some(n) => report
            .error(
                Code::J0305,
                node,
                format!("buffer_num {n}, possible are 1 to {MAX_BUFFER_NUM}"),
            )
            .help("2 is double buffering")
            .expected(["2".to_owned(), MAX_BUFFER_NUM.to_string()])
            .number("found", n)
            .number("allowed", MAX_BUFFER_NUM),
        None => report
            .error(Code::J0305, node, "buffer_num is a literal or a constant")
            .help(format!(
                "write a number from 1 to {MAX_BUFFER_NUM}; the queues are declared with it"
            )),
    };
    let at = d.span();
    report.add(d.fix(at, "2").maybe());
    None
}
