//! Checks the element types of one instance against the op table and the chip.

use super::half_sums::half_sum;
use super::number_ranges::out_of_range;
use crate::diag::{Code, Diagnostic, Spot};
use crate::dtype::{
    cast_modes, cast_route, casts_by_bits, compared_in, rounds_by_way, DType, RoundMode,
};
use crate::ir::queue::Body;
use crate::ir::{
    Arg, Instr, Kernel, Level, Operand, QueueOp, QueueStmt, Scalar, Source, SpanId, StoreHow,
    TileExpr, TileStmt, Ty, ValueDecl, ValueId, View,
};
use crate::ops::contract::{Elem, What};
use crate::ops::{
    is_composed, narrowed, repeated_as, BinaryOp, CompareOp, CompoundOp, CopyOp, Eval, LayoutOp,
    Op, PartialOp, ScalarOp, ScanOp,
};
use crate::soc::Chip;

/// Returns false, with J0501, if the chip lacks an element type of this instance, in GM or in UB.
pub fn dtypes_exist(
    kernel: &Kernel,
    binding: &[DType],
    chip: &Chip,
    found: &mut Vec<Diagnostic>,
) -> bool {
    if chip.has_bf16 {
        return true;
    }
    let before = found.len();
    let missing = |name: &str, ty: Ty, span: SpanId, help: &str, found: &mut Vec<Diagnostic>| {
        if ty.resolve(binding) == DType::Bf16 {
            let text = format!(
                "`{name}` has element type bf16, which {} does not have",
                chip.name
            );
            found.push(Diagnostic::new(Code::J0501, span, text).help(help));
        }
    };
    let instances = format!(
        "name the instances this chip can run: `{}`",
        instances_without_bf16(kernel)
    );
    for (_, param, _, ty) in kernel.sig.tensors() {
        let help = match ty {
            Ty::Param(_) | Ty::Wide(_) => instances.as_str(),
            Ty::Is(_) | Ty::Mask => "take it as elements of another type: `GlobalTensor<f16>`",
        };
        missing(&param.name, ty, param.span, help, found);
    }
    if found.len() > before {
        return false;
    }
    let Some(body) = kernel.queues() else {
        return true;
    };
    body.walk(&mut |s| {
        if let Some(
            QueueStmt::Queue {
                op: QueueOp::Alloc | QueueOp::Deque,
                tensor,
                ..
            }
            | QueueStmt::Get { tensor, .. },
        ) = s.own()
        {
            let local = &body.tensors[tensor.index()];
            missing(&local.name, local.dtype, s.span, "compute in f32", found);
        }
    });
    found.len() == before
}

/// Returns the attribute that lists the instances without bf16. If all have bf16, it lists one with
/// f16 instead.
fn instances_without_bf16(kernel: &Kernel) -> String {
    let of = |row: &[DType]| match row {
        [one] => one.to_string(),
        row => format!(
            "({})",
            row.iter()
                .map(ToString::to_string)
                .collect::<Vec<_>>()
                .join(", ")
        ),
    };
    let rows: Vec<String> = kernel
        .sig
        .instances
        .iter()
        .filter(|row| !row.contains(&DType::Bf16))
        .map(|row| of(row))
        .collect();
    match rows.is_empty() {
        true => "#[instances(f16)]".into(),
        false => format!("#[instances({})]", rows.join(", ")),
    }
}

/// Checks every op, cast and call of the body.
pub fn check_types(kernel: &Kernel, binding: &[DType], chip: &Chip, found: &mut Vec<Diagnostic>) {
    let values = kernel.tiles().map_or(&[][..], |body| &body.values);
    let mut types = Types {
        kernel,
        values,
        binding,
        chip,
        found,
    };
    match &kernel.body {
        Source::Tile(body) => body.walk(&mut |s| {
            s.own()
                .into_iter()
                .for_each(|own| types.statement(own, s.span))
        }),
        Source::Queue(body) => body.walk(&mut |s| {
            if let Some(QueueStmt::Instr { instr }) = s.own() {
                types.instr(body, instr, s.span);
            }
        }),
    }
}

