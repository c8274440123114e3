//! The headers of the toolkit that device code includes.

use crate::cpp::Cpp;

/// Prints them: of kernels whose function takes lists (`lists`) the header of lists, too, which the other brings in no release.
pub(crate) fn includes(lists: bool, out: &mut Cpp) {
    out.line("#include \"kernel_operator.h\"");
    if lists {
        out.line("#include \"kernel_operator_list_tensor_intf.h\"");
    }
}
