//! The headers of the toolkit that device code includes.

use crate::cpp::Cpp;

/// Prints the includes. Kernels whose function takes lists (`lists`) also need the header of lists,
/// which the other header includes in no release.
pub(crate) fn includes(lists: bool, out: &mut Cpp) {
    out.line("#include \"kernel_operator.h\"");
    if lists {
        out.line("#include \"kernel_operator_list_tensor_intf.h\"");
    }
}
