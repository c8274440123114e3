//! Scalar expressions in C++, with no more parentheses than needed and the meaning of `tiling::eval`.
//!
//! `Index` is `int64_t`, `I32` is `int32_t`, `F32` is `float`; an integer beside a float is converted, as the
//! evaluator does. What has no operator in C++ becomes a call to a helper; [`Helpers`] remembers which ones the text
//! needs, so that each is defined once. Arithmetic that would leave 64 bits is undefined in C++ where the evaluator
//! reports it: sizes of real tensors stay far below.

use jumar_dsl::ir::{AxisId, BinOp, ChipFact, ParamId, Scalar, ScalarTy, Ty, UnOp, VarId};
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
    bits: u32,
}

/// One helper.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Helper {
    CeilDiv,
    AlignUp,
    MinOf,
    MaxOf,
    FloatMin,
    FloatMax,
    ToInt64,
    ToInt32,
    FloatInf,
    BlockGap,
    RepeatBytes,
    DataBlockBytes,
    BufferNum,
    SyncVToS,
    SyncSToV,
}

impl Helpers {
    /// Adds a helper and what it is built from.
    pub(crate) fn add(&mut self, helper: Helper) {
        self.bits |= 1 << helper as u32;
        match helper {
            Helper::AlignUp => self.add(Helper::CeilDiv),
            Helper::BlockGap => {
                self.add(Helper::AlignUp);
                self.add(Helper::DataBlockBytes);
            }
            _ => {}
        }
    }
    /// True where the text uses it.
    pub(crate) const fn has(self, helper: Helper) -> bool {
        self.bits & (1 << helper as u32) != 0
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
    /// Its type.
    fn var_ty(&self, id: VarId) -> ScalarTy;
    /// Size of an axis.
    fn axis(&self, id: AxisId) -> String;
    /// Value of an attribute.
    fn attr(&self, id: ParamId) -> String;
    /// Its type.
    fn attr_ty(&self, id: ParamId) -> ScalarTy;
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
}

/// An expression with what the surroundings must know of it.
struct Piece {
    text: String,
    /// Binding strength of the outermost operator.
    prec: u8,
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

    /// The expression in its own type.
    pub(crate) fn expr(&self, s: &Scalar) -> String {
        self.piece(s).text
    }

    /// The expression converted to `ty`.
    pub(crate) fn expr_as(&self, s: &Scalar, ty: ScalarTy) -> String {
        self.piece_as(s, ty).text
    }

    /// The expression as an operand that a multiplication may follow.
    pub(crate) fn factor(&self, s: &Scalar) -> String {
        wrap(self.piece(s), MUL)
    }

    /// Type of an expression; an integer literal is an `Index`.
    pub(crate) fn ty(&self, s: &Scalar) -> ScalarTy {
        match s {
            Scalar::Int(_) | Scalar::Axis(_) | Scalar::Chip(_) | Scalar::SizeOf(_) | Scalar::BlockIdx | Scalar::BlockDim => {
                ScalarTy::Index
            }
            Scalar::Float(_) | Scalar::Un(UnOp::Sqrt, _) => ScalarTy::F32,
            Scalar::Bool(_) | Scalar::Un(UnOp::Not, _) => ScalarTy::Bool,
            Scalar::Attr(p) => self.leaves.attr_ty(*p),
            Scalar::Var(v) => self.leaves.var_ty(*v),
            Scalar::Un(UnOp::Neg, a) => self.ty(a),
            Scalar::Bin(op, ..) if op.is_predicate() => ScalarTy::Bool,
            Scalar::Bin(_, a, b) | Scalar::Select(_, a, b) => self.common(a, b),
            Scalar::Cast(ty, _) => *ty,
        }
    }

    /// Type that two operands meet in.
    fn common(&self, a: &Scalar, b: &Scalar) -> ScalarTy {
        match (self.ty(a), self.ty(b)) {
            (ScalarTy::F32, _) | (_, ScalarTy::F32) => ScalarTy::F32,
            (x, y) if x == y => x,
            // A literal takes the type of the other side.
            (ScalarTy::I32, _) if b.as_int().is_some() => ScalarTy::I32,
            (_, ScalarTy::I32) if a.as_int().is_some() => ScalarTy::I32,
            _ => ScalarTy::Index,
        }
    }

    fn need(&self, helper: Helper) {
        let mut set = self.helpers.get();
        set.add(helper);
        self.helpers.set(set);
    }

    fn call(&self, helper: Helper, name: &str, args: &[Piece]) -> Piece {
        self.need(helper);
        let args: Vec<_> = args.iter().map(|p| p.text.as_str()).collect();
        Piece { text: format!("{name}({})", args.join(", ")), prec: PRIMARY }
    }

