//! Cross-core accumulators: `let mut s = across_cores::<f32>(d, 0.0)` before a loop, merged inside
//! (`s += ..`, `s = s.max(..)`), complete behind it.
//!
//! Accumulators of bits, `across_cores::<bool>(d, false)` merged by `|=` or `&=`, are numbers 0 and
//! 1, of which the largest or the smallest is merged. A read tests them against 0.
//!
//! The value that an iteration merges is a part, which the rule of cuts judges (`check::cut`).
//! Inside of the loop only merges read the accumulator.

use crate::diag::{Code, Diagnostic};
use crate::dtype::DType;
use crate::front::cx::draft::Draft;
use crate::front::cx::emitted::Frame;
use crate::front::cx::kinds::Merged;
use crate::front::cx::report::Report;
use crate::front::cx::value::Val;
use crate::front::cx::Cx;
use crate::front::text::span::Node;
use crate::front::text::words::one_type;
use crate::ir::tile::Stmt;
use crate::ir::{
    outer_loops, walk_stmts, Level, Operand, Scalar, ScalarTy, SpanId, StmtKind, TileExpr,
    TileStmt, Ty, ValueId,
};
use crate::ops::{AxisReduceOp, BinaryOp, Op};
use std::collections::{BTreeMap, BTreeSet};
use syn::{Expr, ExprCall, PathArguments};

/// The type of the numbers that represent bits.
const NUMBERS: Ty = Ty::Is(DType::F32);

