//! The values that expressions evaluate to.

use crate::dtype::RoundMode;
use crate::front::cx::kinds::{Choice, ExtentForm, OrFull, Slice, Zip};
use crate::ir::{
    Access, AxId, BufId, Layout, ParamId, QueueId, RunSize, Scalar, ScalarTy, SpanId, TPosition,
    TensorId, TensorRef, Ty, UnOp, ValueId, VarId, View, WorkId,
};
use crate::items::LoopMethod;
use crate::scalar::Value;
use syn::Expr;

/// Part of a `LocalTensor` from an offset on, in elements.
#[derive(Clone, Debug)]
pub struct LocalPart {
    pub tensor: TensorId,
    pub offset: Scalar,
}

impl From<LocalPart> for View {
    fn from(l: LocalPart) -> View {
        View::local(l.tensor, l.offset)
    }
}

/// Part of a `GlobalTensor` from an offset on, in elements.
#[derive(Clone, Debug)]
pub struct GmPart {
    pub of: TensorRef,
    pub offset: Scalar,
}

impl From<GmPart> for View {
    fn from(gm: GmPart) -> View {
        View::gm(gm.of, gm.offset)
    }
}

/// A scalar with its type; `None` is a whole-number literal, which takes the type of its surroundings.
#[derive(Clone, Debug)]
pub struct Num {
    pub value: Scalar,
    pub ty: Option<ScalarTy>,
    /// The axis that it is the name of, and reads as the size of.
    pub axis: Option<AxisName>,
}

/// An axis with a name of the author's, by its place in a list of the kernel's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AxisName(pub usize);

impl Num {
    pub fn new(value: Scalar, ty: ScalarTy) -> Self {
        Num {
            value,
            ty: Some(ty),
            axis: None,
        }
    }
    pub fn index(value: impl Into<Scalar>) -> Self {
        Num::new(value.into(), ScalarTy::Index)
    }
    /// True for a literal of any type.
    pub fn is_literal(&self) -> bool {
        self.value.value().is_some()
    }
    /// The value in the type that it meets: where its own is open, its literals become literals of that type.
    pub fn settled(self, ty: Option<ScalarTy>) -> Scalar {
        match (self.ty, ty) {
            (None, Some(ty)) => settle(&self.value, ty),
            _ => self.value,
        }
    }
    /// The type in messages, with the number where it is one.
    pub fn found(&self) -> String {
        match self.value.value() {
            Some(Value::Int(v)) => format!("`{}` ({v})", self.ty_name()),
            Some(Value::I32(v)) => format!("`{}` ({v})", self.ty_name()),
            Some(Value::F32(v)) => format!("`{}` ({v:?})", self.ty_name()),
            Some(Value::Bool(v)) => format!("`{}` ({v})", self.ty_name()),
            None => format!("`{}`", self.ty_name()),
        }
    }
    /// The type's name in messages.
    pub fn ty_name(&self) -> &'static str {
        self.ty.map_or("integer", ScalarTy::word)
    }
}

/// An expression of whole-number literals as one of `ty`.
fn settle(s: &Scalar, ty: ScalarTy) -> Scalar {
    match s {
        Scalar::Un(UnOp::Neg, a) => Scalar::un(UnOp::Neg, settle(a, ty)),
        Scalar::Bin(op, a, b) if !op.is_predicate() => settle(a, ty).bin(*op, settle(b, ty)),
        Scalar::Select(c, a, b) => Scalar::select((**c).clone(), settle(a, ty), settle(b, ty)),
        other => Scalar::cast(ty, other.clone()),
    }
}

/// A run of a tile loop, by its place in a list of the kernel's: what a turn has of one axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunId(pub usize);

/// What an index moves along.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moving {
    /// The tile of a loop.
    Run(RunId),
    /// All of an axis.
    Whole(AxId),
}

/// `factor * t + offset` of each index of a tile or an axis: an index of a tensor.
#[derive(Clone, Debug)]
pub struct Affine {
    pub of: Moving,
    /// What the host knows.
    pub factor: Scalar,
    pub offset: Scalar,
}

