//! Scalar expressions in C++, with no more parentheses than needed and the meaning of `dsl::scalar`.
//!
//! `Index` is `int64_t`, `I32` is `int32_t`, `F32` is `float`, and what the IR converts is converted. Overflow of signed integers
//! is undefined in C++. A number of 32 bits wraps round in helpers that compute without a sign ([`Helper::WrapMul`]) where its
//! range says that it may leave its type, and is plain where not. A `usize` that leaves 64 bits is an error: on the host such
//! operations are taken out of the expression first (`host::checked`), on a core nobody looks. Every text has the type that the IR
//! means, since a call of a template deduces its element type from the operand too; only literals of 64 bits may be shorter
//! ([`CppTy`]). What has no operator in C++ becomes a call to a helper; [`Helpers`] remembers which ones the text needs, so that
//! each is defined once.

use crate::range::Ranges;
use jumar_dsl::ir::{AxisId, BinOp, ChipFact, ParamId, Scalar, ScalarTy, Ty, UnOp, VarId};
use jumar_dsl::ops::WaitOp;
use std::cell::Cell;

/// C++ spelling of a scalar type.
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

/// One helper.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Helper {
    CeilDiv,
    AlignUp,
    MinOf,
    MaxOf,
    Int32Min,
    Int32Max,
    FloatMin,
    FloatMax,
    WrapAdd,
    WrapSub,
    WrapMul,
    WrapDiv,
    WrapRem,
    ToInt64,
    ToInt32,
    FloatInf,
    BlockGap,
    RepeatBytes,
    DataBlockBytes,
    BufferNum,
    Sync(WaitOp),
}

impl Helper {
    const fn bit(self) -> u64 {
        match self {
            Helper::CeilDiv => 1,
            Helper::AlignUp => 1 << 1,
            Helper::MinOf => 1 << 2,
            Helper::MaxOf => 1 << 3,
            Helper::FloatMin => 1 << 4,
            Helper::FloatMax => 1 << 5,
            Helper::ToInt64 => 1 << 6,
            Helper::ToInt32 => 1 << 7,
            Helper::FloatInf => 1 << 8,
            Helper::BlockGap => 1 << 9,
            Helper::RepeatBytes => 1 << 10,
            Helper::DataBlockBytes => 1 << 11,
            Helper::BufferNum => 1 << 12,
            Helper::Int32Min => 1 << 13,
            Helper::Int32Max => 1 << 14,
            Helper::WrapAdd => 1 << 15,
            Helper::WrapSub => 1 << 16,
            Helper::WrapMul => 1 << 17,
            Helper::WrapDiv => 1 << 18,
            Helper::WrapRem => 1 << 19,
            Helper::Sync(op) => 1 << (24 + op as u32),
        }
    }
}

impl Helpers {
    /// Adds a helper and what it is built from.
    pub(crate) fn add(&mut self, helper: Helper) {
        self.bits |= helper.bit();
        match helper {
            Helper::AlignUp => self.add(Helper::CeilDiv),
            Helper::WrapDiv => self.add(Helper::WrapSub),
            Helper::BlockGap => {
                self.add(Helper::AlignUp);
                self.add(Helper::DataBlockBytes);
            }
            _ => {}
        }
    }
    /// True where the text uses it.
    pub(crate) const fn has(self, helper: Helper) -> bool {
        self.bits & helper.bit() != 0
    }
    /// Those of both.
    pub(crate) const fn union(self, other: Helpers) -> Helpers {
        Helpers { bits: self.bits | other.bits }
    }
}

/// What the leaves of an expression are called here.
pub(crate) trait Leaves {
    /// A variable.
    fn var(&self, id: VarId) -> String;
    /// Size of an axis.
    fn axis(&self, id: AxisId) -> String;
    /// Value of an attribute.
    fn attr(&self, id: ParamId) -> String;
    /// Bytes of an element.
    fn size_of(&self, ty: Ty) -> String;
    /// The block index.
    fn block_idx(&self) -> String {
        "static_cast<int64_t>(GetBlockIdx())".into()
    }
    /// A chip fact.
    fn chip(&self, fact: ChipFact) -> String;
    /// True in device code.
    fn on_device(&self) -> bool;
    /// What is known of the leaves.
    fn ranges(&self) -> &Ranges;
}

/// Type that C++ gives a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CppTy {
    Is(ScalarTy),
    /// A `usize` made of literals only, at most this far from zero: an `int` in C++, right wherever 64 bits are wanted.
    Small(i64),
}

impl CppTy {
    /// That of literals up to `bound`, which are as wide as they need to be.
    fn literal(bound: i64) -> CppTy {
        if bound <= i64::from(i32::MAX) {
            CppTy::Small(bound)
        } else {
            CppTy::Is(ScalarTy::Index)
        }
    }