impl Cx<'_> {
    /// Reads a call `across_cores::<f32>(axes, v)`.
    pub fn across_call(&mut self, c: &ExprCall, generics: &PathArguments, e: &Expr) -> Val {
        self.use_level(Level::Tile, e, "across_cores");
        let args = self.args(&c.args);
        let wanted = "across_cores::<f32>(d, 0.0)";
        let Some([axes, init]) = self.report.exactly::<2>("across_cores", &args, e, wanted) else {
            return Val::Unknown;
        };
        if self.out.phase().is_some() {
            let d = self
                .error(Code::J0601, e, "`across_cores` in a tile loop")
                .help("declare it before the loop that merges it");
            return self.report.bad(d);
        }
        let Some(given) = one_type(generics) else {
            let d = self
                .error(Code::J0106, e, "`across_cores` of which element type?")
                .help(format!("write `{wanted}`"));
            return self.report.bad(d);
        };
        let Some(dtype) = self.element(given) else {
            return Val::Unknown;
        };
        let Some(axes) = self.axes_given(axes, "across_cores") else {
            return Val::Unknown;
        };
        let Val::Num(n) = &init.0 else {
            return self.wrong_kind(init, "a scalar");
        };
        let bits = dtype == Ty::Is(DType::Bool);
        let (dtype, first) = match bits {
            true => {
                // A value that is no `bool` was reported; its merges are merges all the same.
                let first =
                    self.report
                        .want(n.clone(), ScalarTy::Bool, init.1, "what bits begin with");
                let first = first.map_or(Scalar::Bool(false), |n| n.value);
                (
                    NUMBERS,
                    Some(Scalar::select(
                        first,
                        Scalar::Float(1.0),
                        Scalar::Float(0.0),
                    )),
                )
            }
            false => (dtype, self.tile_scalar(n, dtype, init.1)),
        };
        let Some(init) = first else {
            return Val::Unknown;
        };
        let span = self.report.at(e);
        let made = self.out.def(
            TileExpr::Across {
                op: AxisReduceOp::Sum,
                init,
            },
            dtype,
            axes,
            span,
        );
        if let Val::Tile(value) = made {
            self.draft.merged.push(Merged {
                value,
                bits,
                depth: self.out.frames.len(),
                op: None,
                by: None,
                at: span,
            });
        }
        made
    }

    /// Reads an accumulator of bits.
    pub fn merged_bits(&mut self, v: ValueId, node: &(impl Node + ?Sized)) -> Val {
        let (axes, span) = (self.out.axes(v).clone(), self.report.at(node));
        self.out.def(
            TileExpr::Cast {
                value: v,
                mode: None,
            },
            Ty::Mask,
            axes,
            span,
        )
    }

    /// Reads `bits |= mask` or `bits &= mask`; false where the left side is no accumulator of bits.
    pub fn merge_bits(&mut self, left: &Expr, right: &Expr, op: BinaryOp, e: &Expr) -> bool {
        let Expr::Path(p) = left else { return false };
        let Some(name) = p.path.get_ident().map(ToString::to_string) else {
            return false;
        };
        let Some((Val::Tile(target), mutable, bound)) = self
            .names
            .target(&name)
            .map(|b| (b.val.clone(), b.mutable, b.at))
        else {
            return false;
        };
        if !self.draft.is_merged_bits(target) {
            return false;
        }
        if self.is_kept_over_items(&name, bound, e) {
            return true;
        }
        let mask = match self.expr(right) {
            Val::Unknown => return true,
            Val::Tile(v) if self.out.dtype(v) == Ty::Mask => v,
            other => {
                let found = match &other {
                    Val::Tile(v) => {
                        format!("a tile of `{}`", self.draft.sig.ty_name(self.out.dtype(*v)))
                    }
                    other => other.what().to_string(),
                };
                let d = self.error(
                    Code::J0106,
                    right,
                    format!("`{name}` holds bits, found {found}"),
                );
                self.report.add(d.help("merge a mask: `x.gt(0.0).any(t)`"));
                return true;
            }
        };
        if !mutable {
            self.not_mutable(&name, &Val::Tile(target), bound, e);
            return true;
        }
        let (axes, span) = (self.out.axes(mask).clone(), self.report.at(e));
        if axes != *self.out.axes(target) {
            let (found, wanted) = (
                self.out.axes_text(&axes),
                self.out.axes_text(self.out.axes(target)),
            );
            let over = axes.without(self.out.axes(target));
            let d = self.error(
                Code::J0206,
                right,
                format!("a mask `{found}` merged into `{name}`, bits `{wanted}`"),
            );
            let ask = if op == BinaryOp::Max { "any" } else { "all" };
            let d = match over.is_empty() {
                true => d.help("declare the value with the axes of the mask"),
                false => d.help(format!(
                    "reduce it first: `.{ask}({})`",
                    self.out.axes_arg(&over)
                )),
            };
            self.report.add(d);
            return true;
        }
        let numbers = self.out.define(
            TileExpr::Cast {
                value: mask,
                mode: None,
            },
            NUMBERS,
            axes.clone(),
            span,
        );
        let args = [target, numbers]
            .map(|value| Operand::Value { value })
            .to_vec();
        let all = self.out.define(
            TileExpr::Op {
                op: Op::Binary(op),
                args,
            },
            NUMBERS,
            axes,
            span,
        );
        self.set_tile(&name, target, all, right, bound, e);
        true
    }

    /// Reports J0214 for an assignment to an accumulator that is no merge, and notes its reduction.
    pub fn merges(
        &mut self,
        target: ValueId,
        from: ValueId,
        name: &str,
        node: &(impl Node + ?Sized),
    ) -> bool {
        let Some(at) = self.draft.merged.iter().position(|m| m.value == target) else {
            return true;
        };
        let help = format!("write `{name} += v`, `{name} *= v`, `{name} = {name}.max(v)` or `{name} = {name}.min(v)`");
        let op = self.out.stmts.tile.iter().rev().find_map(|s| {
            let Some(TileStmt::Def {
                value,
                expr:
                    TileExpr::Op {
                        op: Op::Binary(op),
                        args,
                    },
            }) = s.own()
            else {
                return None;
            };
            let own = args.iter().filter(|a| a.value() == Some(target)).count();
            merge_of(*op).filter(|_| *value == from && own == 1)
        });
        let around = self
            .out
            .frames
            .iter()
            .position(|frame| matches!(frame, Frame::Tile(_)));
        let by = self.out.phase().flatten();
        let is_repeated = around.is_some_and(|depth| depth != self.draft.merged[at].depth);
        let d = match (op, self.draft.merged[at].op) {
            (None, _) => {
                self.error(Code::J0214, node, format!("`{name}` is a value over all cores: it is only merged")).help(help)
            }
            (Some(_), _) if around.is_none() => self
                .error(Code::J0214, node, format!("`{name}` is merged outside of a tile loop, by every core alike"))
                .help("give the result a name of its own: `let t = s + v;`"),
            (Some(_), _) if is_repeated => self
                .error(
                    Code::J0214,
                    node,
                    format!("`{name}` is merged in a loop under scalar control that begins behind its declaration"),
                )
                .help(
                    "declare it in the same block as the loop that merges it; \
                     what several iterations add up is one loop over both axes: `for (i, t) in tiles((each(k), n))`",
                ),
            (Some(op), Some(other)) if op != other => {
                self.error(Code::J0214, node, format!("`{name}` is merged in two ways")).help("take one value for each way")
            }
            (Some(_), Some(_)) if self.draft.merged[at].by != by => self
                .error(Code::J0214, node, format!("`{name}` is merged in two loops"))
                .help("behind the first one it is whole: take another value for the second, and add both"),
            (Some(op), _) => {
                self.draft.merged[at].op = Some(op);
                self.draft.merged[at].by = by;
                return true;
            }
        };
        self.report.add(d);
        // A merge in a wrong place is still a merge.
        op.is_some() && around.is_some()
    }

    /// Sets the reduction of each accumulator, and checks the places of its reads.
    pub fn judge_merged(&mut self) {
        let ops: BTreeMap<ValueId, AxisReduceOp> = self
            .draft
            .merged
            .iter()
            .filter_map(|m| Some((m.value, m.op?)))
            .collect();
        crate::ir::walk_stmts_mut(&mut self.out.stmts.tile, &mut |s| {
            if let StmtKind::Do(TileStmt::Def {
                value,
                expr: TileExpr::Across { op, .. },
            }) = &mut s.kind
            {
                *op = ops.get(value).copied().unwrap_or(*op);
            }
        });
        let merged: BTreeSet<ValueId> = self.draft.merged.iter().map(|m| m.value).collect();
        for (value, span) in read_while_merged(&self.out.stmts.tile, &merged) {
            let name = self.out.body.values[value.index()].name.clone();
            let d = Diagnostic::new(
                Code::J0214,
                span,
                format!("`{name}` is read in the loop that merges it"),
            );
            self.report.add(
                d.help("it is whole behind the loop: read it there, in another loop if needed"),
            );
        }
        // Beside other mistakes one of them may stand in the place of a merge.
        if self.report.diagnostics.is_empty() {
            let idle: Vec<Merged> = self
                .draft
                .merged
                .iter()
                .filter(|m| m.op.is_none())
                .copied()
                .collect();
            idle.into_iter().for_each(|m| self.merged_nowhere(m));
        }
        if self.report.diagnostics.is_empty() {
            self.judge_changes(&merged);
        }
    }

    /// Reports J0214 for a tile from outside of tile loops that a loop changes and the cores do not
    /// merge.
    fn judge_changes(&mut self, merged: &BTreeSet<ValueId>) {
        let (mut declared, sets) = declared_and_set(&self.out.stmts.tile);
        let mut in_loops = BTreeSet::new();
        for tile in outer_loops(&self.out.stmts.tile) {
            let (inside, set) = declared_and_set(&tile.body);
            declared.retain(|value, _| !inside.contains_key(value));
            in_loops.extend(set.into_keys());
        }
        declared.retain(|value, _| {
            self.out.body.values[value.index()].mutable && !merged.contains(value)
        });
        for (value, declared) in declared {
            let Some(set) = sets.get(&value) else {
                // The `let mut` only says that it may change.
                self.out.body.values[value.index()].mutable = false;
                continue;
            };
            if !in_loops.contains(&value) {
                continue;
            }
            let name = self.out.body.values[value.index()].name.clone();
            let text = format!("a tile loop changes `{name}`, which stands before it: the result depends on the tile size");
            let d = Diagnostic::new(Code::J0214, *set, text).help(
                "declare it in the loop; what all iterations and cores merge begins with `across_cores`",
            );
            self.report.add(d.label(declared, "declared here"));
        }
    }

    /// Reports J0214 for an accumulator that is only declared.
    fn merged_nowhere(&mut self, merged: Merged) {
        let name = self.out.body.values[merged.value.index()].name.clone();
        let how = if merged.bits {
            format!("{name} |= m.any(t);")
        } else {
            format!("{name} += v.sum(t);")
        };
        let d = Diagnostic::new(
            Code::J0214,
            merged.at,
            format!("nothing is merged into `{name}`"),
        );
        let axes = self.out.axes_arg(self.out.axes(merged.value));
        self.report.add(d.help(format!(
            "merge it in a tile loop, `{how}`; what no loop changes is `full({axes}, v)`"
        )));
    }
}

