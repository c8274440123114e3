//! GM as the scalar unit sees it: through lines of its data cache.
//!
//! `get_value` loads the line of an element, and `set_value` changes the element in the line.
//! `data_cache_clean_and_invalid` writes back the changed bytes, from an element to the end of the
//! line, and drops them. Copies and other cores do not see a line, and a line does not see them
//! (asc-devkit, pages of SetValue, GetValue and DataCacheCleanAndInvalid). So these are faults:
//!
//! - A line that is still changed where the block ends. The compiler adds a write-back there. The
//!   pages call it a safety net that an option takes away, and kernels inside a larger one do not
//!   get it (pages of `--cce-no-dcache-flush` and of SuperKernel).
//! - A copy that reads bytes that were changed and not written back.
//! - A copy that writes to a changed line, whose write-back takes all of it.
//! - A read or change of a line after somebody has stored there since it was loaded.
//!
//! The chip may write a changed line back at any time before it is told to. While a line is
//! changed, the block therefore counts as storing what it has changed, and as touching the rest of
//! the line ([`Access::Line`]). Others may read that rest, but must not store there.
//!
//! Tensors begin with a line. A tensor that nobody writes bypasses all of this and is read
//! directly.

use super::exec::Machine;
use super::scalar::Int;
use super::touch::Strip;
use super::{Gm, Trip};
use jumar_dsl::diag::Code;
use jumar_dsl::dtype::DType;
use jumar_dsl::ir::SpanId;
use jumar_dsl::ops::contract::{Access, Pipe};
use jumar_dsl::soc::CACHE_LINE_BYTES;
use std::collections::BTreeMap;
use std::ops::Range;

const LINE: usize = CACHE_LINE_BYTES as usize;

/// A set of bytes of a line.
type Set = u64;

/// Returns the set of the bytes of a range.
fn set(range: Range<usize>) -> Set {
    range.fold(0, |set, byte| set | 1 << byte)
}

/// A cached line of a tensor.
struct Line {
    bytes: [u8; LINE],
    /// The bytes that it holds.
    held: Set,
    /// The bytes that `set_value` has changed in comparison with GM.
    changed: Set,
    /// The bytes that a copy of this block has stored in GM since they were loaded.
    old: Set,
    /// For each byte, the number of standstills when it was loaded.
    since: [usize; LINE],
    /// The statement that changed it last.
    span: SpanId,
}

/// The lines that a core holds, by tensor and number.
#[derive(Default)]
pub(super) struct Cache(BTreeMap<(usize, usize), Line>);

/// An element of GM.
#[derive(Clone, Copy)]
struct Element {
    gm: usize,
    at: usize,
    size: usize,
}

impl Element {
    fn line(self) -> usize {
        self.at * self.size / LINE
    }
    /// Returns its bytes in the line.
    fn bytes(self) -> Range<usize> {
        let from = self.at * self.size % LINE;
        from..from + self.size
    }
    fn strip(self) -> Strip {
        Strip::new(self.at, 1, 1, 0)
    }
    /// Returns the elements of its line, of a tensor of `elems`.
    fn neighbours(self, elems: usize) -> Range<usize> {
        let first = self.line() * LINE / self.size;
        first..elems.min(first + LINE / self.size)
    }
    /// Returns another element of the tensor.
    fn beside(self, at: usize) -> Element {
        Element { at, ..self }
    }
}

