// The shape of an output without some axes of its input (opbase, op_host/infershape_reduce_util.h).
#ifndef ASCENDC_CPU_OP_COMMON_INFERSHAPE_REDUCE_UTIL_H
#define ASCENDC_CPU_OP_COMMON_INFERSHAPE_REDUCE_UTIL_H

#include "exe_graph/runtime/infer_shape_context.h"
#include "op_common/log/log.h"
#include "op_common/op_host/util/opbase_export.h"
#include "op_common/op_host/util/shape_util.h"

namespace Ops {
namespace Base {
// Axes below 0 count from the end. They become 1, or go.
template <typename T>
ge::graphStatus AscendcCpuReduce(const gert::Shape *xShape, const T *axesDims, int32_t axesSize, bool keepDims, gert::Shape *outputShape)
{
    if (IsUnknownRank(*xShape)) {
        SetUnknownRank(*outputShape);
        return ge::GRAPH_SUCCESS;
    }
    const auto rank = static_cast<T>(xShape->GetDimNum());
    const auto goes = [&](T axis) {
        for (int32_t i = 0; i < axesSize; ++i) {
            if (axesDims[i] == axis || axesDims[i] + rank == axis) {
                return true;
            }
        }
        return false;
    };
    for (int32_t i = 0; i < axesSize; ++i) {
        OP_CHECK_IF(!CheckAxisBounds(rank, axesDims[i]) && !(rank == 0 && axesDims[i] == -1),
            OP_LOGE("reduce", "axis %ld is none of %ld", static_cast<long>(axesDims[i]), static_cast<long>(rank)), return ge::GRAPH_FAILED);
    }
    gert::Shape out;
    for (T axis = 0; axis < rank; ++axis) {
        if (!goes(axis)) {
            out.AppendDim(xShape->GetDim(static_cast<size_t>(axis)));
        } else if (keepDims) {
            out.AppendDim(1);
        }
    }
    *outputShape = out;
    return ge::GRAPH_SUCCESS;
}

template <typename T>
ge::graphStatus ReduceDimsWithKeepDims(const gert::Shape *xShape, const T *axesDims, int32_t axesSize, gert::Shape *outputShape)
{
    return AscendcCpuReduce(xShape, axesDims, axesSize, true, outputShape);
}
template <typename T>
ge::graphStatus ReduceDimsWithoutKeepDims(const gert::Shape *xShape, const T *axesDims, int32_t axesSize, gert::Shape *outputShape)
{
    return AscendcCpuReduce(xShape, axesDims, axesSize, false, outputShape);
}
template <typename T>
ge::graphStatus ReduceDims(const gert::Shape *xShape, const gert::Tensor *axesTensor, int32_t axesSize, const bool keepDims,
    gert::Shape *outputShape)
{
    const T *const axes = axesTensor->GetData<T>();
    OP_CHECK_IF(axes == nullptr, OP_LOGE("reduce", "the axes have no elements"), return ge::GRAPH_FAILED);
    return AscendcCpuReduce(xShape, axes, axesSize, keepDims, outputShape);
}

// Of a tensor and its axes, int32 or int64; the first attribute says whether axes stay. Without axes nothing changes.
OPBASE_API inline ge::graphStatus InferShape4Reduce(gert::InferShapeContext *context)
{
    const gert::Shape *const in = context->GetInputShape(0);
    OP_CHECK_NULL_WITH_CONTEXT(context, in);
    const gert::Tensor *const axes = context->GetInputTensor(1);
    OP_CHECK_NULL_WITH_CONTEXT(context, axes);
    gert::Shape *const out = context->GetOutputShape(0);
    OP_CHECK_NULL_WITH_CONTEXT(context, out);
    const bool *const keepDims = context->GetAttrs()->GetAttrPointer<bool>(0);
    OP_CHECK_NULL_WITH_CONTEXT(context, keepDims);
    const auto count = static_cast<int32_t>(axes->GetShapeSize());
    if (count == 0) {
        *out = *in;
        return ge::GRAPH_SUCCESS;
    }
    switch (axes->GetDataType()) {
        case ge::DT_INT32: return ReduceDims<int32_t>(in, axes, count, *keepDims, out);
        case ge::DT_INT64: return ReduceDims<int64_t>(in, axes, count, *keepDims, out);
        default:
            OP_LOGE(context->GetNodeName(), "axes are %s; int32 and int64 are taken", ToString(axes->GetDataType()).c_str());
            return ge::GRAPH_FAILED;
    }
}
} // namespace Base
} // namespace Ops

#endif