impl Draft {
    /// True for an accumulator of bits.
    pub fn is_merged_bits(&self, v: ValueId) -> bool {
        self.merged.iter().any(|m| m.value == v && m.bits)
    }
}

impl Report {
    /// Reports J0214 for an assignment to an accumulator of bits that is no merge.
    pub fn not_merged(&mut self, name: &str, node: &Expr) {
        let d = self.error(
            Code::J0214,
            node,
            format!("`{name}` is a value over all cores: it is only merged"),
        );
        self.add(d.help(format!("write `{name} |= m` or `{name} &= m`")));
    }
}

/// Returns the reduction that an op is one step of.
const fn merge_of(op: BinaryOp) -> Option<AxisReduceOp> {
    match op {
        BinaryOp::Add => Some(AxisReduceOp::Sum),
        BinaryOp::Max => Some(AxisReduceOp::Max),
        BinaryOp::Min => Some(AxisReduceOp::Min),
        BinaryOp::Mul => Some(AxisReduceOp::Prod),
        BinaryOp::Sub | BinaryOp::Div => None,
    }
}

/// Finds the declarations of values, and the first assignment to each.
fn declared_and_set(stmts: &[Stmt]) -> (BTreeMap<ValueId, SpanId>, BTreeMap<ValueId, SpanId>) {
    let (mut declared, mut sets) = (BTreeMap::new(), BTreeMap::new());
    walk_stmts(stmts, &mut |s| match s.own() {
        Some(TileStmt::Def { value, .. }) => _ = declared.insert(*value, s.span),
        Some(TileStmt::Set { value, .. }) => _ = sets.entry(*value).or_insert(s.span),
        Some(TileStmt::Loop { .. } | TileStmt::Store { .. } | TileStmt::Append { .. }) => {}
        None | Some(TileStmt::Read { .. } | TileStmt::Dump { .. }) => {}
    });
    (declared, sets)
}