impl<'g> Machine<'_, 'g> {
    /// Returns an element of a tensor in GM, which must lie inside.
    fn element_of(
        &self,
        (gm, dtype): (usize, DType),
        offset: &Int,
        what: &str,
    ) -> Result<Element, Trip> {
        let offset = offset.eval(&self.env)?;
        let left_out = || Trip::new(Code::J0804, "a scalar of a tensor that was left out");
        let tensor = self.gms[gm].as_ref().ok_or_else(left_out)?;
        let outside = || {
            let (verb, name) = (
                if what == "get_value" {
                    "reads"
                } else {
                    "takes"
                },
                &tensor.name,
            );
            Trip::new(
                Code::J0801,
                format!(
                    "{what} {verb} element {offset} of `{name}`, which has {}",
                    tensor.elems
                ),
            )
        };
        let at = usize::try_from(offset)
            .ok()
            .filter(|at| *at < tensor.elems)
            .ok_or_else(outside)?;
        Ok(Element {
            gm,
            at,
            size: dtype.bytes() as usize,
        })
    }

    fn tensor(&self, e: Element) -> Result<&Gm<'g>, Trip> {
        self.gms[e.gm]
            .as_ref()
            .ok_or_else(|| Trip::new(Code::J0804, "a scalar of a tensor that was left out"))
    }

    /// Formats an element: `` element 3 of `y` ``.
    fn words(&self, e: Element) -> String {
        self.gms[e.gm].as_ref().map_or_else(String::new, |gm| {
            format!("element {} of `{}`", gm.index(e.at), gm.name)
        })
    }

    /// Reads the bytes of an element, through the cache where the kernel writes the tensor.
    pub(super) fn get_global(
        &mut self,
        of: (usize, DType),
        offset: &Int,
        span: SpanId,
    ) -> Result<Vec<u8>, Trip> {
        let e = self.element_of(of, offset, "get_value")?;
        if !self.program.cached[e.gm] {
            let mut bytes = vec![0; e.size];
            self.tensor(e)?.read(e.at * e.size, &mut bytes);
            return Ok(bytes);
        }
        self.has_value(e)?;
        self.ran
            .stint
            .now()
            .note(e.gm, span, Access::Read, e.strip());
        self.give_scalar();
        self.watch_global("get_value", e.gm, Access::Read, e.strip(), span)?;
        self.bring_in(e)?;
        self.is_new(e, "get_value reads")?;
        let bytes = self
            .cache
            .0
            .get(&(e.gm, e.line()))
            .map(|line| line.bytes[e.bytes()].to_vec());
        bytes.ok_or_else(|| Trip::malformed("a line that was brought in is not there".to_string()))
    }

    /// Runs SetValue of GM.
    pub(super) fn set_global(
        &mut self,
        of: (usize, DType),
        offset: &Int,
        word: u32,
        span: SpanId,
    ) -> Result<(), Trip> {
        let e = self.element_of(of, offset, "set_value")?;
        let line = self.whole_line(e)?;
        self.give_scalar();
        self.watch_global("set_value", e.gm, Access::Write, e.strip(), span)?;
        self.watch_global("the line of set_value", e.gm, Access::Line, line, span)?;
        self.bring_in(e)?;
        // The write-back would store stale elements of the line.
        for other in e.neighbours(self.tensor(e)?.elems).filter(|at| *at != e.at) {
            self.is_new(e.beside(other), "set_value changes the line of")?;
        }
        self.written[e.gm].insert(e.at..e.at + 1);
        if let Some(held) = self.cache.0.get_mut(&(e.gm, e.line())) {
            held.bytes[e.bytes()].copy_from_slice(&word.to_le_bytes()[..e.size]);
            held.changed |= set(e.bytes());
            held.old &= !set(e.bytes());
            held.since[e.bytes()].fill(usize::MAX);
            held.span = span;
        }
        self.holds_changed(e.gm, e.line());
        Ok(())
    }

    /// Runs DataCacheCleanAndInvalid of a line, from an element on.
    pub(super) fn clean_line(
        &mut self,
        of: (usize, DType),
        offset: &Int,
        span: SpanId,
    ) -> Result<(), Trip> {
        let e = self.element_of(of, offset, "data_cache_clean_and_invalid")?;
        let whole = if self.program.cached[e.gm] {
            self.whole_line(e)?
        } else {
            return Ok(());
        };
        self.give_scalar();
        let behind = set(e.bytes().start..LINE);
        let Some(held) = self.cache.0.get_mut(&(e.gm, e.line())) else {
            return Ok(());
        };
        let (changed, bytes) = (held.changed & behind, held.bytes);
        held.held &= !behind;
        held.changed &= !behind;
        held.old &= !behind;
        if held.held == 0 {
            self.cache.0.remove(&(e.gm, e.line()));
        }
        if changed == 0 {
            return Ok(());
        }
        for at in e.neighbours(self.tensor(e)?.elems) {
            let one = e.beside(at);
            if changed & set(one.bytes()) == 0 {
                continue;
            }
            self.watch_global("the write-back", e.gm, Access::Write, one.strip(), span)?;
            self.ran
                .stint
                .now()
                .note(e.gm, span, Access::Write, one.strip());
            self.tensor(e)?.write(at * e.size, &bytes[one.bytes()]);
        }
        self.watch_global("the write-back of a line", e.gm, Access::Line, whole, span)?;
        self.ran.stint.now().note(e.gm, span, Access::Line, whole);
        Ok(())
    }

    fn give_scalar(&mut self) {
        self.watch
            .iter_mut()
            .for_each(|watch| watch.pipes.give(Pipe::S));
    }

    fn whole_line(&self, e: Element) -> Result<Strip, Trip> {
        let all = e.neighbours(self.tensor(e)?.elems);
        Ok(Strip::new(all.start, all.len(), 1, 0))
    }

    /// Reports J0802 for an element of a workspace that nobody has written.
    fn has_value(&self, e: Element) -> Result<(), Trip> {
        let gm = self.tensor(e)?;
        let missing = gm.is_workspace()
            && gm
                .first_unwritten(&self.written[e.gm], e.at..e.at + 1)
                .is_some();
        let message = || {
            format!(
                "get_value reads {} of a workspace, which neither this block has written nor another one before a `sync_all`",
                self.words(e)
            )
        };
        if missing {
            Err(Trip::new(Code::J0802, message()))
        } else {
            Ok(())
        }
    }

    /// Loads the missing bytes of a line, if the element is missing.
    fn bring_in(&mut self, e: Element) -> Result<(), Trip> {
        let key = (e.gm, e.line());
        let held = self.cache.0.get(&key).map_or(0, |line| line.held);
        if held & set(e.bytes()) == set(e.bytes()) {
            return Ok(());
        }
        let missing: Vec<_> = e
            .neighbours(self.tensor(e)?.elems)
            .map(|at| e.beside(at))
            .collect();
        for one in missing
            .into_iter()
            .filter(|one| held & set(one.bytes()) == 0)
        {
            let mut bytes = vec![0; e.size];
            self.tensor(e)?.read(one.at * e.size, &mut bytes);
            let is_late = self
                .watch
                .as_ref()
                .is_some_and(|watch| watch.pipes.is_written(Pipe::S, e.gm, one.strip()));
            let stood = self.stood;
            let line = self.cache.0.entry(key).or_insert_with(|| Line {
                bytes: [0; LINE],
                held: 0,
                changed: 0,
                old: 0,
                since: [0; LINE],
                span: SpanId(u32::MAX),
            });
            line.bytes[one.bytes()].copy_from_slice(&bytes);
            line.held |= set(one.bytes());
            line.old |= if is_late { set(one.bytes()) } else { 0 };
            line.since[one.bytes()].fill(stood);
        }
        Ok(())
    }

    /// Reports J0809 for a cached element that somebody has stored since it was loaded.
    fn is_new(&self, e: Element, what: &str) -> Result<(), Trip> {
        let Some(line) = self.cache.0.get(&(e.gm, e.line())) else {
            return Ok(());
        };
        let bytes = set(e.bytes());
        if line.held & bytes == 0 || line.changed & bytes != 0 {
            return Ok(());
        }
        let since = line.since[e.bytes().start];
        let other = self
            .sync
            .and_then(|sync| sync.stored_since(since, self.env.block, e.gm, e.at));
        let who = match other {
            Some((block, span)) => {
                format!(
                    "block {block} has stored that in line {}",
                    self.setup.line(span)
                )
            }
            None if line.old & bytes != 0 => "a copy has stored that".to_string(),
            None => return Ok(()),
        };
        let message = format!(
            "{what} {} as the cache of the scalar unit holds it; {who} since: `data_cache_clean_and_invalid` must stand behind that and \
             before this",
            self.words(e)
        );
        Err(Trip::new(Code::J0809, message))
    }

    /// Records the accesses of a changed line: a store of the changed elements, and a touch of the
    /// rest.
    fn holds_changed(&mut self, gm: usize, number: usize) {
        let (Some(line), Some(tensor)) = (self.cache.0.get(&(gm, number)), &self.gms[gm]) else {
            return;
        };
        let size = self.program.sizes[gm];
        let first = Element {
            gm,
            at: number * LINE / size,
            size,
        };
        let all = first.neighbours(tensor.elems);
        let touched = self.ran.stint.now();
        for one in all
            .clone()
            .map(|at| first.beside(at))
            .filter(|one| line.changed & set(one.bytes()) != 0)
        {
            touched.note(gm, line.span, Access::Write, one.strip());
        }
        touched.note(
            gm,
            line.span,
            Access::Line,
            Strip::new(all.start, all.len(), 1, 0),
        );
    }

    /// Records changed lines again after a standstill or a set: they are still changed.
    pub(super) fn lines_go_on(&mut self) {
        let changed: Vec<_> = self
            .cache
            .0
            .iter()
            .filter(|(_, line)| line.changed != 0)
            .map(|(key, _)| *key)
            .collect();
        changed
            .into_iter()
            .for_each(|(gm, number)| self.holds_changed(gm, number));
    }

    /// Checks a copy, which bypasses the cache: it must not read changed bytes. A store makes the
    /// cached bytes stale.
    pub(super) fn past_the_cache(
        &mut self,
        gm: usize,
        does: Access,
        strip: Strip,
    ) -> Result<(), Trip> {
        if !self.program.cached[gm] {
            return Ok(());
        }
        let (size, elems) = (
            self.program.sizes[gm],
            self.gms[gm].as_ref().map_or(0, |gm| gm.elems),
        );
        for ((_, number), line) in self.cache.0.range_mut((gm, 0)..(gm + 1, 0)) {
            let first = Element {
                gm,
                at: number * LINE / size,
                size,
            };
            for one in first
                .neighbours(elems)
                .map(|at| first.beside(at))
                .filter(|one| strip.holds(one.at))
            {
                let is_changed = line.changed & set(one.bytes()) != 0;
                if !does.stores() && is_changed || does.stores() && line.changed != 0 {
                    let (span, verb) = (line.span, does.verb());
                    return Err(self.past_a_changed(one, verb, does.stores(), span));
                }
                line.old |= if does.stores() { set(one.bytes()) } else { 0 };
            }
        }
        Ok(())
    }

    fn past_a_changed(&self, e: Element, verb: &str, stores: bool, span: SpanId) -> Trip {
        let (words, line) = (self.words(e), self.setup.line(span));
        let why = if stores {
            "in the line of 64 bytes of which `set_value` has changed something in the cache of the scalar unit"
        } else {
            "which `set_value` has changed in the cache of the scalar unit"
        };
        let message = format!(
            "a copy {verb} {words}, {why} (line {line}) and nobody has written back: `data_cache_clean_and_invalid` must stand between the \
             two"
        );
        Trip::new(Code::J0809, message)
    }

    /// Reports a line that is changed at the end of a block.
    pub(super) fn lines_left(&self) -> Result<(), (Trip, SpanId)> {
        let Some(((gm, number), line)) = self.cache.0.iter().find(|(_, line)| line.changed != 0)
        else {
            return Ok(());
        };
        let size = self.program.sizes[*gm];
        let at = (number * LINE + line.changed.trailing_zeros() as usize) / size;
        let message = format!(
            "{} lies changed in the cache of the scalar unit at the end of the block, and nobody has written it back: \
             `data_cache_clean_and_invalid` must stand behind `set_value`",
            self.words(Element { gm: *gm, at, size })
        );
        Err((Trip::new(Code::J0809, message), line.span))
    }
}
