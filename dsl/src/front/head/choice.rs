//! Enums of the `#[kernels] mod`: attributes that are one of several names, `match` and `==`.
//!
//! An attribute of such a type is the number of a variant, which the host knows. A `match` compares
//! that number, so nothing behind the front end has a rule of its own for enums.

use super::types::last_segment;
use crate::diag::Code;
use crate::front::cx::block::Block;
use crate::front::cx::emitted::Frame;
use crate::front::cx::kinds::{Choice, EnumAt};
use crate::front::cx::module::Module;
use crate::front::cx::report::Report;
use crate::front::cx::value::{Num, Val};
use crate::front::cx::Cx;
use crate::front::text::span::{squeezed, text};
use crate::front::text::suggest;
use crate::front::text::words::symbol;
use crate::ir::{BinOp, Fact, ParamId, ParamKind, Scalar, ScalarTy, Signature};
use crate::names::snake_of_pascal;
use proc_macro2::Ident;
use syn::{Attribute, Expr, ExprMatch, Fields, ItemEnum, Pat, Path, Type};

/// Most variants of an enum: each is a plan of its own where plans differ.
const MAX_VARIANTS: usize = 16;

/// An arm of a `match` with its condition. The last one is taken where no other is.
struct Arm<'e> {
    cond: Scalar,
    body: &'e Expr,
}

impl<'a> Cx<'a> {
    /// Makes the kind of an attribute whose type is an enum; `None` after an error.
    pub fn enum_kind(&mut self, of: EnumAt, default: Option<&Attribute>) -> Option<ParamKind> {
        let item = self.module.item(of);
        let choices = choices(&mut self.report, item)?;
        let default = default.and_then(|a| self.default_choice(a, of));
        Some(ParamKind::Attr {
            ty: ScalarTy::Index,
            default,
            choices,
            part: None,
            element: None,
        })
    }

    /// Reads the attribute `#[default(Mode::Static)]`.
    fn default_choice(&mut self, a: &Attribute, of: EnumAt) -> Option<Scalar> {
        let path = a.parse_args::<Path>().ok();
        let number = path
            .as_ref()
            .and_then(|p| self.module.variant(p))
            .filter(|choice| choice.as_ref().is_ok_and(|c| c.of == of));
        match number {
            Some(Ok(choice)) => Some(choice.number),
            Some(Err(())) | None => {
                let item = self.module.item(of);
                let first = &item.variants[0].ident;
                let d = self
                    .error(
                        Code::J0105,
                        a,
                        format!("`#[default(..)]` needs a variant of `{}`", item.ident),
                    )
                    .help(format!("write `#[default({}::{first})]`", item.ident));
                self.report.add(d);
                None
            }
        }
    }

    /// Notes that an attribute is one of the variants of its enum: known to the checker, checked on
    /// the host.
    pub fn one_of(&mut self, id: ParamId, name: &Ident) {
        let count = self.draft.sig.choices(id).len();
        if count > 0 {
            let (cond, span) = (Signature::is_choice(id, count), self.report.at(name));
            self.draft.sig.facts.push(Fact {
                cond,
                text: format!("{name} < {count}"),
                span,
            });
        }
    }

    /// Evaluates the path of a variant, with a finding where the enum has no such variant.
    pub fn variant_value(&mut self, path: &Path) -> Option<Val> {
        match self.module.variant(path)? {
            Ok(choice) => Some(Val::Choice(choice)),
            Err(()) => {
                let mut last = path.segments.iter().rev().map(|s| &s.ident);
                let (variant, owner) = (last.next()?, last.next()?);
                if self.report.fixup(&variant.to_string()) {
                    return Some(Val::Unknown);
                }
                let names = || {
                    self.module
                        .item(self.module.enum_at(owner).expect("found above"))
                        .variants
                        .iter()
                        .map(|v| v.ident.to_string())
                };
                let known: Vec<String> = names().collect();
                let mut d = self
                    .error(
                        Code::J0102,
                        variant,
                        format!("`{owner}` has no `{variant}`"),
                    )
                    .help(format!("it has {}", listed(known.iter())));
                if let Some(near) =
                    suggest::nearest(&variant.to_string(), known.iter().map(String::as_str))
                {
                    let at = d.span();
                    d = suggest::meant(
                        d,
                        at,
                        &variant.to_string(),
                        near,
                        known.iter().map(String::as_str),
                    );
                }
                Some(self.report.bad(d.expected(known)))
            }
        }
    }

