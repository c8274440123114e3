// The shape of an output that is as its input (opbase, op_host/infershape_elewise_util.h).
#ifndef ASCENDC_CPU_OP_COMMON_INFERSHAPE_ELEWISE_UTIL_H
#define ASCENDC_CPU_OP_COMMON_INFERSHAPE_ELEWISE_UTIL_H

#include "exe_graph/runtime/infer_shape_context.h"
#include "op_common/op_host/util/opbase_export.h"

namespace Ops {
namespace Base {
// The first output is as the first input.
OPBASE_API inline ge::graphStatus InferShape4Elewise(gert::InferShapeContext *context)
{
    const gert::Shape *const in = context->GetInputShape(0);
    gert::Shape *const out = context->GetOutputShape(0);
    if (in == nullptr || out == nullptr) {
        return ge::GRAPH_FAILED;
    }
    *out = *in;
    return ge::GRAPH_SUCCESS;
}
} // namespace Base
} // namespace Ops

#endif
