//! Equivalent changes: the mutants that nothing detects are judged here, by statement, with the
//! reason.

/// Statements whose changes may be equivalent.
struct Alike {
    /// The end of the function's name.
    func: &'static str,
    /// A part of the text of the statement, or of the change.
    of: &'static str,
    /// The reason why the change has no effect.
    #[allow(dead_code)]
    why: &'static str,
}

const fn alike(func: &'static str, of: &'static str, why: &'static str) -> Alike {
    Alike { func, of, why }
}

const FORM: &str =
    "it chooses among forms that give the same, and no tile that fits in UB has the sizes on which the choice differs";
const PITCH: &str =
    "the lowering pads long rows to whole results of a repeat by less than one of them, and others to a data block";
const ONE_GROUP: &str = "UB holds no 256 rows as long as those that are padded";
const IMPLIED: &str = "what else is required implies it, or nothing that is proved asks for it";
const LAST_IS_ODD: &str = "the last element is an odd one, which is not taken";
const EXACT: &str = "it divides without a rest";
const ONE_BLOCK: &str = "one data block, or one repeat, takes no stride";

const LIST: &[Alike] = &[
    alike("_of_rows", "(+ $1 64)", PITCH),
    alike("_of_rows", "(+ $1 256)", PITCH),
    alike("pad_rows", "(+ $1 64)", PITCH),
    alike("pad_rows", "(+ $1 256)", PITCH),
    alike("pad_rows", "=> $7 (* (- $4", "rows of f32 are padded inside their last repeat: the first chunk is the only one"),
    alike("pad_rows", "(- (ceil_div (* $2", EXACT),
    alike("pad_rows", "(max (- $1 $7) 0)", PITCH),
    alike("pad_rows", "(min (- (* $2", PITCH),
    alike("pad_rows", "(<= $2 255)", FORM),
    alike("pad_rows", "(ceil_div $0 255)", ONE_GROUP),
    alike("pad_rows", "(* $10 255)", ONE_GROUP),
    alike("pad_rows", "(min 255 (- $0 $11))", ONE_GROUP),
    alike("pad_rows", "(at *0 (+ (* $11 (*", ONE_GROUP),
    alike("pad_rows", "(at *0 (+ (* $13 (*", ONE_BLOCK),
    alike("", "(<= 0 $", IMPLIED),
    alike("pad_rows", "(<= $2 65535)] (body", IMPLIED),
    alike("pad_rows", "(<= $1 (* $2", IMPLIED),
    alike("_of_row_blocks", "(<= $0 2040)] (body", IMPLIED),
    alike("_of_row_blocks", "(> $2 65535)", FORM),
    alike("_of_row_blocks", "(> $2 8)", PITCH),
    alike("_of_row_blocks", "(> $2 16)", PITCH),
    alike("_of_row_blocks", "(results (/ $4 8))", EXACT),
    alike("", "(<= $0 1020)", FORM),
    alike("", "(select (!= (% $0 8) 0) 13 5)", FORM),
    alike(
        "_in_one_step",
        "(ceil_div $1 8)",
        "UB holds no row that leaves nine results to the last step, and eight are one or less by nine",
    ),
    alike("_of_whole_rows", "(blocks 1 1)", ONE_BLOCK),
    alike(
        "_of_whole_rows",
        "duplicate (count (* $0 1024))",
        "a reduction before it left what is as good there; the first one shows it",
    ),
    alike("sum_of_two_blocks", "(< 8 $1)", "no caller breaks it, and the simulator holds each call to it"),
    alike("_rows", "(> $8 0)", "rows of whole data blocks leave eight elements or none"),
    alike("_columns", "(> $8 0)", "rows of whole data blocks leave eight elements or none"),
    alike("_of_whole_rows", "gather_mask (count", LAST_IS_ODD),
    alike("_of_whole_rows", "(takes scratch (- (+", LAST_IS_ODD),
    alike(
        "_of_whole_rows",
        "(takes read (- (* (* $0 $2) 8) 1)",
        "of buffers whole data blocks are there, and eight elements fill them",
    ),
    alike("_rows", "(> $2 255)", FORM),
    alike("_row", "(> $2 255)", FORM),
    alike("_columns", "(> $2 255)", FORM),
    alike("_rows", "(<= 8 $2)", "rows shorter than a repeat have no whole ones, and the loop makes no iteration"),
    alike("_row", "(<= 8 $2)", "rows shorter than a repeat have no whole ones, and the loop makes no iteration"),
    alike("_columns", "(<= 8 $2)", "rows shorter than a repeat have no whole ones, and the loop makes no iteration"),
];

/// True if an undetected change of a statement of a function is equivalent. `statement` is empty
/// where the change is one of the function's requirements.
pub fn means_the_same(func: &str, statement: &str, change: &str, reached: usize) -> bool {
    // Three results of the third step, or two for halves, need rows of which UB does not hold as
    // many.
    if func.ends_with("_in_one_step") && !statement.is_empty() && reached == 0 {
        return true;
    }
    LIST.iter()
        .any(|a| func.ends_with(a.func) && (statement.contains(a.of) || change.contains(a.of)))
}

/// True if a change of a function makes a call of no repeats that begins beyond its tensor. The
/// checker proves that it touches nothing, but the simulator stops.
pub fn does_nothing(func: &str, change: &str) -> bool {
    func == "pad_rows" && change.contains("(let $11 (+ (* $10 255) 1))")
}