    /// Evaluates `a op b` between variants of enums.
    pub fn choice_op(&mut self, op: BinOp, a: &Choice, b: &Choice, e: &Expr) -> Val {
        let (left, right) = (&self.module.item(a.of).ident, &self.module.item(b.of).ident);
        let d = if a.of != b.of {
            let d = self.error(
                Code::J0208,
                e,
                format!("`{}` of `{left}` and `{right}`", symbol(op)),
            );
            d.help("compare variants of one enum")
        } else if !matches!(op, BinOp::Eq | BinOp::Ne) {
            let d = self.error(
                Code::J0208,
                e,
                format!("`{}` does not take `{left}`", symbol(op)),
            );
            d.help("variants are compared by `==` and `!=`, or told apart by `match`")
        } else {
            return Val::Num(Num::new(
                a.number.clone().bin(op, b.number.clone()),
                ScalarTy::Bool,
            ));
        };
        self.report.bad(d)
    }

    /// Reads `match mode { .. }` as a statement.
    pub fn match_stmt(&mut self, m: &ExprMatch, e: &Expr) {
        match self.arms(m, e) {
            Some(arms) => self.run_arms(&arms, e),
            None => self.report.doubt = true,
        }
    }

    fn run_arms(&mut self, arms: &[Arm<'_>], e: &Expr) {
        let Some((first, rest)) = arms.split_first() else {
            return;
        };
        let (then, ()) = self.nested(Frame::Inner, |cx| cx.arm(first.body));
        if rest.is_empty() {
            return self.out.stmts.extend(then);
        }
        let (other, ()) = self.nested(Frame::Inner, |cx| cx.run_arms(rest, e));
        let span = self.report.at(e);
        self.out.stmts.branch(&first.cond, then, other, span);
    }

    fn arm(&mut self, body: &Expr) {
        match body {
            Expr::Block(b) if b.label.is_none() => self.block(&b.block),
            other => self.expr_stmt(other, false),
        }
    }

    /// Evaluates `match mode { .. }` as a value.
    pub fn match_value(&mut self, m: &ExprMatch, e: &Expr) -> Val {
        match self.arms(m, e) {
            Some(arms) => self.arm_value(&arms, e),
            None => Val::Unknown,
        }
    }

    fn arm_value(&mut self, arms: &[Arm<'_>], e: &Expr) -> Val {
        let Some((first, rest)) = arms.split_first() else {
            return Val::Unknown;
        };
        let then: (Block, Val) = self.nested(Frame::Inner, |cx| match first.body {
            Expr::Block(b) if b.label.is_none() => cx.branch(&b.block, e),
            other => cx.expr(other),
        });
        if rest.is_empty() {
            self.out.stmts.extend(then.0);
            return then.1;
        }
        let other = self.nested(Frame::Inner, |cx| cx.arm_value(rest, e));
        self.chosen(&first.cond, false, then, other, e)
    }

    /// Reads the arms of a `match` that names every variant once; `None` after an error.
    fn arms<'e>(&mut self, m: &'e ExprMatch, e: &Expr) -> Option<Vec<Arm<'e>>> {
        let choice = match self.expr(&m.expr) {
            Val::Choice(choice) => choice,
            Val::Unknown => return None,
            other => {
                let what = format!("a `match` on {}", other.what());
                self.report.unsupported(
                    e,
                    &what,
                    "`match` tells the variants of an enum apart; say `if` on scalars, `select` on tiles",
                );
                return None;
            }
        };
        let variants = self.module.item(choice.of).variants.len();
        let mut named = vec![false; variants];
        let mut arms = Vec::with_capacity(m.arms.len());
        for arm in &m.arms {
            let mut own = vec![false; variants];
            self.pattern(&arm.pat, choice.of, &mut own)?;
            let new: Vec<usize> = (0..variants).filter(|i| own[*i] && !named[*i]).collect();
            if new.is_empty() {
                self.report.unsupported(
                    &arm.pat,
                    "an arm that no value is left for",
                    "name every variant once",
                );
                return None;
            }
            new.iter().for_each(|i| named[*i] = true);
            let is = |i: &usize| choice.number.clone().bin(BinOp::Eq, *i as i64);
            let cond = new
                .iter()
                .map(is)
                .reduce(|a, b| a.bin(BinOp::Or, b))
                .unwrap_or(Scalar::Bool(false));
            arms.push(Arm {
                cond,
                body: &arm.body,
            });
        }
        let item = self.module.item(choice.of);
        let missing: Vec<String> = item
            .variants
            .iter()
            .zip(&named)
            .filter(|(_, named)| !**named)
            .map(|(v, _)| format!("{}::{}", item.ident, v.ident))
            .collect();
        if !missing.is_empty() {
            let what = format!(
                "a `match` on `{}` without {}",
                text(&m.expr),
                listed(missing.iter())
            );
            self.report.unsupported(
                &*m.expr,
                &what,
                "name every variant, or the others with `_`",
            );
            return None;
        }
        Some(arms)
    }

