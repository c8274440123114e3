//! The signature of a kernel: element types, axes, parameters and the facts that callers must keep.

use super::polynomial::is_same;
use super::text::{text_enum, text_struct, text_word};
use super::{AxisId, BinOp, ParamId, Scalar, ScalarTy, SpanId, Ty};
use crate::dtype::DType;
use crate::scalar::Value;

/// A dtype parameter: `T: Float`.
#[derive(Clone, Debug, PartialEq)]
pub struct DTypeParam {
    pub name: String,
    /// Name of its bound, a [`crate::dtype::DTypeSet`].
    pub set: String,
}
text_struct!(DTypeParam "dtype" { name, set });

/// A named axis of `#[shape(..)]`.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    pub name: String,
    /// True for `name..`: any number of axes, whose product it is.
    pub many: bool,
}
text_struct!(Axis "axis" { name, many });

/// One entry of a tensor's shape.
#[derive(Clone, Debug, PartialEq)]
pub enum Dim {
    /// A named axis (which stands for several where it is `many`).
    Axis { axis: AxisId },
    /// A size computed from other axes and attributes.
    Expr { size: Scalar },
    /// `m @ dim`: a named axis at the place that an attribute gives, counted from the end where it
    /// is negative.
    ///
    /// `name..` may stand on both sides of it; each stands for all axes on its side.
    At { axis: AxisId, dim: ParamId },
}
text_enum!(Dim { Axis = "axis" { axis }, Expr = "size" { size }, At = "at" { axis, dim } });

impl Dim {
    /// Returns the named axis of an entry that is not computed.
    pub fn axis(&self) -> Option<AxisId> {
        match self {
            Dim::Axis { axis } | Dim::At { axis, .. } => Some(*axis),
            Dim::Expr { .. } => None,
        }
    }
}

/// The use of a tensor parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    In,
    /// Written only; every element must be written.
    Out,
    /// Read and written in place.
    InOut,
}
text_word!(Role { In = "in", Out = "out", InOut = "inout" });

/// The place of an attribute in a list of numbers, which a launch gives under one name.
#[derive(Clone, Debug, PartialEq)]
pub struct ListEntry {
    /// Name of the list.
    pub of: String,
    /// Index in the list.
    pub at: usize,
    /// Length of the list; its attributes stand side by side.
    pub count: usize,
}
text_struct!(ListEntry "part" { of, at, count });

/// A tensor or an attribute.
#[derive(Clone, Debug, PartialEq)]
pub enum ParamKind {
    Tensor {
        role: Role,
        dtype: Ty,
        /// Axes, outermost first. A tensor without `#[shape]` has those of the first tensor.
        shape: Vec<Dim>,
        /// `#[index(n)]`: its elements are indices below `n`.
        index: Option<Scalar>,
        /// True for a tensor that a launch may leave out. The attribute ([`Scalar::Attr`]) of this
        /// parameter's number is true if it was given.
        optional: bool,
    },
    Attr {
        ty: ScalarTy,
        /// `#[default(..)]`: a literal.
        default: Option<Scalar>,
        /// Names of the variants of an enum. The value is a variant's number, and a fact says that
        /// it is below their count.
        choices: Vec<String>,
        /// Place in a list of numbers.
        part: Option<ListEntry>,
        /// Element type of the kernel that the value is an element of, in each instance.
        element: Option<Ty>,
    },
}
impl ParamKind {
    /// Returns the default of an attribute, which the verifier requires to be a literal.
    pub fn default_value(&self) -> Option<Value> {
        match self {
            ParamKind::Attr { default, .. } => default.as_ref().and_then(Scalar::value),
            ParamKind::Tensor { .. } => None,
        }
    }
    /// Returns the name of the variant that a value is, for an enum.
    pub fn choice(&self, value: Value) -> Option<&str> {
        let at = usize::try_from(value.as_int().ok()?).ok()?;
        match self {
            ParamKind::Attr { choices, .. } => choices.get(at).map(String::as_str),
            ParamKind::Tensor { .. } => None,
        }
    }
}
text_enum!(ParamKind { Tensor = "tensor" { role, dtype, shape, index, optional }, Attr = "attr" { ty, default, choices, part, element } });

/// The unit of a launch that a parameter belongs to.
///
/// A kernel with lists computes one item, which has one tensor of each list. A launch runs it once
/// for each item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Per {
    /// One for all of the launch.
    Launch,
    /// One for each item: a list.
    Item,
    /// The number of the item, which no caller gives.
    Place,
}
text_word!(Per { Launch = "launch", Item = "item", Place = "place" });

