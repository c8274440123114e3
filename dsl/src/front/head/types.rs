//! Types as a kernel writes them: dtypes, dtype parameters, tiles and scalars.

use crate::diag::Code;
use crate::dtype::{dtype_set, DType, DTYPE_SETS};
use crate::front::cx::draft::Draft;
use crate::front::cx::kinds::EnumAt;
use crate::front::cx::report::Report;
use crate::front::cx::value::Num;
use crate::front::cx::Cx;
use crate::front::text::span::{squeezed, Node};
use crate::front::text::suggest;
use crate::front::text::words::{no_such, one_type};
use crate::ir::{ScalarTy, Ty};
use proc_macro2::Ident;
use syn::{PathSegment, Type, TypeParamBound};

/// Types of lets, parameters of helpers and results of helpers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    Tile(Ty),
    Scalar(ScalarTy),
    Local(Ty),
    /// A whole axis.
    Axis,
    /// An enum of the module.
    Choice(EnumAt),
    /// Another type, which the value itself is checked against elsewhere.
    Other,
    /// A type that an error was reported for.
    Bad,
}

/// Returns the last segment of a plain path.
pub fn last_segment(ty: &Type) -> Option<&PathSegment> {
    match ty {
        Type::Path(p) if p.qself.is_none() => p.path.segments.last(),
        Type::Group(g) => last_segment(&g.elem),
        Type::Paren(g) => last_segment(&g.elem),
        _ => None,
    }
}

/// Returns the scalar type of a name.
pub fn scalar_ty(ident: &Ident) -> Option<ScalarTy> {
    [
        ScalarTy::F32,
        ScalarTy::I32,
        ScalarTy::Index,
        ScalarTy::Bool,
    ]
    .into_iter()
    .find(|t| *ident == t.word())
}

impl Cx<'_> {
    /// Reads an element type; reports another type and returns `None`.
    pub fn element(&mut self, ty: &Type) -> Option<Ty> {
        if let Type::Path(p) = ty {
            let segments = &p.path.segments;
            if p.qself.is_none() && segments.len() == 2 && segments[1].ident == "Wide" {
                if let Some(t) = self.names.get_type(&segments[0].ident.to_string()) {
                    return Some(self.draft.wide(t));
                }
            }
        }
        if let Some(s) = last_segment(ty).filter(|s| s.arguments.is_none()) {
            let name = s.ident.to_string();
            if let Some(t) = self.names.get_type(&name) {
                return Some(t);
            }
            match DType::by_name(&name) {
                Some(d) if d != DType::Bits => return Some(Ty::Is(d)),
                _ if self.report.fixup(&name) => return None,
                _ => {}
            }
            let known = self
                .names
                .visible_types()
                .chain(crate::dtype::ELEMENTS.iter().map(|d| d.name()));
            let near = suggest::nearest(&name, known).map(str::to_string);
            // A name like no known one is one missing thing, not many typing errors.
            if near.is_none() {
                if self.report.no_types.contains(&name) {
                    return None;
                }
                self.report.no_types.push(name.clone());
            }
            let mut d = self
                .error(Code::J0104, ty, format!("`{name}` is no element type"))
                .help(format!(
                    "element types are {}, and the kernel's dtype parameters",
                    crate::dtype::element_names()
                ));
            if let Some(near) = near {
                let (at, known) = (d.span(), crate::dtype::ELEMENTS.iter().map(|d| d.name()));
                d = suggest::meant(
                    d.help(format!("did you mean `{near}`?")),
                    at,
                    &name,
                    &near,
                    known,
                )
                .maybe();
            } else if let Some(ours) = element_elsewhere(&name) {
                let at = d.span();
                d = d
                    .help(format!("did you mean `{ours}`?"))
                    .fix(at, ours)
                    .maybe();
            }
            d = d.expected(crate::dtype::ELEMENTS.iter().map(|d| d.name()));
            self.report.add(d);
            return None;
        }
        let d = self
            .error(
                Code::J0104,
                ty,
                format!("`{}` is no element type", squeezed(ty)),
            )
            .help(format!(
                "element types are {}, and the kernel's dtype parameters",
                crate::dtype::element_names()
            ));
        self.report.add(d);
        None
    }

    /// True for floats, false for integers, `None` where the bound leaves it open.
    pub fn is_float(&self, ty: Ty) -> Option<bool> {
        match ty {
            Ty::Is(d) => Some(d.is_float()),
            Ty::Mask => Some(false),
            Ty::Param(i) | Ty::Wide(i) if self.names.unbound.contains(&i) => Some(true),
            Ty::Param(i) | Ty::Wide(i) => {
                let members = dtype_set(&self.draft.sig.dtypes[i as usize].set)?.members;
                let floats = members.iter().filter(|d| d.is_float()).count();
                (floats == 0 || floats == members.len()).then_some(floats > 0)
            }
        }
    }

    /// Reads the type of a `let`, or of a parameter or result of a helper.
    pub fn kind(&mut self, ty: &Type) -> Kind {
        let Some(s) = last_segment(ty) else {
            return Kind::Other;
        };
        if s.ident == "Tile" {
            one_type(&s.arguments).map_or(Kind::Other, |t| {
                self.tile_element(t).map_or(Kind::Bad, Kind::Tile)
            })
        } else if s.ident == "LocalTensor" {
            one_type(&s.arguments).map_or(Kind::Other, |t| {
                self.element_or_mask(t).map_or(Kind::Bad, Kind::Local)
            })
        } else if s.ident == "Axis" && s.arguments.is_none() {
            Kind::Axis
        } else if let Some(of) = self.module.enum_named(ty) {
            Kind::Choice(of)
        } else {
            scalar_ty(&s.ident)
                .filter(|_| s.arguments.is_none())
                .map_or(Kind::Other, Kind::Scalar)
        }
    }

    /// Reads the type of a tile: elements, or the bits of a comparison, which are `bool`.
    fn tile_element(&mut self, ty: &Type) -> Option<Ty> {
        self.element(ty).map(|ty| {
            if ty == Ty::Is(DType::Bool) {
                Ty::Mask
            } else {
                ty
            }
        })
    }

    /// Reads an element type of a local tensor, where `bool` and `u8` are the bits of a comparison.
    pub fn element_or_mask(&mut self, ty: &Type) -> Option<Ty> {
        match last_segment(ty) {
            Some(s) if s.arguments.is_none() && (s.ident == "bool" || s.ident == "u8") => {
                Some(Ty::Mask)
            }
            _ => self.element(ty),
        }
    }
}

