// Elements of an input that host functions read (opbase, op_host/util/const_util.h).
#ifndef ASCENDC_CPU_OP_COMMON_CONST_UTIL_H
#define ASCENDC_CPU_OP_COMMON_CONST_UTIL_H

#include "exe_graph/runtime/infer_shape_context.h"
#include "exe_graph/runtime/tiling_context.h"
#include "op_common/log/log.h"

namespace Ops {
namespace Base {
using namespace ge; // as in the toolkit, whose header says so

// Calls with the elements as what they are; false where there are none, or another type.
template <typename ContextType, typename F>
bool AscendcCpuRead(const char *who, const ContextType *context, int64_t inputIdx, F read)
{
    static_assert(std::is_same_v<ContextType, gert::InferShapeContext> || std::is_same_v<ContextType, gert::TilingContext>,
        "ContextType should be gert::InferShapeContext or gert::TilingContext");
    OP_CHECK_IF(context == nullptr, OP_LOGE(who, "context is nullptr"), return false);
    const gert::Tensor *const tensor = context->GetInputTensor(static_cast<size_t>(inputIdx));
    OP_CHECK_IF(tensor == nullptr, OP_LOGE(who, "there is no input %ld", static_cast<long>(inputIdx)), return false);
    const void *const elements = tensor->GetAddr();
    OP_CHECK_IF(elements == nullptr, OP_LOGE(who, "input %ld has no elements", static_cast<long>(inputIdx)), return false);
    const auto count = static_cast<size_t>(tensor->GetShapeSize());
    switch (tensor->GetDataType()) {
        case ge::DT_INT32: return read(static_cast<const int32_t *>(elements), count);
        case ge::DT_INT64: return read(static_cast<const int64_t *>(elements), count);
        case ge::DT_UINT32: return read(static_cast<const uint32_t *>(elements), count);
        case ge::DT_UINT64: return read(static_cast<const uint64_t *>(elements), count);
        default: return false;
    }
}

// The first element.
template <typename ContextType, typename T>
bool GetConstInt(const ContextType *context, int64_t inputIdx, T &value)
{
    return AscendcCpuRead("GetConstInt", context, inputIdx, [&value](const auto *elements, size_t count) {
        value = count > 0 ? static_cast<T>(elements[0]) : value;
        return count > 0;
    });
}

// All elements, as axes.
template <typename ContextType>
bool GetConstIntToShape(const ContextType *context, int64_t inputIdx, gert::Shape &shape)
{
    return AscendcCpuRead("GetConstIntToShape", context, inputIdx, [&shape](const auto *elements, size_t count) {
        shape.SetDimNum(0);
        for (size_t i = 0; i < count; ++i) {
            shape.AppendDim(static_cast<int64_t>(elements[i]));
        }
        return true;
    });
}
} // namespace Base
} // namespace Ops

#endif
