//! Bounds, alignment and aliasing of all accesses of a lowered body, in GM and in UB.

use super::homes::Homes;
use super::unread::Results;
use crate::check::prove::facts::Facts;
use crate::diag::{Code, Diagnostic};
use crate::ir::queue::{Body, Stmt};
use crate::ir::{
    BinOp, Extent, HostStep, Instr, Lanes, Level, Lowered, QueueOp, QueueStmt, Scalar, SpanId,
    StmtKind, TensorId, TensorRef, VarId, Variant, View,
};
use crate::ops::{CopyOp, Op};
use crate::soc::Chip;
use std::collections::{BTreeMap, BTreeSet};

/// Checks every instruction of a variant.
pub fn check_bounds(
    lowered: &Lowered,
    variant: &Variant,
    level: Level,
    mut facts: Facts,
    chip: &Chip,
    found: &mut Vec<Diagnostic>,
) {
    // A tile kernel gets no lints for missing proofs. Where witnesses show no mistake, no proof is
    // tried.
    if level == Level::Tile {
        let mut errors = Vec::new();
        let bounds = Bounds::new(lowered, &variant.body, chip, facts, &mut errors);
        let mut bounds = Bounds {
            lints: false,
            level,
            ..bounds
        };
        bounds.statements_if_reached(&variant.body.stmts);
        let is_met = bounds.facts.are_met();
        let Some(first) = errors.iter().find(|d| d.is_error()) else {
            return;
        };
        if !is_met {
            let text = format!(
                "no size was found that this kernel allows and that UB and calls take, {}: not offered yet",
                first.message
            );
            let help = "require smaller sizes, or cut the axis by a loop inside";
            return found.push(Diagnostic::new(Code::J0109, first.span(), text).help(help));
        }
        facts = Facts::of(lowered, variant);
    }
    let bounds = Bounds::new(lowered, &variant.body, chip, facts, found);
    // At queue level the author has chosen the buffers.
    let results = (level == Level::Queue).then(Results::default);
    Bounds {
        level,
        results,
        ..bounds
    }
    .statements_if_reached(&variant.body.stmts);
}

/// A limit of a generated call that is not proved.
pub struct OpenLimit {
    /// Name of the limited number, as in [`Limit`](super::limits::Limit).
    pub what: String,
    pub most: i64,
    /// True if it may exceed `most`, false if it may be below the least.
    pub is_above: bool,
    /// An upper bound that the host computes; `None` if the host knows none.
    pub bound: Option<Scalar>,
    pub span: SpanId,
}

/// Limits of generated calls.
pub(super) struct HostLimits {
    /// Variables that the host sets.
    pub host: BTreeSet<VarId>,
    /// Limits that are not proved.
    pub open: Vec<OpenLimit>,
}

/// Returns the limits of generated calls that are not proved, the other findings about these calls,
/// and the facts on which both rest.
pub fn open_limits(
    lowered: &Lowered,
    variant: &Variant,
    chip: &Chip,
) -> (Vec<OpenLimit>, Vec<Diagnostic>, Facts) {
    let (mut facts, mut found) = (Facts::of(lowered, variant), Vec::new());
    facts.remember_memory(lowered, variant);
    let bounds = Bounds::new(lowered, &variant.body, chip, facts, &mut found);
    let host = lowered.steps(variant).filter_map(HostStep::sets);
    let limits = Some(HostLimits {
        host: host.collect(),
        open: Vec::new(),
    });
    let mut bounds = Bounds {
        level: Level::Tile,
        limits,
        ..bounds
    };
    bounds.statements_if_reached(&variant.body.stmts);
    let (open, facts) = (
        bounds.limits.map_or_else(Vec::new, |limits| limits.open),
        bounds.facts,
    );
    (open, found, facts)
}

pub(super) struct Bounds<'a> {
    pub(super) lowered: &'a Lowered,
    pub(super) body: &'a Body,
    pub(super) chip: &'a Chip,
    pub(super) found: &'a mut Vec<Diagnostic>,
    pub(super) facts: Facts,
    /// Bytes from the start of each tensor to the end of its buffer.
    pub(super) bytes: BTreeMap<TensorId, Scalar>,
    /// The memory behind each tensor.
    pub(super) homes: Homes,
    /// True if missing proofs are reported.
    pub(super) lints: bool,
    /// The author of the body: a person (queue level) or the lowering.
    pub(super) level: Level,
    /// Present if only the limits of fields are checked.
    pub(super) limits: Option<HostLimits>,
    /// Results without a reader, where the author chooses buffers.
    pub(super) results: Option<Results>,
}

/// Tells if an extent is not negative.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Natural {
    Always,
    /// One of its numbers is always negative.
    Never(Scalar),
    Open,
}

