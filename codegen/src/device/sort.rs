//! The places of the largest elements, as a function of the kernel's namespace. `Sort32` sorts
//! lists of 32 elements, and `MrgSort` merges four of them at a time until one is left. No more of
//! each list is merged than is asked for.
//!
//! It also prints the calls of `Sort32` and `MrgSort` that an author writes.

use super::call::is_param;
use super::class::ClassCx;
use super::stmt::Locals;
use crate::cpp::Cpp;
use crate::scalar::Helper;
use jumar_dsl::ir::{Instr, Scalar};
use jumar_dsl::ops::contract::{LIST, MOST_LISTS, PAIR_BYTES};

/// Prints the function; with `barriers` between calls that depend on one another.
pub(super) fn top_places(barriers: bool, out: &mut Cpp) {
    let wait = |out: &mut Cpp, depth: &str| {
        if barriers {
            out.line(format_args!("{depth}PipeBarrier<PIPE_V>();"));
        }
    };
    out.blank();
    out.comment(
        "The places of the `most` largest of `n` elements in falling order, of equal ones the first first. `places` counts from 0 on; `work` takes the pairs \
         of a score and its place twice, and the elements, filled up to whole lists.",
    );
    out.line("template <typename T>");
    out.function(
        "__aicore__ inline void TopPlaces(const LocalTensor<int32_t> &dst, const LocalTensor<T> &src, const LocalTensor<int32_t> &places, \
         const LocalTensor<T> &work, int64_t most, int64_t n)",
        |out| {
            out.line(format_args!("constexpr int64_t LIST = {LIST};"));
            out.line("constexpr int64_t PAIR = 8 / sizeof(T); // elements in the room of a pair");
            out.line("const int64_t all = AlignUp(n, LIST);");
            out.line("LocalTensor<T> from = work;");
            out.line("LocalTensor<T> to = work[all * PAIR];");
            out.line("LocalTensor<T> scores = work[all * PAIR * 2];");
            out.line("if (n < all) {");
            out.line("    Duplicate(scores[all - LIST], static_cast<T>(-FLOAT_INF), static_cast<int32_t>(LIST));");
            wait(out, "    ");
            out.line("}");
            out.line("Adds(scores, src, static_cast<T>(0.0f), static_cast<int32_t>(n)); // -0 becomes 0");
            wait(out, "");
            out.line("Sort32(from, scores, places.ReinterpretCast<uint32_t>(), static_cast<int32_t>(all / LIST));");
            out.line("for (int64_t list = LIST; list < all; list *= 4) {");
            wait(out, "    ");
            out.line("    const int64_t taken = MinOf(list, most);");
            out.line("    int64_t at = 0;");
            out.line("    if (taken == list && all >= 4 * list) {");
            out.line("        const uint16_t length = static_cast<uint16_t>(list);");
            out.line("        const uint16_t lengths[4] = {length, length, length, length};");
            out.line("        const int64_t groups = all / (4 * list);");
            out.line("        MrgSort(to, MrgSortSrcList<T>(from, from[list * PAIR], from[2 * list * PAIR], from[3 * list * PAIR]),");
            out.line("            MrgSort4Info(lengths, false, 15, static_cast<uint16_t>(groups)));");
            out.line("        at = groups * 4 * list;");
            out.line("    }");
            out.line("    for (; at < all; at += 4 * list) {");
            out.line("        const int64_t left = MinOf(all - at, 4 * list);");
            out.line("        if (left <= list) {");
            out.line("            const int64_t pairs = AlignUp(MinOf(left, taken), int64_t(4));");
            out.line("            DataCopy(to[at * PAIR], from[at * PAIR], static_cast<uint32_t>(pairs * PAIR));");
            out.line("            continue;");
            out.line("        }");
            out.line("        uint16_t lengths[4] = {};");
            out.line("        uint16_t valid = 0;");
            out.line("        for (int64_t i = 0; i * list < left; ++i) {");
            out.line("            lengths[i] = static_cast<uint16_t>(MinOf(left - i * list, taken));");
            out.line("            valid = static_cast<uint16_t>(2 * valid + 1);");
            out.line("        }");
            out.line("        const LocalTensor<T> first = from[at * PAIR];");
            out.line("        const int64_t third = valid > 3 ? 2 * list * PAIR : 0;");
            out.line("        const int64_t fourth = valid > 7 ? 3 * list * PAIR : 0;");
            out.line("        MrgSort(to[at * PAIR], MrgSortSrcList<T>(first, first[list * PAIR], first[third], first[fourth]),");
            out.line("            MrgSort4Info(lengths, false, valid, 1));");
            out.line("    }");
            out.line("    const LocalTensor<T> other = from;");
            out.line("    from = to;");
            out.line("    to = other;");
            out.line("}");
            wait(out, "");
            out.line("uint64_t kept = 0;");
            out.line("const LocalTensor<int32_t> pairs = from.template ReinterpretCast<int32_t>();");
            out.line("GatherMask(dst, pairs, 2, true, static_cast<uint32_t>(2 * most), {1, 1, 8, 0}, kept);");
        },
    );
}

