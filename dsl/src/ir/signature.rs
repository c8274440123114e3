//! What callers see of a kernel: element types, axes, parameters and the facts that they must keep.

use super::polynomial::is_same;
use super::text::{text_enum, text_struct, text_word};
use super::{AxisId, BinOp, ParamId, Scalar, ScalarTy, SpanId, Ty};
use crate::dtype::DType;
use crate::scalar::Value;

/// A dtype parameter: `T: Float`.
#[derive(Clone, Debug, PartialEq)]
pub struct DTypeParam {
    /// Its name.
    pub name: String,
    /// Name of its bound, a [`crate::dtype::DTypeSet`].
    pub set: String,
}
text_struct!(DTypeParam "dtype" { name, set });

/// A named axis of `#[shape(..)]`.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// Its name.
    pub name: String,
    /// True for `name..`: any number of axes, of which it is the product.
    pub many: bool,
}
text_struct!(Axis "axis" { name, many });

/// One entry of a tensor's shape.
#[derive(Clone, Debug, PartialEq)]
pub enum Dim {
    /// A named axis (which stands for several where it is `many`).
    Axis {
        /// Which.
        axis: AxisId,
    },
    /// A size computed from other axes and attributes.
    Expr {
        /// The size.
        size: Scalar,
    },
    /// `m @ dim`: a named axis, one, where an attribute says, counted from the end where that is negative. `name..` may stand on both
    /// sides of it: each is what lies there.
    At {
        /// Which.
        axis: AxisId,
        /// The attribute.
        dim: ParamId,
    },
}
text_enum!(Dim { Axis = "axis" { axis }, Expr = "size" { size }, At = "at" { axis, dim } });

impl Dim {
    /// The named axis of an entry that is not computed.
    pub fn axis(&self) -> Option<AxisId> {
        match self {
            Dim::Axis { axis } | Dim::At { axis, .. } => Some(*axis),
            Dim::Expr { .. } => None,
        }
    }
}

/// What a kernel does with a tensor parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Read only.
    In,
    /// Written only; every element must be written.
    Out,
    /// Read and written in place.
    InOut,
}
text_word!(Role { In = "in", Out = "out", InOut = "inout" });

/// The place of an attribute in a list of numbers, which a launch says under one name.
#[derive(Clone, Debug, PartialEq)]
pub struct ListEntry {
    /// Name of the list.
    pub of: String,
    /// Which of its numbers.
    pub at: usize,
    /// How many they are; their attributes stand side by side.
    pub count: usize,
}
text_struct!(ListEntry "part" { of, at, count });

/// Tensor or attribute.
#[derive(Clone, Debug, PartialEq)]
pub enum ParamKind {
    /// A `GlobalTensor`.
    Tensor {
        /// What the kernel does with it.
        role: Role,
        /// Element type.
        dtype: Ty,
        /// Its axes, outermost first. A tensor without `#[shape]` has those of the first tensor.
        shape: Vec<Dim>,
        /// `#[index(n)]`: its elements are indices below `n`.
        index: Option<Scalar>,
        /// True for one that a launch may leave out. Whether it was given is the attribute ([`Scalar::Attr`]) of the same number.
        optional: bool,
    },
    /// A scalar attribute.
    Attr {
        /// Its type.
        ty: ScalarTy,
        /// `#[default(..)]`: a literal.
        default: Option<Scalar>,
        /// Of an enum the names of its variants, of which the value is one's number; a fact says that it is below their count.
        choices: Vec<String>,
        /// Of a number of a list its place.
        part: Option<ListEntry>,
        /// Of a number of one of the kernel's own element types that type, of which its value is an element in each instance.
        element: Option<Ty>,
    },
}
impl ParamKind {
    /// The default of an attribute, which verification holds to a literal.
    pub fn default_value(&self) -> Option<Value> {
        match self {
            ParamKind::Attr { default, .. } => default.as_ref().and_then(Scalar::value),
            ParamKind::Tensor { .. } => None,
        }
    }
    /// The name of the variant that a value of it is, where it is an enum.
    pub fn choice(&self, value: Value) -> Option<&str> {
        let at = usize::try_from(value.as_int().ok()?).ok()?;
        match self {
            ParamKind::Attr { choices, .. } => choices.get(at).map(String::as_str),
            ParamKind::Tensor { .. } => None,
        }
    }
}
text_enum!(ParamKind { Tensor = "tensor" { role, dtype, shape, index, optional }, Attr = "attr" { ty, default, choices, part, element } });

/// What a launch gives a parameter for. A kernel with lists is one of an item, which has one tensor of each list; a launch runs it once
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
    /// Its name.
    pub name: String,
    /// What it is.
    pub kind: ParamKind,
    /// What a launch gives it for.
    pub per: Per,
    /// Where it is declared.
    pub span: SpanId,
}
text_struct!(Param "param" { name, kind, per, span } line true);

