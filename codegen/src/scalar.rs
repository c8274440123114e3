//! Scalar expressions in C++, with no more parentheses than needed and the meaning of
//! `dsl::scalar`.
//!
//! `Index` is `int64_t`, `I32` is `int32_t`, `F32` is `float`, and conversions of the IR are
//! printed. Overflow of signed integers is undefined in C++.
//!
//! - A number of 32 bits wraps in helpers that compute without a sign ([`Helper::WrapMul`]) where
//!   its range says that it may overflow; otherwise the operator is plain.
//! - A `usize` that leaves 64 bits is an error. On the host such operations are first taken out of
//!   the expression (`host::checked`); a core does not check them.
//!
//! Every text has the type of the IR, since a call of a template also deduces its element type from
//! the operand. Only literals of 64 bits may be shorter ([`CppTy`]). An operation without an
//! operator in C++ becomes a call to a helper. [`Helpers`] collects the helpers of a text, so that
//! each is defined once.

use crate::range::Ranges;
use jumar_dsl::ir::{AxisId, BinOp, ChipFact, Event, ParamId, Scalar, ScalarTy, Ty, UnOp, VarId};
use jumar_dsl::ops::ScanOp;
use std::cell::Cell;
use std::fmt::Write;

/// Returns the C++ spelling of a scalar type.
pub(crate) const fn cpp_type(ty: ScalarTy) -> &'static str {
    match ty {
        ScalarTy::Index => "int64_t",
        ScalarTy::I32 => "int32_t",
        ScalarTy::F32 => "float",
        ScalarTy::Bool => "bool",
    }
}

/// Helper functions and constants that a text uses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Helpers {
    bits: u64,
}

macro_rules! helpers {
    ($($(#[$doc:meta])* $name:ident $(($($part:ident)*))?,)*) => {
        /// A single helper.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum Helper { $($(#[$doc])* $name,)* Scan(ScanOp), Sync(Event) }
        /// The bit of each helper; those of scans and waits follow.
        enum Bit { $($name,)* Scan, Sync = Bit::Scan as isize + 2 }
        impl Helper {
            const fn bit(self) -> u64 {
                match self {
                    $(Helper::$name => 1 << Bit::$name as u64,)*
                    Helper::Scan(op) => 1 << (Bit::Scan as u64 + op as u64),
                    Helper::Sync(event) => 1 << (Bit::Sync as u64 + event as u64),
                }
            }
            /// Returns the helpers that it uses.
            const fn parts(self) -> &'static [Helper] {
                match self {
                    $(Helper::$name => &[$($(Helper::$part),*)?],)*
                    Helper::Scan(_) => &[Helper::AlignUp, Helper::MinOf, Helper::DataBlockBytes],
                    Helper::Sync(_) => &[],
                }
            }
        }
    };
}

// A name is followed by the helpers that it uses.
helpers! {
    CeilDiv, AlignUp(CeilDiv), MinOf, MaxOf, Int32Min, Int32Max, FloatMin, FloatMax, ToInt64, ToInt32, FloatInf,
    WrapAdd, WrapSub, WrapMul, WrapDiv(WrapSub), WrapRem,
    RepeatBytes, DataBlockBytes, BufferNum, NeededBytes, Product, Differ, AxisAt, LargestThatFits(MinOf MaxOf),
    BlockGap(AlignUp DataBlockBytes), RowsToUb, RowsToGm, GroupLanes, GatherBits, FloatOf, TopPlaces(AlignUp MinOf FloatInf),
    /// The header `<cmath>`.
    Cmath,
    /// The parameter `args` of a host function.
    Args,
    /// The parameter `chip` of a host function.
    Chip,
    /// The parameter `error` of a host function.
    Error,
}

impl Helpers {
    /// Adds a helper and the helpers that it uses.
    pub(crate) fn with(self, helper: Helper) -> Helpers {
        let set = Helpers {
            bits: self.bits | helper.bit(),
        };
        helper.parts().iter().fold(set, |set, part| set.with(*part))
    }
    /// True if the text uses it.
    pub(crate) const fn has(self, helper: Helper) -> bool {
        self.bits & helper.bit() != 0
    }
    /// Returns the union of both sets.
    pub(crate) const fn union(self, other: Helpers) -> Helpers {
        Helpers {
            bits: self.bits | other.bits,
        }
    }
}

/// Records that a text uses a helper.
pub(crate) fn need(helpers: &Cell<Helpers>, helper: Helper) {
    helpers.set(helpers.get().with(helper));
}

/// A number given to a launch.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Launched {
    /// Size of an axis.
    Axis(AxisId),
    /// Value of an attribute.
    Attr(ParamId),
}

