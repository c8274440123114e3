//! Codes that have a fix, and reasons of the others.

use jumar_dsl::diag::Code;

/// The fix of a code.
pub enum Remedy {
    /// At least one of its forms has a fix.
    Fixed,
    /// None of its forms has one, and why.
    None(&'static str),
}

/// Returns the remedy of a code. A code without a row does not compile.
pub fn remedy(code: Code) -> Remedy {
    use Remedy::{Fixed, None};
    match code {
        Code::J0100 => Fixed,
        Code::J0101 => Fixed,
        Code::J0102 => Fixed,
        Code::J0103 => Fixed,
        Code::J0104 => Fixed,
        Code::J0105 => Fixed,
        Code::J0106 => Fixed,
        Code::J0107 => None("what the recursion computes must be written out as a loop"),
        Code::J0108 => None("one of the two levels must be written anew in the other"),
        Code::J0109 => Fixed,
        Code::J0201 => Fixed,
        Code::J0202 => Fixed,
        Code::J0203 => Fixed,
        Code::J0204 => Fixed,
        Code::J0205 => Fixed,
        Code::J0206 => None("whether two axes are one, or a tile is to be repeated along one, only the author knows"),
        Code::J0207 => Fixed,
        Code::J0208 => Fixed,
        Code::J0209 => Fixed,
        Code::J0210 => None("what the output is to hold is not in the text"),
        Code::J0211 => Fixed,
        Code::J0212 => Fixed,
        Code::J0213 => Fixed,
        Code::J0214 => None("another algorithm is wanted, not another spelling"),
        Code::J0215 => None("which indices were meant is not in the text"),
        Code::J0216 => Fixed,
        Code::J0217 => Fixed,
        Code::J0218 => None("the loop must be built otherwise"),
        Code::J0219 => Fixed,
        Code::J0220 => Fixed,
        Code::J0301 => None("which queue is to have fewer buffers is a choice of speed"),
        Code::J0302 => None("the passes over a row must be built otherwise"),
        Code::J0303 => None("which buffers can be one is not in the text"),
        Code::J0304 => Fixed,
        Code::J0305 => Fixed,
        Code::J0306 => Fixed,
        Code::J0307 => Fixed,
        Code::J0308 => Fixed,
        Code::J0309 => Fixed,
        Code::J0310 => Fixed,
        Code::J0311 => None("another buffer is wanted, and memory for it"),
        Code::J0401 => Fixed,
        Code::J0402 => Fixed,
        Code::J0403 => Fixed,
        Code::J0404 => Fixed,
        Code::J0405 => Fixed,
        Code::J0406 => None("the tensor must come from another queue, with its own life there"),
        Code::J0407 => None("what was to be enqueued before is not in the text"),
        Code::J0408 => None("whether a tensor is to be freed earlier or a buffer more is wanted, the author decides"),
        Code::J0409 => Fixed,
        Code::J0410 => Fixed,
        Code::J0411 => None("which iteration is to have which elements is not in the text"),
        Code::J0412 => None("where all blocks are to meet is not in the text"),
        Code::J0413 => Fixed,
        Code::J0414 => Fixed,
        Code::J0415 => Fixed,
        Code::J0416 => Fixed,
        Code::J0501 => None("which instances the kernel is for the author decides"),
        Code::J0502 => Fixed,
        Code::J0503 => Fixed,
        Code::J0504 => Fixed,
        Code::J0505 => Fixed,
        Code::J0601 => None("what the host knows instead is not in the text"),
        Code::J0602 => None("what makes it true is a fact of the launch that only the author knows"),
        Code::J0603 => None("the arguments of a launch are wrong, and no text"),
        Code::J0604 => Fixed,
        Code::J0605 => None("the arguments of a launch are wrong, and no text"),
        Code::J0606 => None("the shape of a launch is too large"),
        Code::J0801
        | Code::J0802
        | Code::J0803
        | Code::J0804
        | Code::J0805
        | Code::J0806
        | Code::J0807
        | Code::J0808
        | Code::J0809
        | Code::J0810
        | Code::J0811
        | Code::J0812
        | Code::J0813
        | Code::J0814
        | Code::J0815
        | Code::J0816
        | Code::J0817
        | Code::J0818
        | Code::J0819 => None("found in a run, which knows where and not why"),
        Code::J0901 => Fixed,
        Code::J0902 => Fixed,
        Code::J0903 => Fixed,
        Code::J0904 => Fixed,
    }
}

/// Returns why an uncertain fix leads to another finding in this kernel.
pub fn leads_on(kernel: &str, code: Code) -> Option<&'static str> {
    match (kernel, code) {
        ("stored_before_it_was_computed", Code::J0414) => {
            Some("of a block one finding is told, and the flag that is left set comes to light behind it")
        }
        ("J0203_abs_abs_does_not_take" | "J0203_mul_mul_does_not_take" | "absolute_value_of_whole_numbers", Code::J0203) => {
            Some("integers for which no op is go through `f32`, and J0904 says that it does not hold them all")
        }
        ("sigmoid_of_whole_numbers", Code::J0203) => Some("the result goes to floats, so that the cast back is one too many"),
        _ => None,
    }
}
