//! Attributes of the function (`#[instances(..)]`, `#[chips(..)]`, `#[deterministic]`, doc
//! comments), and `#[default(..)]` of a parameter.

use crate::diag::{Code, Spot};
use crate::dtype::{dtype_set, DType};
use crate::front::cx::draft::Draft;
use crate::front::cx::report::Report;
use crate::front::cx::Cx;
use crate::front::text::span::{squeezed, token_ends, Node};
use crate::front::text::suggest;
use crate::front::text::words::{decimal, no_such};
use crate::ir::{Scalar, ScalarTy, Ty};
use crate::items::{KernelAttr, FOREIGN_ATTRIBUTES};
use crate::soc::Chip;
use proc_macro2::{Ident, TokenStream};
use syn::punctuated::Punctuated;
use syn::{Attribute, Expr, Lit, Meta, Token, UnOp};

/// Most instances of one kernel: the product of several sets grows fast, and each is code of its
/// own.
const MAX_INSTANCES: usize = 16;

impl Cx<'_> {
    /// Reads the attributes of the function except the instances, and returns the chips.
    pub fn fn_attrs(&mut self, attr: TokenStream, attrs: &[Attribute]) -> Vec<String> {
        if !attr.is_empty() {
            let d = self
                .error(
                    Code::J0105,
                    &token_ends(&attr),
                    "`#[kernel]` takes no arguments",
                )
                .help("dtypes go into `#[instances(f16, f32)]`, chips into `#[chips(ascend910b)]`");
            self.report.add(d);
        }
        let mut chips = Vec::new();
        for a in attrs {
            let Some(ident) = a.path().get_ident() else {
                continue;
            };
            match KernelAttr::by_name(&ident.to_string()) {
                Some(KernelAttr::Chips) => add_chips(&mut self.report, a, &mut chips),
                Some(KernelAttr::Deterministic) => self.deterministic(a),
                // Other functions read these where they need them.
                Some(KernelAttr::Instances | KernelAttr::Kernel) => {}
                None if ident == "doc" => doc(&mut self.draft, a),
                None => self
                    .report
                    .unknown_attr(a, ident, KernelAttr::NAMES, "a kernel"),
            }
        }
        chips
    }

    fn deterministic(&mut self, a: &Attribute) {
        if !matches!(a.meta, Meta::Path(_)) {
            let d = self
                .error(Code::J0105, a, "`#[deterministic]` takes no arguments")
                .help("write `#[deterministic]`");
            let at = d.span();
            self.report.add(d.fix(at, "#[deterministic]"));
        }
        self.draft.deterministic = Some(self.report.at(a));
    }

    /// Reads `#[instances(..)]`, or makes the product of the sets.
    pub fn instances(&mut self, attrs: &[Attribute]) {
        let mut given = attrs.iter().filter(|a| a.path().is_ident("instances"));
        let params = self.draft.sig.dtypes.len();
        let Some(attr) = given.next() else {
            self.all_instances();
            return;
        };
        if let Some(second) = given.next() {
            let d = self
                .error(Code::J0105, second, "`#[instances(..)]` stands twice")
                .help("put all entries into one list");
            self.report.add(d);
        }
        let Ok(entries) = attr.parse_args_with(Punctuated::<Expr, Token![,]>::parse_terminated)
        else {
            let d = self.error(Code::J0105, attr, "`#[instances(..)]` lists element types").help(
                "write `#[instances(f16, f32)]`, or pairs for two dtype parameters: `#[instances((f16, f32), (f32, f32))]`",
            );
            self.report.add(d);
            return self.all_instances();
        };
        let before = self.report.diagnostics.len();
        if params == 0 {
            let d = self
                .error(
                    Code::J0212,
                    attr,
                    "instances of a kernel without dtype parameters",
                )
                .help("remove the attribute, or make the kernel generic: `<T: Float>`");
            self.report.add(d);
        }
        let mut rows: Vec<Vec<DType>> = Vec::new();
        for e in entries.iter().filter(|_| params > 0) {
            let row = match e {
                Expr::Tuple(t) => t
                    .elems
                    .iter()
                    .map(|e| instance_dtype(&mut self.report, e))
                    .collect::<Option<Vec<_>>>(),
                Expr::Paren(p) => instance_dtype(&mut self.report, &p.expr).map(|d| vec![d]),
                other => instance_dtype(&mut self.report, other).map(|d| vec![d]),
            };
            let Some(row) = row else { continue };
            if row.len() != params {
                let d = self
                    .error(
                        Code::J0212,
                        e,
                        format!(
                            "an instance of {} dtypes, the kernel has {params} dtype parameter{}",
                            row.len(),
                            if params == 1 { "" } else { "s" }
                        ),
                    )
                    .help(match params {
                        1 => "write one dtype an entry".to_string(),
                        _ => format!(
                            "write one dtype a parameter: `{}`",
                            one_a_parameter(&row, params)
                        ),
                    });
                self.report.add(d);
            } else if rows.contains(&row) {
                let d = self
                    .error(Code::J0212, e, "the instance stands twice")
                    .help("remove one");
                let at = d.span();
                self.report.add(d.edit(at, Spot::Entry, ""));
            } else {
                self.in_bounds(e, &row);
                rows.push(row);
            }
        }
        if params > 0 && rows.is_empty() && self.report.diagnostics.len() == before {
            let d = self
                .error(Code::J0212, attr, "an empty list of instances")
                .help("name at least one, or remove the attribute");
            self.report.add(d);
        }
        if rows.is_empty() {
            return self.all_instances();
        }
        self.draft.sig.instances = rows;
    }

    fn in_bounds(&mut self, e: &Expr, row: &[DType]) {
        for (i, d) in row.iter().enumerate() {
            let param = &self.draft.sig.dtypes[i];
            let Some(set) = dtype_set(&param.set).filter(|s| !s.members.contains(d)) else {
                continue;
            };
            let message = format!(
                "`{d}` is not in the bound `{}` of `{}`",
                set.name, param.name
            );
            let members = set
                .members
                .iter()
                .map(|d| d.name())
                .collect::<Vec<_>>()
                .join(", ");
            let diag = self
                .error(Code::J0212, e, message)
                .note(format!("`{}` is {members}", set.name))
                .help("take it out of the list, or widen the bound: `Element` is all of them")
                .expected(set.members.iter().map(|d| d.name()));
            let at = diag.span();
            self.report.add(diag.edit(at, Spot::Entry, "").maybe());
        }
    }

    fn all_instances(&mut self) {
        let mut rows: Vec<Vec<DType>> = vec![Vec::new()];
        for p in &self.draft.sig.dtypes {
            let members = dtype_set(&p.set).map_or(&[][..], |s| s.members);
            rows = rows
                .iter()
                .flat_map(|row| {
                    members
                        .iter()
                        .map(|d| row.iter().copied().chain([*d]).collect::<Vec<_>>())
                })
                .take(MAX_INSTANCES + 1)
                .collect();
        }
        if rows.len() > MAX_INSTANCES {
            let count: usize = self
                .draft
                .sig
                .dtypes
                .iter()
                .filter_map(|p| dtype_set(&p.set))
                .map(|s| s.members.len())
                .product();
            let ends = self.draft.name_ends;
            let d = self
                .error(
                    Code::J0212,
                    &ends,
                    format!("the dtype parameters have {count} combinations, at most {MAX_INSTANCES} are made"),
                )
                .help("list those you need: `#[instances((f16, f32), (f32, f32))]`")
                .number("found", count as i64)
                .number("allowed", MAX_INSTANCES as i64);
            self.report.add(d);
            rows.truncate(MAX_INSTANCES);
        }
        self.draft.sig.instances = rows;
    }

    /// Reads an attribute type that is a dtype parameter, and the type that carries its numbers.
    pub fn own_number(&mut self, name: &Ident) -> Option<(Ty, ScalarTy)> {
        let element = self.names.get_type(&name.to_string())?;
        let none = self
            .draft
            .sig
            .instances
            .iter()
            .map(|types| element.resolve(types))
            .find(|dtype| !dtype.has_attributes());
        if let Some(dtype) = none {
            let d = self.error(Code::J0104, name, format!("an attribute of type `{name}`, which may be {dtype}")).help(
                "attributes are numbers of f16, bf16, f32, i32, i16 and u16: name such instances, `#[instances(f16, i32)]`",
            );
            self.report.add(d);
            return None;
        }
        Some((element, self.draft.sig.carrier(element)))
    }

    /// Reports J0208 for a default that is no element of the type in some instance.
    pub fn default_is_element(
        &mut self,
        element: Ty,
        default: Option<&Scalar>,
        at: Option<&Attribute>,
    ) {
        let (Some(value), Some(at)) = (default.and_then(Scalar::value), at) else {
            return;
        };
        let wrong = |types: &Vec<DType>| element.resolve(types).number(value).err();
        if let Some(said) = self.draft.sig.instances.iter().find_map(wrong) {
            let d = self
                .error(Code::J0208, at, format!("a default of {value}, and {said}"))
                .help(
                    "a default is an element of each instance: take another one, or leave it out",
                );
            self.report.add(d);
        }
    }
}