/// Names of the leaves of an expression; each is appended to a text.
pub(crate) trait Leaves {
    /// Appends a variable.
    fn var(&self, id: VarId, out: &mut String);
    /// Appends a number of the launch.
    fn launched(&self, of: Launched, out: &mut String);
    /// Appends the bytes of an element.
    fn size_of(&self, ty: Ty, out: &mut String);
    /// Appends the block index.
    fn block_idx(&self, out: &mut String) {
        out.push_str("static_cast<int64_t>(GetBlockIdx())");
    }
    /// Appends the number of blocks. Its type differs between releases, and offsets are signed.
    fn block_dim(&self, out: &mut String) {
        out.push_str("static_cast<int64_t>(GetBlockNum())");
    }
    /// Appends a fact of the chip.
    fn chip(&self, fact: ChipFact, out: &mut String);
    /// True in device code.
    fn on_device(&self) -> bool;
    /// Returns the facts about the leaves.
    fn ranges(&self) -> &Ranges;
}

/// The type that C++ gives a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CppTy {
    Is(ScalarTy),
    /// A `usize` made of literals only, at most this far from zero: an `int` in C++, which is right
    /// wherever 64 bits are expected.
    Small(i64),
}

impl CppTy {
    /// Returns the type of literals up to `bound`, which are as wide as they need to be.
    fn literal(bound: i64) -> CppTy {
        if bound <= i64::from(i32::MAX) {
            CppTy::Small(bound)
        } else {
            CppTy::Is(ScalarTy::Index)
        }
    }

    /// Returns the common type of two operands.
    fn meet(self, other: CppTy) -> CppTy {
        match (self, other) {
            (CppTy::Small(a), CppTy::Small(b)) => CppTy::Small(a.max(b)),
            (CppTy::Small(_), wide) | (wide, _) => wide,
        }
    }
}

/// The properties of an expression that its surroundings need.
#[derive(Clone, Copy)]
struct Shape {
    /// Binding strength of the outermost operator.
    prec: u8,
    ty: CppTy,
}

const PRIMARY: u8 = 16;
const UNARY: u8 = 14;
const MUL: u8 = 13;
const ADD: u8 = 12;
const RELATION: u8 = 9;
const EQUALITY: u8 = 8;
const AND: u8 = 4;
const OR: u8 = 3;
const CONDITIONAL: u8 = 2;

/// Prints expressions and collects the helpers they need.
pub(crate) struct ScalarPrinter<'a> {
    leaves: &'a dyn Leaves,
    helpers: &'a Cell<Helpers>,
}

impl<'a> ScalarPrinter<'a> {
    /// Makes a printer whose leaves are spelt by `leaves`.
    pub(crate) fn new(leaves: &'a dyn Leaves, helpers: &'a Cell<Helpers>) -> Self {
        ScalarPrinter { leaves, helpers }
    }

    /// Prints an expression.
    pub(crate) fn expr(&self, s: &Scalar) -> String {
        let mut out = String::new();
        self.put(s, &mut out);
        out
    }

    /// Prints an expression with one literal type in C++, converted where it has another type.
    pub(crate) fn expr_as(&self, s: &Scalar, ty: ScalarTy) -> String {
        match s.ty() == ty {
            true => self.expr(s),
            false => self.expr(&Scalar::cast(ty, s.clone())),
        }
    }

    /// Prints an expression as an operand that a multiplication may follow.
    pub(crate) fn factor(&self, s: &Scalar) -> String {
        let mut out = String::new();
        self.wrapped(s, MUL, &mut out);
        out
    }

    fn need(&self, helper: Helper) {
        need(self.helpers, helper);
    }

    /// Prints a call of a function with one or two arguments.
    fn call(
        &self,
        (helper, name): (Helper, &str),
        result: ScalarTy,
        args: &[&Scalar],
        out: &mut String,
    ) -> Shape {
        self.need(helper);
        out.push_str(name);
        out.push('(');
        for (i, arg) in args.iter().enumerate() {
            if i > 0 {
                out.push_str(", ");
            }
            self.put(arg, out);
        }
        out.push(')');
        primary(result)
    }