/// `require(cond)`: a fact for the checker and a check on the host.
#[derive(Clone, Debug, PartialEq)]
pub struct Fact {
    /// The condition, over axes and attributes only.
    pub cond: Scalar,
    /// As the author wrote it, for messages.
    pub text: String,
    /// Where.
    pub span: SpanId,
}
text_struct!(Fact "require" { cond, text, span } line true);

/// What callers see of a kernel; the same for every instance.
#[derive(Clone, Debug, PartialEq)]
pub struct Signature {
    /// Kernel name in snake case.
    pub name: String,
    /// Doc comment, lines joined by newlines.
    pub doc: String,
    /// Dtype parameters.
    pub dtypes: Vec<DTypeParam>,
    /// One row an instance, one dtype a parameter; never empty (a kernel without dtype parameters has one empty row).
    pub instances: Vec<Vec<DType>>,
    /// Named axes.
    pub axes: Vec<Axis>,
    /// The axis that is as long as the lists, where one is named.
    pub items: Option<AxisId>,
    /// Parameters in order.
    pub params: Vec<Param>,
    /// `require`d facts.
    pub facts: Vec<Fact>,
}
text_struct!(Signature "signature" { name, doc, dtypes, instances, axes, items, params, facts });

impl Signature {
    /// The tensors with their ids, in order.
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
    /// The attributes with their ids, in order.
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
    /// What the host is told besides sizes, in the order of the parameters: attributes, and whether tensors that may be left out were given.
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
    /// The parameters that are lists, with their ids, in order; a kernel with one is run once for each item.
    pub fn lists(&self) -> impl Iterator<Item = (ParamId, &Param)> {
        (0..)
            .map(ParamId)
            .zip(&self.params)
            .filter(|(_, p)| p.per == Per::Item)
    }
    /// The attribute that is the number of the item.
    pub fn place(&self) -> Option<ParamId> {
        (0..)
            .map(ParamId)
            .zip(&self.params)
            .find(|(_, p)| p.per == Per::Place)
            .map(|(id, _)| id)
    }
    /// A parameter.
    pub fn param(&self, id: ParamId) -> &Param {
        &self.params[id.index()]
    }
    /// Element type of a tensor parameter; `None` for an attribute.
    pub fn dtype(&self, id: ParamId) -> Option<Ty> {
        match self.param(id).kind {
            ParamKind::Tensor { dtype, .. } => Some(dtype),
            ParamKind::Attr { .. } => None,
        }
    }
    /// Shape entries of a tensor parameter; empty for an attribute.
    pub fn shape(&self, id: ParamId) -> &[Dim] {
        match &self.param(id).kind {
            ParamKind::Tensor { shape, .. } => shape,
            ParamKind::Attr { .. } => &[],
        }
    }
    /// What the elements of a tensor parameter are promised to be indices below.
    pub fn promise(&self, id: ParamId) -> Option<&Scalar> {
        match &self.param(id).kind {
            ParamKind::Tensor { index, .. } => index.as_ref(),
            ParamKind::Attr { .. } => None,
        }
    }
    /// The names of the variants of an attribute that is an enum; empty for others.
    pub fn choices(&self, id: ParamId) -> &[String] {
        match &self.param(id).kind {
            ParamKind::Attr { choices, .. } => choices,
            ParamKind::Tensor { .. } => &[],
        }
    }
    /// The place of an attribute in a list of numbers.
    pub fn part(&self, id: ParamId) -> Option<&ListEntry> {
        match &self.param(id).kind {
            ParamKind::Attr { part, .. } => part.as_ref(),
            ParamKind::Tensor { .. } => None,
        }
    }
    /// The element type of the kernel's own that an attribute is of.
    pub fn element(&self, id: ParamId) -> Option<Ty> {
        match &self.param(id).kind {
            ParamKind::Attr { element, .. } => *element,
            ParamKind::Tensor { .. } => None,
        }
    }
    /// The type that an attribute of an element type is given and computed in: `f32`, or `i32` where no instance has floats.
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
    /// How a scalar that is an attribute stands beside elements of a type of which it is one, whatever the instance is.
    pub fn is_element(&self, s: &Scalar, of: Ty) -> bool {
        let Scalar::Attr(id, _) = s else { return false };
        match (self.element(*id), of) {
            (Some(own), of) if own == of => true,
            (Some(Ty::Param(own)), Ty::Wide(of)) => own == of,
            _ => false,
        }
    }
    /// The attributes of a list of numbers, in order; none where no list has that name.
    pub fn list(&self, name: &str) -> Vec<ParamId> {
        self.attrs()
            .map(|(id, ..)| id)
            .filter(|id| self.part(*id).is_some_and(|part| part.of == name))
            .collect()
    }
    /// True for an attribute that is a whole number, and no variant of an enum.
    pub fn is_whole(&self, id: ParamId) -> bool {
        matches!(&self.param(id).kind, ParamKind::Attr { ty: ScalarTy::I32 | ScalarTy::Index, choices, .. } if choices.is_empty())
    }
    /// That the number of a variant is one of an enum of so many.
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
    /// Whether an optional tensor was given.
    pub const fn given(id: ParamId) -> Scalar {
        Scalar::Attr(id, ScalarTy::Bool)
    }
    /// The tensors that have a named axis, in order.
    pub fn tensors_with(&self, axis: AxisId) -> impl Iterator<Item = (ParamId, &Param, Role, Ty)> {
        self.tensors()
            .filter(move |(id, ..)| self.shape(*id).iter().any(|dim| dim.axis() == Some(axis)))
    }
    /// True for an axis that only tensors have which may be left out; its size is 1 where all of them are.
    pub fn is_axis_of_optional(&self, axis: AxisId) -> bool {
        self.tensors_with(axis).next().is_some()
            && self.tensors_with(axis).all(|(id, ..)| self.is_optional(id))
    }
    /// True for `name..`, which stands for any number of axes.
    pub fn is_many(&self, dim: &Dim) -> bool {
        dim.axis().is_some_and(|axis| self.axes[axis.index()].many)
    }
    /// The entries of a shape that are `name..`.
    pub fn many_of(&self, id: ParamId) -> impl Iterator<Item = AxisId> + '_ {
        self.shape(id)
            .iter()
            .filter(|dim| self.is_many(dim))
            .filter_map(Dim::axis)
    }
    /// The entry of a shape that stands where an attribute says, and the attribute.
    pub fn placed(&self, id: ParamId) -> Option<(usize, ParamId)> {
        self.shape(id)
            .iter()
            .enumerate()
            .find_map(|(i, dim)| match dim {
                Dim::At { dim, .. } => Some((i, *dim)),
                Dim::Axis { .. } | Dim::Expr { .. } => None,
            })
    }
    /// True where the sizes of a tensor alone tell how many axes each `name..` of its shape stands for: of one it is what the other
    /// entries leave, of two what lies on each side of an `@`.
    pub fn tells(&self, id: ParamId) -> bool {
        self.placed(id).is_some() || self.many_of(id).count() <= 1
    }
    /// The first tensor with a role that is taken whose sizes tell how many axes a `name..` stands for.
    pub fn teller(&self, many: AxisId, takes: impl Fn(ParamId, Role) -> bool) -> Option<ParamId> {
        let mut tensors = self.tensors().map(|(id, _, role, _)| (id, role));
        let has = |id| self.tells(id) && self.many_of(id).any(|own| own == many);
        tensors
            .find(|(id, role)| takes(*id, *role) && has(*id))
            .map(|(id, _)| id)
    }
    /// The same of the inputs that every launch gives.
    pub fn input_that_tells(&self, many: AxisId) -> Option<ParamId> {
        self.teller(many, |id, role| role != Role::Out && !self.is_optional(id))
    }
    /// The tensors that say to a launch which type a dtype parameter is: one that is always given, an input before an output, else all that have
    /// it, in their order. Where none of these is given it is the first one of its list.
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
    /// Of some instances, in their order, those that a launch tells apart: of such as differ in the types of tensors that are not given alone
    /// it is the first.
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
    /// Number of elements of a tensor parameter, as an expression over axes and attributes.
    pub fn elements(&self, id: ParamId) -> Scalar {
        product(self.shape(id))
    }
    /// True where two sizes are one: however axes and attributes are, or because a fact says so.
    pub fn is_same_size(&self, a: &Scalar, b: &Scalar) -> bool {
        let says = |fact: &Fact| match &fact.cond {
            Scalar::Bin(BinOp::Eq, x, y) => {
                (is_same(x, a) && is_same(y, b)) || (is_same(x, b) && is_same(y, a))
            }
            _ => false,
        };
        is_same(a, b) || self.facts.iter().any(says)
    }
    /// How messages spell a dtype: `T`, `f32`.
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

/// The size of one shape entry.
pub fn dim_size(dim: &Dim) -> Scalar {
    match dim {
        Dim::Axis { axis } | Dim::At { axis, .. } => Scalar::Axis(*axis),
        Dim::Expr { size } => size.clone(),
    }
}

/// True where two shapes have the same axes, whatever says where they stand.
pub fn same_axes(a: &[Dim], b: &[Dim]) -> bool {
    a.iter().map(dim_size).eq(b.iter().map(dim_size))
}

/// The number of elements of a shape.
pub fn product(dims: &[Dim]) -> Scalar {
    dims.iter()
        .map(dim_size)
        .reduce(|a, b| a * b)
        .unwrap_or(Scalar::Int(1))
}