/// Writes an instance with one dtype for each parameter: those written, then the last one again.
fn one_a_parameter(row: &[DType], params: usize) -> String {
    let last = row.last().copied().unwrap_or(DType::F32);
    let dtypes: Vec<String> = row
        .iter()
        .copied()
        .chain(std::iter::repeat(last))
        .take(params)
        .map(|d| d.to_string())
        .collect();
    format!("({})", dtypes.join(", "))
}

impl Report {
    /// Reads the attribute `#[default(literal)]`.
    pub fn default_attr(&mut self, a: &Attribute, ty: ScalarTy) -> Option<Scalar> {
        let value = match a.parse_args::<Expr>().ok().map(|e| (literal(&e, ty), e)) {
            Some((Err(message), e)) => {
                let d = self.error(Code::J0208, &e, message);
                self.add(d);
                return None;
            }
            Some((Ok(value), _)) => value,
            None => None,
        };
        if value.is_none() {
            let example = match ty {
                ScalarTy::F32 => "#[default(1.0)]",
                ScalarTy::Bool => "#[default(true)]",
                ScalarTy::I32 | ScalarTy::Index => "#[default(1)]",
            };
            let d = self
                .error(
                    Code::J0105,
                    a,
                    format!("`#[default(..)]` needs a literal of type `{}`", ty.word()),
                )
                .help(format!("write `{example}`"));
            self.add(d);
        }
        value
    }