    fn piece_as(&self, s: &Scalar, want: ScalarTy) -> Piece {
        if let (Scalar::Int(v), ScalarTy::F32) = (s, want) {
            return self.float(*v as f32);
        }
        let have = self.ty(s);
        let piece = self.piece(s);
        let literal = s.as_int().is_some() && matches!(want, ScalarTy::Index | ScalarTy::I32);
        if have == want || literal {
            return piece;
        }
        match (have, want) {
            (ScalarTy::F32, ScalarTy::Index) => self.call(Helper::ToInt64, "ToInt64", &[piece]),
            (ScalarTy::F32, ScalarTy::I32) => self.call(Helper::ToInt32, "ToInt32", &[piece]),
            _ => Piece { text: format!("static_cast<{}>({})", cpp_type(want), piece.text), prec: PRIMARY },
        }
    }

    fn piece(&self, s: &Scalar) -> Piece {
        let leaf = |text: String| Piece { text, prec: PRIMARY };
        match s {
            Scalar::Int(v) => integer(*v),
            Scalar::Float(v) => self.float(*v),
            Scalar::Bool(v) => leaf(v.to_string()),
            Scalar::Axis(a) => leaf(self.leaves.axis(*a)),
            Scalar::Attr(p) => leaf(self.leaves.attr(*p)),
            Scalar::Chip(c) => leaf(self.leaves.chip(*c)),
            Scalar::Var(v) => leaf(self.leaves.var(*v)),
            Scalar::BlockIdx => leaf(self.leaves.block_idx()),
            // The type is another one from version to version; offsets are signed.
            Scalar::BlockDim => leaf("static_cast<int64_t>(GetBlockNum())".into()),
            Scalar::Un(op, a) => self.unary(*op, a),
            Scalar::Bin(op, a, b) => self.binary(*op, a, b),
            Scalar::Select(c, a, b) => {
                let ty = self.common(a, b);
                let text = format!(
                    "{} ? {} : {}",
                    wrap(self.piece(c), OR),
                    wrap(self.piece_as(a, ty), OR),
                    wrap(self.piece_as(b, ty), CONDITIONAL)
                );
                Piece { text, prec: CONDITIONAL }
            }
            Scalar::Cast(ty, a) => self.piece_as(a, *ty),
            Scalar::SizeOf(ty) => leaf(self.leaves.size_of(*ty)),
        }
    }

    fn unary(&self, op: UnOp, a: &Scalar) -> Piece {
        match op {
            UnOp::Neg => {
                let inner = wrap(self.piece(a), UNARY);
                // `--x` would be another operator.
                let text = if inner.starts_with('-') { format!("-({inner})") } else { format!("-{inner}") };
                Piece { text, prec: UNARY }
            }
            UnOp::Not => Piece { text: format!("!{}", wrap(self.piece(a), UNARY)), prec: UNARY },
            UnOp::Sqrt => {
                let name = if self.leaves.on_device() { "sqrt" } else { "std::sqrt" };
                Piece { text: format!("{name}({})", self.piece_as(a, ScalarTy::F32).text), prec: PRIMARY }
            }
        }
    }

    fn binary(&self, op: BinOp, a: &Scalar, b: &Scalar) -> Piece {
        let ty = self.common(a, b);
        let float = ty == ScalarTy::F32;
        let (left, right) = (self.piece_as(a, ty), self.piece_as(b, ty));
        let infix = |sign: &str, prec: u8, commutes: bool| {
            // The left operand may bind as strongly; the right one only where the order of evaluation does not matter.
            let right = wrap(right_piece(&right), if commutes { prec } else { prec + 1 });
            Piece { text: format!("{} {sign} {right}", wrap(right_piece(&left), prec)), prec }
        };
        let args = || [right_piece(&left), right_piece(&right)];
        match op {
            BinOp::Add => infix("+", ADD, !float),
            BinOp::Sub => infix("-", ADD, false),
            BinOp::Mul => infix("*", MUL, false),
            BinOp::Div => infix("/", MUL, false),
            BinOp::Rem => infix("%", MUL, false),
            BinOp::CeilDiv => self.call(Helper::CeilDiv, "CeilDiv", &args()),
            BinOp::AlignUp => self.call(Helper::AlignUp, "AlignUp", &args()),
            BinOp::Min if float => self.call(Helper::FloatMin, "FloatMin", &args()),
            BinOp::Max if float => self.call(Helper::FloatMax, "FloatMax", &args()),
            BinOp::Min => self.call(Helper::MinOf, "MinOf", &args()),
            BinOp::Max => self.call(Helper::MaxOf, "MaxOf", &args()),
            BinOp::Lt => infix("<", RELATION, false),
            BinOp::Le => infix("<=", RELATION, false),
            BinOp::Gt => infix(">", RELATION, false),
            BinOp::Ge => infix(">=", RELATION, false),
            BinOp::Eq => infix("==", EQUALITY, false),
            BinOp::Ne => infix("!=", EQUALITY, false),
            BinOp::And => {
                let side = |p: &Piece| wrap(right_piece(p), if p.prec == AND { AND } else { AND + 1 });
                Piece { text: format!("{} && {}", side(&left), side(&right)), prec: AND }
            }
            BinOp::Or => {
                // Compilers warn of `&&` inside `||` without parentheses.
                let side = |p: &Piece| wrap(right_piece(p), if p.prec == OR { OR } else { AND + 1 });
                Piece { text: format!("{} || {}", side(&left), side(&right)), prec: OR }
            }
        }
    }

