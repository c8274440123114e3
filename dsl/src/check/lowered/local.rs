//! Bounds, alignment and counts in UB: operands of copies and vector calls, and work buffers.

use super::bounds::{Bounds, Natural};
use super::limits::{Count, Limit};
use crate::diag::{Code, Diagnostic};
use crate::ir::{BinOp, Extent, Instr, Layout, Scalar, SpanId, TensorId, View};
use crate::ops::contract::{
    list_elements, pattern, Align, Elem, Extents, Reach, Results, ViewRule, BLOCKS_PER_REPEAT,
    LIST, PAIR_BYTES,
};
use crate::ops::{LayoutOp, Op};
use crate::soc::{Arch, MAX_REPEATS};

/// The fit of an operand in its buffer, with the bytes needed and available where both are known.
enum Room {
    Fits,
    Exceeds(Option<(i64, i64)>),
    Open,
}

impl Bounds<'_> {
    /// Reports J0307 and J0309 for a tensor of `len` elements that the author places at byte `at`
    /// of UB.
    pub(super) fn place(&mut self, tensor: TensorId, at: &Scalar, len: &Scalar, span: SpanId) {
        let (block, usable) = (self.chip.data_block_bytes, self.chip.ub_usable());
        let name = self.tensor_name(tensor);
        let help = format!("addresses are multiples of {block} bytes");
        let address = Count {
            number: at,
            size: 1,
            unit: block,
        };
        self.off_unit(
            address,
            &format!("the address of `{name}`"),
            help,
            span,
            |at| format!("`{name}` lies at byte {at} of UB, not at a multiple of {block}"),
        );
        let end = at.clone() + len.clone() * self.size(tensor);
        let (starts, is_long) = (self.not_negative(at), self.not_negative(len));
        if starts && is_long && self.holds(&end, &Scalar::Int(usable)) {
            return;
        }
        let text = if self.below_zero(at) {
            format!("`{name}` begins before the start of UB{}", self.known(at))
        } else if self.below_zero(len) {
            format!(
                "the number of elements of `{name}` is negative{}",
                self.known(len)
            )
        } else if self.facts.proves_le(&Scalar::Int(usable + 1), &end) {
            let most = self.facts.as_int(&end).map_or(String::new(), |end| {
                format!(": up to byte {end}, {usable} are usable")
            });
            format!("`{name}` reaches past the end of UB{most}")
        } else {
            let text = format!("it could not be proved that `{name}` lies inside UB, of which {usable} bytes are usable");
            let help =
                "address and length of numbers of the text, or of remainders, are provable; the simulator checks every run";
            return self
                .found
                .push(Diagnostic::new(Code::J0602, span, text).help(help));
        };
        let kept = format!(
            "{} of {} bytes of UB are kept by the framework and library calls",
            self.chip.ub_reserved_bytes(),
            self.chip.ub_bytes
        );
        self.found.push(
            Diagnostic::new(Code::J0309, span, text)
                .note(kept)
                .number("allowed", usable),
        );
    }

    /// Reports J0307 for a part of a tensor that may not start at a multiple of `unit` bytes.
    pub(super) fn starts_off(
        &mut self,
        name: &str,
        offset: &Scalar,
        size: i64,
        unit: i64,
        span: SpanId,
    ) {
        let start = Count {
            number: offset,
            size,
            unit,
        };
        if self.fills(&start) {
            return;
        }
        let help = format!("offsets must be multiples of {} elements", unit / size);
        self.off_unit(
            start,
            &format!("the start of this part of `{name}`"),
            help,
            span,
            |at| {
                let byte = i128::from(at) * i128::from(size);
                format!(
                "`{name}` from element {at} on starts at byte {byte}, not at a multiple of {unit}"
            )
            },
        );
    }

    /// True if the count is known to fill whole units.
    fn fills(&self, count: &Count<'_>) -> bool {
        self.facts.multiple_of(&(count.number.clone() * count.size)) % count.unit == 0
    }

    /// Reports J0307 for a number that may not fill whole units, and returns true then. The message
    /// is `told` for a known number, and names an unknown one by `what`.
    pub(super) fn off_unit(
        &mut self,
        count: Count<'_>,
        what: &str,
        help: String,
        span: SpanId,
        told: impl FnOnce(i64) -> String,
    ) -> bool {
        if self.fills(&count) {
            return false;
        }
        let Count { number, size, unit } = count;
        let text = match self.facts.as_int(number) {
            Some(number) => told(number),
            None => format!("{what} cannot be proved a multiple of {unit} bytes"),
        };
        let mut d = Diagnostic::new(Code::J0307, span, text).help(help);
        let whole = unit / size;
        if let Some((n, up)) = number
            .as_int()
            .and_then(|n| Some((n, n.checked_add(whole - 1)?)))
        {
            let next = up / whole * whole;
            d = d
                .expected([next.to_string()])
                .word(span, &n.to_string(), next.to_string())
                .maybe();
        }
        self.found.push(d);
        true
    }

    /// Checks bounds and alignment of `n` elements of a local tensor.
    pub(super) fn ub(
        &mut self,
        tensor: TensorId,
        view: &View,
        n: &Scalar,
        natural: &Natural,
        align: Align,
        span: SpanId,
    ) {
        let offset = view.offset.clone();
        let size = self.size(tensor);
        let block = self.chip.data_block_bytes;
        let name = self.tensor_name(tensor);
        let unit = match align {
            Align::Block => block,
            Align::Eight => 8 * size,
            Align::Pair => PAIR_BYTES,
            Align::Element => size,
        };
        if unit > size {
            self.starts_off(name, &offset, size, unit, span);
        }
        let natural_offset = self.not_negative(&offset);
        let what = if !natural_offset && self.below_zero(&offset) {
            Some(format!(
                "this begins before the start of the buffer of `{name}`{}",
                self.known(&offset)
            ))
        } else if let Natural::Never(n) = natural {
            Some(format!(
                "the number of elements of `{name}` is negative{}",
                self.known(n)
            ))
        } else {
            None
        };
        if let Some(text) = what {
            self.found.push(Diagnostic::new(Code::J0309, span, text));
            return;
        }
        let inside = *natural == Natural::Always && natural_offset;
        let end = (offset + n.clone()) * size;
        match self.room(tensor, &end) {
            Room::Fits if inside => {}
            Room::Exceeds(numbers) => {
                let mut d = Diagnostic::new(
                    Code::J0309,
                    span,
                    format!("this reaches past the end of the buffer of `{name}`"),
                );
                if let Some((end, room)) = numbers {
                    d.message = format!(
                        "this reaches byte {end} of the buffer of `{name}`, which has {room}"
                    );
                    d = d.number("found", end).number("allowed", room);
                    if let Some(n) = n.as_int() {
                        d = super::bounds::fewer(d, n, (end - room - 1) / size + 1, span);
                    }
                }
                self.found.push(d);
            }
            Room::Fits | Room::Open => {
                let text =
                    format!("it could not be proved that this stays inside the buffer of `{name}`");
                self.found.push(
                    Diagnostic::new(Code::J0602, span, text).help("the simulator checks every run"),
                );
            }
        }
    }

    /// Tests if the first `end` bytes are inside the buffer behind a tensor.
    fn room(&self, tensor: TensorId, end: &Scalar) -> Room {
        // A buffer without memory is reported as such.
        let Some(bytes) = self.bytes.get(&tensor).filter(|b| **b != Scalar::Int(0)) else {
            return Room::Fits;
        };
        let room = bytes.clone().align_up(self.chip.data_block_bytes);
        if self.holds(end, bytes) || self.holds(end, &room) {
            return Room::Fits;
        }
        if self.facts.proves_le(&(room.clone() + 1), end) {
            return Room::Exceeds(self.facts.as_int(end).zip(self.facts.as_int(&room)));
        }
        Room::Open
    }

    /// Reports a work buffer of a reduction that cannot hold the partial results of all repeats
    /// (asc-devkit, pages of ReduceSum and ReduceMax).
    fn work_buffer(
        &mut self,
        tensor: TensorId,
        view: &View,
        n: &Scalar,
        partials: i64,
        span: SpanId,
    ) {
        if !self.works_in_buffer(partials) {
            return;
        }
        let (size, name) = (self.size(tensor), self.tensor_name(tensor));
        let needs = self.partials(partials, n, size);
        match self.room(tensor, &(view.offset.clone() * size + needs.clone())) {
            Room::Fits => {}
            Room::Exceeds(numbers) => {
                let mut d = Diagnostic::new(
                    Code::J0309,
                    span,
                    format!("the work buffer `{name}` is too small for this count"),
                );
                if let (Some((end, room)), Some(needs)) = (numbers, self.facts.as_int(&needs)) {
                    d.message = format!(
                        "this reduction needs {needs} bytes of work buffer, `{name}` has {}",
                        room - (end - needs)
                    );
                    d = d
                        .number("found", room - (end - needs))
                        .number("allowed", needs);
                }
                self.found.push(d.help(format!(
                    "it holds an element for each repeat of {} bytes, for maxima and minima two, in whole data blocks",
                    self.chip.repeat_bytes
                )));
            }
            Room::Open => {
                let text = format!("it could not be proved that the work buffer `{name}` holds what this reduction needs");
                self.found.push(
                    Diagnostic::new(Code::J0602, span, text).help("the simulator checks every run"),
                );
            }
        }
    }

    /// True if a reduction with so many partial results for each repeat uses its work buffer.
    pub(super) fn works_in_buffer(&self, partials: i64) -> bool {
        // On V220 the count form of ReduceSum adds the repeats in order and needs no work buffer.
        !(partials == 1 && self.chip.arch == Arch::V220)
    }

    /// Returns the bytes of the partial results of `n` elements.
    pub(super) fn partials(&self, partials: i64, n: &Scalar, size: i64) -> Scalar {
        let repeats = n.clone().ceil_div(self.chip.repeat_bytes / size);
        (repeats * partials * size).align_up(self.chip.data_block_bytes)
    }

    /// Checks bounds, alignment, extent and aliasing of an instruction.
    pub(super) fn instr(&mut self, instr: &Instr, span: SpanId) {
        let n = self.elements(instr, span);
        let told = self.found.len();
        self.limits(instr, span);
        // A J0306 leaves the numbers valid: another copy takes what a DataCopy does not.
        if self.found[told..]
            .iter()
            .any(|d| d.is_error() && d.code != Code::J0306)
        {
            // The numbers are wrong, and so is the extent that follows from them.
            return self.forget_results();
        }
        let own = instr
            .views()
            .filter(|(rule, _)| rule.elem == Elem::Own)
            .find_map(|(_, view)| view.tensor());
        if let Some(size) = own.map(|t| self.size(t)) {
            self.whole_blocks(instr, &n, size, span);
            self.whole_copy(instr.op, &n, size, span);
        }
        // A negative length is reported once, for the tensor in GM.
        let natural = self.natural(&instr.extent);
        let told =
            instr.op.contract().extents == Extents::Rows && matches!(natural, Natural::Never(_));
        let (outside, inside): (Vec<_>, Vec<_>) =
            instr.views().partition(|(_, view)| view.global().is_some());
        for (rule, view) in outside {
            let touched = self.touched(instr, rule, view, &n, own.map_or(1, |t| self.size(t)));
            view.global()
                .into_iter()
                .for_each(|of| self.gm(of, view, &touched, &natural, span));
        }
        for (rule, view) in inside {
            if let (Some(tensor), false) = (view.tensor(), told) {
                if let Reach::Partials(partials) = rule.reach {
                    self.work_buffer(tensor, view, &n, partials, span);
                } else {
                    let touched = self.touched(instr, rule, view, &n, self.size(tensor));
                    self.ub(tensor, view, &touched, &natural, rule.align, span);
                }
            }
        }
        self.whole_repeats(instr, &n, span);
        self.alias(instr, &n, span);
        self.result_of(instr, &n, span);
    }

    /// Checks only the fields of an instruction.
    pub(super) fn held(&mut self, instr: &Instr, span: SpanId) {
        self.elements(instr, span);
        self.limits(instr, span);
    }

    /// Returns the number of elements of an instruction; of one row if it has rows.
    fn elements(&mut self, instr: &Instr, span: SpanId) -> Scalar {
        match &instr.extent {
            // Waits touch nothing, and the others touch one element.
            Extent::Fixed {} => Scalar::Int(1),
            Extent::Count { n } | Extent::Counter { n } => n.clone(),
            Extent::Rows { cols, .. } => cols.clone(),
            Extent::Eights { repeat } => {
                self.eights(instr, repeat, span);
                repeat.clone() * 8
            }
            Extent::Repeat { mask, .. } => mask.end(),
        }
    }

    /// Reports J0310 for a count that may not fill whole repeats, or that exceeds 8 bits in
    /// repeats.
    fn eights(&mut self, instr: &Instr, repeat: &Scalar, span: SpanId) {
        let op = instr.op.name();
        let (does, what) = match instr
            .views()
            .any(|(rule, _)| rule.reach == Reach::ChosenBlocks)
        {
            true => ("takes", "data blocks"),
            false => ("expands", "elements"),
        };
        if let Scalar::Bin(BinOp::Div, n, by) = self.facts.meant(repeat) {
            let by = self.facts.as_int(by).unwrap_or(0);
            if by == 0 || self.facts.multiple_of(n) % by != 0 {
                let text = format!("{op} {does} {by} {what} a repeat; this count cannot be proved a multiple of {by}");
                self.found.push(Diagnostic::new(Code::J0310, span, text));
            }
        }
        let help = format!(
            "they are counted in 8 bits, 8 {what} each: write several calls of at most {} {what}",
            MAX_REPEATS * 8
        );
        self.within(
            repeat,
            &Limit {
                what: &format!("repeats of `{op}`"),
                least: 0,
                most: MAX_REPEATS,
                help: &help,
            },
            span,
        );
    }

    /// Returns the elements from the start of a view to the end of its access, over `n` elements.
    pub(super) fn touched(
        &self,
        instr: &Instr,
        rule: &ViewRule,
        view: &View,
        n: &Scalar,
        size: i64,
    ) -> Scalar {
        let lanes = self.chip.data_block_bytes / size;
        match (rule.reach, rule.elem) {
            (Reach::One, _) => return Scalar::Int(1),
            (Reach::Blocks, _) => return self.spread(&instr.extent, &view.layout, n, lanes),
            (Reach::All | Reach::WholeRepeats, Elem::Bits) => return n.clone().ceil_div(8),
            (Reach::Taken, _) => return self.taken(instr, n),
            // The elements before the base, and the first one that may be chosen.
            (Reach::Chosen, _) => {
                return instr.base().cloned().unwrap_or(Scalar::Int(0)) / size + 1
            }
            (Reach::ChosenBlocks, _) => return Scalar::Int(lanes),
            (Reach::Most, _) => return instr.most().cloned().unwrap_or_else(|| n.clone()),
            (Reach::WholeLists, _) => return n.clone().align_up(LIST),
            (Reach::Lists, _) => return n.clone().align_up(LIST) * list_elements(size),
            (Reach::WholeBlocks, _) => return n.clone().align_up(lanes),
            (Reach::Pairs | Reach::List(_) | Reach::AllLists | Reach::FourLists, _) => {
                return instr.reached(rule.reach, n) * (PAIR_BYTES / size);
            }
            (Reach::Doubled, _) => return (n.clone().align_up(lanes) + lanes) * 2,
            (Reach::Results(results), _) => {
                return self.results(results, &instr.extent, &view.layout, n, lanes)
            }
            (
                Reach::All | Reach::WholeRepeats | Reach::Partials(_),
                Elem::Own | Elem::Other | Elem::Bits | Elem::Offsets,
            ) => {}
        }
        let blocks = self.chip.repeat_bytes / self.chip.data_block_bytes;
        // Ends with the last data block that the last repeat touches.
        let last = |repeats: Scalar, blk: &Scalar, rep: &Scalar, used: Scalar| {
            ((repeats - 1) * rep.clone() + blk.clone() * (used - 1) + 1) * lanes
        };
        let lead = || match (view.tensor(), instr.lead()) {
            (Some(_), Some(lead)) => lead.clone(),
            (None, _) | (_, None) => Scalar::Int(0),
        };
        match (&instr.extent, &view.layout) {
            (Extent::Rows { rows, cols }, Layout::Rows { pitch }) if instr.lead().is_some() => {
                (rows.clone() - 1) * pitch.clone() + lead() + cols.clone()
            }
            (Extent::Rows { rows, cols }, Layout::Rows { pitch }) => {
                (rows.clone() - 1) * pitch.clone() + cols.clone()
            }
            (Extent::Rows { rows, cols }, _) => rows.clone() * cols.clone(),
            (Extent::Counter { .. }, Layout::Blocks { blk, rep })
                if (blk.as_int(), rep.as_int()) == (Some(1), Some(blocks)) =>
            {
                n.clone()
            }
            (Extent::Counter { .. }, Layout::Blocks { blk, rep }) => {
                let full = |repeats: Scalar| last(repeats, blk, rep, Scalar::Int(blocks));
                match self.in_last_repeat(n, blocks * lanes) {
                    // The repeat before the last one may reach further.
                    Some((repeats, left)) => {
                        let short = last(
                            Scalar::Int(repeats),
                            blk,
                            rep,
                            Scalar::Int(left).ceil_div(lanes),
                        );
                        if repeats > 1 {
                            short.max(full(Scalar::Int(repeats - 1)))
                        } else {
                            short
                        }
                    }
                    None => full(n.clone().ceil_div(blocks * lanes)),
                }
            }
            (Extent::Repeat { repeat, .. }, Layout::Blocks { blk, rep }) => match blk.as_int() {
                Some(1) => (repeat.clone() - 1) * rep.clone() * lanes + n.clone(),
                _ => last(repeat.clone(), blk, rep, n.clone().ceil_div(lanes)),
            },
            (Extent::Repeat { repeat, .. }, _) => {
                (repeat.clone() - 1) * (blocks * lanes) + n.clone()
            }
            (
                Extent::Fixed {}
                | Extent::Count { .. }
                | Extent::Counter { .. }
                | Extent::Eights { .. },
                _,
            ) => n.clone(),
        }
    }

    /// Returns the elements to the end of the last data block, with one element for each block.
    fn spread(&self, extent: &Extent, layout: &Layout, n: &Scalar, lanes: i64) -> Scalar {
        match (extent, layout) {
            (Extent::Eights { repeat }, Layout::Blocks { blk, rep }) => {
                ((repeat.clone() - 1) * rep.clone() + blk.clone() * (BLOCKS_PER_REPEAT - 1) + 1)
                    * lanes
            }
            _ => n.clone() * lanes,
        }
    }

    /// Returns how many of `n` elements a pattern takes; the last group counts as whole.
    fn taken(&self, instr: &Instr, n: &Scalar) -> Scalar {
        let number = instr.pattern().and_then(|number| self.facts.as_int(number));
        match number.and_then(pattern) {
            Some((_, step)) => n.clone().ceil_div(step),
            // An unknown pattern takes at most all.
            None => n.clone(),
        }
    }

    /// Returns the number of repeats and the elements of the last one, if `n` is known.
    fn in_last_repeat(&self, n: &Scalar, repeat: i64) -> Option<(i64, i64)> {
        let n = self.facts.as_int(n).filter(|n| *n > 0)?;
        let before = (n - 1) / repeat;
        Some((before + 1, n - before * repeat))
    }

    /// Returns the elements to the end of the last result of the repeats over `n` elements. `n`
    /// counts one repeat if the extent counts repeats.
    fn results(
        &self,
        results: Results,
        extent: &Extent,
        layout: &Layout,
        n: &Scalar,
        lanes: i64,
    ) -> Scalar {
        let repeat = lanes * BLOCKS_PER_REPEAT;
        let of_last = |n: &Scalar| match results {
            Results::Repeat => n.clone().ceil_div(repeat),
            Results::Blocks => n.clone().ceil_div(lanes),
            Results::Pairs => n.clone().ceil_div(2),
        };
        let per = results.of(repeat);
        let (repeats, last) = match extent {
            Extent::Repeat { repeat, .. } => (repeat.clone(), of_last(n)),
            Extent::Fixed {}
            | Extent::Count { .. }
            | Extent::Counter { .. }
            | Extent::Eights { .. }
            | Extent::Rows { .. } => match layout {
                Layout::Results { rep } if rep.as_int() != Some(1) => {
                    match self.in_last_repeat(n, repeat) {
                        Some((repeats, left)) if repeats == 1 || rep.as_int() != Some(0) => {
                            (Scalar::Int(repeats), of_last(&Scalar::Int(left)))
                        }
                        _ => (n.clone().ceil_div(repeat), Scalar::Int(per)),
                    }
                }
                Layout::Dense {}
                | Layout::Rows { .. }
                | Layout::Blocks { .. }
                | Layout::Results { .. } => return of_last(n),
            },
        };
        let rep = match layout {
            Layout::Results { rep } => rep.clone(),
            Layout::Dense {} | Layout::Rows { .. } | Layout::Blocks { .. } => Scalar::Int(1),
        };
        (repeats - 1) * rep * per + last
    }

    /// Reports J0310 for a copy inside UB that may not fill whole data blocks.
    fn whole_copy(&mut self, op: Op, n: &Scalar, size: i64, span: SpanId) {
        let block = self.chip.data_block_bytes;
        if op == Op::Layout(LayoutOp::LocalCopy)
            && self.facts.multiple_of(&(n.clone() * size)) % block != 0
        {
            let text = format!(
                "local_copy moves whole data blocks; this count is not a multiple of {}",
                block / size
            );
            self.found.push(Diagnostic::new(Code::J0310, span, text));
        }
    }

    /// Reports J0310 for an op on whole repeats whose source buffer may not hold them.
    fn whole_repeats(&mut self, instr: &Instr, n: &Scalar, span: SpanId) {
        let bytes = self.chip.repeat_bytes;
        for (_, view) in instr
            .views()
            .filter(|(rule, _)| rule.reach == Reach::WholeRepeats)
        {
            let Some(tensor) = view.tensor() else {
                continue;
            };
            let Some(has) = self.bytes.get(&tensor).cloned() else {
                continue;
            };
            let size = self.size(tensor);
            let repeat = bytes / size;
            let end = (view.offset.clone() + n.clone().align_up(repeat)) * size;
            let divides = |s: &Scalar| self.facts.multiple_of(s) % bytes == 0;
            let fits = divides(&has) && divides(&(view.offset.clone() * size));
            let whole = self.facts.multiple_of(n) % repeat == 0 || fits;
            if !whole && !self.facts.proves_le(&end, &has) {
                let text = format!(
                    "compare works on whole repeats of {repeat} elements; the buffer behind this operand does not hold them"
                );
                let help = format!("make the buffer a multiple of {bytes} bytes");
                return self
                    .found
                    .push(Diagnostic::new(Code::J0310, span, text).help(help));
            }
        }
    }
}