    /// Type that two operands of one type meet in.
    fn meet(self, other: CppTy) -> CppTy {
        match (self, other) {
            (CppTy::Small(a), CppTy::Small(b)) => CppTy::Small(a.max(b)),
            (CppTy::Small(_), wide) | (wide, _) => wide,
        }
    }
}

/// An expression with what the surroundings must know of it.
#[derive(Clone)]
struct Piece {
    text: String,
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
    /// A printer whose leaves are spelt by `leaves`.
    pub(crate) fn new(leaves: &'a dyn Leaves, helpers: &'a Cell<Helpers>) -> Self {
        ScalarPrinter { leaves, helpers }
    }

    /// The expression.
    pub(crate) fn expr(&self, s: &Scalar) -> String {
        self.piece(s).text
    }

    /// The expression as one of a literal type in C++, converted where it has another type.
    pub(crate) fn expr_as(&self, s: &Scalar, ty: ScalarTy) -> String {
        self.expr(&Scalar::cast(ty, s.clone()))
    }

    /// The expression as an operand that a multiplication may follow.
    pub(crate) fn factor(&self, s: &Scalar) -> String {
        wrap(self.piece(s), MUL)
    }

    fn need(&self, helper: Helper) {
        let mut set = self.helpers.get();
        set.add(helper);
        self.helpers.set(set);
    }

    fn call(&self, helper: Helper, name: &str, result: ScalarTy, args: &[Piece]) -> Piece {
        self.need(helper);
        let args: Vec<_> = args.iter().map(|p| p.text.as_str()).collect();
        primary(format!("{name}({})", args.join(", ")), result)
    }

    fn convert(&self, a: &Scalar, want: ScalarTy) -> Piece {
        let piece = self.piece(a);
        match (a.ty(), want) {
            (have, _) if have == want => piece,
            (ScalarTy::F32, ScalarTy::Index) => self.call(Helper::ToInt64, "ToInt64", want, &[piece]),
            (ScalarTy::F32, ScalarTy::I32) => self.call(Helper::ToInt32, "ToInt32", want, &[piece]),
            _ => cast(&piece, want),
        }
    }

    fn piece(&self, s: &Scalar) -> Piece {
        let index = |text: String| primary(text, ScalarTy::Index);
        match s {
            Scalar::Int(v) => integer(*v),
            Scalar::I32(v) => Piece { ty: CppTy::Is(ScalarTy::I32), ..integer((*v).into()) },
            Scalar::Float(v) => self.float(*v),
            Scalar::Bool(v) => primary(v.to_string(), ScalarTy::Bool),
            Scalar::Axis(a) => index(self.leaves.axis(*a)),
            Scalar::Attr(p, ty) => primary(self.leaves.attr(*p), *ty),
            Scalar::Chip(c) => index(self.leaves.chip(*c)),
            Scalar::Var(v) => primary(self.leaves.var(*v), v.ty()),
            Scalar::BlockIdx => index(self.leaves.block_idx()),
            // The type is another one from version to version; offsets are signed.
            Scalar::BlockDim => index("static_cast<int64_t>(GetBlockNum())".into()),
            Scalar::Un(op, a) => self.unary(*op, a),
            Scalar::Bin(op, a, b) => self.binary(*op, a, b),
            Scalar::Select(c, a, b) => {
                let (left, right) = (self.piece(a), self.piece(b));
                let ty = left.ty.meet(right.ty);
                let text = format!("{} ? {} : {}", wrap(self.piece(c), OR), wrap(left, OR), wrap(right, CONDITIONAL));
                Piece { text, prec: CONDITIONAL, ty }
            }
            Scalar::Cast(ty, a) => self.convert(a, *ty),
            Scalar::SizeOf(ty) => index(self.leaves.size_of(*ty)),
        }
    }

    fn unary(&self, op: UnOp, a: &Scalar) -> Piece {
        match op {
            UnOp::Neg if a.ty() == ScalarTy::I32 && self.leaves.ranges().wraps_negated(a) => {
                let zero = primary("0".into(), ScalarTy::I32);
                self.call(Helper::WrapSub, "WrapSub", ScalarTy::I32, &[zero, self.piece(a)])
            }
            UnOp::Neg => {
                let piece = self.piece(a);
                let ty = piece.ty;
                let inner = wrap(piece, UNARY);
                // `--x` would be another operator.
                let text = if inner.starts_with('-') { format!("-({inner})") } else { format!("-{inner}") };
                Piece { text, prec: UNARY, ty }
            }
            UnOp::Not => {
                let text = format!("!{}", wrap(self.piece(a), UNARY));
                Piece { text, prec: UNARY, ty: CppTy::Is(ScalarTy::Bool) }
            }
            UnOp::Sqrt => {
                let name = if self.leaves.on_device() { "sqrt" } else { "std::sqrt" };
                primary(format!("{name}({})", self.piece(a).text), ScalarTy::F32)
            }
        }
    }