/// A parameter of the kernel.
#[derive(Clone, Debug, PartialEq)]
pub struct Param {
    pub name: String,
    pub kind: ParamKind,
    pub per: Per,
    pub span: SpanId,
}
text_struct!(Param "param" { name, kind, per, span } line true);

/// `require(cond)`: a fact for the checker and a check on the host.
#[derive(Clone, Debug, PartialEq)]
pub struct Fact {
    /// The condition, over axes and attributes only.
    pub cond: Scalar,
    /// The author's text, for messages.
    pub text: String,
    pub span: SpanId,
}
text_struct!(Fact "require" { cond, text, span } line true);

/// The part of a kernel that callers see, equal for every instance.
#[derive(Clone, Debug, PartialEq)]
pub struct Signature {
    /// Kernel name in snake case.
    pub name: String,
    /// Doc comment, lines joined by newlines.
    pub doc: String,
    pub dtypes: Vec<DTypeParam>,
    /// One row an instance, one dtype a parameter; never empty (a kernel without dtype parameters
    /// has one empty row).
    pub instances: Vec<Vec<DType>>,
    pub axes: Vec<Axis>,
    /// The axis that is as long as the lists, where one is named.
    pub items: Option<AxisId>,
    pub params: Vec<Param>,
    /// Facts of `require` calls.
    pub facts: Vec<Fact>,
}
text_struct!(Signature "signature" { name, doc, dtypes, instances, axes, items, params, facts });

