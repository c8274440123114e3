// Functions of an operator that stand apart from its definition (docs: IMPL_OP_OPTILING, IMPL_OP_INFERSHAPE).
#ifndef ASCENDC_CPU_OP_IMPL_REGISTRY_H
#define ASCENDC_CPU_OP_IMPL_REGISTRY_H

#include <functional>
#include <map>
#include <memory>

#include "exe_graph/runtime/infer_datatype_context.h"
#include "exe_graph/runtime/infer_shape_context.h"
#include "exe_graph/runtime/tiling_context.h"
#include "exe_graph/runtime/tiling_parse_context.h"

namespace gert {
class OpImplRegister {
public:
    using InferShapeFunction = ge::graphStatus (*)(InferShapeContext *);
    using InferDataTypeFunction = ge::graphStatus (*)(InferDataTypeContext *);
    using TilingFunction = ge::graphStatus (*)(TilingContext *);

    OpImplRegister &InferShape(InferShapeFunction function)
    {
        infer_shape = function;
        return *this;
    }
    OpImplRegister &InferDataType(InferDataTypeFunction function)
    {
        infer_data_type = function;
        return *this;
    }
    OpImplRegister &Tiling(TilingFunction function, size_t = 0)
    {
        tiling = function;
        return *this;
    }
    // The function fills a T, which tiling functions find as their compile info.
    template <typename T>
    OpImplRegister &TilingParse(ge::graphStatus (*function)(TilingParseContext *))
    {
        parse = [function](std::shared_ptr<void> &into) {
            into = std::make_shared<T>();
            TilingParseContext context(into.get());
            return function(&context);
        };
        return *this;
    }
    OpImplRegister &InputsDataDependency(std::initializer_list<int32_t>) { return *this; }
    OpImplRegister &TilingInputsDataDependency(std::initializer_list<int32_t>) { return *this; }

    InferShapeFunction infer_shape = nullptr;
    InferDataTypeFunction infer_data_type = nullptr;
    TilingFunction tiling = nullptr;
    std::function<ge::graphStatus(std::shared_ptr<void> &)> parse;
};
} // namespace gert

namespace ascendc_cpu {
inline gert::OpImplRegister &ImplOf(const std::string &op_type)
{
    static std::map<std::string, gert::OpImplRegister> all;
    return all[op_type];
}
} // namespace ascendc_cpu

#define ASCENDC_CPU_IMPL_NAME_OF(op_type, counter) ascendcCpuImpl##op_type##counter
#define ASCENDC_CPU_IMPL_NAME(op_type, counter) ASCENDC_CPU_IMPL_NAME_OF(op_type, counter)
#define IMPL_OP(op_type)                                                                                                 \
    [[maybe_unused]] static gert::OpImplRegister &ASCENDC_CPU_IMPL_NAME(op_type, __COUNTER__) = ascendc_cpu::ImplOf(#op_type)
#define IMPL_OP_OPTILING(op_type) IMPL_OP(op_type)
#define IMPL_OP_INFERSHAPE(op_type) IMPL_OP(op_type)

#endif