impl ClassCx<'_> {
    /// Prints the call for the places of the largest elements, which AscendC takes and gives
    /// without a sign.
    pub(super) fn top(&self, instr: &Instr, locals: &Locals) -> Option<String> {
        let (n, most) = (instr.extent.count()?, instr.most()?);
        self.need(Helper::TopPlaces);
        let views: Vec<_> = instr
            .views()
            .map(|(_, view)| self.view(view, locals))
            .collect();
        Some(format!(
            "TopPlaces({}, {}, {})",
            views.join(", "),
            self.process().expr(most),
            self.process().expr(n)
        ))
    }

    /// Prints the call `Sort32(dst, src, places, repeats)`.
    pub(super) fn sort32(&self, instr: &Instr, locals: &Locals) -> Option<String> {
        let n = instr.extent.count()?;
        let views: Vec<_> = instr
            .views()
            .map(|(_, view)| self.view(view, locals))
            .collect();
        let repeats = self.int32(&n.clone().ceil_div(LIST));
        Some(format!(
            "Sort32({}.ReinterpretCast<uint32_t>(), {repeats})",
            views.join(", ")
        ))
    }

    /// Prints `MrgSort(dst, lists, info)` of two to four lists. Missing lists are the first one
    /// again, with length 0.
    pub(super) fn merge(&self, instr: &Instr, locals: &Locals, out: &mut Cpp) -> Option<()> {
        let n = instr.extent.count()?;
        let views: Vec<_> = instr
            .views()
            .map(|(_, view)| self.view(view, locals))
            .collect();
        let [dst, lists @ ..] = &views[..] else {
            return None;
        };
        let lengths: Vec<_> = instr
            .lengths()
            .chain([n])
            .map(|length| self.field(length, 16))
            .collect();
        let valid = (1 << lists.len()) - 1;
        let four = (0..MOST_LISTS as usize).map(|i| lists.get(i).unwrap_or(&lists[0]).clone());
        let sources = four.collect::<Vec<_>>().join(", ");
        self.merge_call(
            (dst, &sources),
            (&lengths.join(", "), valid, "1"),
            (instr, locals),
            out,
        );
        Some(())
    }

    /// Prints `MrgSort` of groups of four lists of one length.
    pub(super) fn merge_fours(&self, instr: &Instr, locals: &Locals, out: &mut Cpp) -> Option<()> {
        let (n, length) = (instr.extent.count()?, instr.lengths().next()?);
        let views: Vec<_> = instr
            .views()
            .map(|(_, view)| self.view(view, locals))
            .collect();
        let [dst, src] = &views[..] else { return None };
        let pair = |pairs: Scalar| {
            let own = self.own_ty(instr);
            match is_param(own) {
                true => {
                    format!(
                        "{} * ({PAIR_BYTES} / static_cast<int64_t>(sizeof({})))",
                        self.process().factor(&pairs),
                        self.ty(own)
                    )
                }
                false => self
                    .process()
                    .expr(&(pairs * (PAIR_BYTES / own.resolve(&[]).bytes()))),
            }
        };
        let later = (1..MOST_LISTS).map(|i| format!("{src}[{}]", pair(length.clone() * i)));
        let sources = std::iter::once(src.clone())
            .chain(later)
            .collect::<Vec<_>>()
            .join(", ");
        let lengths = vec![self.field(length, 16); MOST_LISTS as usize].join(", ");
        self.merge_call(
            (dst, &sources),
            (&lengths, (1 << MOST_LISTS) - 1, &self.field(n, 16)),
            (instr, locals),
            out,
        );
        Some(())
    }

    fn merge_call(
        &self,
        (dst, sources): (&str, &str),
        (lengths, valid, repeats): (&str, u16, &str),
        (instr, locals): (&Instr, &Locals),
        out: &mut Cpp,
    ) {
        let (name, ty) = (locals.unique("lengths"), self.ty(self.own_ty(instr)));
        out.stmt(format_args!(
            "const uint16_t {name}[{MOST_LISTS}] = {{{lengths}}}"
        ));
        out.stmt(format_args!(
            "MrgSort({dst}, MrgSortSrcList<{ty}>({sources}), MrgSort4Info({name}, false, {valid}, {repeats}))"
        ));
    }
}
