//! Lists of tensors and numbers, `xs: &[GlobalTensor<T>]`, `alphas: &[f32]`, and the loop over
//! their items, `for (x, a) in zip((xs, alphas))`.
//!
//! A kernel with lists is lowered as a kernel of one item. The body of the loop is its body, where
//! the tensors of the item are ordinary tensors, and a launch runs it once for each item. Behind
//! the front end only launches and operators know lists.
//!
//! Statements before the loop run again for each item. They may therefore store nothing, and the
//! loop may not change their results.

use super::types::last_segment;
use crate::diag::Code;
use crate::front::cx::block::Block;
use crate::front::cx::kinds::{Items, Zip};
use crate::front::cx::report::Report;
use crate::front::cx::value::{Arg, Num, Val};
use crate::front::cx::Cx;
use crate::front::queue::extent::bare;
use crate::front::text::span::{squeezed, text, Ends, Node};
use crate::front::text::words::{is_all, one_type};
use crate::front::tile::loops::bare_pat;
use crate::ir::{
    tile, walk_stmts, Axis, AxisId, BinOp, Fact, Param, ParamId, ParamKind, Per, QueueStmt, Role,
    Scalar, ScalarTy, SpanId, StoreHow, TensorRef, TileStmt,
};
use crate::items::ZipMethod;
use proc_macro2::Ident;
use syn::{Attribute, Expr, ExprCall, ExprForLoop, ExprMethodCall, Pat, Type, TypeSlice};

const LIST_FORMS: &str =
    "a list is `&[GlobalTensor<T>]`, `&mut [GlobalTensor<T>]`, `#[inplace] &mut [GlobalTensor<T>]`, or one of numbers, `&[f32]`, `&[i32]`, `&[usize]`";

/// The names of an item's number, and of its element of each list; `None` for `_`.
type ItemNames<'p> = (Option<&'p Ident>, Vec<Option<&'p Ident>>);

