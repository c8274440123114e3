// Functions of an operator that stand apart from its definition (docs: IMPL_OP_OPTILING, IMPL_OP_INFERSHAPE).
#ifndef ASCENDC_CPU_OP_IMPL_REGISTRY_H
#define ASCENDC_CPU_OP_IMPL_REGISTRY_H

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <unordered_set>
#include <vector>

#include "exe_graph/runtime/infer_datatype_context.h"
#include "exe_graph/runtime/infer_shape_context.h"
#include "exe_graph/runtime/infer_shape_range_context.h"
#include "exe_graph/runtime/tiling_context.h"
#include "exe_graph/runtime/tiling_parse_context.h"
#include "graph/ascend_string.h"

namespace gert {
enum class TilingPlacement : uint8_t { TILING_ON_HOST = 0, TILING_ON_AICPU = 1 };

class OpImplRegister {
public:
    using InferShapeFunction = ge::graphStatus (*)(InferShapeContext *);
    using InferShapeRangeFunction = ge::graphStatus (*)(InferShapeRangeContext *);
    using InferDataTypeFunction = ge::graphStatus (*)(InferDataTypeContext *);
    using TilingFunction = ge::graphStatus (*)(TilingContext *);

    OpImplRegister &InferShape(InferShapeFunction function)
    {
        infer_shape = function;
        return *this;
    }
    // Of a launch all shapes are known.
    OpImplRegister &InferShapeRange(InferShapeRangeFunction) { return *this; }
    OpImplRegister &InferDataType(InferDataTypeFunction function)
    {
        infer_data_type = function;
        return *this;
    }
    OpImplRegister &InferOutDataTypeSameWithFirstInput()
    {
        return InferDataType([](InferDataTypeContext *context) {
            ge::graphStatus status = ge::GRAPH_SUCCESS;
            for (size_t i = 0; i < context->GetComputeNodeOutputNum() && status == ge::GRAPH_SUCCESS; ++i) {
                status = context->SetOutputDataType(i, context->GetInputDataType(0));
            }
            return status;
        });
    }
    // Attributes of a graph, behind those of the definition. A launch has none, so that their value is the one that stands here.
    OpImplRegister &PrivateAttr(const ge::char_t *private_attr) { return PrivateAttr(private_attr, ""); }
    OpImplRegister &PrivateAttr(const ge::char_t *, int64_t value) { return AddPrivate(value); }
    OpImplRegister &PrivateAttr(const ge::char_t *, const std::vector<int64_t> &value) { return AddPrivate(RuntimeAttrs::ListOf(value)); }
    OpImplRegister &PrivateAttr(const ge::char_t *, const ge::char_t *value) { return AddPrivate(std::string(value)); }
    OpImplRegister &PrivateAttr(const ge::char_t *, ge::float32_t value) { return AddPrivate(value); }
    OpImplRegister &PrivateAttr(const ge::char_t *, bool value) { return AddPrivate(value); }
    OpImplRegister &PrivateAttr(const ge::char_t *, const std::vector<ge::float32_t> &value)
    {
        return AddPrivate(RuntimeAttrs::ListOf(value));
    }
    // The key by which a graph finds a compiled kernel.
    OpImplRegister &GenSimplifiedKey(ge::graphStatus (*)(TilingContext *, ge::char_t *)) { return *this; }
    // Outputs whose shape the kernel computes: --out says how much there can be.
    OpImplRegister &OutputShapeDependOnCompute(std::initializer_list<int32_t>) { return *this; }
    OpImplRegister &Tiling(TilingFunction function, size_t = 2048)
    {
        tiling = function;
        return *this;
    }
    // The function fills a T, which tiling functions find as their compile info.
    template <typename T>
    OpImplRegister &TilingParse(ge::graphStatus (*function)(TilingParseContext *))
    {
        parse = [function, this](std::shared_ptr<void> &into) {
            into = std::make_shared<T>();
            TilingParseContext context(into.get(), type);
            return function(&context);
        };
        return *this;
    }
    // Inputs of the definition, by position, whose values all functions read, or the tiling function only.
    OpImplRegister &InputsDataDependency(std::initializer_list<int32_t> inputs)
    {
        dependent.insert(inputs);
        return *this;
    }
    OpImplRegister &TilingInputsDataDependency(std::initializer_list<int32_t> inputs)
    {
        tiling_dependent.insert(inputs);
        return *this;
    }
    // Tiling runs on the host here.
    OpImplRegister &TilingInputsDataDependency(std::initializer_list<int32_t> inputs, std::initializer_list<TilingPlacement>)
    {
        return TilingInputsDataDependency(inputs);
    }

    std::string type; // of the operator
    InferShapeFunction infer_shape = nullptr;
    InferDataTypeFunction infer_data_type = nullptr;
    TilingFunction tiling = nullptr;
    std::function<ge::graphStatus(std::shared_ptr<void> &)> parse;
    std::set<int32_t> dependent;
    std::set<int32_t> tiling_dependent;
    std::vector<RuntimeAttrs::Value> private_attrs;

private:
    OpImplRegister &AddPrivate(RuntimeAttrs::Value value)
    {
        private_attrs.push_back(std::move(value));
        return *this;
    }
};
} // namespace gert

namespace ascendc_cpu {
inline gert::OpImplRegister &ImplOf(const std::string &op_type)
{
    static std::map<std::string, gert::OpImplRegister> all;
    gert::OpImplRegister &impl = all[op_type];
    impl.type = op_type;
    return impl;
}
} // namespace ascendc_cpu

#define ASCENDC_CPU_IMPL_NAME_OF(op_type, counter) ascendcCpuImpl##op_type##counter
#define ASCENDC_CPU_IMPL_NAME(op_type, counter) ASCENDC_CPU_IMPL_NAME_OF(op_type, counter)
#define IMPL_OP(op_type)                                                                                                 \
    [[maybe_unused]] static gert::OpImplRegister &ASCENDC_CPU_IMPL_NAME(op_type, __COUNTER__) = ascendc_cpu::ImplOf(#op_type)
#define IMPL_OP_OPTILING(op_type) IMPL_OP(op_type)
#define IMPL_OP_INFERSHAPE(op_type) IMPL_OP(op_type)

#endif