impl Draft {
    /// Returns the type that arithmetic on elements of a type widens to.
    pub fn wide(&self, ty: Ty) -> Ty {
        match ty {
            Ty::Is(d) => Ty::Is(d.wide()),
            // `Float` fixes `Wide = f32` for rustc too; the other bounds leave it open.
            Ty::Param(i) if self.sig.dtypes[i as usize].set == "Float" => Ty::Is(DType::F32),
            Ty::Param(i) => Ty::Wide(i),
            other => other,
        }
    }
}

impl Report {
    /// Reads the name of the set that bounds a dtype parameter.
    pub fn bound(&mut self, param: &syn::TypeParam) -> Option<&'static str> {
        let mut bounds = param.bounds.iter();
        let (one, more) = (bounds.next(), bounds.next());
        if let (Some(TypeParamBound::Trait(t)), None) = (one, more) {
            if let Some(s) = t.path.segments.last() {
                let name = s.ident.to_string();
                if let Some(set) = dtype_set(&name) {
                    return Some(set.name);
                }
                if let Some(near) = suggest::nearest(&name, DTYPE_SETS.iter().map(|s| s.name)) {
                    let d = self.error(
                        Code::J0104,
                        &t.path,
                        format!("`{name}` is no set of element types"),
                    );
                    let at = d.span();
                    let known = DTYPE_SETS.iter().map(|s| s.name);
                    let d = suggest::meant(
                        d.help(format!("did you mean `{near}`?")),
                        at,
                        &name,
                        near,
                        known,
                    );
                    self.add(d.expected(DTYPE_SETS.iter().map(|s| s.name)));
                    return None;
                }
                if self.fixup(&name) {
                    return None;
                }
            }
        }
        let d = self
            .error(
                Code::J0104,
                &param.ident,
                format!(
                    "dtype parameter `{}` needs one bound of the known sets",
                    param.ident
                ),
            )
            .help(format!(
                "write `{0}: {1}` with one of {2}",
                param.ident,
                DTYPE_SETS[0].name,
                DTYPE_SETS
                    .iter()
                    .map(|s| s.name)
                    .collect::<Vec<_>>()
                    .join(", ")
            ));
        self.add(d);
        None
    }

    /// Converts an integer literal to a wanted type; reports J0208 for another type.
    pub fn want(
        &mut self,
        num: Num,
        ty: ScalarTy,
        node: &(impl Node + ?Sized),
        what: &str,
    ) -> Option<Num> {
        match num.ty {
            Some(t) if t == ty => Some(num),
            None if matches!(ty, ScalarTy::Index | ScalarTy::I32) => {
                if let Some(message) = num.value.as_int().and_then(|v| no_such(v, ty)) {
                    let d = self.error(Code::J0208, node, format!("{what}: {message}"));
                    self.add(d);
                    return None;
                }
                Some(Num::new(num.settled(Some(ty)), ty))
            }
            _ => {
                let mut d = self.error(
                    Code::J0208,
                    node,
                    format!("{what} is `{}`, found {}", ty.word(), num.found()),
                );
                d = match (ty, num.ty) {
                    (ScalarTy::F32, None) => d.help("write a float literal, such as `2.0`"),
                    (ScalarTy::Bool, _) | (_, Some(ScalarTy::Bool)) => d,
                    _ => d.help(format!("convert it: `as {}`", ty.word())),
                };
                self.add(d);
                None
            }
        }
    }
}

/// Returns the element type here of a name from other libraries.
fn element_elsewhere(name: &str) -> Option<&'static str> {
    const ELSEWHERE: &[(&str, &str)] = &[
        ("f64", "f32"),
        ("double", "f32"),
        ("float", "f32"),
        ("float32", "f32"),
        ("float16", "f16"),
        ("half", "f16"),
        ("bfloat16", "bf16"),
        ("bfloat16_t", "bf16"),
        ("int32_t", "i32"),
        ("int", "i32"),
        ("int16_t", "i16"),
        ("int8_t", "i8"),
        ("int64_t", "i64"),
        ("uint32_t", "u32"),
        ("uint16_t", "u16"),
        ("uint8_t", "u8"),
    ];
    ELSEWHERE
        .iter()
        .find(|(other, _)| *other == name)
        .map(|(_, ours)| *ours)
}