impl Cx<'_> {
    // ---- parameters ----

    /// Makes the kind of a parameter that is a list; `None` after an error.
    pub fn list_kind(
        &mut self,
        slice: &TypeSlice,
        mutable: bool,
        default: Option<&Attribute>,
        inplace: bool,
    ) -> Option<ParamKind> {
        if let Some(a) = default {
            self.report.misplaced(
                a,
                "`#[default(..)]` belongs to an attribute that is no list",
            );
        }
        let segment = last_segment(&slice.elem);
        if let Some(tensor) = segment.filter(|s| s.ident == "GlobalTensor") {
            let Some(element) = one_type(&tensor.arguments) else {
                let d = self.error(
                    Code::J0104,
                    &*slice.elem,
                    "`GlobalTensor` needs its element type",
                );
                self.report.add(d.help("write `&[GlobalTensor<T>]`"));
                return None;
            };
            let role = match (mutable, inplace) {
                (false, _) => Role::In,
                (true, false) => Role::Out,
                (true, true) => Role::InOut,
            };
            let dtype = self.element(element)?;
            return Some(ParamKind::Tensor {
                role,
                dtype,
                shape: Vec::new(),
                index: None,
                optional: false,
            });
        }
        let word = segment
            .filter(|s| s.arguments.is_none() && !mutable)
            .map(|s| s.ident.clone());
        let Some((ty, element)) = self.number_type(word.as_ref())? else {
            let d = self
                .error(
                    Code::J0104,
                    &*slice.elem,
                    format!("a list of `{}`", squeezed(&slice.elem)),
                )
                .help(LIST_FORMS);
            self.report.add(d);
            return None;
        };
        Some(ParamKind::Attr {
            ty,
            default: None,
            choices: Vec::new(),
            part: None,
            element,
        })
    }

    /// Reads `#[list(l)]`: the axis that is as long as the lists.
    pub fn name_items(&mut self, a: &Attribute) {
        let Ok(name) = a.parse_args::<Ident>() else {
            let d = self.error(
                Code::J0105,
                a,
                "`#[list(..)]` names how many tensors the lists have",
            );
            return self.report.add(d.help(
                "write `#[list(l)]`; a tensor with a number for each item is `#[shape(l)]`",
            ));
        };
        let spelled = name.to_string();
        let known = self
            .draft
            .sig
            .axes
            .iter()
            .position(|axis| axis.name == spelled && !axis.many)
            .map(|at| AxisId(at as u32));
        match (known, self.draft.sig.items) {
            (None, _) => {
                let d = self.error(
                    Code::J0105,
                    &name,
                    format!("no tensor has an axis `{spelled}`, which is as long as the lists"),
                );
                self.report.add(d.help(format!(
                    "a tensor with a number for each item is `#[shape({spelled})]`; without one no `#[list(..)]` is needed"
                )));
            }
            (Some(axis), Some(other)) if axis != other => {
                let first = self.draft.sig.axes[other.index()].name.clone();
                let d = self.error(
                    Code::J0105,
                    &name,
                    format!("the lists are as long as `{first}` already"),
                );
                self.report
                    .add(d.help("all lists are equally long: name it once"));
            }
            (Some(axis), _) => self.draft.sig.items = Some(axis),
        }
    }

    // ---- the loop ----

    /// Reads `zip(xs)` or `zip((xs, ys))`.
    pub fn zip_call(&mut self, c: &ExprCall, e: &Expr) -> Val {
        let args = self.args(&c.args);
        let usage = match &args[..] {
            [_, _, ..] => format!(
                "zip(({}))",
                args.iter()
                    .map(|(_, e)| text(e))
                    .collect::<Vec<_>>()
                    .join(", ")
            ),
            _ => "zip((xs, ys))".to_string(),
        };
        let Some([arg]) = self.report.exactly::<1>("zip", &args, e, &usage) else {
            return Val::Zip(Box::new(Zip {
                lists: None,
                is_tuple: false,
                enumerated: false,
            }));
        };
        let (is_tuple, given): (bool, Vec<Arg<'_>>) = match &arg.0 {
            Val::Tuple(vals) => {
                let nodes: Vec<&Expr> = match bare(arg.1) {
                    Expr::Tuple(t) => t.elems.iter().collect(),
                    other => vec![other; vals.len()],
                };
                (true, vals.iter().cloned().zip(nodes).collect())
            }
            other => (false, vec![(other.clone(), arg.1)]),
        };
        let mut lists: Option<Vec<ParamId>> = Some(Vec::with_capacity(given.len()));
        for one in &given {
            let Val::List(p) = one.0 else {
                let d = match &one.0 {
                    Val::Unknown => None,
                    Val::Tensor(p) => {
                        let x = self.draft.sig.param(*p).name.clone();
                        let d = self.error(
                            Code::J0106,
                            one.1,
                            format!("`zip` goes through lists, `{x}` is one tensor"),
                        );
                        Some(d.help(format!(
                            "declare it `{x}: &[GlobalTensor<T>]`, or use it in the loop as it is"
                        )))
                    }
                    other => {
                        let d = self.error(
                            Code::J0106,
                            one.1,
                            format!("`zip` goes through lists, found {}", other.what()),
                        );
                        Some(d.help(LIST_FORMS))
                    }
                };
                d.into_iter().for_each(|d| self.report.add(d));
                lists = None;
                continue;
            };
            if lists.as_ref().is_some_and(|before| before.contains(&p)) {
                let d = self.error(
                    Code::J0109,
                    one.1,
                    format!("`{}` twice in one `zip`", self.draft.sig.param(p).name),
                );
                self.report
                    .add(d.help("name it once; an item has one tensor of each list"));
                lists = None;
            }
            lists.iter_mut().for_each(|lists| lists.push(p));
        }
        if given.is_empty() {
            let d = self
                .error(Code::J0109, e, "`zip` of nothing")
                .help("name the lists: `zip((xs, ys))`");
            self.report.add(d);
            lists = None;
        }
        Val::Zip(Box::new(Zip {
            lists,
            is_tuple,
            enumerated: false,
        }))
    }

    /// Reads the method `.enumerate()`.
    pub fn zip_method(&mut self, zip: Zip, m: &ExprMethodCall, e: &Expr) -> Val {
        let args = self.args(&m.args);
        if let (Some(ZipMethod::Enumerate), false) =
            (ZipMethod::by_name(&m.method.to_string()), zip.enumerated)
        {
            self.report
                .exactly::<0>("enumerate", &args, e, "zip((xs, ys)).enumerate()");
            return Val::Zip(Box::new(Zip {
                enumerated: true,
                ..zip
            }));
        }
        self.report.doubt = true;
        self.report.no_method(
            "the items of lists",
            &m.method,
            if zip.enumerated {
                &[]
            } else {
                ZipMethod::NAMES
            },
        )
    }

    /// Reports a method of a list.
    pub fn list_method(&mut self, p: ParamId, m: &ExprMethodCall) -> Val {
        self.args(m.args.iter().filter(|a| !is_all(a)));
        if self.report.fixup(&m.method.to_string()) {
            return Val::Unknown;
        }
        // The call may have been the store that is missed later.
        self.report.doubt = true;
        let xs = self.draft.sig.param(p).name.clone();
        let d = self.error(
            Code::J0103,
            &m.method.ends(),
            format!("`{xs}` is a list, which has no `{}`", m.method),
        );
        let d = match m.method == "len" {
            true => d.help(format!(
                "`#[list(l)]` at `{xs}` names how many it has, where a tensor is `#[shape(l)]`"
            )),
            false => d.help(format!("an item of it has: `for x in zip({xs}) {{ .. }}`")),
        };
        self.report.bad(d)
    }

    /// Reads a loop `for (i, (x, a)) in zip((xs, alphas)).enumerate()`.
    pub fn zip_for(&mut self, zip: &Zip, f: &ExprForLoop) {
        let names = item_names(&mut self.report, zip, &f.pat);
        let (Some(lists), Some((nth, names))) = (zip.lists.clone(), names) else {
            return self.broken_items(f);
        };
        if !self.zip_may_stand(&f.expr) {
            return self.broken_items(f);
        }
        let span = self.report.at(&f.expr);
        self.draft.items = Some(Items {
            span,
            lists: lists.clone(),
            bound: self.names.bound(),
            end: None,
        });
        let mark = self.names.mark();
        if let Some(name) = nth {
            let number = self.item_number(name);
            self.names
                .bind(name.to_string(), Val::Num(number), false, name.ends());
        }
        for (list, name) in lists.into_iter().zip(names) {
            let Some(name) = name else { continue };
            let val = match self.draft.sig.param(list).kind {
                ParamKind::Tensor { .. } => Val::Tensor(list),
                ParamKind::Attr { ty, .. } => Val::Num(Num::new(Scalar::Attr(list, ty), ty)),
            };
            self.names.bind(name.to_string(), val, false, name.ends());
        }
        self.block(&f.body);
        self.names.back(mark);
        let end = [self.out.stmts.tile.len(), self.out.stmts.queue.len()];
        self.draft
            .items
            .iter_mut()
            .for_each(|items| items.end = Some(end));
    }

    /// Reads the body of a loop over items whose header was wrong, for the mistakes in it.
    fn broken_items(&mut self, f: &ExprForLoop) {
        let span = self.report.at(&f.expr);
        self.draft.items = self.draft.items.take().or(Some(Items {
            span,
            lists: Vec::new(),
            bound: 0,
            end: None,
        }));
        self.report.doubt = true;
        let mark = self.names.mark();
        self.names.bind_unknown(&f.pat);
        self.block(&f.body);
        self.names.back(mark);
    }

    /// Reports J0109 for a loop over the items inside of another statement, or a second one.
    fn zip_may_stand(&mut self, node: &Expr) -> bool {
        let d = if !self.out.frames.is_empty() || !self.report.inlining.is_empty() {
            let d = self.error(
                Code::J0109,
                node,
                "a loop over the items of lists inside of something",
            );
            d.help("it stands at the top of the kernel's body, and all that an item needs in it")
        } else if let Some(first) = self.draft.items.as_ref().map(|items| items.span) {
            let d = self.error(
                Code::J0109,
                node,
                "a second loop over the items of lists: not offered yet",
            );
            d.label(first, "the first one")
                .help("do all of an item in one loop, or make two kernels")
        } else if let Some(s) = first_effect(&self.out.stmts) {
            let d = self.error(
                Code::J0109,
                node,
                "a loop over the items of lists behind what stores or shows: not offered yet",
            );
            d.label(s, "this would be done for each item")
                .help("put it into a kernel of its own, launched before")
        } else {
            return true;
        };
        self.report.add(d);
        false
    }

    /// Declares the number of the item, which the launch knows.
    fn item_number(&mut self, name: &Ident) -> Num {
        let mut spelled = self.out.unique(&name.to_string());
        while self.draft.sig.params.iter().any(|p| p.name == spelled) {
            spelled = self.out.unique(&spelled);
        }
        let (id, span) = (
            ParamId(self.draft.sig.params.len() as u32),
            self.report.at(name),
        );
        let kind = ParamKind::Attr {
            ty: ScalarTy::Index,
            default: None,
            choices: Vec::new(),
            part: None,
            element: None,
        };
        self.draft.declare(
            Param {
                name: spelled,
                kind,
                per: Per::Place,
                span,
            },
            name.ends(),
        );
        let number = Scalar::Attr(id, ScalarTy::Index);
        if let Some(axis) = self.draft.sig.items {
            let Axis { name: l, .. } = &self.draft.sig.axes[axis.index()];
            let fact = Fact {
                cond: number.clone().bin(BinOp::Lt, Scalar::Axis(axis)),
                text: format!("{name} < {l}"),
                span,
            };
            self.draft.sig.facts.push(fact);
        }
        Num::new(number, ScalarTy::Index)
    }

    /// Reports J0109 for an assignment, in the loop over items, to a name from before the loop.
    pub fn is_kept_over_items(&mut self, name: &str, bound: Ends, e: &Expr) -> bool {
        let Some(Items {
            span, bound: names, ..
        }) = self.draft.items.clone()
        else {
            return false;
        };
        if !self.names.is_among_first(name, names) {
            return false;
        }
        let at = self.report.at(&bound);
        let d = self.error(Code::J0109, e, format!("`{name}` would be kept from item to item: not offered yet"))
            .label(at, "declared here, before the loop")
            .label(span, "each item of this begins anew")
            .help("declare it in the loop; what all items give together is a tensor with `#[inplace]` to which each adds, `s.at().atomic_add(v)`");
        self.report.add(d);
        true
    }

    // ---- the whole kernel ----

    /// Checks the rules of a kernel with lists.
    pub fn judge_items(&mut self) {
        // One of the wrong parameters may be meant for a list.
        if self.draft.shape_known.contains(&false) {
            self.report.doubt |= self.draft.sig.lists().next().is_some();
            return;
        }
        let lists: Vec<ParamId> = self.draft.sig.lists().map(|(id, _)| id).collect();
        let Some(items) = self.draft.items.clone() else {
            if let Some(first) = lists.first().filter(|_| !self.report.doubt) {
                let (xs, ends) = (
                    self.draft.sig.param(*first).name.clone(),
                    self.draft.param_ends[first.index()],
                );
                let d = self.error(
                    Code::J0109,
                    &ends,
                    format!("`{xs}` is a list, and no loop goes through its items"),
                );
                self.report.doubt = true;
                self.report
                    .add(d.help(format!("write `for x in zip({xs}) {{ .. }}`")));
            }
            return;
        };
        let Some([tile, queue]) = items.end else {
            return;
        };
        // A list that is only written has J0210 where nothing writes it.
        let is_read = |id: &ParamId| {
            !matches!(
                self.draft.sig.param(*id).kind,
                ParamKind::Tensor {
                    role: Role::Out | Role::InOut,
                    ..
                }
            )
        };
        let unread: Vec<ParamId> = lists
            .iter()
            .copied()
            .filter(|id| !items.lists.contains(id) && is_read(id))
            .collect();
        for list in unread {
            let (xs, ends) = (
                self.draft.sig.param(list).name.clone(),
                self.draft.param_ends[list.index()],
            );
            let d = self
                .error(
                    Code::J0109,
                    &ends,
                    format!("no item has a tensor of `{xs}`"),
                )
                .label(items.span, "the items");
            self.report
                .add(d.help(format!("name it in `zip`, or remove `{xs}`")));
        }
        let (tile, queue) = (&self.out.stmts.tile[tile..], &self.out.stmts.queue[queue..]);
        if let Some(behind) = tile
            .first()
            .map(|s| s.span)
            .or(queue.first().map(|s| s.span))
        {
            let d = crate::diag::Diagnostic::new(
                Code::J0109,
                behind,
                "what stands behind the loop over items: not offered yet",
            );
            self.report
                .add(d.label(items.span, "the loop").help(
                    "put it into the loop, or into a kernel of its own, launched afterwards",
                ));
        }
        let told = |id: &ParamId| {
            matches!(
                self.draft.sig.param(*id).kind,
                ParamKind::Tensor {
                    role: Role::In | Role::InOut,
                    ..
                }
            )
        };
        if !lists.iter().any(told) {
            let d = crate::diag::Diagnostic::new(
                Code::J0109,
                items.span,
                "no list of inputs says how many items there are: not offered yet",
            );
            self.report
                .add(d.help("let one list be of inputs, or be updated in place, `#[inplace]`"));
        }
        self.judge_shared();
    }

    /// Reports J0109 for outputs that are no lists. Items run concurrently, so each may only add to
    /// them, or only store equal values.
    fn judge_shared(&mut self) {
        let shared: Vec<(ParamId, String, Role)> = self
            .draft
            .sig
            .tensors()
            .filter(|(_, p, role, _)| p.per == Per::Launch && *role != Role::In)
            .map(|(id, p, role, _)| (id, p.name.clone(), role))
            .collect();
        for (id, y, role) in shared {
            let ends = self.draft.param_ends[id.index()];
            if role == Role::Out {
                let d = self.error(
                    Code::J0109,
                    &ends,
                    format!("the output `{y}` of a kernel with lists is no list: not offered yet"),
                );
                self.report.add(d.help(format!(
                    "make it one, `{y}: &mut [GlobalTensor<T>]`, or `#[inplace]`, with what the items add up to: `{y}.at().atomic_add(v)`"
                )));
                continue;
            }
            if let Some(([first, second], verbs)) = touched_both_ways(&self.out.stmts.tile, id) {
                let d = crate::diag::Diagnostic::new(
                    Code::J0109,
                    second,
                    format!("items are done at the same time, and each {} `{y}` and {} it: not offered yet", verbs[0], verbs[1]),
                );
                self.report.add(d.label(first, "the other way").help(format!(
                    "do one of the two with `{y}` and the other one with a tensor of its own; nothing decides which comes first"
                )));
                continue;
            }
            let Some(span) = touched(&self.out.stmts, id) else {
                continue;
            };
            let d = crate::diag::Diagnostic::new(
                Code::J0109,
                span,
                format!("items are done at the same time, and each touches `{y}`: not offered yet"),
            );
            let place = format!(
                "{y}.at({})",
                vec![".."; self.draft.sig.shape(id).len()].join(", ")
            );
            self.report.add(d.help(format!(
                "items may add to it, `{place}.atomic_add(v)`, or all store what is equal, `{place}.store_any(v)`; else make it a list"
            )));
        }
    }
}