    /// Notes the variants that a pattern names.
    fn pattern(&mut self, pat: &Pat, of: EnumAt, own: &mut [bool]) -> Option<()> {
        match pat {
            Pat::Wild(_) => own.fill(true),
            Pat::Or(all) => all
                .cases
                .iter()
                .try_for_each(|case| self.pattern(case, of, own))?,
            Pat::Paren(inner) => self.pattern(&inner.pat, of, own)?,
            Pat::Path(p) if p.qself.is_none() && p.path.segments.len() >= 2 => {
                match self.variant_value(&p.path) {
                    Some(Val::Choice(Choice {
                        of: found,
                        number: Scalar::Int(at),
                    })) if found == of => own[at as usize] = true,
                    Some(Val::Unknown) => return None,
                    Some(_) | None => return self.no_variant(pat, of),
                }
            }
            Pat::Guard(_) => {
                self.report
                    .unsupported(pat, "a guard of an arm", "put an `if` into the arm");
                return None;
            }
            other => return self.no_variant(other, of),
        }
        Some(())
    }

    fn no_variant(&mut self, pat: &Pat, of: EnumAt) -> Option<()> {
        let item = self.module.item(of);
        let known: Vec<String> = item
            .variants
            .iter()
            .map(|v| format!("{}::{}", item.ident, v.ident))
            .collect();
        let what = format!("`{}` as a pattern of `{}`", squeezed(pat), item.ident);
        self.report.unsupported(
            pat,
            &what,
            &format!("patterns are {} and `_`", listed(known.iter())),
        );
        None
    }
}

impl<'a> Module<'a> {
    /// Finds the enum that a type names.
    pub fn enum_named(&self, ty: &Type) -> Option<EnumAt> {
        let segment = last_segment(ty).filter(|s| s.arguments.is_none())?;
        self.enum_at(&segment.ident)
    }

    /// Finds an enum by its name.
    fn enum_at(&self, ident: &Ident) -> Option<EnumAt> {
        self.enums
            .iter()
            .position(|e| e.ident == *ident)
            .map(EnumAt)
    }

    /// Returns the text of an enum.
    fn item(&self, EnumAt(at): EnumAt) -> &'a ItemEnum {
        self.enums[at]
    }

    /// Returns the number of a variant.
    fn numbered(&self, of: EnumAt, variant: &Ident) -> Option<usize> {
        self.item(of)
            .variants
            .iter()
            .position(|v| v.ident == *variant)
    }

    /// Reads `Mode::Static`. `None` where the path names no enum of the module, and an error where
    /// the enum has no such variant.
    fn variant(&self, path: &Path) -> Option<Result<Choice, ()>> {
        let mut last = path.segments.iter().rev();
        let (variant, owner) = (last.next()?, last.next()?);
        let of = self.enum_at(&owner.ident)?;
        Some(
            self.numbered(of, &variant.ident)
                .map(|at| Choice {
                    of,
                    number: Scalar::Int(at as i64),
                })
                .ok_or(()),
        )
    }
}

/// Lists names for messages.
fn listed<'n>(names: impl Iterator<Item = &'n String>) -> String {
    names
        .map(|name| format!("`{name}`"))
        .collect::<Vec<_>>()
        .join(", ")
}

/// Lists the names of the variants in the spelling of launches.
fn choices(report: &mut Report, item: &ItemEnum) -> Option<Vec<String>> {
    let found = item.variants.len();
    let name = &item.ident;
    if !(1..=MAX_VARIANTS).contains(&found) || !item.generics.params.is_empty() {
        let d = report
            .error(Code::J0104, name, format!("`{name}` has {found} variants and {} parameters", item.generics.params.len()))
            .help(format!("an enum that an attribute is of has 1 to {MAX_VARIANTS} variants and no parameters"));
        report.add(
            d.number("found", found as i64)
                .number("allowed", MAX_VARIANTS as i64),
        );
        return None;
    }
    let mut choices: Vec<String> = Vec::with_capacity(found);
    for variant in &item.variants {
        report.ascii_name(&variant.ident, Code::J0104);
        if !matches!(variant.fields, Fields::Unit) || variant.discriminant.is_some() {
            let d = report
                .error(Code::J0104, &variant.ident, format!("the variant `{}` has more than its name", squeezed(variant)))
                .help("an enum that an attribute is of has names only: pass what belongs to one as an attribute of its own");
            report.add(d);
            return None;
        }
        let spelled = snake_of_pascal(&variant.ident.to_string());
        if choices.contains(&spelled) {
            let d = report
                .error(
                    Code::J0104,
                    &variant.ident,
                    format!("a second variant that a launch would call `{spelled}`"),
                )
                .help("give it another name");
            report.add(d);
            return None;
        }
        choices.push(spelled);
    }
    Some(choices)
}