    fn convert(&self, a: &Scalar, want: ScalarTy, out: &mut String) -> Shape {
        match (a.ty(), want) {
            (have, _) if have == want => self.put(a, out),
            (ScalarTy::F32, ScalarTy::Index) => {
                self.call((Helper::ToInt64, "ToInt64"), want, &[a], out)
            }
            (ScalarTy::F32, ScalarTy::I32) => {
                self.call((Helper::ToInt32, "ToInt32"), want, &[a], out)
            }
            (ScalarTy::Index | ScalarTy::I32 | ScalarTy::F32 | ScalarTy::Bool, _) => {
                let at = out.len();
                self.put(a, out);
                cast(at, want, out)
            }
        }
    }

    /// Appends an expression.
    fn put(&self, s: &Scalar, out: &mut String) -> Shape {
        match s {
            Scalar::Int(v) => integer(*v, out),
            Scalar::I32(v) => Shape {
                ty: CppTy::Is(ScalarTy::I32),
                ..integer((*v).into(), out)
            },
            Scalar::Float(v) => self.float(*v, out),
            Scalar::Bool(v) => word(if *v { "true" } else { "false" }, ScalarTy::Bool, out),
            Scalar::Axis(a) => {
                self.leaves.launched(Launched::Axis(*a), out);
                primary(ScalarTy::Index)
            }
            Scalar::Attr(p, ty) => {
                self.leaves.launched(Launched::Attr(*p), out);
                primary(*ty)
            }
            Scalar::Chip(c) => {
                self.leaves.chip(*c, out);
                primary(ScalarTy::Index)
            }
            Scalar::Var(v) => {
                self.leaves.var(*v, out);
                primary(v.ty())
            }
            Scalar::BlockIdx => {
                self.leaves.block_idx(out);
                primary(ScalarTy::Index)
            }
            Scalar::BlockDim => {
                self.leaves.block_dim(out);
                primary(ScalarTy::Index)
            }
            Scalar::SizeOf(ty) => {
                self.leaves.size_of(*ty, out);
                primary(ScalarTy::Index)
            }
            Scalar::Un(op, a) => self.unary(*op, a, out),
            Scalar::Bin(op, a, b) => self.binary(*op, a, b, out),
            Scalar::Select(c, a, b) => {
                self.wrapped(c, OR, out);
                out.push_str(" ? ");
                let left = self.wrapped(a, OR, out);
                out.push_str(" : ");
                let right = self.wrapped(b, CONDITIONAL, out);
                Shape {
                    prec: CONDITIONAL,
                    ty: left.meet(right),
                }
            }
            Scalar::Cast(ty, a) => self.convert(a, *ty, out),
        }
    }

    /// Appends an expression, in parentheses where its operator binds less than `least`.
    fn wrapped(&self, s: &Scalar, least: u8, out: &mut String) -> CppTy {
        let at = out.len();
        let shape = self.put(s, out);
        if shape.prec < least {
            parenthesise(at, out);
        }
        shape.ty
    }

    fn unary(&self, op: UnOp, a: &Scalar, out: &mut String) -> Shape {
        match op {
            UnOp::Neg if a.ty() == ScalarTy::I32 && self.leaves.ranges().wraps_negated(a) => self
                .call(
                    (Helper::WrapSub, "WrapSub"),
                    ScalarTy::I32,
                    &[&Scalar::I32(0), a],
                    out,
                ),
            UnOp::Neg => {
                out.push('-');
                let at = out.len();
                let ty = self.wrapped(a, UNARY, out);
                // Without parentheses `--x` would be another operator.
                if out[at..].starts_with('-') {
                    parenthesise(at, out);
                }
                Shape { prec: UNARY, ty }
            }
            UnOp::Not => {
                out.push('!');
                self.wrapped(a, UNARY, out);
                Shape {
                    prec: UNARY,
                    ty: CppTy::Is(ScalarTy::Bool),
                }
            }
            UnOp::Sqrt => {
                if !self.leaves.on_device() {
                    self.need(Helper::Cmath);
                    out.push_str("std::");
                }
                out.push_str("sqrt(");
                self.put(a, out);
                out.push(')');
                primary(ScalarTy::F32)
            }
        }
    }