/// Removes the groups and parentheses around a type.
fn ungrouped(ty: &Type) -> &Type {
    match ty {
        Type::Group(g) => ungrouped(&g.elem),
        Type::Paren(p) => ungrouped(&p.elem),
        other => other,
    }
}

/// Finds the first statement that does more than compute.
fn first_effect(block: &Block) -> Option<SpanId> {
    let mut found = None;
    walk_stmts(&block.tile, &mut |s| {
        let computes = matches!(
            s.own(),
            None | Some(TileStmt::Def { .. } | TileStmt::Set { .. } | TileStmt::Read { .. })
        );
        found = found.or((!computes).then_some(s.span));
    });
    walk_stmts(&block.queue, &mut |s| {
        let computes = matches!(s.own(), None | Some(QueueStmt::Host { .. }));
        found = found.or((!computes).then_some(s.span));
    });
    found
}

/// Finds the first statement that adds to a tensor and the first that stores equal values there,
/// in order, with their verbs.
fn touched_both_ways(
    stmts: &[tile::Stmt],
    id: ParamId,
) -> Option<([SpanId; 2], [&'static str; 2])> {
    let (mut adds, mut stores) = (None, None);
    walk_stmts(stmts, &mut |s| {
        let Some(TileStmt::Store { to, how, .. }) = s.own() else {
            return;
        };
        let first = match how {
            StoreHow::Add => &mut adds,
            StoreHow::Any => &mut stores,
            StoreHow::Plain | StoreHow::Inside | StoreHow::Disjoint => return,
        };
        *first = first.or((to.of == TensorRef::Param(id)).then_some(s.span));
    });
    let (adds, stores) = adds.zip(stores)?;
    let words = [(adds, "adds to"), (stores, "stores to")];
    let [first, second] = if adds < stores {
        words
    } else {
        [words[1], words[0]]
    };
    Some(([first.0, second.0], [first.1, second.1]))
}

/// Finds the first access to a tensor that concurrent iterations may not make.
fn touched(block: &Block, id: ParamId) -> Option<SpanId> {
    let is = |of: TensorRef| of == TensorRef::Param(id);
    let mut found = None;
    walk_stmts(&block.tile, &mut |s| {
        let may = matches!(
            s.own(),
            Some(TileStmt::Store {
                how: StoreHow::Add | StoreHow::Any,
                ..
            })
        );
        let bad = !may && s.access().is_some_and(|access| is(access.of));
        found = found.or(bad.then_some(s.span));
    });
    walk_stmts(&block.queue, &mut |s| {
        let Some(QueueStmt::Instr { instr }) = s.own() else {
            return;
        };
        let bad = instr.views().any(|(_, view)| view.global().is_some_and(is));
        found = found.or(bad.then_some(s.span));
    });
    found
}

/// Reads the names of an item's number and of its elements; `None` after an error.
fn item_names<'p>(report: &mut Report, zip: &Zip, pat: &'p Pat) -> Option<ItemNames<'p>> {
    let wanted = zip.lists.as_ref()?.len();
    let like = |enumerated: bool| {
        let xs = ["x", "y", "z", "u", "v", "w"]
            .into_iter()
            .cycle()
            .take(wanted)
            .collect::<Vec<_>>()
            .join(", ");
        let item = if zip.is_tuple {
            format!("({xs}{})", if wanted == 1 { "," } else { "" })
        } else {
            xs
        };
        if enumerated {
            format!("(i, {item})")
        } else {
            item
        }
    };
    let refused = |report: &mut Report, found: &Pat| {
        let d = report
            .error(
                Code::J0109,
                found,
                format!(
                    "`{}` for an item of {wanted} {}",
                    squeezed(found),
                    if wanted == 1 { "list" } else { "lists" }
                ),
            )
            .help(format!(
                "write one name a list, or `_`: `for {} in ..`",
                like(zip.enumerated)
            ));
        report.add(d);
        None
    };
    let pat = bare_pat(pat);
    let (nth, item) = match (zip.enumerated, pat) {
        (false, item) => (None, item),
        (true, Pat::Tuple(t)) if t.elems.len() == 2 => {
            (report.loop_name(&t.elems[0])?, bare_pat(&t.elems[1]))
        }
        (true, other) => return refused(report, other),
    };
    let pats: Vec<&Pat> = match (zip.is_tuple, item) {
        (true, Pat::Tuple(t)) if t.elems.len() == wanted => t.elems.iter().collect(),
        (false, Pat::Tuple(_)) | (true, _) => return refused(report, item),
        (false, one) => vec![one],
    };
    if pats
        .iter()
        .any(|pat| matches!(bare_pat(pat), Pat::Tuple(_)))
    {
        return refused(report, item);
    }
    let names: Vec<Option<Option<&Ident>>> =
        pats.into_iter().map(|pat| report.loop_name(pat)).collect();
    Some((nth, names.into_iter().collect::<Option<Vec<_>>>()?))
}

/// Returns the slice of a list type, and true for `&mut`.
pub fn as_list(ty: &Type) -> Option<(&TypeSlice, bool)> {
    let Type::Reference(r) = ungrouped(ty) else {
        return None;
    };
    let Type::Slice(slice) = ungrouped(&r.elem) else {
        return None;
    };
    Some((slice, r.mutability.is_some()))
}
