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

/// A scalar with its type. `None` is an integer literal, which takes the type of its surroundings.
#[derive(Clone, Debug)]
pub struct Num {
    pub value: Scalar,
    pub ty: Option<ScalarTy>,
    /// The axis whose name it is; it reads as the size.
    pub axis: Option<AxisName>,
}

/// An axis with a name of the author's, by its index in the kernel's list.
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
    /// Returns the value in the type of its surroundings: literals of an open type become literals
    /// of that type.
    pub fn settled(self, ty: Option<ScalarTy>) -> Scalar {
        match (self.ty, ty) {
            (None, Some(ty)) => settle(&self.value, ty),
            _ => self.value,
        }
    }
    /// Returns the type in messages, with the number of a literal.
    pub fn found(&self) -> String {
        match self.value.value() {
            Some(Value::Int(v)) => format!("`{}` ({v})", self.ty_name()),
            Some(Value::I32(v)) => format!("`{}` ({v})", self.ty_name()),
            Some(Value::F32(v)) => format!("`{}` ({v:?})", self.ty_name()),
            Some(Value::Bool(v)) => format!("`{}` ({v})", self.ty_name()),
            None => format!("`{}`", self.ty_name()),
        }
    }
    /// Returns the type's name in messages.
    pub fn ty_name(&self) -> &'static str {
        self.ty.map_or("integer", ScalarTy::word)
    }
}

/// Converts an expression of integer literals to `ty`.
fn settle(s: &Scalar, ty: ScalarTy) -> Scalar {
    match s {
        Scalar::Un(UnOp::Neg, a) => Scalar::un(UnOp::Neg, settle(a, ty)),
        Scalar::Bin(op, a, b) if !op.is_predicate() => settle(a, ty).bin(*op, settle(b, ty)),
        Scalar::Select(c, a, b) => Scalar::select((**c).clone(), settle(a, ty), settle(b, ty)),
        other => Scalar::cast(ty, other.clone()),
    }
}

/// A run of a tile loop, by its index in the kernel's list: the part of one axis that an iteration
/// has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunId(pub usize);

/// The range that an index moves along.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moving {
    /// The tile of a loop.
    Run(RunId),
    /// All of an axis.
    Whole(AxId),
}

/// An index `factor * t + offset` of a tensor, for each index of a tile or an axis.
#[derive(Clone, Debug)]
pub struct Affine {
    pub of: Moving,
    /// A number that the host knows.
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
    /// Number of its indices, where only the core knows it.
    pub length: Option<Scalar>,
}

impl Part {
    /// Makes the tiles of a whole axis.
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
    /// The first index of a range, `new_axis(a..b)`.
    pub first: Option<Scalar>,
}

/// A range `a..b`: the indices from one scalar to below another.
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
    /// The tensor and its view in messages.
    pub said: String,
}

/// The axes of a workspace, or the text of the number of elements that it was given instead.
pub type WorkAxes = Result<Vec<AxisName>, String>;

/// A `workspace::<T>(n)` before a `let` names it.
#[derive(Clone, Debug)]
pub struct NewWork {
    pub dtype: Ty,
    pub len: Scalar,
    pub axes: WorkAxes,
    pub span: SpanId,
}

/// Part of a tensor, `x.at(..)`.
#[derive(Clone, Debug)]
pub struct Place {
    pub access: Access,
    /// The whole axis of each index.
    pub of: Vec<AxId>,
    /// The indices in the author's words.
    pub written: Vec<String>,
}

/// The form of a tile loop's header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Header {
    /// The form `tiles(n)` or `tiles(x)`.
    Tiles,
    /// The form `each(n)`.
    Each,
    /// The form `tiles((n, each(m)))`.
    Product,
}

/// A `tiles(n)` with its overrides, before the `for` takes it.
#[derive(Clone, Debug)]
pub struct LoopSpec {
    pub header: Header,
    /// Axes that it goes through, outermost first; `None` where an argument was wrong.
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
    /// Makes a loop without overrides.
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
    /// Makes `tiles(n)` of an axis, or of a wrong argument.
    pub fn tiles(of: Option<AxId>, span: SpanId) -> Val {
        LoopSpec::plain(Header::Tiles, of.map(|of| vec![Part::of(of)]), span)
    }
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

/// A `split(n)` with its overrides, before a `let` names it.
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
    /// A value that an error was reported for; it silences all that follows from it.
    Unknown,
    Unit,
    Num(Num),
    /// A list of numbers, `pads: [usize; 2]`.
    Numbers(Vec<Num>),
    /// A variant `Mode::Static`, or an attribute of an enum.
    Choice(Choice),
    Tile(ValueId),
    Tensor(ParamId),
    /// A list of tensors or numbers, one for each item.
    List(ParamId),
    /// The value of `zip((xs, ys))`.
    Zip(Box<Zip>),
    /// A tensor that a launch may leave out.
    Optional(ParamId),
    /// A tensor that a launch may leave out, with a number in its place.
    OrFull(Box<OrFull>),
    /// The value of `workspace::<T>(n)` before a `let` names it.
    NewWork(Box<NewWork>),
    Work(WorkId),
    /// The value of `new_axis(n)` before a `let` names it.
    NewAxis(NewAxis),
    /// A range of indices `a..b`.
    Range(Box<Range>),
    Slice(Box<Slice>),
    Handle(RunId),
    /// An index `t * s + k`.
    Affine(Box<Affine>),
    /// The value of `x.view((g, k))`.
    View(Box<Seen>),
    /// The value of `x.at(..)`.
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
    /// A local tensor with strides, for the operands of vector calls.
    Strided(LocalPart, Layout),
    Extent(ExtentForm),
    Mode(RoundMode),
    Tuple(Vec<Val>),
}

impl Val {
    /// Returns the kind of value, for messages.
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
    /// Returns the tensor in GM, if it is a whole one.
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

/// An argument with the value that it evaluated to.
pub type Arg<'e> = (Val, &'e Expr);