    /// Returns the helper for an operation on 32 bits that may overflow: it wraps.
    fn wrapping(&self, op: BinOp, a: &Scalar, b: &Scalar) -> Option<(Helper, &'static str)> {
        let wraps = |helper| self.leaves.ranges().wraps(op, a, b).then_some(helper);
        match op {
            BinOp::Add => wraps((Helper::WrapAdd, "WrapAdd")),
            BinOp::Sub => wraps((Helper::WrapSub, "WrapSub")),
            BinOp::Mul => wraps((Helper::WrapMul, "WrapMul")),
            BinOp::Div => wraps((Helper::WrapDiv, "WrapDiv")),
            BinOp::Rem => wraps((Helper::WrapRem, "WrapRem")),
            BinOp::Min => Some((Helper::Int32Min, "Int32Min")),
            BinOp::Max => Some((Helper::Int32Max, "Int32Max")),
            BinOp::CeilDiv | BinOp::AlignUp => None,
            BinOp::Lt
            | BinOp::Le
            | BinOp::Gt
            | BinOp::Ge
            | BinOp::Eq
            | BinOp::Ne
            | BinOp::And
            | BinOp::Or => None,
        }
    }

    fn binary(&self, op: BinOp, a: &Scalar, b: &Scalar, out: &mut String) -> Shape {
        let ty = a.ty();
        if let Some(helper) = (ty == ScalarTy::I32)
            .then(|| self.wrapping(op, a, b))
            .flatten()
        {
            return self.call(helper, ScalarTy::I32, &[a, b], out);
        }
        let float = ty == ScalarTy::F32;
        match op {
            BinOp::Add => self.arithmetic(op, (" + ", ADD), a, b, !float, out),
            BinOp::Sub => self.arithmetic(op, (" - ", ADD), a, b, false, out),
            BinOp::Mul => self.arithmetic(op, (" * ", MUL), a, b, false, out),
            BinOp::Div => self.infix((" / ", MUL), a, b, out),
            BinOp::Rem => self.infix((" % ", MUL), a, b, out),
            BinOp::CeilDiv => self.rounding((Helper::CeilDiv, "CeilDiv"), a, b, out),
            BinOp::AlignUp => self.rounding((Helper::AlignUp, "AlignUp"), a, b, out),
            BinOp::Min if float => self.call((Helper::FloatMin, "FloatMin"), ty, &[a, b], out),
            BinOp::Max if float => self.call((Helper::FloatMax, "FloatMax"), ty, &[a, b], out),
            BinOp::Min => self.call((Helper::MinOf, "MinOf"), ScalarTy::Index, &[a, b], out),
            BinOp::Max => self.call((Helper::MaxOf, "MaxOf"), ScalarTy::Index, &[a, b], out),
            BinOp::Lt => self.predicate((" < ", RELATION), a, b, out),
            BinOp::Le => self.predicate((" <= ", RELATION), a, b, out),
            BinOp::Gt => self.predicate((" > ", RELATION), a, b, out),
            BinOp::Ge => self.predicate((" >= ", RELATION), a, b, out),
            BinOp::Eq => self.predicate((" == ", EQUALITY), a, b, out),
            BinOp::Ne => self.predicate((" != ", EQUALITY), a, b, out),
            BinOp::And => self.logic((" && ", AND), a, b, out),
            // Compilers warn about `&&` inside `||` without parentheses.
            BinOp::Or => self.logic((" || ", OR), a, b, out),
        }
    }

    /// Appends a quotient or multiple, computed in 64 bits.
    fn rounding(&self, helper: (Helper, &str), a: &Scalar, b: &Scalar, out: &mut String) -> Shape {
        let at = out.len();
        let shape = self.call(helper, ScalarTy::Index, &[a, b], out);
        match a.ty() {
            ScalarTy::I32 => cast(at, ScalarTy::I32, out),
            ScalarTy::Index | ScalarTy::F32 | ScalarTy::Bool => shape,
        }
    }

    /// Appends two operands of one type with an operator; only the left one may bind as strongly.
    fn infix(&self, (sign, prec): (&str, u8), a: &Scalar, b: &Scalar, out: &mut String) -> Shape {
        let left = self.wrapped(a, prec, out);
        out.push_str(sign);
        let right = self.wrapped(b, prec + 1, out);
        Shape {
            prec,
            ty: left.meet(right),
        }
    }

    fn predicate(&self, sign: (&str, u8), a: &Scalar, b: &Scalar, out: &mut String) -> Shape {
        Shape {
            ty: CppTy::Is(ScalarTy::Bool),
            ..self.infix(sign, a, b, out)
        }
    }