    /// Reports an attribute that is neither ours nor rustc's.
    pub fn unknown_attr(&mut self, a: &Attribute, ident: &Ident, ours: &[&'static str], on: &str) {
        let name = ident.to_string();
        if on == "a parameter" && name.starts_with("cfg") {
            let d = self
                .error(Code::J0105, a, "conditional compilation of a parameter")
                .help("write two kernels and choose between them");
            return self.add(d);
        }
        if FOREIGN_ATTRIBUTES.contains(&name.as_str()) || self.fixup(&name) {
            return;
        }
        let list = ours
            .iter()
            .map(|o| format!("`#[{o}]`"))
            .collect::<Vec<_>>()
            .join(", ");
        let mut d = self.error(
            Code::J0105,
            &a.ends(),
            format!("`#[{name}]` means nothing on {on}"),
        );
        d = match suggest::nearest(&name, ours.iter().copied()) {
            Some(near) => {
                let at = self.at(ident);
                suggest::meant(
                    d.help(format!("did you mean `#[{near}]`?")),
                    at,
                    &name,
                    near,
                    ours.iter().copied(),
                )
            }
            None => d.help(format!("attributes here are {list}")),
        };
        self.add(d.expected(ours.iter().map(|own| format!("#[{own}]"))));
    }
}

/// Reads a literal of a type, perhaps negative. The error is the message for a number outside of
/// the type.
pub(super) fn literal(e: &Expr, ty: ScalarTy) -> Result<Option<Scalar>, String> {
    let (negative, lit) = match e {
        Expr::Unary(u) if matches!(u.op, UnOp::Neg(_)) => match &*u.expr {
            Expr::Lit(l) => (true, &l.lit),
            _ => return Ok(None),
        },
        Expr::Lit(l) => (false, &l.lit),
        _ => return Ok(None),
    };
    let suffix_fits = |s: &str| s.is_empty() || s == ty.word();
    let float =
        |digits: &str| decimal(digits).map(|v| Some(Scalar::Float(if negative { -v } else { v })));
    Ok(match (lit, ty) {
        (Lit::Bool(b), ScalarTy::Bool) if !negative => Some(Scalar::Bool(b.value)),
        (Lit::Float(f), ScalarTy::F32) if suffix_fits(f.suffix()) => float(f.base10_digits())?,
        (Lit::Int(i), ScalarTy::F32) if suffix_fits(i.suffix()) => float(i.base10_digits())?,
        (Lit::Int(i), ScalarTy::Index | ScalarTy::I32) if suffix_fits(i.suffix()) => {
            let Ok(v) = i.base10_parse::<i64>() else {
                return Err(format!("`{}` does not fit in 64 bits", i.base10_digits()));
            };
            let v = if negative { -v } else { v };
            match no_such(v, ty) {
                Some(message) => return Err(message),
                None => Some(Scalar::cast(ty, Scalar::Int(v))),
            }
        }
        _ => None,
    })
}

fn doc(draft: &mut Draft, a: &Attribute) {
    let Meta::NameValue(nv) = &a.meta else { return };
    let Expr::Lit(lit) = &nv.value else { return };
    let Lit::Str(text) = &lit.lit else { return };
    let text = text.value();
    if !draft.sig.doc.is_empty() {
        draft.sig.doc.push('\n');
    }
    draft
        .sig
        .doc
        .push_str(text.strip_prefix(' ').unwrap_or(&text).trim_end());
}

fn add_chips(report: &mut Report, a: &Attribute, chips: &mut Vec<String>) {
    let Ok(names) = a.parse_args_with(Punctuated::<Ident, Token![,]>::parse_terminated) else {
        let d = report
            .error(Code::J0105, a, "`#[chips(..)]` lists chips by name")
            .help("write `#[chips(ascend910b, ascend310p)]`");
        report.add(d);
        return;
    };
    for name in &names {
        let text = name.to_string();
        if Chip::by_name(&text).is_none() {
            let all = || Chip::all().iter().map(|c| c.name).chain(["ascend910b"]);
            let mut d = report
                .error(
                    Code::J0504,
                    name,
                    format!("chip `{text}` is not in the table"),
                )
                .help(format!(
                    "chips are {}",
                    all().collect::<Vec<_>>().join(", ")
                ));
            if let Some(near) = suggest::nearest(&text.to_ascii_lowercase(), all()) {
                let at = d.span();
                d = suggest::meant(d, at, &text, near, all());
            }
            d = d.expected(all());
            report.add(d);
        } else if !chips.contains(&text) {
            chips.push(text);
        }
    }
}

fn instance_dtype(report: &mut Report, e: &Expr) -> Option<DType> {
    if let Expr::Path(p) = e {
        if let Some(d) = p
            .path
            .segments
            .last()
            .and_then(|s| DType::by_name(&s.ident.to_string()))
        {
            if d != DType::Bits {
                return Some(d);
            }
        }
    }
    let d = report
        .error(
            Code::J0212,
            e,
            format!("`{}` is no element type", squeezed(e)),
        )
        .help(format!(
            "element types are {}",
            crate::dtype::element_names()
        ));
    report.add(d);
    None
}