struct Types<'a> {
    kernel: &'a Kernel,
    /// The tiles of a tile kernel.
    values: &'a [ValueDecl],
    binding: &'a [DType],
    chip: &'a Chip,
    found: &'a mut Vec<Diagnostic>,
}

impl Types<'_> {
    fn statement(&mut self, own: &TileStmt, span: SpanId) {
        match own {
            TileStmt::Def { value, expr } => self.definition(*value, expr, span),
            TileStmt::Store { value, how, .. } => match how {
                StoreHow::Plain | StoreHow::Any | StoreHow::Disjoint | StoreHow::Inside => {}
                StoreHow::Add => self.adds(self.of(*value), span),
            },
            TileStmt::Append { value, .. } => {
                self.takes_of_tiles(
                    "append (GatherMask)",
                    LayoutOp::GatherBits.into(),
                    &[],
                    self.of(*value),
                    span,
                );
            }
            TileStmt::Dump { value, .. } => self.takes_as(
                "dump (DumpTensor)",
                ScalarOp::Dump.into(),
                self.of(*value),
                span,
            ),
            TileStmt::Loop { .. } | TileStmt::Set { .. } | TileStmt::Read { .. } => {}
        }
    }

    fn of(&self, v: ValueId) -> DType {
        self.values[v.index()].dtype.resolve(self.binding)
    }

    fn definition(&mut self, value: ValueId, expr: &TileExpr, span: SpanId) {
        match expr {
            TileExpr::Load { .. } | TileExpr::Appended { .. } => {}
            TileExpr::LoadOr { outside, .. } => {
                self.takes_as("load_or", LayoutOp::Duplicate.into(), self.of(value), span);
                self.number(outside, self.of(value), span);
            }
            TileExpr::Copy { value: from } => {
                let axes = |v: ValueId| &self.values[v.index()].axes;
                if axes(*from) != axes(value) {
                    self.is_repeated(self.of(value), span);
                }
            }
            TileExpr::Scan { op, .. } => {
                if let Some(op) = ScanOp::of(*op) {
                    self.takes(op.into(), self.of(value), span);
                }
            }
            TileExpr::Top { value: from, .. } => {
                self.takes_as("topk", LayoutOp::Top.into(), self.of(*from), span)
            }
            // Along an axis of rows, `pick` copies rows, and every type can be copied.
            TileExpr::Pick { at, .. } => {
                if !at.axes(|v| self.values[v.index()].axes.clone()).is_empty()
                    || at.tile().is_some()
                {
                    self.takes_as("pick", LayoutOp::Gather.into(), self.of(value), span);
                }
            }
            TileExpr::Iota { first } => {
                self.takes(LayoutOp::CreateVecIndex.into(), self.of(value), span);
                self.number(first, self.of(value), span);
            }
            TileExpr::Fill { value: number } => {
                let op = Op::from(LayoutOp::Duplicate);
                self.takes_of_tiles(&named(op), op, &[], self.of(value), span);
                self.number(number, self.of(value), span);
            }
            // The partial results of the cores are reduced along an axis.
            TileExpr::Across { op, init } => {
                self.takes_as("across_cores", Op::AxisReduce(*op), self.of(value), span);
                self.number(init, self.of(value), span);
            }
            // A cast to its own type does nothing.
            TileExpr::Cast { value: from, .. } | TileExpr::Truncate { value: from }
                if self.of(*from) == self.of(value) => {}
            TileExpr::Cast { value: from, mode } => self.tile_cast(*from, value, *mode, span),
            TileExpr::Truncate { value: from } => self.tile_cast(*from, value, None, span),
            TileExpr::Round { mode, .. }
                if rounds_by_way(self.chip.arch, self.of(value), *mode) => {}
            TileExpr::Round { value: from, mode } => {
                self.cast(self.of(*from), self.of(value), Some(*mode), span)
            }
            TileExpr::Reduce {
                op, value: from, ..
            } => {
                // Masks have no element type of their own.
                if !op.is_of_masks() {
                    let (op, args) = (Op::AxisReduce(*op), [Operand::Value { value: *from }]);
                    self.takes_of_tiles(&named(op), op, &args, self.of(*from), span);
                }
                self.lints(Op::AxisReduce(*op), span);
            }
            TileExpr::Op { op, args } => {
                let tiles: Vec<ValueId> = args.iter().filter_map(Operand::value).collect();
                let operand = match op {
                    Op::Layout(LayoutOp::Select) => tiles.get(1),
                    _ => tiles.first(),
                };
                if let (Op::Compare(CompareOp::Ne), [a, b]) = (op, &tiles[..]) {
                    if a == b {
                        self.nan_compare(span);
                    }
                }
                if let Some(v) = operand {
                    let axes = |v: ValueId| &self.values[v.index()].axes;
                    if matches!(op, Op::Bit(_)) && tiles.iter().any(|of| axes(*of) != axes(value)) {
                        self.is_repeated(self.of(*v), span);
                    }
                    self.takes_of_tiles(&named(*op), *op, args, self.of(*v), span);
                    self.lints(*op, span);
                    for a in args {
                        if let Operand::Scalar { value } = a {
                            self.beside(*op, value, self.of(*v), span);
                        }
                    }
                }
            }
        }
    }

    /// Reports J0208 if elements of `dtype` do not hold the number `value`.
    fn number(&mut self, value: &Scalar, dtype: DType, span: SpanId) {
        self.found
            .extend(out_of_range(value, dtype, self.chip, span));
    }

    /// Reports J0208 for a scalar operand that the elements do not hold, or a shift out of range.
    fn beside(&mut self, op: Op, value: &Scalar, dtype: DType, span: SpanId) {
        match (op, value.as_int()) {
            // The range is that of asc-devkit's pages of ShiftLeft and ShiftRight.
            (Op::Shift(_), Some(by)) if !(0..=8 * dtype.bytes()).contains(&by) => {
                let text = format!("a shift by {by} of elements of {} bits", 8 * dtype.bytes());
                let (most, help) = (
                    8 * dtype.bytes(),
                    format!("shifts of {dtype} go from 0 to {}", 8 * dtype.bytes()),
                );
                let d = Diagnostic::new(Code::J0208, span, text).help(help);
                self.found
                    .push(d.word(span, &by.to_string(), most.to_string()).maybe());
            }
            (Op::Shift(_), _) => {}
            _ => self.number(value, dtype, span),
        }
    }

    fn lints(&mut self, op: Op, span: SpanId) {
        let def = op.def();
        if let Some(exact) = def.exact {
            let text = format!(
                "the hardware result of {} is an approximation: half misses 1e-3, float 1e-4",
                def.ascendc
            );
            let d = Diagnostic::new(Code::J0901, span, text).help(format!("`{exact}` is exact"));
            self.found.push(exactly(d, def.name, exact, span));
        }
    }

    fn nan_compare(&mut self, span: SpanId) {
        let text = "`ne` of a value and itself is 0 everywhere: on a chip a comparison with a nan is 0, `ne` included";
        let help = "`v.is_nan()` is where there is a nan, `v.eq(v)` where there is a number";
        let d = Diagnostic::new(Code::J0903, span, text).help(help);
        self.found
            .push(d.edit(span, Spot::Call("ne".into()), ".is_nan()").maybe());
    }

    /// Reports J0203 for elements that atomic copies do not add on this chip.
    fn adds(&mut self, dtype: DType, span: SpanId) {
        let allowed = Op::from(CopyOp::Add).def().dtypes(self.chip.arch);
        if !allowed.contains(&dtype) {
            let list = allowed
                .iter()
                .map(|d| d.name())
                .collect::<Vec<_>>()
                .join(", ");
            let text = format!(
                "atomic_add (SetAtomicAdd) does not take {dtype} on {}; it takes {list}",
                self.chip.name
            );
            let help = "add up in one of these, in a workspace or a tensor of its own, and convert in a loop behind";
            self.found
                .push(Diagnostic::new(Code::J0203, span, text).help(help));
        }
    }

    /// Reports J0203 if `op` does not take `dtype` on this chip.
    fn takes(&mut self, op: Op, dtype: DType, span: SpanId) {
        self.takes_as(&named(op), op, dtype, span);
    }

    /// Reports J0203 for an op that the author knows by another name.
    fn takes_as(&mut self, what: &str, op: Op, dtype: DType, span: SpanId) {
        self.takes_of(what, op, &[], op.def().dtypes(self.chip.arch), dtype, span);
    }

    /// Reports J0203 for elements that no op broadcasts along an axis.
    fn is_repeated(&mut self, dtype: DType, span: SpanId) {
        let arch = self.chip.arch;
        let taken: Vec<DType> = DType::ALL
            .into_iter()
            .filter(|of| repeated_as(*of, arch).is_some())
            .collect();
        self.takes_of("expand", BinaryOp::Max.into(), &[], &taken, dtype, span);
    }

    /// Reports J0203 for an op on tiles, which the lowering may compose of other ops.
    fn takes_of_tiles(&mut self, what: &str, op: Op, args: &[Operand], dtype: DType, span: SpanId) {
        let (arch, own) = (self.chip.arch, op.def().dtypes(self.chip.arch));
        if own.contains(&dtype) || is_composed(op, dtype, arch) {
            return;
        }
        // Elements of a bool tensor become a mask, which no list contains.
        let made = DType::ALL
            .into_iter()
            .filter(|of| *of != DType::Bool && is_composed(op, *of, arch));
        let taken: Vec<DType> = own.iter().copied().chain(made).collect();
        self.takes_of(what, op, args, &taken, dtype, span);
    }

    /// Reports J0203 if `allowed` lacks `dtype`, and offers a conversion.
    fn takes_of(
        &mut self,
        what: &str,
        op: Op,
        args: &[Operand],
        allowed: &[DType],
        dtype: DType,
        span: SpanId,
    ) {
        // A missing op is another finding.
        if allowed.contains(&dtype) || op.def().dtypes(self.chip.arch).is_empty() {
            return;
        }
        let list = allowed
            .iter()
            .map(|d| d.name())
            .collect::<Vec<_>>()
            .join(", ");
        let text = format!(
            "{what} does not take {dtype} on {}; it takes {list}",
            self.chip.name
        );
        let mut d = Diagnostic::new(Code::J0203, span, text);
        let arch = self.chip.arch;
        let converts = |to: &DType| {
            allowed.contains(to)
                && (!cast_modes(arch, dtype, *to).is_empty()
                    || cast_route(arch, dtype, *to).is_some()
                    || casts_by_bits(arch, dtype, *to))
        };
        // f16 holds all bytes, and a call takes twice as many elements of f16 as of f32.
        let ways: &[DType] = if dtype.bytes() == 1 {
            &[DType::F16, DType::I16]
        } else {
            &[DType::F32, DType::I32, DType::I16]
        };
        if let Some(way) = ways.iter().find(|to| **to != dtype && converts(to)) {
            d = d.help(match op {
                Op::Binary(BinaryOp::Div) if !dtype.is_float() => format!(
                    "convert the operands: `.cast::<{way}>()`, and the result back toward 0, `.cast_trunc::<{dtype}>()`, which is exact of numbers up to 2^24"
                ),
                _ => format!("convert the operands: `.cast::<{way}>()`, and the result back"),
            });
            if let (Level::Tile, Some(spot)) =
                (self.kernel.level(), self.way_through(op, dtype, way, args))
            {
                // f32 holds every number of f16 and bf16, but not every integer.
                let exact = *way == DType::F32 && self.written_types(dtype).all(DType::is_float);
                d = d.edit(span, spot, "");
                d = if exact { d } else { d.maybe() };
            }
        }
        self.found
            .push(d.expected(allowed.iter().map(|d| d.name())));
    }

    /// Returns the edit that puts conversions around an op whose operands stand in the text.
    fn way_through(&self, op: Op, dtype: DType, way: &DType, args: &[Operand]) -> Option<Spot> {
        let is_tile = |arg: &Operand| matches!(arg, Operand::Value { .. });
        let back = match op {
            Op::Compare(_) | Op::CompareScalar(_) => None,
            // A quotient of integers is rounded toward 0.
            Op::Binary(BinaryOp::Div) if !dtype.is_float() => {
                Some(format!("cast_trunc::<{}>", self.written(dtype)?))
            }
            Op::Unary(_) | Op::Binary(_) | Op::BinaryScalar(_) | Op::AxisReduce(_) => {
                Some(format!("cast::<{}>", self.written(dtype)?))
            }
            Op::Layout(_)
            | Op::Mask(_)
            | Op::Bit(_)
            | Op::Shift(_)
            | Op::Compound(_)
            | Op::Reduce(_)
            | Op::Scan(_) => return None,
            Op::Partial(_) | Op::Copy(_) | Op::Scalar(_) => return None,
        };
        let tiles: Vec<bool> = args.iter().map(is_tile).collect();
        (!tiles.is_empty()).then(|| Spot::Through {
            way: way.name().to_owned(),
            tiles,
            back,
        })
    }

    /// Returns an element type as the author writes it: its type parameter, if there is one.
    fn written(&self, dtype: DType) -> Option<String> {
        let at = self.binding.iter().position(|bound| *bound == dtype);
        Some(at.map_or(dtype.name().to_owned(), |at| {
            self.kernel.sig.dtypes[at].name.clone()
        }))
    }

    /// Returns the element types that this written type stands for in all instances.
    fn written_types(&self, dtype: DType) -> impl Iterator<Item = DType> + '_ {
        let at = self.binding.iter().position(|bound| *bound == dtype);
        let of = move |binding: &Vec<DType>| at.map_or(dtype, |at| binding[at]);
        self.kernel.sig.instances.iter().map(of)
    }

    /// Checks a cast of tiles, which may take several instructions.
    fn tile_cast(&mut self, from: ValueId, to: ValueId, mode: Option<RoundMode>, span: SpanId) {
        let of = |v: ValueId| match self.values[v.index()].dtype {
            Ty::Mask => DType::Bool,
            ty @ (Ty::Is(_) | Ty::Param(_) | Ty::Wide(_)) => ty.resolve(self.binding),
        };
        let (from, to, arch) = (of(from), of(to), self.chip.arch);
        let exists = match (from, to) {
            (DType::Bool, DType::Bool) => true,
            (_, DType::Bool) => compared_in(arch, from).is_some(),
            _ => cast_route(arch, from, to).is_some() || casts_by_bits(arch, from, to),
        };
        match mode {
            None if exists => {}
            Some(mode) if exists => {
                let text = format!(
                    "a cast from {from} to {to} with round mode {}; it rounds once, to even",
                    mode.name()
                );
                let help = "convert to f16 or f32 first, and round there";
                let d = Diagnostic::new(Code::J0205, span, text).help(help);
                self.found.push(
                    d.edit(
                        span,
                        Spot::Call("cast_with".into()),
                        format!(".cast::<{to}>()"),
                    )
                    .maybe(),
                );
            }
            mode => self.cast(from, to, mode, span),
        }
    }

    fn cast(&mut self, from: DType, to: DType, mode: Option<RoundMode>, span: SpanId) {
        if from == to && mode.is_none() {
            return;
        }
        let arch = self.chip.arch;
        let modes = cast_modes(arch, from, to);
        if modes.is_empty() {
            let text = format!(
                "Cast from {from} to {to} does not exist on {}",
                self.chip.name
            );
            let mut d = Diagnostic::new(Code::J0204, span, text);
            let exists = |a, b| !cast_modes(arch, a, b).is_empty();
            if let Some(via) = [DType::F32, DType::F16]
                .into_iter()
                .find(|via| exists(from, *via) && exists(*via, to))
            {
                d = match self.kernel.level() {
                    Level::Tile => d.help(format!("spell the two conversions: `.cast::<{via}>().cast::<{to}>()`")).word(
                        span,
                        "cast",
                        format!("cast::<{via}>().cast"),
                    ),
                    Level::Queue => d.help(format!(
                        "make two calls of it, `vec::cast(..)`, by way of a LocalTensor of its own: `get::<{via}>()` of a TBuf"
                    )),
                };
            }
            self.found.push(d);
            return;
        }
        if let Some(mode) = mode.filter(|m| !modes.contains(m)) {
            let list = modes
                .iter()
                .map(|m| m.name())
                .collect::<Vec<_>>()
                .join(", ");
            let text = format!(
                "Cast from {from} to {to} has no round mode {} on {}; it has {list}",
                mode.name(),
                self.chip.name
            );
            let mut d =
                Diagnostic::new(Code::J0205, span, text).expected(modes.iter().map(|m| m.name()));
            // Without a mode a cast takes the one that loses least.
            d = match (self.kernel.level(), modes) {
                (Level::Tile, _) if from != to => d.edit(
                    span,
                    Spot::Call("cast_with".into()),
                    format!(".cast::<{to}>()"),
                ),
                (_, [first, ..]) => d.word(span, mode.name(), first.name()),
                (_, []) => d,
            };
            self.found.push(d.maybe());
        }
    }

    /// Checks a call on two tensors that returns elements of another type.
    fn narrows(&mut self, op: CompoundOp, from: DType, to: DType, span: SpanId) {
        self.takes(op.into(), from, span);
        if op == CompoundOp::CastDequant {
            return self.dequantizes(op, to, span);
        }
        let (given, name) = (narrowed(op, from), op.def().name);
        if given.is_empty() || given.contains(&to) {
            return;
        }
        let list = given
            .iter()
            .map(|d| d.name())
            .collect::<Vec<_>>()
            .join(" or ");
        let text = format!("`vec::{name}` of {from} gives {list}, no {to}");
        self.found.push(
            Diagnostic::new(Code::J0204, span, text).help(format!("take a destination of {list}")),
        );
    }

    /// Checks a call that scales integers and takes only one type of them.
    fn dequantizes(&mut self, op: CompoundOp, from: DType, span: SpanId) {
        if from != DType::I32 {
            let text = format!("`vec::{}` takes i32, found {from}", op.def().name);
            self.found.push(
                Diagnostic::new(Code::J0204, span, text)
                    .help("convert with `vec::cast`, and multiply"),
            );
        }
    }

    fn instr(&mut self, body: &Body, instr: &Instr, span: SpanId) {
        let (mut own, mut other) = (None, None);
        for (rule, view) in instr.views() {
            match rule.elem {
                Elem::Own => own = own.or(Some(self.elements(body, view))),
                Elem::Other => other = Some(self.elements(body, view)),
                Elem::Bits | Elem::Offsets => {}
            }
        }
        // Waits and masks have no elements.
        let Some(own) = own else { return };
        for (operand, arg) in instr.operands() {
            if let (What::Number, Arg::Scalar { value }) = (operand.what, arg) {
                self.beside(instr.op, value, own, span);
            }
        }
        match (instr.op, other) {
            (Op::Compound(op), Some(to)) => return self.narrows(op, own, to, span),
            (_, Some(to)) => return self.cast(own, to, instr.mode(), span),
            (_, None) => {}
        }
        self.takes(instr.op, own, span);
        if own == DType::F16 && rounds_after_steps(instr.op) {
            self.found.push(half_sum(span));
        }
        if instr.op.def().exact.is_some() {
            let name = instr.op.def().ascendc;
            let text = format!(
                "the hardware result of {name} is an approximation: half misses 1e-3, float 1e-4"
            );
            self.found
                .push(Diagnostic::new(Code::J0901, span, text).help("Div is exact"));
        }
    }

    /// Returns the element type of a view.
    fn elements(&self, body: &Body, view: &View) -> DType {
        view.ty(&self.kernel.sig, body).resolve(self.binding)
    }
}

/// Formats an op by its name and the name of its call.
fn named(op: Op) -> String {
    format!("{} ({})", op.def().name, op.def().ascendc)
}

/// True for a sum at queue level that rounds to its elements after each of several steps. A sum of
/// two neighbours has one step, like an addition.
fn rounds_after_steps(op: Op) -> bool {
    let is_sum = matches!(op.def().eval, Eval::Reduce(reduction) if reduction.rounds);
    is_sum && op != Op::Partial(PartialOp::PairSum)
}

/// Adds the edit that replaces an approximation by its exact form, such as `1.0 / x.sqrt()`.
fn exactly(d: Diagnostic, method: &str, exact: &str, span: SpanId) -> Diagnostic {
    let call = exact
        .strip_prefix("1.0 / x")
        .map(|rest| rest.trim_end_matches("()"));
    match call {
        Some(call) => d.edit(span, Spot::Before, "(1.0 / ").edit(
            span,
            Spot::Call(method.to_owned()),
            if call.is_empty() {
                ")".to_owned()
            } else {
                format!("{call}())")
            },
        ),
        None => d,
    }
}
