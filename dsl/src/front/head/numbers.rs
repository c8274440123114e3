//! Lists of numbers, `pads: [usize; 2]`: an attribute for each number, under one name at a launch.

use super::attrs::literal;
use super::types::{last_segment, scalar_ty};
use crate::diag::Code;
use crate::front::cx::draft::plain_name;
use crate::front::cx::report::Report;
use crate::front::cx::value::{Num, Val};
use crate::front::cx::Cx;
use crate::front::text::span;
use crate::front::text::span::squeezed;
use crate::ir::{ListEntry, Param, ParamId, ParamKind, Per, Scalar, ScalarTy, Ty};
use proc_macro2::Ident;
use syn::{Attribute, Expr, ExprArray, ExprIndex, Pat, PatSlice, TypeArray};

/// Most numbers of a list.
const MAX_NUMBERS: usize = 16;

impl Cx<'_> {
    /// Declares the attributes of a list; `None` after an error.
    pub fn numbers(
        &mut self,
        ident: &Ident,
        array: &TypeArray,
        default: Option<&Attribute>,
    ) -> Option<()> {
        let (ty, element, count) = self.list_type(array)?;
        let defaults = match default {
            Some(a) => Some(list_default(&mut self.report, a, ty, count)?),
            None => None,
        };
        let (of, span) = (plain_name(ident), self.report.at(ident));
        self.only_param(&of, ident);
        if let Some(element) = element {
            defaults
                .iter()
                .flatten()
                .for_each(|value| self.default_is_element(element, Some(value), default));
        }
        let mut all = Vec::with_capacity(count);
        for at in 0..count {
            let id = ParamId(self.draft.sig.params.len() as u32);
            let name = format!("{of}_{at}");
            self.only_param(&name, ident);
            self.out.unique(&name);
            let default = defaults.as_ref().map(|all| all[at].clone());
            let part = Some(ListEntry {
                of: of.clone(),
                at,
                count,
            });
            let kind = ParamKind::Attr {
                ty,
                default,
                choices: Vec::new(),
                part,
                element,
            };
            self.draft.declare(
                Param {
                    name,
                    kind,
                    per: Per::Launch,
                    span,
                },
                span::Node::ends(ident),
            );
            all.push(Num::new(Scalar::Attr(id, ty), ty));
        }
        self.names.bind(
            ident.to_string(),
            Val::Numbers(all),
            false,
            span::Node::ends(ident),
        );
        Some(())
    }

    /// Reads the type of the numbers, their element type if it is a dtype parameter, and their
    /// count.
    fn list_type(&mut self, array: &TypeArray) -> Option<(ScalarTy, Option<Ty>, usize)> {
        let word = last_segment(&array.elem)
            .filter(|s| s.arguments.is_none())
            .map(|s| s.ident.clone());
        let Some((ty, element)) = self.number_type(word.as_ref())? else {
            let d = self
                .error(Code::J0104, &*array.elem, format!("a list of `{}`", squeezed(&array.elem)))
                .help("a list is one of `f32`, `i32`, `usize` or the kernel's own `T`: `pads: [usize; 2]`");
            self.report.add(d);
            return None;
        };
        let count = self.scalar(&array.len)?.value.as_int();
        let allowed = count
            .and_then(|n| usize::try_from(n).ok())
            .filter(|n| (1..=MAX_NUMBERS).contains(n));
        if allowed.is_none() {
            let d = self
                .error(
                    Code::J0104,
                    &array.len,
                    format!("a list of `{}` numbers", squeezed(&array.len)),
                )
                .help(format!(
                    "how many there are is known here: 1 to {MAX_NUMBERS}"
                ));
            self.report.add(d);
        }
        Some((ty, element, allowed?))
    }

    /// Reads the type that carries numbers, and their element type if it is a dtype parameter. The
    /// inner `None` is for a type of no numbers, the outer one for an error.
    pub fn number_type(&mut self, word: Option<&Ident>) -> Option<Option<(ScalarTy, Option<Ty>)>> {
        let Some(word) = word else { return Some(None) };
        if self.names.get_type(&word.to_string()).is_some() {
            let (element, carrier) = self.own_number(word)?;
            return Some(Some((carrier, Some(element))));
        }
        Some(
            scalar_ty(word)
                .filter(|ty| *ty != ScalarTy::Bool)
                .map(|ty| (ty, None)),
        )
    }

    /// Evaluates one number, `pads[0]`.
    pub fn element_of_list(&mut self, i: &ExprIndex, e: &Expr) -> Val {
        let all = match self.expr(&i.expr) {
            Val::Numbers(all) => all,
            Val::Unknown => {
                self.expr(&i.index);
                return Val::Unknown;
            }
            other => {
                let what = format!("an index of {}", other.what());
                return self.report.unsupported(
                    e,
                    &what,
                    "a tile is used as a whole; at queue level write `x.at(offset)` or `x.get_value(i)`",
                );
            }
        };
        let Some(index) = self.scalar(&i.index) else {
            return Val::Unknown;
        };
        let index = self
            .report
            .want(index, ScalarTy::Index, &*i.index, "an index")
            .map(|n| n.value);
        let Some(at) = index.as_ref().and_then(Scalar::as_int) else {
            return match index {
                Some(_) => self.report.unsupported(
                    &*i.index,
                    "an index of a list that is no literal",
                    "name the numbers: `let [a, b] = pads;`",
                ),
                None => Val::Unknown,
            };
        };
        match usize::try_from(at).ok().and_then(|at| all.get(at)) {
            Some(number) => Val::Num(number.clone()),
            None => {
                let d = self
                    .error(
                        Code::J0216,
                        &*i.index,
                        format!("element {at} of a list of {}", all.len()),
                    )
                    .help(format!("its elements are 0 to {}", all.len() - 1))
                    .number("found", at)
                    .number("allowed", all.len() as i64 - 1);
                self.report.bad(d)
            }
        }
    }

    /// Reads a pattern, `let [a, b] = pads;`.
    pub fn bind_list(&mut self, names: &PatSlice, all: Vec<Num>, pat: &Pat, init: &Expr) {
        if names.elems.len() != all.len() {
            let d = self.error(
                Code::J0106,
                pat,
                format!("{} names for a list of {}", names.elems.len(), all.len()),
            );
            self.report.add(d);
            return self.names.bind_unknown(pat);
        }
        names
            .elems
            .iter()
            .zip(all)
            .for_each(|(name, number)| self.bind_pat(name, Val::Num(number), init));
    }
}

/// Reads the attribute `#[default([1, 1])]`.
fn list_default(
    report: &mut Report,
    a: &Attribute,
    ty: ScalarTy,
    count: usize,
) -> Option<Vec<Scalar>> {
    let elems = a
        .parse_args::<ExprArray>()
        .ok()
        .map(|list| list.elems)
        .filter(|elems| elems.len() == count);
    let mut all = Vec::with_capacity(count);
    for e in elems.iter().flatten() {
        match literal(e, ty) {
            Ok(value) => all.extend(value),
            Err(message) => {
                let d = report.error(Code::J0208, e, message);
                report.add(d);
                return None;
            }
        }
    }
    if all.len() != count {
        let one = if ty == ScalarTy::F32 { "1.0" } else { "1" };
        let d = report
            .error(
                Code::J0105,
                a,
                format!(
                    "`#[default(..)]` needs {count} literals of type `{}`",
                    ty.word()
                ),
            )
            .help(format!(
                "write `#[default([{}])]`",
                vec![one; count].join(", ")
            ));
        report.add(d);
        return None;
    }
    Some(all)
}
