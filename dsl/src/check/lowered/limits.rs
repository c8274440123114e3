//! Limits of the fields of an instruction for masks, repeats and strides.

use super::bounds::{Bounds, OpenLimit};
use crate::diag::{Code, Diagnostic};
use crate::ir::{
    BinOp, Extent, Instr, Lanes, Layout, Scalar, SpanId, SyncOp, VarId, View, CROSS_IDS,
    CROSS_IDS_BESIDE_MEETINGS, EVENT_IDS,
};
use crate::ops::contract::{
    last_pattern, most_chosen, Access, Elem, Reach, ViewRule, LIST, MOST_MASKED, MOST_PAIRS,
    MOST_SORTED,
};
use crate::soc::MAX_REPEATS;
use std::collections::BTreeSet;

/// The range of a number.
pub(super) struct Limit<'a> {
    pub(super) what: &'a str,
    pub(super) least: i64,
    pub(super) most: i64,
    pub(super) help: &'a str,
}

/// A number of elements of `size` bytes that must be a multiple of `unit` bytes.
pub(super) struct Count<'s> {
    pub number: &'s Scalar,
    pub size: i64,
    pub unit: i64,
}

impl Bounds<'_> {
    /// Reports J0310 for masks, repeats and strides that exceed their fields, J0602 where that is
    /// open.
    pub(super) fn limits(&mut self, instr: &Instr, span: SpanId) {
        if let Extent::Repeat { mask, repeat } = &instr.extent {
            self.mask(instr, mask, span);
            let what = format!("repeats of `{}`", instr.op.name());
            let help = format!(
                "repeats are counted in 8 bits: write a loop over calls of at most {MAX_REPEATS}"
            );
            self.within(
                repeat,
                &Limit {
                    what: &what,
                    least: 0,
                    most: MAX_REPEATS,
                    help: &help,
                },
                span,
            );
        }
        if let Some(number) = instr.pattern() {
            self.pattern(instr, number, span);
        }
        if let (true, Extent::Count { n }) = (instr.op.contract().is_masked_count(), &instr.extent)
        {
            let what = format!("elements of `{}`", instr.op.name());
            let help = "the number of elements is a mask of 32 bits, which must not be 0";
            self.within(
                n,
                &Limit {
                    what: &what,
                    least: 1,
                    most: MOST_MASKED,
                    help,
                },
                span,
            );
        }
        if let (Some(most), Extent::Count { n }) = (instr.most(), &instr.extent) {
            self.sorted(instr, most, n, span);
        }
        if let Extent::Count { n } = &instr.extent {
            self.pairs(instr, n, span);
        }
        if let (true, Extent::Count { n }) = (
            instr.views().any(|(rule, _)| rule.reach == Reach::Doubled),
            &instr.extent,
        ) {
            let most = most_chosen(self.chip.repeat_bytes / 4);
            let what = format!("elements of `{}`", instr.op.name());
            let help = format!("they are taken by offsets, of {most} in one call");
            self.within(
                n,
                &Limit {
                    what: &what,
                    least: 1,
                    most,
                    help: &help,
                },
                span,
            );
        }
        if let Some(base) = instr.base() {
            self.chosen(instr, base, span);
        }
        for (rule, view) in instr.views() {
            self.strides(instr, rule, view, span);
        }
        self.rows(instr, span);
    }

    /// Checks the number of a pattern.
    fn pattern(&mut self, instr: &Instr, number: &Scalar, span: SpanId) {
        let (op, most) = (instr.op.name(), last_pattern(self.chip.arch));
        let what = format!("the pattern of `{op}`");
        let help = format!(
            "1 takes even elements, 2 odd ones, 3 to 6 the first to fourth of each four, 7 all; {} has 1 to {most}",
            self.chip.name
        );
        self.within(
            number,
            &Limit {
                what: &what,
                least: 1,
                most,
                help: &help,
            },
            span,
        );
    }

    /// Checks how many elements are sorted, and how many of them are returned.
    fn sorted(&mut self, instr: &Instr, most: &Scalar, n: &Scalar, span: SpanId) {
        let op = instr.op.name();
        let what = format!("elements of `{op}`");
        let help = format!("Sort32 counts its repeats of {LIST} elements in 8 bits, and lists have no more than 4095 pairs");
        let told = self.told();
        self.within(
            n,
            &Limit {
                what: &what,
                least: 1,
                most: MOST_SORTED,
                help: &help,
            },
            span,
        );
        if self.told() != told {
            return;
        }
        if self.facts.proves_le(most, n) {
            let what = format!("places that `{op}` is asked for");
            let help = "at least one, and no more than it sorts";
            return self.within(
                most,
                &Limit {
                    what: &what,
                    least: 1,
                    most: MOST_SORTED,
                    help,
                },
                span,
            );
        }
        self.found.push(match self.facts.proves_le(&(n.clone() + 1), most) {
            true => {
                let text = format!("`{op}` is asked for more places than it sorts elements");
                Diagnostic::new(Code::J0310, span, text).help("ask for no more than the count")
            }
            false => {
                let text = format!("it could not be proved that `{op}` is asked for no more places than it sorts elements");
                Diagnostic::new(Code::J0602, span, text).help("the simulator checks every run")
            }
        });
    }

    /// Checks how many elements become pairs, the lengths of lists, and the merges of four lists.
    fn pairs(&mut self, instr: &Instr, n: &Scalar, span: SpanId) {
        let Some((rule, _)) = instr.views().next() else {
            return;
        };
        let op = instr.op.name();
        let list = |this: &mut Self, number: String, length: &Scalar| {
            let what = format!("pairs of {number} of `{op}`");
            let help = format!("a list that is merged has no more than {MOST_PAIRS} pairs");
            this.within(
                length,
                &Limit {
                    what: &what,
                    least: 0,
                    most: MOST_PAIRS,
                    help: &help,
                },
                span,
            );
        };
        match rule.reach {
            Reach::Pairs => {
                let what = format!("elements of `{op}`");
                let help = format!(
                    "Sort32 counts its repeats of {LIST} elements in 8 bits: write several calls"
                );
                self.within(
                    n,
                    &Limit {
                        what: &what,
                        least: 0,
                        most: MOST_SORTED,
                        help: &help,
                    },
                    span,
                );
                if self.facts.multiple_of(n) % LIST != 0 {
                    let known = self.known(n);
                    let text =
                        format!("`{op}` sorts each {LIST} elements; this count is not known to be a multiple of {LIST}{known}");
                    let help = "fill what is left of the last ones with numbers below all others";
                    self.found
                        .push(Diagnostic::new(Code::J0310, span, text).help(help));
                }
            }
            Reach::AllLists => {
                let lengths: Vec<_> = instr.lengths().chain([n]).collect();
                lengths
                    .into_iter()
                    .enumerate()
                    .for_each(|(i, length)| list(self, format!("list {i}"), length));
            }
            Reach::FourLists => {
                instr
                    .lengths()
                    .for_each(|length| list(self, "a list".to_string(), length));
                let what = format!("fours of lists of `{op}`");
                let help = "MrgSort counts its repeats in 8 bits: write several calls";
                self.within(
                    n,
                    &Limit {
                        what: &what,
                        least: 0,
                        most: MAX_REPEATS,
                        help,
                    },
                    span,
                );
            }
            Reach::All
            | Reach::WholeRepeats
            | Reach::One
            | Reach::Blocks
            | Reach::Partials(_)
            | Reach::Results(_)
            | Reach::Taken
            | Reach::Chosen
            | Reach::ChosenBlocks
            | Reach::Most
            | Reach::WholeLists
            | Reach::Lists
            | Reach::WholeBlocks
            | Reach::Doubled
            | Reach::List(_) => {}
        }
    }

    /// Checks how many elements offsets may choose in one call, and their base.
    fn chosen(&mut self, instr: &Instr, base: &Scalar, span: SpanId) {
        let op = instr.op.name();
        let Some(size) = instr.dst().and_then(View::tensor).map(|t| self.size(t)) else {
            return;
        };
        let most = most_chosen(self.chip.repeat_bytes / size);
        if let Extent::Count { n } = &instr.extent {
            // A negative count is reported with the tensors.
            if !self.below_zero(n) {
                let what = format!("elements of `{op}`");
                let help = format!("whole repeats are counted in 8 bits: write a loop over calls of at most {most}");
                self.within(
                    n,
                    &Limit {
                        what: &what,
                        least: 0,
                        most,
                        help: &help,
                    },
                    span,
                );
            }
        }
        self.base(op, base, size, span);
    }

    /// Checks the id of an event that an author sets or waits for.
    pub(super) fn event_id(&mut self, what: &SyncOp, span: SpanId) {
        let (event, id) = match what {
            SyncOp::Set { event, id } | SyncOp::Wait { event, id } => (event, id),
            SyncOp::CrossSet { id, .. } | SyncOp::CrossWait { id } => {
                return self.cross_id(id, span)
            }
            SyncOp::Barrier { .. } | SyncOp::Order { .. } | SyncOp::All {} => return,
        };
        let what = format!("the id of `{}`", event.word());
        let help = "6 is kept for the system, 7 for what the compiler orders by itself; for two that alternate take `i % 2`";
        self.within(
            id,
            &Limit {
                what: &what,
                least: 0,
                most: EVENT_IDS - 1,
                help,
            },
            span,
        );
    }

    /// Checks the id of a cross-core flag.
    fn cross_id(&mut self, id: &Scalar, span: SpanId) {
        let mut meets = false;
        self.body.walk(&mut |s| meets |= s.is_meeting());
        let (ids, help) = match meets {
            true => (
                CROSS_IDS_BESIDE_MEETINGS,
                "`sync_all` takes the ids from 11 on for itself",
            ),
            false => (
                CROSS_IDS,
                "of a larger number the chip takes the lowest four bits",
            ),
        };
        self.within(
            id,
            &Limit {
                what: "the id of a flag across the cores",
                least: 0,
                most: ids - 1,
                help,
            },
            span,
        );
    }

    /// Checks the base of offsets: it is at an element, and not before the source. The check of the
    /// source finds a base beyond it.
    fn base(&mut self, op: &str, base: &Scalar, size: i64, span: SpanId) {
        let help =
            "base and offsets are in bytes: element `i` is at `i * size_of::<T>()`".to_string();
        let offset = Count {
            number: base,
            size: 1,
            unit: size,
        };
        self.off_unit(
            offset,
            &format!("the base of `{op}`"),
            help,
            span,
            |found| format!("the base of `{op}` is {found} bytes, not a multiple of {size}"),
        );
        if self.not_negative(base) {
            return;
        }
        if !self.below_zero(base) {
            let text = format!("it could not be proved that the base of `{op}` is not negative");
            return self.found.push(
                Diagnostic::new(Code::J0602, span, text).help("the simulator checks every run"),
            );
        }
        let number = self.facts.as_int(base);
        let said = number.map_or("fewer".to_string(), |n| n.to_string());
        let mut d = Diagnostic::new(
            Code::J0310,
            span,
            format!("the base of `{op}`: at least 0, found {said}"),
        )
        .help("offsets count from there; it lies at the start of the source or behind it");
        if let Some(n) = number {
            d = d.number("found", n).number("allowed", 0);
        }
        self.found.push(d);
    }

    fn strides(&mut self, instr: &Instr, rule: &ViewRule, view: &View, span: SpanId) {
        let (op, (most_blk, most_rep)) = (instr.op.name(), instr.op.contract().largest_strides());
        let Some(name) = view.tensor().map(|t| self.tensor_name(t)) else {
            return;
        };
        // A destination whose blocks of a repeat overlap is undefined (asc-devkit, pages of
        // Duplicate and Brcb).
        let least = i64::from(rule.access == Access::Write);
        let of = |which: &str| format!("the {which} stride of `{name}` in `{op}`");
        match &view.layout {
            Layout::Blocks { blk, rep } => {
                let help = format!(
                    "strides of `{op}` count data blocks: {least} to {most_blk} from block to block, 0 to {most_rep} from repeat to repeat"
                );
                self.within(
                    blk,
                    &Limit {
                        what: &of("block"),
                        least,
                        most: most_blk,
                        help: &help,
                    },
                    span,
                );
                self.within(
                    rep,
                    &Limit {
                        what: &of("repeat"),
                        least: 0,
                        most: most_rep,
                        help: &help,
                    },
                    span,
                );
            }
            Layout::Results { rep } => {
                let help = "strides of results are counted in what a repeat gives";
                self.within(
                    rep,
                    &Limit {
                        what: &of("repeat"),
                        least: 0,
                        most: most_rep,
                        help,
                    },
                    span,
                );
            }
            Layout::Dense {} | Layout::Rows { .. } => {}
        }
    }

    fn mask(&mut self, instr: &Instr, mask: &Lanes, span: SpanId) {
        let sizes = instr
            .views()
            .filter(|(rule, _)| rule.elem != Elem::Bits)
            .filter_map(|(_, view)| view.tensor());
        let Some(widest) = sizes.map(|t| self.size(t)).max() else {
            return;
        };
        let (op, bytes) = (instr.op.name(), self.chip.repeat_bytes);
        let most = bytes / widest;
        let what = match mask {
            Lanes::First { .. } => format!("lanes of a repeat of `{op}`"),
            Lanes::Bits { .. } => format!("lanes that the bits of `{op}` reach"),
            Lanes::Groups { .. } => format!("lanes that the groups of `{op}` reach"),
        };
        let help = format!("a repeat is {bytes} bytes: {most} lanes of {widest} bytes");
        // Without a group there is no last lane.
        let end = match mask {
            Lanes::First { .. } | Lanes::Bits { .. } => mask.end(),
            Lanes::Groups { .. } => mask.end().max(0),
        };
        self.within(
            &end,
            &Limit {
                what: &what,
                least: 0,
                most,
                help: &help,
            },
            span,
        );
        if let Lanes::Groups { from, to, of, .. } = mask {
            let (what, help) = (
                format!("lanes of a group of `{op}`"),
                "groups follow one another and share no lane",
            );
            self.within(
                to,
                &Limit {
                    what: &what,
                    least: 0,
                    most: *of,
                    help,
                },
                span,
            );
            if self.facts.shows_le(to, from) {
                let text =
                    format!("no lane of a group of `{op}` takes part: the range of lanes is empty");
                let d = Diagnostic::new(Code::J0310, span, text);
                self.found
                    .push(d.help("write `lanes(a..b)` with `a` below `b`: lane `b` takes no part"));
            }
        }
    }

    /// Returns the limit of a generated call if it is not proved; `host` are the variables that the
    /// host sets.
    fn open_limit(
        &mut self,
        found: &Scalar,
        limit: &Limit<'_>,
        host: &BTreeSet<VarId>,
        span: SpanId,
    ) -> Option<OpenLimit> {
        let Limit {
            what, least, most, ..
        } = *limit;
        let is_least = least == i64::MIN
            || (least <= 0 && self.not_negative(found))
            || self
                .facts
                .proves(&Scalar::Int(least).bin(BinOp::Le, found.clone()));
        let is_above = !self.facts.proves(&found.clone().bin(BinOp::Le, most));
        let bound = if is_above {
            self.bound_by(found, host)
        } else {
            None
        };
        (is_above || !is_least).then(|| OpenLimit {
            what: what.to_owned(),
            most,
            is_above,
            bound,
            span,
        })
    }

    /// Returns an upper bound that the host can compute; `known` are the variables that it sets.
    fn bound_by(&self, s: &Scalar, known: &BTreeSet<VarId>) -> Option<Scalar> {
        let mut is_known = true;
        s.walk(&mut |n| {
            is_known &= match n {
                Scalar::Var(var) => known.contains(var),
                Scalar::BlockIdx | Scalar::BlockDim => false,
                _ => true,
            }
        });
        let natural = |of: &Scalar| self.not_negative(of);
        match s {
            _ if is_known => Some(s.clone()),
            Scalar::Var(_) => match self.facts.meant(s) {
                Scalar::Var(_) => None,
                value => self.bound_by(value, known),
            },
            Scalar::Bin(BinOp::Min, a, b) => {
                self.bound_by(a, known).or_else(|| self.bound_by(b, known))
            }
            Scalar::Bin(BinOp::Add, a, b) => {
                Some(self.bound_by(a, known)? + self.bound_by(b, known)?)
            }
            Scalar::Bin(BinOp::Mul, a, b) if natural(a) && natural(b) => {
                Some(self.bound_by(a, known)? * self.bound_by(b, known)?)
            }
            Scalar::Bin(op @ (BinOp::Div | BinOp::CeilDiv | BinOp::AlignUp), a, by)
                if by.as_int().is_some_and(|by| by > 0) =>
            {
                Some(self.bound_by(a, known)?.bin(*op, (**by).clone()))
            }
            _ => None,
        }
    }

    /// Checks a number against its limit.
    pub(super) fn within(&mut self, found: &Scalar, limit: &Limit<'_>, span: SpanId) {
        let Limit {
            what,
            least,
            most,
            help,
        } = *limit;
        let le = |a: &Scalar, b: &Scalar| self.facts.proves_le(a, b);
        let (low, high) = (Scalar::Int(least), Scalar::Int(most));
        if let Some(mut limits) = self.limits.take() {
            limits
                .open
                .extend(self.open_limit(found, limit, &limits.host, span));
            self.limits = Some(limits);
            return;
        }
        let inside = [
            if least == 0 {
                self.not_negative(found)
            } else {
                self.holds(&low, found)
            },
            self.holds(found, &high),
        ];
        if inside == [true; 2] {
            return;
        }
        let below = !inside[0] && (le(&(found.clone() + 1), &low) || self.below_zero(found));
        let above = !inside[1] && le(&(high + 1), found);
        if !below && !above {
            let text = format!("it could not be proved that {what} stay within {least} to {most}");
            return self.found.push(
                Diagnostic::new(Code::J0602, span, text).help("the simulator checks every run"),
            );
        }
        let number = self.facts.as_int(found);
        let number_said = number.map_or(
            if below {
                "fewer".to_string()
            } else {
                "more".to_string()
            },
            |n| n.to_string(),
        );
        let (side, allowed) = if below {
            ("least", least)
        } else {
            ("most", most)
        };
        let mut d = Diagnostic::new(
            Code::J0310,
            span,
            format!("{what}: at {side} {allowed}, found {number_said}"),
        )
        .help(help);
        if let Some(n) = number {
            d = d
                .number("found", n)
                .number("allowed", allowed)
                .expected([allowed.to_string()]);
            // Strides and gaps define places, and another number is another place.
            if what.starts_with("lanes of a repeat") {
                d = d.word(span, &n.to_string(), allowed.to_string()).maybe();
            }
        }
        self.found.push(d);
    }
}
