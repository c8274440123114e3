// Shapes whose axes a graph does not know (opbase, op_host/util/shape_util.h).
#ifndef ASCENDC_CPU_OP_COMMON_SHAPE_UTIL_H
#define ASCENDC_CPU_OP_COMMON_SHAPE_UTIL_H

#include "exe_graph/runtime/shape.h"
#include "op_common/op_host/util/opbase_export.h"

namespace Ops {
namespace Base {
// An axis counted from either end. A shape without axes has the axis 0.
template <typename T1, typename T2>
bool CheckAxisBounds(const T1 dimNum, const T2 axis)
{
    const int64_t count = static_cast<int64_t>(dimNum);
    const int64_t at = static_cast<int64_t>(axis);
    return count == 0 ? at == 0 : at >= -count && at < count;
}

OPBASE_API inline void SetUnknownRank(gert::Shape &shape)
{
    shape.SetDimNum(0);
    shape.AppendDim(-2);
}
OPBASE_API inline bool IsUnknownRank(const gert::Shape &shape)
{
    return shape.GetDimNum() == 1 && shape.GetDim(0) == -2;
}
// A rank below 0 changes nothing.
OPBASE_API inline void SetUnknownShape(int64_t rank, gert::Shape &shape)
{
    if (rank < 0) {
        return;
    }
    shape.SetDimNum(0);
    for (int64_t i = 0; i < rank; ++i) {
        shape.AppendDim(-1);
    }
}
OPBASE_API inline bool IsUnknownShape(const gert::Shape &shape)
{
    for (size_t i = 0; i < shape.GetDimNum(); ++i) {
        if (shape.GetDim(i) == -1) {
            return true;
        }
    }
    return false;
}
} // namespace Base
} // namespace Ops

#endif