    /// Appends a logical operation. Operands of this operator need no parentheses, those of the
    /// other one do.
    fn logic(&self, (sign, prec): (&str, u8), a: &Scalar, b: &Scalar, out: &mut String) -> Shape {
        for (s, before) in [(a, ""), (b, sign)] {
            out.push_str(before);
            let at = out.len();
            let shape = self.put(s, out);
            if shape.prec != prec && shape.prec <= AND {
                parenthesise(at, out);
            }
        }
        Shape {
            prec,
            ty: CppTy::Is(ScalarTy::Bool),
        }
    }

    /// Appends an operation whose result may be larger than its operands. If literals alone could
    /// exceed an `int`, it is done in 64 bits. The right operand may bind as strongly where the
    /// order of evaluation does not matter.
    fn arithmetic(
        &self,
        op: BinOp,
        (sign, prec): (&str, u8),
        a: &Scalar,
        b: &Scalar,
        commutes: bool,
        out: &mut String,
    ) -> Shape {
        let at = out.len();
        let left = self.put(a, out);
        let end = out.len();
        out.push_str(sign);
        let right = self.wrapped(b, if commutes { prec } else { prec + 1 }, out);
        let ty = match (left.ty, right) {
            (CppTy::Small(a), CppTy::Small(b)) => {
                CppTy::literal(if op == BinOp::Mul { a * b } else { a + b })
            }
            (a, b) => a.meet(b),
        };
        let widened = matches!(
            (left.ty, right, ty),
            (CppTy::Small(_), CppTy::Small(_), CppTy::Is(_))
        );
        if widened || left.prec < prec {
            out.insert(end, ')');
            out.insert(at, '(');
        }
        if widened {
            out.insert_str(at, "static_cast<int64_t>");
        }
        Shape { prec, ty }
    }

    fn float(&self, v: f32, out: &mut String) -> Shape {
        let (text, negative) = if v.is_infinite() {
            self.need(Helper::FloatInf);
            ("FLOAT_INF".to_string(), v < 0.0)
        } else if v.is_nan() {
            ("__builtin_nanf(\"\")".to_string(), false)
        } else {
            (format!("{:?}f", v.abs()), v.is_sign_negative())
        };
        if negative {
            out.push('-');
        }
        out.push_str(&text);
        Shape {
            prec: if negative { UNARY } else { PRIMARY },
            ty: CppTy::Is(ScalarTy::F32),
        }
    }
}

fn primary(ty: ScalarTy) -> Shape {
    Shape {
        prec: PRIMARY,
        ty: CppTy::Is(ty),
    }
}

fn word(text: &str, ty: ScalarTy, out: &mut String) -> Shape {
    out.push_str(text);
    primary(ty)
}

fn parenthesise(at: usize, out: &mut String) {
    out.insert(at, '(');
    out.push(')');
}

/// Converts the text from `at` on.
fn cast(at: usize, ty: ScalarTy, out: &mut String) -> Shape {
    out.insert_str(at, ">(");
    out.insert_str(at, cpp_type(ty));
    out.insert_str(at, "static_cast<");
    out.push(')');
    primary(ty)
}

fn integer(v: i64, out: &mut String) -> Shape {
    // The minus of a literal is an operator, and the literal after it does not fit.
    if v == i64::MIN {
        return word("INT64_MIN", ScalarTy::Index, out);
    }
    if v == i64::from(i32::MIN) {
        return word("INT32_MIN", ScalarTy::Index, out);
    }
    write!(out, "{v}").expect("a string takes every text");
    Shape {
        prec: if v < 0 { UNARY } else { PRIMARY },
        ty: CppTy::literal(v.abs()),
    }
}

