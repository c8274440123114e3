//! Parameters of copies of rows, as functions of the kernel's namespace. Only the core knows the
//! length of a burst, from the host's columns and pitch.

use crate::cpp::Cpp;
use crate::scalar::{Helper, Helpers};
use jumar_dsl::soc::Chip;

/// Returns the name of the helper that gives the parameters of a copy of rows.
pub(super) fn rows_name(helper: Helper) -> &'static str {
    if helper == Helper::RowsToUb {
        "RowsToUb"
    } else {
        "RowsToGm"
    }
}

/// Prints the helpers of copies that a text uses.
pub(super) fn helpers(chip: &Chip, used: Helpers, out: &mut Cpp) {
    if used.has(Helper::BlockGap) {
        block_gap(out);
    }
    for helper in [Helper::RowsToUb, Helper::RowsToGm] {
        if used.has(helper) {
            out.blank();
            out.comment("Rows that touch in GM and begin `pitch` elements apart in UB: one burst where they touch there, too.");
            whole_rows(chip, helper, out);
        }
    }
}

fn block_gap(out: &mut Cpp) {
    out.blank();
    out.comment(
        "Data blocks between the end of a row of `cols` elements in UB, which a copy fills up to a whole block, and \
         the start of the next row.",
    );
    out.line("template <typename T>");
    out.function(
        "__aicore__ inline uint32_t BlockGap(int64_t pitch, int64_t cols)",
        |out| {
            out.line("constexpr int64_t blockElems = DATA_BLOCK_BYTES / sizeof(T);");
            out.line(
                "return static_cast<uint32_t>((pitch - AlignUp(cols, blockElems)) / blockElems);",
            );
        },
    );
}

fn whole_rows(chip: &Chip, helper: Helper, out: &mut Cpp) {
    let is_padded = chip.has_data_copy_pad;
    let params = if is_padded {
        "DataCopyExtParams"
    } else {
        "DataCopyParams"
    };
    // DataCopyPad counts bytes of GM and data blocks of UB, DataCopy data blocks of both
    // (asc-devkit, pages of both structs).
    let (length, gap) = if is_padded {
        (
            "static_cast<uint32_t>(elements * sizeof(T))",
            "BlockGap<T>(pitch, cols)",
        )
    } else {
        (
            "static_cast<uint16_t>(elements * sizeof(T) / DATA_BLOCK_BYTES)",
            "static_cast<uint16_t>((pitch - cols) * sizeof(T) / DATA_BLOCK_BYTES)",
        )
    };
    let gaps = if helper == Helper::RowsToUb {
        format!("0, {gap}")
    } else {
        format!("{gap}, 0")
    };
    let end = if is_padded { ", 0" } else { "" };
    out.line("template <typename T>");
    out.function(
        format_args!(
            "__aicore__ inline {params} {}(int64_t rows, int64_t cols, int64_t pitch)",
            rows_name(helper)
        ),
        |out| {
            out.line("const bool isOneBurst = pitch == cols;");
            out.line("const int64_t elements = isOneBurst ? rows * cols : cols;");
            out.line("const uint16_t bursts = isOneBurst ? 1 : static_cast<uint16_t>(rows);");
            out.stmt(format_args!(
                "return {params}{{bursts, {length}, {gaps}{end}}}"
            ));
        },
    );
}