/// Finds reads of accumulators, other than in their merges, inside of a loop that merges them.
fn read_while_merged(stmts: &[Stmt], merged: &BTreeSet<ValueId>) -> Vec<(ValueId, SpanId)> {
    let mut found = Vec::new();
    for tile in outer_loops(stmts) {
        let mut results: BTreeMap<ValueId, BTreeSet<ValueId>> = BTreeMap::new();
        walk_stmts(&tile.body, &mut |s| {
            if let StmtKind::Do(TileStmt::Set { value, from }) = &s.kind {
                if merged.contains(value) {
                    results.entry(*value).or_default().insert(*from);
                }
            }
        });
        walk_stmts(&tile.body, &mut |s| {
            let (read, by) = match s.own() {
                Some(TileStmt::Def { value, expr }) => (expr.operands().collect(), Some(value)),
                Some(TileStmt::Append { value, mask, .. }) => (vec![*value, *mask], None),
                Some(TileStmt::Set { from: value, .. } | TileStmt::Store { value, .. }) => {
                    (vec![*value], None)
                }
                Some(TileStmt::Read { value, .. } | TileStmt::Dump { value, .. }) => {
                    (vec![*value], None)
                }
                None | Some(TileStmt::Loop { .. }) => return,
            };
            for v in read {
                let Some(merges) = results.get(&v) else {
                    continue;
                };
                if !by.is_some_and(|by| merges.contains(by)) {
                    found.push((v, s.span));
                }
            }
        });
    }
    found
}