/// Prints definitions of the arithmetic helpers, each line prefixed by `qualifier` (`inline`, or
/// `__aicore__ inline`).
pub(crate) fn definitions(helpers: Helpers, qualifier: &str, out: &mut crate::cpp::Cpp) {
    let mut define = |helper: Helper, comment: &str, head: &str, body: &[&str]| {
        if !helpers.has(helper) {
            return;
        }
        out.blank();
        if !comment.is_empty() {
            out.comment(comment);
        }
        out.function(format_args!("{qualifier} {head}"), |out| {
            body.iter().for_each(|l| out.line(l))
        });
    };
    define(
        Helper::CeilDiv,
        "Quotient rounded toward plus infinity; b is positive.",
        "int64_t CeilDiv(int64_t a, int64_t b)",
        &["return a > 0 ? (a - 1) / b + 1 : a / b;"],
    );
    define(
        Helper::AlignUp,
        "The least multiple of b that is not below a; b is positive.",
        "int64_t AlignUp(int64_t a, int64_t b)",
        &["return CeilDiv(a, b) * b;"],
    );
    define(
        Helper::MinOf,
        "",
        "int64_t MinOf(int64_t a, int64_t b)",
        &["return a < b ? a : b;"],
    );
    define(
        Helper::MaxOf,
        "",
        "int64_t MaxOf(int64_t a, int64_t b)",
        &["return a > b ? a : b;"],
    );
    define(
        Helper::Int32Min,
        "",
        "int32_t Int32Min(int32_t a, int32_t b)",
        &["return a < b ? a : b;"],
    );
    define(
        Helper::Int32Max,
        "",
        "int32_t Int32Max(int32_t a, int32_t b)",
        &["return a > b ? a : b;"],
    );
    for (helper, name, sign, note) in [
        (
            Helper::WrapAdd,
            "WrapAdd",
            "+",
            "Sum modulo 2^32, as the scalar unit computes it; C++ leaves the overflow of signed numbers undefined.",
        ),
        (Helper::WrapSub, "WrapSub", "-", "Difference modulo 2^32."),
        (Helper::WrapMul, "WrapMul", "*", "Product modulo 2^32."),
    ] {
        let line = format!("return static_cast<int32_t>(static_cast<uint32_t>(a) {sign} static_cast<uint32_t>(b));");
        define(helper, note, &format!("int32_t {name}(int32_t a, int32_t b)"), &[&line]);
    }
    define(
        Helper::WrapDiv,
        "Quotient toward zero; that of INT32_MIN and -1 is INT32_MIN.",
        "int32_t WrapDiv(int32_t a, int32_t b)",
        &["return b == -1 ? WrapSub(0, a) : a / b;"],
    );
    define(
        Helper::WrapRem,
        "Remainder of a division toward zero; that of INT32_MIN and -1 is 0.",
        "int32_t WrapRem(int32_t a, int32_t b)",
        &["return b == -1 ? 0 : a % b;"],
    );
    let nan = "Where one operand is nan, the other one is the result.";
    define(
        Helper::FloatMin,
        nan,
        "float FloatMin(float a, float b)",
        &["return a < b || b != b ? a : b;"],
    );
    define(
        Helper::FloatMax,
        nan,
        "float FloatMax(float a, float b)",
        &["return a > b || b != b ? a : b;"],
    );
    let cast = |bits: u32, limit: &str| {
        vec![
            format!("if (v >= {limit}) {{"),
            format!("    return INT{bits}_MAX;"),
            "}".to_string(),
            format!("if (v < -{limit}) {{"),
            format!("    return INT{bits}_MIN;"),
            "}".to_string(),
            format!("return v == v ? static_cast<int{bits}_t>(v) : 0;"),
        ]
    };
    let note = "Truncates and saturates; nan gives 0.";
    let (wide, narrow) = (
        cast(64, "9223372036854775808.0f"),
        cast(32, "2147483648.0f"),
    );
    define(
        Helper::ToInt64,
        note,
        "int64_t ToInt64(float v)",
        &wide.iter().map(String::as_str).collect::<Vec<_>>(),
    );
    define(
        Helper::ToInt32,
        note,
        "int32_t ToInt32(float v)",
        &narrow.iter().map(String::as_str).collect::<Vec<_>>(),
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Default)]
    struct Plain {
        ranges: Ranges,
    }
    impl Leaves for Plain {
        fn var(&self, id: VarId, out: &mut String) {
            out.push_str(&format!("v{}", id.index()));
        }
        fn launched(&self, of: Launched, out: &mut String) {
            out.push_str(&match of {
                Launched::Axis(id) => format!("a{}", id.0),
                Launched::Attr(id) => format!("p{}", id.0),
            });
        }
        fn size_of(&self, _: Ty, out: &mut String) {
            out.push('4');
        }
        fn chip(&self, _: ChipFact, out: &mut String) {
            out.push_str("CORES");
        }
        fn on_device(&self) -> bool {
            false
        }
        fn ranges(&self) -> &Ranges {
            &self.ranges
        }
    }

    fn scalar(text: &str) -> Scalar {
        let ir = format!("{}\n{text}", jumar_dsl::ir::text::VERSION);
        jumar_dsl::ir::text::from_text(&ir).expect("IR text")
    }

    fn print(text: &str) -> String {
        let (leaves, helpers) = (Plain::default(), Cell::default());
        let s = scalar(text);
        s.check().unwrap_or_else(|e| panic!("{text}: {e}"));
        ScalarPrinter::new(&leaves, &helpers).expr(&s)
    }

    #[test]
    fn parentheses_stand_only_where_the_order_needs_them() {
        for (ir, cpp) in [
            ("(+ (* $0 2) $4)", "v0 * 2 + v4"),
            ("(* (+ $0 2) $4)", "(v0 + 2) * v4"),
            ("(- $0 (- $4 $8))", "v0 - (v4 - v8)"),
            ("(+ $0 (+ $4 $8))", "v0 + v4 + v8"),
            ("(/ $0 (* $4 $8))", "v0 / (v4 * v8)"),
            ("(+ $1f (+ $5f $9f))", "v1 + (v5 + v9)"),
            ("(neg (neg $0))", "-(-v0)"),
            ("(- $0 -1)", "v0 - -1"),
            ("-2147483648", "INT32_MIN"),
            ("(or (and $2b $6b) $10b)", "(v2 && v6) || v10"),
            ("(not (< $0 1))", "!(v0 < 1)"),
            ("(+ (select $2b 1 0) $0)", "(v2 ? 1 : 0) + v0"),
            ("(min (ceil_div $0 16) 4)", "MinOf(CeilDiv(v0, 16), 4)"),
        ] {
            assert_eq!(print(ir), cpp, "{ir}");
        }
    }

    #[test]
    fn conversions_are_those_of_the_ir() {
        for (ir, cpp) in [
            ("(/ 1.0f (as_f32 $0))", "1.0f / static_cast<float>(v0)"),
            ("(max $1f 0.0f)", "FloatMax(v1, 0.0f)"),
            ("(as_usize $1f)", "ToInt64(v1)"),
            ("(as_i32 $1f)", "ToInt32(v1)"),
            ("(as_i32 $0)", "static_cast<int32_t>(v0)"),
            ("(+ (as_usize $3i) $0)", "static_cast<int64_t>(v3) + v0"),
            ("(sqrt (as_f32 $0))", "std::sqrt(static_cast<float>(v0))"),
            (
                "(as_f32 (select $2b 1 2))",
                "static_cast<float>(v2 ? 1 : 2)",
            ),
            ("-inff", "-FLOAT_INF"),
        ] {
            assert_eq!(print(ir), cpp, "{ir}");
        }
    }

    #[test]
    fn numbers_of_32_bits_wrap_where_they_may_leave_them() {
        for (ir, cpp) in [
            ("(/ (* $3i $3i) 1000i)", "WrapMul(v3, v3) / 1000"),
            ("(+ $3i 1i)", "WrapAdd(v3, 1)"),
            ("(+ (% $3i 8i) 1i)", "v3 % 8 + 1"),
            (
                "(- (min $3i 4i) -2147483648i)",
                "WrapSub(Int32Min(v3, 4), INT32_MIN)",
            ),
            ("(/ $3i $4i)", "WrapDiv(v3, v4)"),
            ("(% $3i -1i)", "WrapRem(v3, -1)"),
            ("(neg $3i)", "WrapSub(0, v3)"),
            ("(neg (max $3i -7i))", "-Int32Max(v3, -7)"),
            ("(select $2b $3i -1i)", "v2 ? v3 : -1"),
        ] {
            assert_eq!(print(ir), cpp, "{ir}");
        }
    }

    #[test]
    fn literals_that_would_leave_an_int_meet_in_64_bits() {
        for (ir, cpp) in [
            (
                "(+ (select $2b 1 2) (select $6b 3 4))",
                "(v2 ? 1 : 2) + (v6 ? 3 : 4)",
            ),
            (
                "(* (select $2b 1 65536) (select $6b 1 65536))",
                "static_cast<int64_t>(v2 ? 1 : 65536) * (v6 ? 1 : 65536)",
            ),
            (
                "(- (select $2b 1 2147483647) (select $6b 1 -1))",
                "static_cast<int64_t>(v2 ? 1 : 2147483647) - (v6 ? 1 : -1)",
            ),
        ] {
            assert_eq!(print(ir), cpp, "{ir}");
        }
    }
}
