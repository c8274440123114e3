//! Ops on tiles: operators and methods, with dtypes and shapes checked symbolically.
//!
//! A later phase checks the dtypes that a chip has. Here both operands must have one type, shapes
//! must broadcast axis by axis, and a scalar operand is converted to the tile's kind of number.

use crate::diag::{Code, Diagnostic, Spot};
use crate::dtype::DType;
use crate::front::cx::value::{Arg, Num, Val};
use crate::front::cx::Cx;
use crate::front::text::span::{text, Node};
use crate::front::text::suggest;
use crate::front::text::words::{as_receiver, cast_text, method_ends, no_such, symbol, turbofish};
use crate::ir::{Axes, BinOp, Operand, Scalar, ScalarTy, SpanId, TileExpr, Ty, ValueId};
use crate::items::{GmMethod, TileMethod};
use crate::library;
use crate::ops::{AxisReduceOp, BinaryOp, CompareOp, LayoutOp, Op, UnaryOp};
use syn::{Expr, ExprBinary, ExprGroup, ExprMethodCall, ExprParen};

impl Cx<'_> {
    /// Evaluates `a op b` where at least one side is a tile.
    pub fn tile_operator(
        &mut self,
        op: BinOp,
        left: (Val, &Expr),
        right: (Val, &Expr),
        e: &Expr,
    ) -> Val {
        let op = match op {
            BinOp::Add => BinaryOp::Add,
            BinOp::Sub => BinaryOp::Sub,
            BinOp::Mul => BinaryOp::Mul,
            BinOp::Div => BinaryOp::Div,
            BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge | BinOp::Eq | BinOp::Ne => {
                let method = match op {
                    BinOp::Lt => "lt",
                    BinOp::Le => "le",
                    BinOp::Gt => "gt",
                    BinOp::Ge => "ge",
                    BinOp::Eq => "eq",
                    _ => "ne",
                };
                let d = self
                    .error(
                        Code::J0103,
                        e,
                        format!("`{}` does not compare tiles", symbol(op)),
                    )
                    .help(format!(
                        "compare element by element: `a.{method}(b)` gives a mask for `select`"
                    ));
                // The method belongs to the tile, on either side.
                let now = match (&left, &right) {
                    ((Val::Tile(_), a), (_, b)) => {
                        Some(format!("{}.{method}({})", as_receiver(a), text(b)))
                    }
                    ((_, a), (Val::Tile(_), b)) => Some(format!(
                        "{}.{}({})",
                        as_receiver(b),
                        turned(method),
                        text(a)
                    )),
                    _ => None,
                };
                let (at, d) = (d.span(), d.expected([format!("a.{method}(b)")]));
                let d = match now {
                    Some(now) => d.fix(at, now),
                    None => d,
                };
                return self.report.bad(d);
            }
            other => {
                let d = self.error(Code::J0103, e, format!("`{}` does not take tiles", symbol(other))).help(
                    "operators of tiles are + - * / and unary -, of integers also & | ^ ! << >>, those of masks & | ^ and !",
                );
                let masks = [&left.0, &right.0]
                    .into_iter()
                    .all(|val| matches!(val, Val::Tile(v) if self.out.dtype(*v) == Ty::Mask));
                let (at, both) = (
                    d.span(),
                    format!("{} {} {}", text(left.1), joining(other), text(right.1)),
                );
                let d = if masks && matches!(other, BinOp::And | BinOp::Or) {
                    d.fix(at, both)
                } else {
                    d
                };
                return self.report.bad(d);
            }
        };
        self.elementwise(Op::Binary(op), &[left, right], e)
    }

    /// Evaluates the negation of a tile.
    pub fn negate_tile(&mut self, v: ValueId, e: &Expr) -> Val {
        if let Some(bad) = self.no_mask(v, "-", e) {
            return bad;
        }
        let span = self.report.at(e);
        let args = vec![Operand::Value { value: v }];
        let (dtype, shape) = (self.out.dtype(v), self.out.axes(v).clone());
        self.out.def(
            TileExpr::Op {
                op: Op::Unary(UnaryOp::Neg),
                args,
            },
            dtype,
            shape,
            span,
        )
    }

    /// Reads a call of a tile's method.
    pub fn tile_method(&mut self, v: ValueId, m: &ExprMethodCall, e: &Expr) -> Val {
        let name = m.method.to_string();
        if let Some(method) = TileMethod::by_name(&name) {
            return self.special_method(method, v, m, e);
        }
        // Its argument may be `..`, which is no value.
        if let Some(Op::AxisReduce(op)) = Op::by_name(&name) {
            return self.reduction(op, v, m, e);
        }
        let args = self.args(&m.args);
        let Some(op) = Op::by_name(&name).filter(|op| op.def().method) else {
            return match library::by_name(&name) {
                Some(f) => match self.no_mask(v, &name, &m.receiver) {
                    Some(bad) => bad,
                    None => self.library_call(f, v, &args, m, e),
                },
                None => self.no_tile_method(&name, m, &args),
            };
        };
        if let (
            Op::Compare(op @ (CompareOp::Eq | CompareOp::Ne)),
            Ty::Mask,
            [(Val::Tile(other), node)],
        ) = (op, self.out.dtype(v), &args[..])
        {
            if self.out.dtype(*other) == Ty::Mask {
                return self.compared_bits((v, &m.receiver), (*other, node), op, e);
            }
        }
        let used_on_mask = op == Op::Layout(LayoutOp::Select);
        if !used_on_mask {
            if let Some(bad) = self.no_mask(v, &name, &m.receiver) {
                return bad;
            }
        }
        match op {
            Op::Unary(_) => {
                if self
                    .report
                    .exactly::<0>(&name, &args, e, &format!("v.{name}()"))
                    .is_none()
                {
                    return Val::Unknown;
                }
                let span = self.report.at(e);
                let (dtype, axes) = (self.out.dtype(v), self.out.axes(v).clone());
                self.out.def(
                    TileExpr::Op {
                        op,
                        args: vec![Operand::Value { value: v }],
                    },
                    dtype,
                    axes,
                    span,
                )
            }
            Op::Layout(_) => self.select(v, &args, m, e),
            _ => {
                if args.is_empty() && matches!(name.as_str(), "max" | "min") {
                    let of = if let Expr::Path(_) = &*m.receiver {
                        text(&m.receiver)
                    } else {
                        "v".into()
                    };
                    let axis = self
                        .out
                        .axes(v)
                        .iter()
                        .last()
                        .map_or("d".into(), |ax| self.out.axes_arg(&Axes::from([ax])));
                    let d = self
                        .error(Code::J0106, e, format!("`{name}` takes 1 argument, found 0"))
                        .help(format!(
                            "`{name}` is element-wise: `{of}.{name}(w)` or `{of}.{name}(0.0)`; along an axis: `{of}.a{name}({axis})`"
                        ))
                        .number("found", 0)
                        .number("allowed", 1);
                    return self.report.bad(d);
                }
                let Some([arg]) =
                    self.report
                        .exactly::<1>(&name, &args, e, &format!("v.{name}(w)"))
                else {
                    return Val::Unknown;
                };
                let axis = match &arg.0 {
                    Val::Handle(run) => Some(self.out.run(*run).ax),
                    Val::Num(n) => n.axis.and_then(|n| self.names.axis_names[n.0].ax),
                    _ => None,
                };
                let is_own = axis.is_some_and(|ax| self.out.axes(v).contains(ax));
                if is_own && matches!(op, Op::Binary(BinaryOp::Max | BinaryOp::Min)) {
                    return self.along_an_axis(&name, m, arg);
                }
                match &arg.0 {
                    Val::Tile(_) | Val::Num(_) => {}
                    _ => return self.wrong_kind(arg, "a tile or a scalar"),
                }
                let operands = [(Val::Tile(v), &*m.receiver), (arg.0.clone(), arg.1)];
                self.elementwise(op, &operands, e)
            }
        }
    }

    /// Reports `v.max(d)` for an axis `d` of the tile: the number would be its size.
    fn along_an_axis(&mut self, name: &str, m: &ExprMethodCall, arg: &Arg<'_>) -> Val {
        let at = self.report.at(&m.method);
        let (axis, ends) = (text(arg.1), method_ends(m));
        let mut help = format!("along the axis it is `a{name}({axis})`");
        if matches!(arg.0, Val::Num(_)) {
            help += &format!("; its size as a number is `{axis} as f32`");
        }
        let d = self
            .error(
                Code::J0106,
                &ends,
                format!("`{name}` is element-wise, and `{axis}` is an axis of this tile"),
            )
            .help(help)
            .fix(at, format!("a{name}"))
            .expected([format!("a{name}({axis})")]);
        self.report.bad(d)
    }

    /// Reports J0103 for a method that tiles lack, with what was probably meant.
    fn no_tile_method(&mut self, name: &str, m: &ExprMethodCall, args: &[Arg<'_>]) -> Val {
        if self.report.fixup(name) {
            return Val::Unknown;
        }
        let mut d = self.report.error(
            Code::J0103,
            &m.method,
            format!("a tile has no method `{name}`"),
        );
        let at = d.span();
        let whole = matches!(Op::by_name(name), Some(Op::Reduce(_)));
        let whole_call = self
            .report
            .at(&(m.receiver.ends().0, m.paren_token.span.close()));
        d = match (suggest::synonym(name), Op::by_name(name)) {
            (Some(ours), _) if whole => {
                let d = d.help(format!(
                    "`vec::{name}` is a function of the queue level; along an axis: `v.{ours}(d)`"
                ));
                let d = d.expected([format!("{ours}(d)")]);
                if args.len() == 1 {
                    d.fix(at, ours)
                } else {
                    d
                }
            }
            (_, Some(Op::BinaryScalar(_) | Op::CompareScalar(_))) if args.len() == 1 => {
                let plain = name.strip_suffix('s').unwrap_or(name);
                d.help(format!(
                    "at tile level the scalar form is the same method: `v.{plain}(s)`"
                ))
                .fix(at, plain)
            }
            (_, Some(Op::Layout(LayoutOp::Duplicate))) => d
                .expected(["full"])
                .help("a tile of one number is `full(t, v)`"),
            (_, Some(op)) => d.help(format!(
                "`vec::{}` is a function of the queue level",
                op.name()
            )),
            (Some(ours), None) => d
                .help(format!("it is called `{ours}` here"))
                .fix(at, ours)
                .expected([ours]),
            (None, None) if GmMethod::by_name(name).is_some() => {
                d.help(self.hidden_tensor(name, m))
            }
            (None, None) if name == "clone" || name == "copy" => d
                .help("tiles are values: use the name again, nothing is moved")
                .edit(whole_call, Spot::Call(name.to_owned()), ""),
            (None, None) if suggest::absent(name).is_some() => {
                suggest::absent(name).into_iter().fold(d, Diagnostic::help)
            }
            (None, None) => match suggest::nearest(name, suggest::tile_ops()) {
                Some(near) => suggest::meant(
                    d.help(format!("did you mean `{near}`?")),
                    at,
                    name,
                    near,
                    suggest::tile_ops(),
                ),
                None => d
                    .help("`jumar ops` lists what a tile has")
                    .expected(suggest::tile_ops()),
            },
        };
        self.report.bad(d)
    }

    /// Explains a method of a tensor that is called on a tile.
    fn hidden_tensor(&self, name: &str, m: &ExprMethodCall) -> String {
        let of = text(&m.receiver);
        let params = &self.draft.sig.params;
        match params.iter().any(|p| p.name == of) {
            true => format!("a `let` above hides the parameter `{of}`: give its tile another name"),
            false => {
                format!("`{name}` is a method of a `GlobalTensor`, and this is loaded already")
            }
        }
    }

    /// Reads a method that is no op of its own.
    fn special_method(
        &mut self,
        method: TileMethod,
        v: ValueId,
        m: &ExprMethodCall,
        e: &Expr,
    ) -> Val {
        match method {
            TileMethod::Expand => self.expand(v, m, e),
            TileMethod::Pick => self.pick(v, m, e),
            TileMethod::Topk | TileMethod::Sort | TileMethod::Argsort => {
                self.sorted(method, v, m, e)
            }
            TileMethod::Cumsum => self.running(AxisReduceOp::Sum, method, v, m, e),
            TileMethod::Cumprod => self.running(AxisReduceOp::Prod, method, v, m, e),
            TileMethod::Scalar => self.read_scalar(v, m, e),
            TileMethod::Dump => self.dump(v, m, e),
            TileMethod::Cast | TileMethod::CastTrunc | TileMethod::CastWith => {
                self.cast(v, method, m, e)
            }
            TileMethod::ReinterpretCast => self.seen_as(v, m, e),
            TileMethod::Wide => self.widened(v, m, e),
        }
    }

    /// Reports J0201 where the bits of a comparison are used as numbers.
    pub fn no_mask(&mut self, v: ValueId, what: &str, node: &Expr) -> Option<Val> {
        (self.out.dtype(v) == Ty::Mask).then(|| {
            let d = self
                .error(Code::J0201, node, format!("`{what}` of a `Tile<bool>`, which holds the bits of a compare"))
                .help("a mask chooses, `mask.select(a, b)`, is asked, `mask.any(d)`, `mask.all(d)`, and becomes numbers 0 and 1: `mask.cast::<f32>()`");
            self.report.bad(d)
        })
    }

    /// Reads `v.expand(d)`, which broadcasts a tile along an axis.
    fn expand(&mut self, v: ValueId, m: &ExprMethodCall, e: &Expr) -> Val {
        let args = self.args(&m.args);
        let Some([arg]) = self.report.exactly::<1>("expand", &args, e, "v.expand(d)") else {
            return Val::Unknown;
        };
        let Some(more) = self.some_axes_given(arg, "expand") else {
            return Val::Unknown;
        };
        if let Some(bad) = self.no_mask(v, "expand", &m.receiver) {
            return bad;
        }
        let own = self.out.axes(v).clone();
        let all = own.union(&more);
        let whole: Axes = all.iter().map(|ax| self.out.whole_of(ax)).collect();
        if whole.len() < own.len() + more.len() {
            let (receiver, text) = (self.report.at(&m.receiver), self.out.axes_text(&own));
            let d = self
                .error(
                    Code::J0206,
                    &method_ends(m),
                    format!("`expand` of a tile `{text}` along an axis that it has"),
                )
                .label(receiver, format!("this is `{text}`"))
                .help("name axes that the tile lacks");
            return self.report.bad(d);
        }
        let (span, dtype) = (self.report.at(e), self.out.dtype(v));
        self.out.def(TileExpr::Copy { value: v }, dtype, all, span)
    }

    // ---- element-wise ----

    /// Makes an op over tiles and scalars, which may stand in any order.
    fn elementwise(&mut self, op: Op, operands: &[(Val, &Expr); 2], e: &Expr) -> Val {
        for (val, node) in operands {
            if let Val::Tile(v) = val {
                if let Some(bad) = self.no_mask(*v, op.name(), node) {
                    return bad;
                }
            }
        }
        let tiles = operands.each_ref().map(|(val, _)| {
            if let Val::Tile(v) = val {
                Some(*v)
            } else {
                None
            }
        });
        let span = self.report.at(e);
        let (dtype, shape) = match tiles {
            [Some(a), Some(b)] => {
                let dtype =
                    self.same_dtype(op.name(), (a, operands[0].1), (b, operands[1].1), span);
                let shape = self.broadcast(op.name(), (a, operands[0].1), (b, operands[1].1), span);
                match (dtype, shape) {
                    (Some(d), Some(s)) => (d, s),
                    _ => return Val::Unknown,
                }
            }
            [Some(v), None] | [None, Some(v)] => (self.out.dtype(v), self.out.axes(v).clone()),
            [None, None] => return Val::Unknown,
        };
        let mut args = Vec::with_capacity(2);
        for (val, node) in operands {
            args.push(match val {
                Val::Tile(v) => Operand::Value { value: *v },
                Val::Num(n) => {
                    if let Some(bad) = self.rounded_quotient(n, dtype, node) {
                        return bad;
                    }
                    match self.tile_scalar(n, dtype, node) {
                        Some(value) => Operand::Scalar { value },
                        None => return Val::Unknown,
                    }
                }
                _ => return Val::Unknown,
            });
        }
        let result = if matches!(op, Op::Compare(_)) {
            Ty::Mask
        } else {
            dtype
        };
        self.out.def(TileExpr::Op { op, args }, result, shape, span)
    }

    /// Reports a quotient of integers beside a tile of floats: `v * (1 / d)` is `v * 0`.
    fn rounded_quotient(&mut self, n: &Num, dtype: Ty, node: &Expr) -> Option<Val> {
        let mut inner = node;
        while let Expr::Paren(ExprParen { expr, .. }) | Expr::Group(ExprGroup { expr, .. }) = inner
        {
            inner = expr;
        }
        let Expr::Binary(ExprBinary {
            left,
            op: syn::BinOp::Div(_),
            right,
            ..
        }) = inner
        else {
            return None;
        };
        if n.ty == Some(ScalarTy::F32) || self.is_float(dtype) != Some(true) {
            return None;
        }
        let float = |e: &Expr| match e {
            Expr::Lit(_) => format!("{}.0", text(e)),
            Expr::Path(_) | Expr::Call(_) | Expr::MethodCall(_) => format!("{} as f32", text(e)),
            _ => format!("({}) as f32", text(e)),
        };
        let (exact, whole) = (format!("{} / {}", float(left), float(right)), text(inner));
        let tile = self.draft.sig.ty_name(dtype);
        let message = format!(
            "`{whole}` is a quotient of integers, rounded toward 0, beside elements of `{tile}`"
        );
        let d = self.error(Code::J0208, inner, message).help(format!(
            "write `{exact}`; if the rounded one is meant, `({whole}) as f32`"
        ));
        let at = d.span();
        Some(self.report.bad(d.fix(at, exact).maybe()))
    }

    pub fn same_dtype(
        &mut self,
        name: &str,
        a: (ValueId, &Expr),
        b: (ValueId, &Expr),
        span: SpanId,
    ) -> Option<Ty> {
        let (x, y) = (self.out.dtype(a.0), self.out.dtype(b.0));
        if x == y {
            return Some(x);
        }
        let d = self.mismatch(name, (x, a.1), (y, b.1), span);
        self.report.add(d);
        None
    }

    /// Reports J0201 with both operands named, and with a cast of the narrower one as fix.
    pub fn mismatch(
        &mut self,
        name: &str,
        a: (Ty, &Expr),
        b: (Ty, &Expr),
        span: SpanId,
    ) -> Diagnostic {
        let (x, y) = (self.draft.sig.ty_name(a.0), self.draft.sig.ty_name(b.0));
        let (left, right) = (self.report.at(a.1), self.report.at(b.1));
        let mut d = Diagnostic::new(
            Code::J0201,
            span,
            format!("`{name}` of a tile of `{x}` and a tile of `{y}`"),
        )
        .label(left, format!("this is `{x}`"))
        .label(right, format!("this is `{y}`"));
        let f32 = Ty::Is(DType::F32);
        if a.0 == f32 && b.0 != Ty::Mask {
            d = d
                .help("convert one operand: `.cast::<f32>()`")
                .fix(right, cast_text(b.1, "f32"));
        } else if b.0 == f32 && a.0 != Ty::Mask {
            d = d
                .help("convert one operand: `.cast::<f32>()`")
                .fix(left, cast_text(a.1, "f32"));
        } else if a.0 != Ty::Mask && b.0 != Ty::Mask {
            d = d.help("convert both operands: `.cast::<f32>()`");
        }
        d
    }

    pub fn broadcast(
        &mut self,
        name: &str,
        a: (ValueId, &Expr),
        b: (ValueId, &Expr),
        span: SpanId,
    ) -> Option<Axes> {
        let (x, y) = (self.out.axes(a.0).clone(), self.out.axes(b.0).clone());
        if let Some(axes) = joined(&x, &y) {
            return Some(axes);
        }
        let (xt, yt) = (self.out.axes_text(&x), self.out.axes_text(&y));
        let (left, right) = (self.report.at(a.1), self.report.at(b.1));
        let (more, shared) = (y.without(&x), |ax| {
            x.iter()
                .any(|own| self.out.whole_of(own) == self.out.whole_of(ax))
        });
        let d = Diagnostic::new(
            Code::J0206,
            span,
            format!("`{name}` of tiles `{xt}` and `{yt}`"),
        )
        .label(left, format!("this is `{xt}`"))
        .label(right, format!("this is `{yt}`"));
        let d = if more.iter().any(shared) {
            d.help("both have a part of one axis, and not the same; load them with the same index, or reduce one of them first")
        } else {
            self.apart(d, &x.without(&y), &more, a)
        };
        self.report.add(d);
        None
    }

    /// Adds help for tiles along two different axes: the indices of one axis instead, or a name for
    /// an unnamed one.
    fn apart(&self, d: Diagnostic, left: &Axes, right: &Axes, a: (ValueId, &Expr)) -> Diagnostic {
        let names = [left, right].map(|axes| self.out.axes_arg(axes));
        let unnamed = |axes: &Axes| {
            axes.iter()
                .filter_map(|ax| self.naming(self.out.whole_of(ax)))
                .collect::<Vec<_>>()
        };
        let extents = |axes: &Axes| {
            axes.iter()
                .map(|ax| self.out.extent(ax))
                .collect::<Vec<_>>()
        };
        let [own, other] = [left, right].map(unnamed);
        let alike = left.len() == 1 && extents(left) == extents(right);
        let d = match (&own[..], &other[..], &names) {
            ([], _, [name, this]) | (_, [], [this, name]) if alike => {
                return d.help(format!("`{name}` and `{this}` have as many indices: load both at those of one, `{name}.indices()`"));
            }
            ([], [_, ..], [name, this]) | ([_, ..], [], [this, name]) => d.help(format!(
                "`{this}` is a size of `#[shape(..)]` without a name of its own: as many of it as `{name}` has are `{name}.indices()`"
            )),
            (_, _, [name, this]) => {
                d.help(format!("axes are one where they have one name in `#[shape(..)]`; is `{name}` meant to be `{this}`?"))
            }
        };
        let first = match &other[..] {
            [] => String::new(),
            named => format!(", behind `{}`", named.join("` and `")),
        };
        let right = &names[1];
        // Bits are broadcast as numbers.
        let repeated = match self.out.dtype(a.0) {
            Ty::Mask => format!(
                "{}.select(1.0, 0.0).expand({right}).gt(0.0)",
                as_receiver(a.1)
            ),
            Ty::Is(_) | Ty::Param(_) | Ty::Wide(_) => format!(".expand({right})"),
        };
        d.help(format!(
            "to make a tile of all of them on purpose, repeat one: `{repeated}`{first}"
        ))
    }

    /// Converts a scalar to an operand of a tile of `dtype`.
    pub fn tile_scalar(
        &mut self,
        n: &Num,
        dtype: Ty,
        node: &(impl Node + ?Sized),
    ) -> Option<Scalar> {
        let tile = self.draft.sig.ty_name(dtype);
        let wrong = |cx: &mut Self, help: String| {
            let d = cx
                .error(
                    Code::J0208,
                    node,
                    format!("a scalar of type {} for elements of `{tile}`", n.found()),
                )
                .help(help);
            cx.report.add(d);
            None
        };
        let wrong_end = |cx: &mut Self, message: String| {
            let d = cx
                .error(Code::J0208, node, message)
                .help("compute in floats: `.cast::<f32>()`, and the result back");
            cx.report.add(d);
            None
        };
        match (n.ty, self.is_float(dtype)) {
            (Some(ScalarTy::Bool), _) => wrong(self, "use a number".to_string()),
            (Some(ScalarTy::F32), Some(true)) => Some(n.value.clone()),
            (Some(ScalarTy::F32), Some(false)) => wrong(
                self,
                "use an integer, or compute in floats: `.cast::<f32>()`".to_string(),
            ),
            (Some(ScalarTy::F32), None) => {
                // The number is an element of the type in each instance.
                let written = self.out.definitions.write_out(&n.value);
                if self.draft.sig.is_element(&written, dtype) {
                    return Some(written);
                }
                wrong(self, format!("`{tile}` may be `i32`: bound it by `Float`, or compute in floats: `.cast::<f32>()`"))
            }
            (_, Some(true)) => Some(Scalar::cast(ScalarTy::F32, n.value.clone())),
            // Unsigned elements take the signed number with their bits.
            _ if dtype == Ty::Is(DType::U32) => {
                match n.value.as_int().map(|v| (v, u32::try_from(v))) {
                    Some((_, Ok(v))) => Some(Scalar::I32(v as i32)),
                    Some((v, Err(_))) => wrong_end(
                        self,
                        format!("`{v}` is no `u32`, which holds 0 to {}", u32::MAX),
                    ),
                    None => Some(Scalar::cast(
                        ScalarTy::I32,
                        n.clone().settled(Some(ScalarTy::I32)),
                    )),
                }
            }
            // Where the bound leaves floats and integers open, lowering converts the integer for
            // each instance.
            _ => match n.value.as_int().and_then(|v| no_such(v, ScalarTy::I32)) {
                Some(message) => wrong_end(self, message),
                None => Some(Scalar::cast(
                    ScalarTy::I32,
                    n.clone().settled(Some(ScalarTy::I32)),
                )),
            },
        }
    }

    // ---- select, cast ----

    fn select(&mut self, mask: ValueId, args: &[Arg<'_>], m: &ExprMethodCall, e: &Expr) -> Val {
        if self.out.dtype(mask) != Ty::Mask {
            let found = self.draft.sig.ty_name(self.out.dtype(mask));
            let d = self
                .error(
                    Code::J0201,
                    &m.receiver,
                    format!("`select` of a tile of `{found}`, it takes the mask of a compare"),
                )
                .help("write `x.gt(y).select(a, b)`");
            return self.report.bad(d);
        }
        let Some([a, b]) = self
            .report
            .exactly::<2>("select", args, e, "mask.select(a, b)")
        else {
            return Val::Unknown;
        };
        let first = match &a.0 {
            Val::Tile(v) => *v,
            Val::Num(n) => match self.chosen_scalar(n, mask, a, b, e) {
                Some(v) => v,
                None => return Val::Unknown,
            },
            _ => return self.wrong_kind(a, "a tile or a scalar"),
        };
        if let Some(bad) = self.no_mask(first, "select", a.1) {
            return bad;
        }
        let span = self.report.at(e);
        let dtype = self.out.dtype(first);
        let Some(mut shape) = self.broadcast("select", (mask, &m.receiver), (first, a.1), span)
        else {
            return Val::Unknown;
        };
        let second = match &b.0 {
            Val::Tile(v) => {
                if let Some(bad) = self.no_mask(*v, "select", b.1) {
                    return bad;
                }
                if self
                    .same_dtype("select", (first, a.1), (*v, b.1), span)
                    .is_none()
                {
                    return Val::Unknown;
                }
                // Mask and first choice have axes of the result, and one of them has all axes of
                // both.
                let all = if *self.out.axes(first) == shape {
                    (first, a.1)
                } else {
                    (mask, &*m.receiver)
                };
                match self.broadcast("select", all, (*v, b.1), span) {
                    Some(axes) => shape = axes,
                    None => return Val::Unknown,
                }
                Operand::Value { value: *v }
            }
            Val::Num(n) => match self.tile_scalar(n, dtype, b.1) {
                Some(value) => Operand::Scalar { value },
                None => return Val::Unknown,
            },
            _ => return self.wrong_kind(b, "a tile or a scalar"),
        };
        let args = vec![
            Operand::Value { value: mask },
            Operand::Value { value: first },
            second,
        ];
        self.out.def(
            TileExpr::Op {
                op: Op::Layout(LayoutOp::Select),
                args,
            },
            dtype,
            shape,
            span,
        )
    }

    /// Makes a tile of a scalar that is the first choice, in the element type of the second. Two
    /// scalars give `f32`, or `i32` where both are integers.
    fn chosen_scalar(
        &mut self,
        n: &Num,
        mask: ValueId,
        a: &Arg<'_>,
        b: &Arg<'_>,
        e: &Expr,
    ) -> Option<ValueId> {
        let dtype = match &b.0 {
            Val::Tile(v) => self.out.dtype(*v),
            Val::Num(other) if [n, other].iter().all(|n| n.ty != Some(ScalarTy::F32)) => {
                Ty::Is(DType::I32)
            }
            _ => Ty::Is(DType::F32),
        };
        if dtype == Ty::Mask {
            let _ = self.no_mask(mask, "select", b.1);
            return None;
        }
        self.filled(n, a.1, dtype, mask, e)
    }

    /// Makes a tile of one number, with the axes of another tile.
    pub fn filled(
        &mut self,
        n: &Num,
        written: &Expr,
        dtype: Ty,
        beside: ValueId,
        node: &Expr,
    ) -> Option<ValueId> {
        let value = self.tile_scalar(n, dtype, written)?;
        let (axes, span) = (self.out.axes(beside).clone(), self.report.at(node));
        Some(self.out.define(TileExpr::Fill { value }, dtype, axes, span))
    }

    /// Reads `v.wide()`: the type that arithmetic on its element type widens to.
    fn widened(&mut self, v: ValueId, m: &ExprMethodCall, e: &Expr) -> Val {
        let args = self.args(&m.args);
        if self
            .report
            .exactly::<0>("wide", &args, e, "v.wide()")
            .is_none()
        {
            return Val::Unknown;
        }
        if let Some(bad) = self.no_mask(v, "wide", &m.receiver) {
            return bad;
        }
        let to = self.draft.wide(self.out.dtype(v));
        if to == self.out.dtype(v) {
            return Val::Tile(v);
        }
        let (span, axes) = (self.report.at(e), self.out.axes(v).clone());
        self.out.def(
            TileExpr::Cast {
                value: v,
                mode: None,
            },
            to,
            axes,
            span,
        )
    }

    /// Reads `v.reinterpret_cast::<i32>()`: the bits as elements of another type.
    fn seen_as(&mut self, v: ValueId, m: &ExprMethodCall, e: &Expr) -> Val {
        let (name, args) = (TileMethod::ReinterpretCast.name(), self.args(&m.args));
        if self
            .report
            .exactly::<0>(name, &args, e, "v.reinterpret_cast::<i32>()")
            .is_none()
        {
            return Val::Unknown;
        }
        if let Some(bad) = self.no_mask(v, name, &m.receiver) {
            return bad;
        }
        let Some(to) = turbofish(m) else {
            return self.untold(name, "", e);
        };
        let Some(to) = self.element(to) else {
            return Val::Unknown;
        };
        let from = self.out.dtype(v);
        if to == from {
            return Val::Tile(v);
        }
        let bytes = |ty: Ty| match ty {
            Ty::Is(
                of @ (DType::F16
                | DType::Bf16
                | DType::I16
                | DType::U16
                | DType::F32
                | DType::I32
                | DType::U32),
            ) => Some(of.bytes()),
            Ty::Is(_) | Ty::Mask | Ty::Param(_) | Ty::Wide(_) => None,
        };
        if bytes(from).is_none() || bytes(from) != bytes(to) {
            let [of, as_what] = [from, to].map(|ty| self.draft.sig.ty_name(ty));
            let d = self.error(Code::J0203, e, format!("the bits of `{of}` as elements of `{as_what}`")).help(
                "both are of one size: f16, bf16, i16 and u16, or f32, i32 and u32; the value itself is converted by `cast`",
            );
            return self.report.bad(d);
        }
        let (span, axes) = (self.report.at(e), self.out.axes(v).clone());
        let args = vec![Operand::Value { value: v }];
        self.out.def(
            TileExpr::Op {
                op: Op::Layout(LayoutOp::LocalCopy),
                args,
            },
            to,
            axes,
            span,
        )
    }

    /// Reports J0106 for a conversion without its type.
    fn untold(&mut self, name: &str, arguments: &str, e: &Expr) -> Val {
        let d = self
            .error(Code::J0106, e, format!("`{name}` to which element type?"))
            .help(format!("write `.{name}::<f32>({arguments})`"));
        self.report.bad(d)
    }

    fn cast(&mut self, v: ValueId, method: TileMethod, m: &ExprMethodCall, e: &Expr) -> Val {
        let (name, args) = (method.name(), self.args(&m.args));
        let mode = if method != TileMethod::CastWith {
            if self
                .report
                .exactly::<0>(name, &args, e, &format!("v.{name}::<i32>()"))
                .is_none()
            {
                return Val::Unknown;
            }
            None
        } else {
            let Some([arg]) =
                self.report
                    .exactly::<1>(name, &args, e, "v.cast_with::<i32>(RoundMode::Floor)")
            else {
                return Val::Unknown;
            };
            match arg.0 {
                Val::Mode(mode) => Some(mode),
                _ => return self.wrong_kind(arg, "a round mode, `RoundMode::Rint`"),
            }
        };
        let Some(to) = turbofish(m) else {
            return self.untold(name, "..", e);
        };
        let Some(to) = self.element(to) else {
            return Val::Unknown;
        };
        // A tile of bool is a mask.
        let to = if to == Ty::Is(DType::Bool) {
            Ty::Mask
        } else {
            to
        };
        if mode.is_some() && (to == Ty::Mask || self.out.dtype(v) == Ty::Mask) {
            let d = self.error(
                Code::J0205,
                e,
                "a round mode for a cast from or to `bool`, which rounds nothing",
            );
            return self
                .report
                .bad(d.help(format!("write `.cast::<{}>()`", self.draft.sig.ty_name(to))));
        }
        // A cast to the own type does nothing, so code generic over `T` needs no branch. With that
        // type and a round mode it is an op: rounding floats to integers.
        let expr = match mode {
            None if to == self.out.dtype(v) => return Val::Tile(v),
            Some(mode) if to == self.out.dtype(v) => TileExpr::Round { value: v, mode },
            None if method == TileMethod::CastTrunc
                && to != Ty::Mask
                && self.out.dtype(v) != Ty::Mask =>
            {
                TileExpr::Truncate { value: v }
            }
            mode => TileExpr::Cast { value: v, mode },
        };
        let (span, shape) = (self.report.at(e), self.out.axes(v).clone());
        self.out.def(expr, to, shape, span)
    }
}

/// Returns a comparison with its sides exchanged.
fn turned(method: &'static str) -> &'static str {
    match method {
        "lt" => "gt",
        "le" => "ge",
        "gt" => "lt",
        "ge" => "le",
        same => same,
    }
}

/// Returns the operator on masks for `&&` or `||` on scalars.
fn joining(op: BinOp) -> &'static str {
    if op == BinOp::And {
        "&"
    } else {
        "|"
    }
}

/// Returns the axes of an element-wise result: those of the operand that has all of the other's.
fn joined(a: &Axes, b: &Axes) -> Option<Axes> {
    let all = if a.len() > b.len() { a } else { b };
    (a.is_subset(all) && b.is_subset(all)).then(|| all.clone())
}