    fn float(&self, v: f32) -> Piece {
        if v.is_infinite() {
            self.need(Helper::FloatInf);
            return if v > 0.0 {
                Piece { text: "FLOAT_INF".into(), prec: PRIMARY }
            } else {
                Piece { text: "-FLOAT_INF".into(), prec: UNARY }
            };
        }
        if v.is_nan() {
            return Piece { text: "__builtin_nanf(\"\")".into(), prec: PRIMARY };
        }
        Piece { text: format!("{v:?}f"), prec: if v.is_sign_negative() { UNARY } else { PRIMARY } }
    }
}

fn integer(v: i64) -> Piece {
    if v == i64::MIN {
        return Piece { text: "INT64_MIN".into(), prec: PRIMARY };
    }
    Piece { text: v.to_string(), prec: if v < 0 { UNARY } else { PRIMARY } }
}

fn right_piece(p: &Piece) -> Piece {
    Piece { text: p.text.clone(), prec: p.prec }
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

    struct Plain;
    impl Leaves for Plain {
        fn var(&self, id: VarId) -> String {
            format!("v{}", id.0)
        }
        fn var_ty(&self, id: VarId) -> ScalarTy {
            [ScalarTy::Index, ScalarTy::F32, ScalarTy::Bool, ScalarTy::I32][id.index() % 4]
        }
        fn axis(&self, id: AxisId) -> String {
            format!("a{}", id.0)
        }
        fn attr(&self, id: ParamId) -> String {
            format!("p{}", id.0)
        }
        fn attr_ty(&self, _: ParamId) -> ScalarTy {
            ScalarTy::F32
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
    }

    fn print(text: &str) -> String {
        let ir = format!("{}\n{text}", jumar_dsl::ir::text::VERSION);
        let scalar: Scalar = jumar_dsl::ir::text::from_text(&ir).expect("IR text");
        let helpers = Cell::default();
        ScalarPrinter::new(&Plain, &helpers).expr(&scalar)
    }

    #[test]
    fn parentheses_stand_only_where_the_order_needs_them() {
        for (ir, cpp) in [
            ("(+ (* $0 2) $4)", "v0 * 2 + v4"),
            ("(* (+ $0 2) $4)", "(v0 + 2) * v4"),
            ("(- $0 (- $4 $8))", "v0 - (v4 - v8)"),
            ("(+ $0 (+ $4 $8))", "v0 + v4 + v8"),
            ("(/ $0 (* $4 $8))", "v0 / (v4 * v8)"),
            ("(+ $1 (+ $5 $9))", "v1 + (v5 + v9)"),
            ("(neg (neg $0))", "-(-v0)"),
            ("(- $0 -1)", "v0 - -1"),
            ("(or (and $2 $6) $10)", "(v2 && v6) || v10"),
            ("(not (< $0 1))", "!(v0 < 1)"),
            ("(+ (select $2 1 0) $0)", "(v2 ? 1 : 0) + v0"),
            ("(min (ceil_div $0 16) 4)", "MinOf(CeilDiv(v0, 16), 4)"),
        ] {
            assert_eq!(print(ir), cpp, "{ir}");
        }
    }

    #[test]
    fn types_meet_as_the_evaluator_lets_them() {
        for (ir, cpp) in [
            ("(/ 1.0f $0)", "1.0f / static_cast<float>(v0)"),
            ("(* $1 2)", "v1 * 2.0f"),
            ("(max $1 0)", "FloatMax(v1, 0.0f)"),
            ("(as_usize $1)", "ToInt64(v1)"),
            ("(as_i32 $0)", "static_cast<int32_t>(v0)"),
            ("(+ $3 1)", "v3 + 1"),
            ("(+ $3 $0)", "static_cast<int64_t>(v3) + v0"),
            ("(sqrt $0)", "std::sqrt(static_cast<float>(v0))"),
            ("-inff", "-FLOAT_INF"),
        ] {
            assert_eq!(print(ir), cpp, "{ir}");
        }
    }
}