/// One axis that a loop goes through.
#[derive(Clone, Debug)]
pub struct Part {
    /// The whole axis.
    pub of: AxId,
    /// The tensor whose elements it goes through, shapes ignored: `tiles(x)`.
    pub over: Option<ParamId>,
    pub size: RunSize,
    /// How many of its indices, where only the core knows.
    pub length: Option<Scalar>,
}

impl Part {
    /// Tiles of a whole axis.
    pub fn of(of: AxId) -> Part {
        Part {
            of,
            over: None,
            size: RunSize::Solved {},
            length: None,
        }
    }
}

/// An axis that has no name yet.
#[derive(Clone, Debug)]
pub struct NewAxis {
    pub extent: Scalar,
    /// The first index of one that is a range, `new_axis(a..b)`.
    pub first: Option<Scalar>,
}

/// `a..b`: the indices from one scalar to below another.
#[derive(Clone, Debug)]
pub struct Range {
    pub from: Scalar,
    pub to: Scalar,
}

/// A tensor in GM with its own axes, or with those of a view.
#[derive(Clone, Debug)]
pub struct Seen {
    pub tensor: TensorRef,
    /// The whole axes, outermost first.
    pub of: Vec<AxId>,
    /// The same in messages.
    pub said: String,
}

/// The axes of a workspace, or the number of elements that it was given in their place, as it is written.
pub type WorkAxes = Result<Vec<AxisName>, String>;

/// `workspace::<T>(n)`, before a `let` names it.
#[derive(Clone, Debug)]
pub struct NewWork {
    pub dtype: Ty,
    pub len: Scalar,
    pub axes: WorkAxes,
    pub span: SpanId,
}

/// `x.at(..)`: part of a tensor.
#[derive(Clone, Debug)]
pub struct Place {
    pub access: Access,
    /// The whole axis that each index is of.
    pub of: Vec<AxId>,
    /// The indices in the author's words.
    pub written: Vec<String>,
}

/// How the header of a tile loop is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Header {
    /// `tiles(n)`, `tiles(x)`
    Tiles,
    /// `each(n)`
    Each,
    /// `tiles((n, each(m)))`
    Product,
}

/// `tiles(n)` and its overrides, before the `for` takes it.
#[derive(Clone, Debug)]
pub struct LoopSpec {
    pub header: Header,
    /// What it goes through, outermost first; `None` where an argument was wrong.
    pub parts: Option<Vec<Part>>,
    pub buffer_num: Option<i64>,
    pub block_dim: Option<Scalar>,
    pub exact: bool,
    pub any_cut: bool,
    /// The axis of `.split(d)`.
    pub split: Option<AxId>,
    pub span: SpanId,
}

impl LoopSpec {
    /// Without overrides.
    pub fn plain(header: Header, parts: Option<Vec<Part>>, span: SpanId) -> Val {
        Val::Loop(Box::new(LoopSpec {
            header,
            parts,
            buffer_num: None,
            block_dim: None,
            exact: false,
            any_cut: false,
            split: None,
            span,
        }))
    }
    /// `tiles(n)` of an axis, or of what was wrong.
    pub fn tiles(of: Option<AxId>, span: SpanId) -> Val {
        LoopSpec::plain(Header::Tiles, of.map(|of| vec![Part::of(of)]), span)
    }
    /// True where there are overrides.
    pub fn has_overrides(&self) -> bool {
        LoopMethod::ALL.iter().any(|method| self.says(*method))
    }
    /// True where an override of this name stands before.
    pub fn says(&self, method: LoopMethod) -> bool {
        let given = |part: &Part| part.size.given().is_some();
        match method {
            LoopMethod::Size => self.parts.iter().flatten().any(given),
            LoopMethod::BufferNum => self.buffer_num.is_some(),
            LoopMethod::BlockDim => self.block_dim.is_some(),
            LoopMethod::Exact => self.exact,
            LoopMethod::AnyCut => self.any_cut,
            LoopMethod::Split => self.split.is_some(),
        }
    }
}

/// `split(n)` and its overrides, before a `let` names it.
#[derive(Clone, Debug)]
pub struct SplitSpec {
    pub total: Scalar,
    pub unit: Scalar,
    pub block_dim: Option<Scalar>,
    pub span: SpanId,
}

