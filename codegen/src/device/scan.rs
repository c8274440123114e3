//! Running sums and products, as functions of the kernel's namespace.

use super::class::ClassCx;
use super::stmt::Locals;
use crate::cpp::Cpp;
use crate::scalar::Helper;
use jumar_dsl::ir::Instr;
use jumar_dsl::ops::ScanOp;

/// Returns the name of the function.
const fn name(op: ScanOp) -> &'static str {
    match op {
        ScanOp::Sum => "ScanSum",
        ScanOp::Prod => "ScanProd",
    }
}

/// Prints the function; with `barriers` between calls that depend on one another.
pub(super) fn scan(op: ScanOp, barriers: bool, out: &mut Cpp) {
    let wait = |out: &mut Cpp, depth: &str| {
        if barriers {
            out.line(format_args!("{depth}PipeBarrier<PIPE_V>();"));
        }
    };
    // Adding 0 would change -0 to 0.
    let (join, word, neutral) = match op {
        ScanOp::Sum => ("Add", "sum", "-0.0f"),
        ScanOp::Prod => ("Mul", "product", "1"),
    };
    out.blank();
    out.comment(&format!(
        "The {word} of each of `n` elements and all before it: each is joined to the one 1, 2, 4 and so on before it. `offsets` has those of the elements, `work` \
         takes them twice, a data block of what changes nothing before each."
    ));
    out.line("template <typename T>");
    out.function(
        format_args!(
            "__aicore__ inline void {}(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<int32_t> &offsets, \
             const LocalTensor<T> &work, int64_t n)",
            name(op)
        ),
        |out| {
            out.line("constexpr int64_t BLOCK = DATA_BLOCK_BYTES / sizeof(T);");
            out.line("const int64_t all = AlignUp(n, BLOCK);");
            out.line("LocalTensor<T> to = work;");
            out.line("LocalTensor<T> from = work[all + BLOCK];");
            out.line(format_args!("Duplicate(from, static_cast<T>({neutral}), static_cast<int32_t>(BLOCK));"));
            out.line("DataCopy(from[BLOCK], src, static_cast<uint32_t>(all));");
            out.line("for (int64_t by = 1; by < MinOf(n, BLOCK); by *= 2) {");
            wait(out, "    ");
            out.line("    const uint32_t base = static_cast<uint32_t>((BLOCK - by) * sizeof(T));");
            out.line("    Gather(to, from, offsets.ReinterpretCast<uint32_t>(), base, static_cast<uint32_t>(n));");
            wait(out, "    ");
            out.line(format_args!("    {join}(from[BLOCK], from[BLOCK], to, static_cast<int32_t>(n));"));
            out.line("}");
            out.line("for (int64_t by = BLOCK; by < n; by *= 2) {");
            wait(out, "    ");
            out.line("    DataCopy(to[BLOCK], from[BLOCK], static_cast<uint32_t>(by));");
            out.line(format_args!("    {join}(to[BLOCK + by], from[BLOCK + by], from[BLOCK], static_cast<int32_t>(n - by));"));
            out.line("    const LocalTensor<T> other = from;");
            out.line("    from = to;");
            out.line("    to = other;");
            out.line("}");
            wait(out, "");
            out.line("DataCopy(dst, from[BLOCK], static_cast<uint32_t>(all));");
        },
    );
}

impl ClassCx<'_> {
    /// Prints the call for running sums or products.
    pub(super) fn scan(&self, op: ScanOp, instr: &Instr, locals: &Locals) -> Option<String> {
        let n = instr.extent.count()?;
        self.need(Helper::Scan(op));
        let views: Vec<_> = instr
            .views()
            .map(|(_, view)| self.view(view, locals))
            .collect();
        Some(format!(
            "{}({}, {})",
            name(op),
            views.join(", "),
            self.process().expr(n)
        ))
    }
}
