// Questions of tiling functions (opbase, op_host/tiling_base_util.h).
#ifndef ASCENDC_CPU_OP_COMMON_TILING_BASE_UTIL_H
#define ASCENDC_CPU_OP_COMMON_TILING_BASE_UTIL_H

#include "platform/soc_spec.h"
#include "register/op_impl_registry.h"

namespace Ops {
namespace Base {
// Chips whose vector cores have registers that kernels name (DAV_3510, DAV_5102), which this build does not have.
inline bool IsRegbaseSocVersion(const gert::TilingParseContext *)
{
    return false;
}
inline bool IsRegbaseSocVersion(const gert::TilingContext *)
{
    return false;
}

// A shape without axes as one with an axis of 1.
inline const gert::Shape &EnsureNotScalar(const gert::Shape &inShape)
{
    static const gert::Shape one = {1};
    return inShape.IsScalar() ? one : inShape;
}
} // namespace Base
} // namespace Ops

#endif