/// The value of an expression.
#[derive(Clone, Debug)]
pub enum Val {
    /// Something an error was already reported for; silences all that follows from it.
    Unknown,
    Unit,
    Num(Num),
    /// `pads: [usize; 2]`
    Numbers(Vec<Num>),
    /// `Mode::Static`, or an attribute of such a type.
    Choice(Choice),
    Tile(ValueId),
    Tensor(ParamId),
    /// A list of tensors or numbers, of which an item has one.
    List(ParamId),
    /// `zip((xs, ys))`
    Zip(Box<Zip>),
    /// One that a launch may leave out.
    Optional(ParamId),
    /// The same with what it reads then.
    OrFull(Box<OrFull>),
    /// `workspace::<T>(n)`, before a `let` names it.
    NewWork(Box<NewWork>),
    Work(WorkId),
    /// `new_axis(n)`, before a `let` names it.
    NewAxis(NewAxis),
    /// `a..b`
    Range(Box<Range>),
    Slice(Box<Slice>),
    Handle(RunId),
    /// `t * s + k`
    Affine(Box<Affine>),
    /// `x.view((g, k))`
    View(Box<Seen>),
    /// `x.at(..)`
    Place(Box<Place>),
    Loop(Box<LoopSpec>),
    Split(Box<SplitSpec>),
    Share {
        start: VarId,
        len: VarId,
    },
    Pipe,
    NewQueue {
        position: TPosition,
        depth: i64,
        span: SpanId,
    },
    NewBuf {
        position: TPosition,
        span: SpanId,
    },
    Queue(QueueId),
    Buf(BufId),
    Local(LocalPart),
    /// With strides, for the operands of vector calls.
    Strided(LocalPart, Layout),
    Extent(ExtentForm),
    Mode(RoundMode),
    Tuple(Vec<Val>),
}

impl Val {
    /// What it is, for messages.
    pub fn what(&self) -> &'static str {
        match self {
            Val::Unknown => "something unknown",
            Val::Unit => "nothing",
            Val::Num(_) => "a scalar",
            Val::Numbers(_) => "a list of numbers",
            Val::Choice(_) => "a variant of an enum",
            Val::Tile(_) => "a tile",
            Val::Tensor(_) | Val::Work(_) => "a GlobalTensor",
            Val::List(_) => "a list",
            Val::Zip(_) => "the items of lists",
            Val::Optional(_) => "a GlobalTensor that may be left out",
            Val::OrFull(_) => "a GlobalTensor or a number in its place",
            Val::NewWork(_) => "a workspace without a name",
            Val::NewAxis(_) => "an axis without a name",
            Val::Range(_) => "a range",
            Val::Slice(..) => "a slice of a GlobalTensor",
            Val::Handle(_) => "the variable of a tile loop",
            Val::Affine(_) => "an index that moves with a tile",
            Val::View(_) => "a view of a GlobalTensor",
            Val::Place(_) => "part of a GlobalTensor",
            Val::Loop(_) => "a tile loop",
            Val::Split(_) | Val::Share { .. } => "a share",
            Val::Pipe => "a TPipe",
            Val::NewQueue { .. } | Val::Queue(_) => "a TQue",
            Val::NewBuf { .. } | Val::Buf(_) => "a TBuf",
            Val::Local(_) => "a LocalTensor",
            Val::Strided(..) => "a LocalTensor with strides",
            Val::Extent(form) => form.what(),
            Val::Mode(_) => "a round mode",
            Val::Tuple(_) => "a tuple",
        }
    }
    /// The tensor in GM, where it is a whole one.
    pub fn gm(&self) -> Option<TensorRef> {
        match self {
            Val::Tensor(p) => Some(TensorRef::Param(*p)),
            Val::Work(w) => Some(TensorRef::Work(*w)),
            _ => None,
        }
    }
    pub fn is_unknown(&self) -> bool {
        match self {
            Val::Unknown => true,
            Val::Tuple(vals) => vals.iter().any(Val::is_unknown),
            _ => false,
        }
    }
}

/// An argument with what it evaluated to.
pub type Arg<'e> = (Val, &'e Expr);