impl<'a> Bounds<'a> {
    /// Returns the state before the first statement of a body.
    pub(super) fn new(
        lowered: &'a Lowered,
        body: &'a Body,
        chip: &'a Chip,
        facts: Facts,
        found: &'a mut Vec<Diagnostic>,
    ) -> Bounds<'a> {
        let homes = Homes::new(lowered.binding(), body);
        Bounds {
            lowered,
            body,
            chip,
            found,
            facts,
            bytes: BTreeMap::new(),
            homes,
            lints: true,
            level: Level::Queue,
            limits: None,
            results: None,
        }
    }

    pub(super) fn tensor_name(&self, t: TensorId) -> &'a str {
        &self.body.tensors[t.index()].name
    }
}

impl Bounds<'_> {
    /// Returns the bytes of an element of a local tensor.
    pub(super) fn size(&self, t: TensorId) -> i64 {
        self.homes.size(t)
    }

    /// Returns the numbers of findings and of open limits so far.
    pub(super) fn told(&self) -> [usize; 2] {
        [
            self.found.len(),
            self.limits.as_ref().map_or(0, |limits| limits.open.len()),
        ]
    }

    /// Removes later findings and open limits.
    fn take_back(&mut self, [found, open]: [usize; 2]) {
        self.found.truncate(found);
        self.limits
            .iter_mut()
            .for_each(|limits| limits.open.truncate(open));
    }

    /// Checks statements that a launch may reach. Contradictory facts would prove anything.
    pub(super) fn statements_if_reached(&mut self, stmts: &[Stmt]) {
        let before = self.told();
        stmts.iter().for_each(|s| self.statement(s));
        if self.told() != before && self.lints && self.facts.are_impossible() {
            self.take_back(before);
        }
    }

    /// Checks statements under more facts. In a generated branch or loop, a finding counts only if
    /// some witness enters it. A proof that none enters may exceed the search. Examples are windows
    /// that always lie outside of their tensor, and empty ranges.
    fn inside(&mut self, stmts: &[Stmt], enters: impl FnOnce(&mut Facts)) {
        let (before, mark) = (self.told(), self.facts.mark());
        enters(&mut self.facts);
        self.results_inside(|b| b.statements_if_reached(stmts));
        let never = self.level == Level::Tile && self.told() != before && !self.facts.are_met();
        self.facts.back(mark);
        if never && self.facts.are_met() {
            self.take_back(before);
        }
    }

    fn statement(&mut self, s: &Stmt) {
        self.homes.after(s);
        self.results_after(s);
        match &s.kind {
            StmtKind::LetScalar { var, value } => self.facts.define(*var, value),
            StmtKind::For {
                var,
                from,
                to,
                body,
            } => self.inside(body, |facts| facts.runs(*var, from, to)),
            StmtKind::If { cond, then, other } => {
                self.inside(then, |facts| facts.assume(cond));
                self.inside(other, |facts| facts.assume_not(cond));
            }
            StmtKind::Do(QueueStmt::Queue {
                op: QueueOp::Alloc | QueueOp::Deque,
                tensor,
                queue,
            }) => {
                self.bytes.insert(
                    *tensor,
                    self.body.queues[queue.index()]
                        .bytes
                        .sized(self.lowered.binding()),
                );
            }
            StmtKind::Do(QueueStmt::Get { tensor, buf }) => {
                self.bytes.insert(
                    *tensor,
                    self.body.bufs[buf.index()]
                        .bytes
                        .sized(self.lowered.binding()),
                );
            }
            StmtKind::Do(QueueStmt::View { .. }) if self.limits.is_some() => {}
            StmtKind::Do(QueueStmt::View { tensor, of }) => {
                self.seen_again(of, s.span);
                if let Some((base, bytes)) = of
                    .tensor()
                    .and_then(|t| Some((t, self.bytes.get(&t)?.clone())))
                {
                    self.bytes
                        .insert(*tensor, bytes - of.offset.clone() * self.size(base));
                }
            }
            StmtKind::Do(QueueStmt::Place {
                tensor, at, len, ..
            }) => {
                self.place(*tensor, at, len, s.span);
                self.bytes.insert(*tensor, len.clone() * self.size(*tensor));
            }
            StmtKind::Do(QueueStmt::Sync { what }) => self.event_id(what, s.span),
            StmtKind::Promise { what } => self.facts.promise(what),
            StmtKind::Do(QueueStmt::Instr { instr }) => {
                match self.limits.is_some() {
                    true => self.held(instr, s.span),
                    false => self.instr(instr, s.span),
                }
                self.facts.kept(instr);
            }
            StmtKind::Do(QueueStmt::Call { func, scalars, .. }) if self.limits.is_some() => {
                self.passed_limits(*func, scalars, s.span)
            }
            StmtKind::Do(QueueStmt::Call {
                func,
                tensors,
                scalars,
            }) => self.call(*func, tensors, scalars, s.span),
            // These touch no elements.
            StmtKind::SetScalar { .. }
            | StmtKind::Do(
                QueueStmt::Queue {
                    op: QueueOp::Enque | QueueOp::Free,
                    ..
                }
                | QueueStmt::Reset { .. }
                | QueueStmt::Host { .. },
            ) => {}
        }
    }

    /// Reports J0307 for a part of a tensor that an author views as another type, if it does not
    /// begin at a data block: the view counts in blocks from there.
    fn seen_again(&mut self, of: &View, span: SpanId) {
        let (Level::Queue, Some(base)) = (self.level, of.tensor()) else {
            return;
        };
        let (size, block) = (self.size(base), self.chip.data_block_bytes);
        let name = self.tensor_name(base);
        self.starts_off(name, &of.offset, size, block, span);
    }

    /// Reports J0306 for a DataCopy that may not fill whole data blocks; J0502 for one of a tile
    /// kernel.
    pub(super) fn whole_blocks(&mut self, instr: &Instr, n: &Scalar, size: i64, span: SpanId) {
        let block = self.chip.data_block_bytes;
        let Op::Copy(copy) = instr.op else { return };
        if copy.pads() || self.facts.multiple_of(&(n.clone() * size)) % block == 0 {
            return;
        }
        if self.level == Level::Tile && !self.chip.has_data_copy_pad {
            return self.parts_of_blocks(instr, n, size, span);
        }
        let known = n.as_int().and_then(|n| Some((n, n.checked_mul(size)?)));
        let text = match known {
            Some((n, bytes)) => {
                format!("DataCopy of {n} elements is {bytes} bytes, not a multiple of {block}")
            }
            None => {
                format!("the length of this DataCopy cannot be proved a multiple of {block} bytes")
            }
        };
        let mut d = Diagnostic::new(Code::J0306, span, text).note(format!(
            "DataCopy rounds the length down to {block} bytes and drops the rest without a word"
        ));
        if self.chip.has_data_copy_pad {
            d = d
                .help("`data_copy_pad` copies any number of elements")
                .expected(["data_copy_pad"]);
            if self.level == Level::Queue {
                d = d.word(span, author(copy), format!("{}_pad", author(copy)));
            }
        }
        if let Some((_, bytes)) = known {
            d = d.number("found", bytes).number("allowed", block);
        }
        self.found.push(d);
    }

    /// Reports J0502 for a tile that a chip without DataCopyPad cannot copy. The author wrote no
    /// copy, and the lowering used the only one that the chip has.
    fn parts_of_blocks(&mut self, instr: &Instr, n: &Scalar, size: i64, span: SpanId) {
        let (block, chip) = (self.chip.data_block_bytes, self.chip.name);
        let of = instr.views().find_map(|(_, view)| view.global());
        let of = of.map_or("a tensor", |of| self.body.gm_name(&self.lowered.sig, of));
        let copied = match self.facts.as_int(n) {
            Some(1) => format!("1 element of `{of}`, {size} bytes"),
            Some(n) => format!(
                "{n} elements of `{of}` that follow one another, {} bytes",
                i128::from(n) * i128::from(size)
            ),
            None => format!("elements of `{of}` that are not known to fill whole data blocks"),
        };
        let text = format!("{chip} has no DataCopyPad, and this copies {copied}; it copies whole data blocks of {block} bytes");
        let help = "choose a chip with DataCopyPad, `#[chips(ascend910b1)]`, let whole tiles or rows be copied, or hand a number in as an attribute";
        self.found
            .push(Diagnostic::new(Code::J0502, span, text).help(help));
    }

    /// Reports J0308 and J0602 for `n` elements of a `GlobalTensor`.
    pub(super) fn gm(
        &mut self,
        of: TensorRef,
        view: &View,
        n: &Scalar,
        natural: &Natural,
        span: SpanId,
    ) {
        let (len, declared) = match of {
            TensorRef::Param(p) => (self.lowered.sig.elements(p), self.lowered.sig.param(p).span),
            TensorRef::Work(w) => (self.body.work(w).len.clone(), self.body.work(w).span),
        };
        let name = self.body.gm_name(&self.lowered.sig, of).to_string();
        let offset = view.offset.clone();
        let end = offset.clone() + n.clone();
        // A failing search takes longest, so the correct case is tried first.
        let inside =
            *natural == Natural::Always && self.not_negative(&offset) && self.holds(&end, &len);
        let text = if inside {
            return;
        } else if self.below_zero(&offset) {
            format!(
                "this begins before the start of `{}`{}",
                name,
                self.known(&offset)
            )
        } else if let Natural::Never(n) = natural {
            format!(
                "the length of this part of `{}` is negative{}",
                name,
                self.known(n)
            )
        } else if self.facts.proves_le(&(len.clone() + 1), &end) {
            format!(
                "this reaches past the end of `{}`{}",
                name,
                self.past(&end, &len)
            )
        } else {
            let text = format!("it could not be proved that this stays inside `{}`", name);
            let help = match n.as_int() {
                _ if !self.not_negative(&offset) => {
                    "nothing shows that it does not begin before the start: `.max(0)` of the offset is provable; the simulator checks every run"
                }
                Some(1) => "`i.min(n - 1)` of `n` elements, one at least, is provable; the simulator checks every run",
                Some(_) | None => "`n = tile.min(share.len() - i * tile)` is provable; the simulator checks every run",
            };
            return self
                .found
                .push(Diagnostic::new(Code::J0602, span, text).help(help));
        };
        let mut d = Diagnostic::new(Code::J0308, span, text).label(declared, "declared here");
        let known = |s: &Scalar| self.facts.as_int(s);
        if let (Some(n), Some(end), Some(len)) = (n.as_int(), known(&end), known(&len)) {
            d = fewer(d, n, end - len, span);
        }
        self.found.push(d);
    }

    /// True if `a <= b` is proved. Without lints, it is enough that the opposite cannot be proved.
    pub(super) fn holds(&self, a: &Scalar, b: &Scalar) -> bool {
        match self.lints {
            true => self.facts.proves_le(a, b),
            false => self.facts.may_be_le(a, b),
        }
    }

    pub(super) fn below_zero(&self, s: &Scalar) -> bool {
        self.facts.proves_le(s, &Scalar::Int(-1))
    }

    pub(super) fn not_negative(&self, s: &Scalar) -> bool {
        // Mostly the form shows it, without a search.
        let parts = match s {
            Scalar::Bin(BinOp::Add | BinOp::Mul | BinOp::Min, a, b) => {
                self.not_negative(a) && self.not_negative(b)
            }
            Scalar::Bin(BinOp::CeilDiv | BinOp::AlignUp | BinOp::Div, a, b) => {
                b.as_int() >= Some(1) && self.not_negative(a)
            }
            _ => false,
        };
        parts || self.holds(&Scalar::Int(0), s)
    }

    /// Tests if the numbers of an extent are not negative.
    pub(super) fn natural(&self, extent: &Extent) -> Natural {
        let parts = match extent {
            Extent::Fixed {} => return Natural::Always,
            Extent::Count { n } | Extent::Counter { n } => vec![n],
            Extent::Eights { repeat } => vec![repeat],
            Extent::Repeat {
                mask: Lanes::First { n },
                repeat,
            } => vec![n, repeat],
            Extent::Repeat {
                mask: Lanes::Groups {
                    from, to, groups, ..
                },
                repeat,
            } => {
                vec![from, to, groups, repeat]
            }
            Extent::Repeat {
                mask: Lanes::Bits { .. },
                repeat,
            } => vec![repeat],
            Extent::Rows { rows, cols } => vec![cols, rows],
        };
        let open: Vec<_> = parts
            .into_iter()
            .filter(|n| !self.not_negative(n))
            .collect();
        match open.iter().find(|n| self.below_zero(n)) {
            Some(n) => Natural::Never((*n).clone()),
            None if open.is_empty() => Natural::Always,
            None => Natural::Open,
        }
    }

    /// Tests if one number is not negative.
    pub(super) fn natural_number(&self, n: &Scalar) -> Natural {
        match n {
            n if self.not_negative(n) => Natural::Always,
            n if self.below_zero(n) => Natural::Never(n.clone()),
            _ => Natural::Open,
        }
    }

    /// Formats a known number as `: -8`.
    pub(super) fn known(&self, s: &Scalar) -> String {
        self.facts
            .as_int(s)
            .map_or_else(String::new, |n| format!(": {n}"))
    }

    fn past(&self, end: &Scalar, len: &Scalar) -> String {
        match (self.facts.as_int(end), self.facts.as_int(len)) {
            (Some(end), Some(len)) => format!(": up to element {end}, there are {len}"),
            _ => String::new(),
        }
    }
}

/// Adds the fix for `n` elements that reach `over` too far: as many as fit.
pub(super) fn fewer(d: Diagnostic, n: i64, over: i64, span: SpanId) -> Diagnostic {
    match n.checked_sub(over).filter(|left| over > 0 && *left > 0) {
        Some(left) => d
            .expected([left.to_string()])
            .word(span, &n.to_string(), left.to_string())
            .maybe(),
        None => d,
    }
}

/// Returns the author's name of a copy, without `_pad`.
pub(super) fn author(op: CopyOp) -> &'static str {
    let example = Op::Copy(op).def().example;
    example
        .split('(')
        .next()
        .unwrap_or(example)
        .trim_end_matches("_pad")
}