    /// The helper for an operation on 32 bits: one that wraps round, where it may leave them.
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
            BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge | BinOp::Eq | BinOp::Ne | BinOp::And | BinOp::Or => None,
        }
    }

    fn binary(&self, op: BinOp, a: &Scalar, b: &Scalar) -> Piece {
        let (left, right) = (self.piece(a), self.piece(b));
        let ty = left.ty.meet(right.ty);
        let (float, int32) = (ty == CppTy::Is(ScalarTy::F32), ty == CppTy::Is(ScalarTy::I32));
        if let Some((helper, name)) = int32.then(|| self.wrapping(op, a, b)).flatten() {
            return self.call(helper, name, ScalarTy::I32, &[left, right]);
        }
        match op {
            BinOp::Add => arithmetic(op, "+", ADD, left, right, !float),
            BinOp::Sub => arithmetic(op, "-", ADD, left, right, false),
            BinOp::Mul => arithmetic(op, "*", MUL, left, right, false),
            BinOp::Div => infix("/", MUL, left, right, false, ty),
            BinOp::Rem => infix("%", MUL, left, right, false, ty),
            BinOp::CeilDiv | BinOp::AlignUp if int32 => {
                let (helper, name) =
                    if op == BinOp::CeilDiv { (Helper::CeilDiv, "CeilDiv") } else { (Helper::AlignUp, "AlignUp") };
                cast(&self.call(helper, name, ScalarTy::Index, &[left, right]), ScalarTy::I32)
            }
            BinOp::CeilDiv => self.call(Helper::CeilDiv, "CeilDiv", ScalarTy::Index, &[left, right]),
            BinOp::AlignUp => self.call(Helper::AlignUp, "AlignUp", ScalarTy::Index, &[left, right]),
            BinOp::Min if float => self.call(Helper::FloatMin, "FloatMin", ScalarTy::F32, &[left, right]),
            BinOp::Max if float => self.call(Helper::FloatMax, "FloatMax", ScalarTy::F32, &[left, right]),
            BinOp::Min => self.call(Helper::MinOf, "MinOf", ScalarTy::Index, &[left, right]),
            BinOp::Max => self.call(Helper::MaxOf, "MaxOf", ScalarTy::Index, &[left, right]),
            BinOp::Lt => predicate("<", RELATION, left, right),
            BinOp::Le => predicate("<=", RELATION, left, right),
            BinOp::Gt => predicate(">", RELATION, left, right),
            BinOp::Ge => predicate(">=", RELATION, left, right),
            BinOp::Eq => predicate("==", EQUALITY, left, right),
            BinOp::Ne => predicate("!=", EQUALITY, left, right),
            BinOp::And => {
                let side = |p: Piece| if p.prec == AND { p.text } else { wrap(p, AND + 1) };
                Piece { text: format!("{} && {}", side(left), side(right)), prec: AND, ty }
            }
            BinOp::Or => {
                // Compilers warn of `&&` inside `||` without parentheses.
                let side = |p: Piece| if p.prec == OR { p.text } else { wrap(p, AND + 1) };
                Piece { text: format!("{} || {}", side(left), side(right)), prec: OR, ty }
            }
        }
    }

    fn float(&self, v: f32) -> Piece {
        let ty = CppTy::Is(ScalarTy::F32);
        if v.is_infinite() {
            self.need(Helper::FloatInf);
            return if v > 0.0 {
                Piece { text: "FLOAT_INF".into(), prec: PRIMARY, ty }
            } else {
                Piece { text: "-FLOAT_INF".into(), prec: UNARY, ty }
            };
        }
        if v.is_nan() {
            return Piece { text: "__builtin_nanf(\"\")".into(), prec: PRIMARY, ty };
        }
        Piece { text: format!("{v:?}f"), prec: if v.is_sign_negative() { UNARY } else { PRIMARY }, ty }
    }
}

fn primary(text: String, ty: ScalarTy) -> Piece {
    Piece { text, prec: PRIMARY, ty: CppTy::Is(ty) }
}

fn cast(piece: &Piece, ty: ScalarTy) -> Piece {
    primary(format!("static_cast<{}>({})", cpp_type(ty), piece.text), ty)
}

fn integer(v: i64) -> Piece {
    if v == i64::MIN || v == i64::from(i32::MIN) {
        // The minus of a literal is an operator, and the literal behind it does not fit.
        return primary(if v == i64::MIN { "INT64_MIN" } else { "INT32_MIN" }.into(), ScalarTy::Index);
    }
    Piece { text: v.to_string(), prec: if v < 0 { UNARY } else { PRIMARY }, ty: CppTy::literal(v.abs()) }
}