impl Signature {
    /// Returns the tensors with their ids, in order.
    pub fn tensors(&self) -> impl Iterator<Item = (ParamId, &Param, Role, Ty)> {
        self.params
            .iter()
            .enumerate()
            .filter_map(|(i, p)| match &p.kind {
                ParamKind::Tensor { role, dtype, .. } => {
                    Some((ParamId(i as u32), p, *role, *dtype))
                }
                ParamKind::Attr { .. } => None,
            })
    }
    /// Returns the attributes with their ids, in order.
    pub fn attrs(&self) -> impl Iterator<Item = (ParamId, &Param, ScalarTy, Option<Value>)> {
        self.params
            .iter()
            .enumerate()
            .filter_map(|(i, p)| match &p.kind {
                ParamKind::Attr { ty, .. } => {
                    Some((ParamId(i as u32), p, *ty, p.kind.default_value()))
                }
                ParamKind::Tensor { .. } => None,
            })
    }
    /// Returns the host's inputs besides sizes, in the order of the parameters: attributes, and a
    /// flag for each optional tensor.
    pub fn told(&self) -> impl Iterator<Item = (ParamId, ScalarTy, Option<Value>)> + '_ {
        self.params
            .iter()
            .enumerate()
            .filter_map(|(i, p)| match &p.kind {
                ParamKind::Attr { ty, .. } => {
                    Some((ParamId(i as u32), *ty, p.kind.default_value()))
                }
                ParamKind::Tensor { optional: true, .. } => {
                    Some((ParamId(i as u32), ScalarTy::Bool, None))
                }
                ParamKind::Tensor {
                    optional: false, ..
                } => None,
            })
    }
    /// Returns the parameters that are lists, with their ids, in order. A kernel with one runs once
    /// for each item.
    pub fn lists(&self) -> impl Iterator<Item = (ParamId, &Param)> {
        (0..)
            .map(ParamId)
            .zip(&self.params)
            .filter(|(_, p)| p.per == Per::Item)
    }
    /// Returns the attribute that is the number of the item.
    pub fn place(&self) -> Option<ParamId> {
        (0..)
            .map(ParamId)
            .zip(&self.params)
            .find(|(_, p)| p.per == Per::Place)
            .map(|(id, _)| id)
    }
    pub fn param(&self, id: ParamId) -> &Param {
        &self.params[id.index()]
    }
    /// Returns the element type of a tensor parameter, `None` for an attribute.
    pub fn dtype(&self, id: ParamId) -> Option<Ty> {
        match self.param(id).kind {
            ParamKind::Tensor { dtype, .. } => Some(dtype),
            ParamKind::Attr { .. } => None,
        }
    }
    /// Returns the shape entries of a tensor parameter, empty for an attribute.
    pub fn shape(&self, id: ParamId) -> &[Dim] {
        match &self.param(id).kind {
            ParamKind::Tensor { shape, .. } => shape,
            ParamKind::Attr { .. } => &[],
        }
    }
    /// Returns the bound of the indices that a tensor parameter is promised to hold.
    pub fn promise(&self, id: ParamId) -> Option<&Scalar> {
        match &self.param(id).kind {
            ParamKind::Tensor { index, .. } => index.as_ref(),
            ParamKind::Attr { .. } => None,
        }
    }
    /// Returns the names of the variants of an attribute that is an enum, empty for others.
    pub fn choices(&self, id: ParamId) -> &[String] {
        match &self.param(id).kind {
            ParamKind::Attr { choices, .. } => choices,
            ParamKind::Tensor { .. } => &[],
        }
    }
    /// Returns the place of an attribute in a list of numbers.
    pub fn part(&self, id: ParamId) -> Option<&ListEntry> {
        match &self.param(id).kind {
            ParamKind::Attr { part, .. } => part.as_ref(),
            ParamKind::Tensor { .. } => None,
        }
    }
    /// Returns the kernel's element type that an attribute has.
    pub fn element(&self, id: ParamId) -> Option<Ty> {
        match &self.param(id).kind {
            ParamKind::Attr { element, .. } => *element,
            ParamKind::Tensor { .. } => None,
        }
    }
    /// Returns the type that carries an attribute of an element type: `f32`, or `i32` where no
    /// instance has floats.
    pub fn carrier(&self, element: Ty) -> ScalarTy {
        let float = self
            .instances
            .iter()
            .any(|types| element.resolve(types).is_float());
        if float {
            ScalarTy::F32
        } else {
            ScalarTy::I32
        }
    }
    /// True where an attribute is an element of this type in every instance.
    pub fn is_element(&self, s: &Scalar, of: Ty) -> bool {
        let Scalar::Attr(id, _) = s else { return false };
        match (self.element(*id), of) {
            (Some(own), of) if own == of => true,
            (Some(Ty::Param(own)), Ty::Wide(of)) => own == of,
            _ => false,
        }
    }
    /// Returns the attributes of a list of numbers in order, empty for an unknown name.
    pub fn list(&self, name: &str) -> Vec<ParamId> {
        self.attrs()
            .map(|(id, ..)| id)
            .filter(|id| self.part(*id).is_some_and(|part| part.of == name))
            .collect()
    }
    /// True for an attribute that is an integer, and no variant of an enum.
    pub fn is_whole(&self, id: ParamId) -> bool {
        matches!(&self.param(id).kind, ParamKind::Attr { ty: ScalarTy::I32 | ScalarTy::Index, choices, .. } if choices.is_empty())
    }
    /// Builds the condition that a number is one of `count` variants.
    pub fn is_choice(id: ParamId, count: usize) -> Scalar {
        Scalar::Attr(id, ScalarTy::Index).bin(BinOp::Lt, count as i64)
    }
    /// True for a tensor that is read and not written.
    pub fn is_input(&self, id: ParamId) -> bool {
        matches!(
            self.param(id).kind,
            ParamKind::Tensor { role: Role::In, .. }
        )
    }
    /// True for a tensor that is written and not read.
    pub fn is_output(&self, id: ParamId) -> bool {
        matches!(
            self.param(id).kind,
            ParamKind::Tensor {
                role: Role::Out,
                ..
            }
        )
    }
    /// True for a tensor that a launch may leave out.
    pub fn is_optional(&self, id: ParamId) -> bool {
        matches!(
            self.param(id).kind,
            ParamKind::Tensor { optional: true, .. }
        )
    }
    /// Builds the flag that an optional tensor was given.
    pub const fn given(id: ParamId) -> Scalar {
        Scalar::Attr(id, ScalarTy::Bool)
    }
    /// Returns the tensors that have a named axis, in order.
    pub fn tensors_with(&self, axis: AxisId) -> impl Iterator<Item = (ParamId, &Param, Role, Ty)> {
        self.tensors()
            .filter(move |(id, ..)| self.shape(*id).iter().any(|dim| dim.axis() == Some(axis)))
    }
    /// True for an axis of optional tensors alone; its size is 1 where all of them are left out.
    pub fn is_axis_of_optional(&self, axis: AxisId) -> bool {
        self.tensors_with(axis).next().is_some()
            && self.tensors_with(axis).all(|(id, ..)| self.is_optional(id))
    }
    /// True for `name..`, which stands for any number of axes.
    pub fn is_many(&self, dim: &Dim) -> bool {
        dim.axis().is_some_and(|axis| self.axes[axis.index()].many)
    }
    /// Returns the entries of a shape that are `name..`.
    pub fn many_of(&self, id: ParamId) -> impl Iterator<Item = AxisId> + '_ {
        self.shape(id)
            .iter()
            .filter(|dim| self.is_many(dim))
            .filter_map(Dim::axis)
    }
    /// Returns the entry of a shape whose place an attribute gives, and the attribute.
    pub fn placed(&self, id: ParamId) -> Option<(usize, ParamId)> {
        self.shape(id)
            .iter()
            .enumerate()
            .find_map(|(i, dim)| match dim {
                Dim::At { dim, .. } => Some((i, *dim)),
                Dim::Axis { .. } | Dim::Expr { .. } => None,
            })
    }
    /// True where a tensor's sizes alone determine the number of axes of each `name..` in its
    /// shape. A single one takes all axes besides the other entries, two the axes on either side of
    /// an `@`.
    pub fn tells(&self, id: ParamId) -> bool {
        self.placed(id).is_some() || self.many_of(id).count() <= 1
    }
    /// Finds the first tensor accepted by `takes` whose sizes determine the axes of a `name..`.
    pub fn teller(&self, many: AxisId, takes: impl Fn(ParamId, Role) -> bool) -> Option<ParamId> {
        let mut tensors = self.tensors().map(|(id, _, role, _)| (id, role));
        let has = |id| self.tells(id) && self.many_of(id).any(|own| own == many);
        tensors
            .find(|(id, role)| takes(*id, *role) && has(*id))
            .map(|(id, _)| id)
    }
    /// Finds such a tensor among the inputs that every launch gives.
    pub fn input_that_tells(&self, many: AxisId) -> Option<ParamId> {
        self.teller(many, |id, role| role != Role::Out && !self.is_optional(id))
    }
    /// Returns the tensors that determine a dtype parameter in a launch.
    ///
    /// It is one that is always given, an input before an output. Otherwise it is all that have the
    /// type, in order. Where none of these is given, the type is the first one of its list.
    pub fn tensors_that_say(&self, param: u8) -> Vec<ParamId> {
        let own = || {
            self.tensors()
                .filter(|(_, _, _, ty)| *ty == Ty::Param(param))
        };
        let always = || own().filter(|(id, ..)| !self.is_optional(*id));
        let first = always()
            .find(|(_, _, role, _)| *role != Role::Out)
            .or_else(|| always().next());
        first.map_or_else(|| own().map(|(id, ..)| id).collect(), |(id, ..)| vec![id])
    }
    /// True for a dtype parameter that only optional tensors determine.
    pub fn is_open(&self, param: u8) -> bool {
        self.tensors_that_say(param)
            .iter()
            .any(|id| self.is_optional(*id))
    }
    /// Returns the instances that a launch can tell apart, in order. It keeps the first of those
    /// that differ only in tensors that are not given.
    pub fn told_apart(
        &self,
        instances: impl IntoIterator<Item = usize>,
        is_given: impl Fn(ParamId) -> bool,
    ) -> Vec<usize> {
        let given: Vec<Ty> = self
            .tensors()
            .filter(|(id, ..)| is_given(*id))
            .map(|(_, _, _, ty)| ty)
            .collect();
        let types = |at: usize| given.iter().map(move |ty| ty.resolve(&self.instances[at]));
        let mut all: Vec<usize> = Vec::new();
        for at in instances {
            if !all.iter().any(|other| types(*other).eq(types(at))) {
                all.push(at);
            }
        }
        all
    }
    /// Builds the number of elements of a tensor parameter, over axes and attributes.
    pub fn elements(&self, id: ParamId) -> Scalar {
        product(self.shape(id))
    }
    /// True where two sizes are equal for all axes and attributes, or because a fact says so.
    pub fn is_same_size(&self, a: &Scalar, b: &Scalar) -> bool {
        let says = |fact: &Fact| match &fact.cond {
            Scalar::Bin(BinOp::Eq, x, y) => {
                (is_same(x, a) && is_same(y, b)) || (is_same(x, b) && is_same(y, a))
            }
            _ => false,
        };
        is_same(a, b) || self.facts.iter().any(says)
    }
    /// Returns the spelling of a dtype in messages: `T`, `f32`.
    pub fn ty_name(&self, ty: Ty) -> String {
        let param = |i: u8| self.dtypes.get(i as usize).map_or("?", |d| d.name.as_str());
        match ty {
            Ty::Is(d) => d.name().to_string(),
            Ty::Param(i) => param(i).to_string(),
            Ty::Wide(i) => format!("{}::Wide", param(i)),
            Ty::Mask => "bool".to_string(),
        }
    }
}

/// Returns the size of one shape entry.
pub fn dim_size(dim: &Dim) -> Scalar {
    match dim {
        Dim::Axis { axis } | Dim::At { axis, .. } => Scalar::Axis(*axis),
        Dim::Expr { size } => size.clone(),
    }
}

/// True where two shapes have equal axes, at any places.
pub fn same_axes(a: &[Dim], b: &[Dim]) -> bool {
    a.iter().map(dim_size).eq(b.iter().map(dim_size))
}

/// Returns the number of elements of a shape.
pub fn product(dims: &[Dim]) -> Scalar {
    dims.iter()
        .map(dim_size)
        .reduce(|a, b| a * b)
        .unwrap_or(Scalar::Int(1))
}
