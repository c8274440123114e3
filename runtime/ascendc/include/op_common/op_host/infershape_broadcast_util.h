// The shape of an output whose inputs repeat along axes of length 1 (opbase, op_host/infershape_broadcast_util.h).
#ifndef ASCENDC_CPU_OP_COMMON_INFERSHAPE_BROADCAST_UTIL_H
#define ASCENDC_CPU_OP_COMMON_INFERSHAPE_BROADCAST_UTIL_H

#include <cstddef>
#include <string>
#include <vector>

#include "ascendc/log.h"
#include "exe_graph/runtime/infer_shape_context.h"
#include "op_common/op_host/util/opbase_export.h"

namespace Ops {
namespace Base {
// Axes are counted from the last one. Equal lengths stay, 1 gives way, and one that a graph does not know (-1) is the other one's
// unless that is 1. A shape of unknown rank (-2) makes all unknown.
OPBASE_API inline bool BroadcastShape(const std::vector<const gert::Shape *> &inShapes, gert::Shape *outShape)
{
    gert::Shape out;
    bool is_unknown = false;
    for (const gert::Shape *const in : inShapes) {
        is_unknown = is_unknown || (in->GetDimNum() == 1 && in->GetDim(0) == -2);
        gert::Shape wider;
        const size_t rank = in->GetDimNum() > out.GetDimNum() ? in->GetDimNum() : out.GetDimNum();
        for (size_t i = 0; !is_unknown && i < rank; ++i) {
            const auto length = [i, rank](const gert::Shape &of) {
                const size_t missing = rank - of.GetDimNum();
                return i < missing ? 1 : of.GetDim(i - missing);
            };
            const int64_t a = length(out);
            const int64_t b = length(*in);
            if (a != b && a != 1 && b != 1 && a != -1 && b != -1) {
                ascendc_cpu::LogError("axes of " + std::to_string(a) + " and " + std::to_string(b) + " cannot be broadcast");
                return false;
            }
            wider.AppendDim(a == 1 || (a == -1 && b != 1) ? b : a);
        }
        out = is_unknown ? gert::Shape{-2} : wider;
        if (is_unknown) {
            break;
        }
    }
    *outShape = out;
    return !inShapes.empty();
}
OPBASE_API inline bool BroadcastShape(const gert::Shape *in1Shape, const gert::Shape *in2Shape, gert::Shape *outShape)
{
    return BroadcastShape({in1Shape, in2Shape}, outShape);
}

// The first output is what the first inputs become.
OPBASE_API inline ge::graphStatus InferShape4Broadcast(gert::InferShapeContext *context, size_t inputNum)
{
    std::vector<const gert::Shape *> in;
    for (size_t i = 0; i < inputNum; ++i) {
        in.push_back(context->GetInputShape(i));
        if (in.back() == nullptr) {
            return ge::GRAPH_FAILED;
        }
    }
    gert::Shape *const out = context->GetOutputShape(0);
    return out != nullptr && BroadcastShape(in, out) ? ge::GRAPH_SUCCESS : ge::GRAPH_FAILED;
}
// Of two inputs.
OPBASE_API inline ge::graphStatus InferShape4Broadcast(gert::InferShapeContext *context)
{
    return InferShape4Broadcast(context, 2);
}
} // namespace Base
} // namespace Ops

#endif