/// Two operands of one type with a sign between them. The left operand may bind as strongly; the right one only where
/// the order of evaluation does not matter.
fn infix(sign: &str, prec: u8, left: Piece, right: Piece, commutes: bool, ty: CppTy) -> Piece {
    let right = wrap(right, if commutes { prec } else { prec + 1 });
    Piece { text: format!("{} {sign} {right}", wrap(left, prec)), prec, ty }
}

/// An operation whose result may be larger than its operands: one of literals only that could leave an `int` is done
/// in 64 bits.
fn arithmetic(op: BinOp, sign: &str, prec: u8, left: Piece, right: Piece, commutes: bool) -> Piece {
    let (left, ty) = match (left.ty, right.ty) {
        (CppTy::Small(a), CppTy::Small(b)) => match CppTy::literal(if op == BinOp::Mul { a * b } else { a + b }) {
            CppTy::Is(wide) => (cast(&left, wide), CppTy::Is(wide)),
            small => (left, small),
        },
        (a, b) => (left, a.meet(b)),
    };
    infix(sign, prec, left, right, commutes, ty)
}

fn predicate(sign: &str, prec: u8, left: Piece, right: Piece) -> Piece {
    infix(sign, prec, left, right, false, CppTy::Is(ScalarTy::Bool))
}

fn wrap(p: Piece, least: u8) -> String {
    if p.prec < least {
        format!("({})", p.text)
    } else {
        p.text
    }
}

/// Definitions of the arithmetic helpers, each line prefixed by `qualifier` (`inline`, or `__aicore__ inline`).
pub(crate) fn definitions(helpers: Helpers, qualifier: &str, out: &mut crate::cpp::Cpp) {
    let mut define = |helper: Helper, comment: &str, head: &str, body: &[&str]| {
        if !helpers.has(helper) {
            return;
        }
        out.blank();
        if !comment.is_empty() {
            out.comment(comment);
        }
        out.function(format!("{qualifier} {head}"), |out| body.iter().for_each(|l| out.line(l)));
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
    define(Helper::MinOf, "", "int64_t MinOf(int64_t a, int64_t b)", &["return a < b ? a : b;"]);
    define(Helper::MaxOf, "", "int64_t MaxOf(int64_t a, int64_t b)", &["return a > b ? a : b;"]);
    define(Helper::Int32Min, "", "int32_t Int32Min(int32_t a, int32_t b)", &["return a < b ? a : b;"]);
    define(Helper::Int32Max, "", "int32_t Int32Max(int32_t a, int32_t b)", &["return a > b ? a : b;"]);
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
    define(Helper::FloatMin, nan, "float FloatMin(float a, float b)", &["return a < b || b != b ? a : b;"]);
    define(Helper::FloatMax, nan, "float FloatMax(float a, float b)", &["return a > b || b != b ? a : b;"]);
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
    let (wide, narrow) = (cast(64, "9223372036854775808.0f"), cast(32, "2147483648.0f"));
    define(Helper::ToInt64, note, "int64_t ToInt64(float v)", &wide.iter().map(String::as_str).collect::<Vec<_>>());
    define(Helper::ToInt32, note, "int32_t ToInt32(float v)", &narrow.iter().map(String::as_str).collect::<Vec<_>>());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Default)]
    struct Plain {
        ranges: Ranges,
    }
    impl Leaves for Plain {
        fn var(&self, id: VarId) -> String {
            format!("v{}", id.index())
        }
        fn axis(&self, id: AxisId) -> String {
            format!("a{}", id.0)
        }
        fn attr(&self, id: ParamId) -> String {
            format!("p{}", id.0)
        }
        fn size_of(&self, _: Ty) -> String {
            "4".into()
        }
        fn chip(&self, _: ChipFact) -> String {
            "CORES".into()
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
            ("(as_f32 (select $2b 1 2))", "static_cast<float>(v2 ? 1 : 2)"),
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
            ("(- (min $3i 4i) -2147483648i)", "WrapSub(Int32Min(v3, 4), INT32_MIN)"),
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
            ("(+ (select $2b 1 2) (select $6b 3 4))", "(v2 ? 1 : 2) + (v6 ? 3 : 4)"),
            ("(* (select $2b 1 65536) (select $6b 1 65536))", "static_cast<int64_t>(v2 ? 1 : 65536) * (v6 ? 1 : 65536)"),
            ("(- (select $2b 1 2147483647) (select $6b 1 -1))", "static_cast<int64_t>(v2 ? 1 : 2147483647) - (v6 ? 1 : -1)"),
        ] {
            assert_eq!(print(ir), cpp, "{ir}");
        }
    }
}
