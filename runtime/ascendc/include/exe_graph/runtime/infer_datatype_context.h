// What the inference of element types asks and says (asc-devkit, docs: gert::InferDataTypeContext).
#ifndef ASCENDC_CPU_EXE_GRAPH_INFER_DATATYPE_CONTEXT_H
#define ASCENDC_CPU_EXE_GRAPH_INFER_DATATYPE_CONTEXT_H

#include "exe_graph/runtime/extended_kernel_context.h"

namespace gert {
class InferDataTypeContext : public ExtendedKernelContext {
public:
    explicit InferDataTypeContext(const ascendc_cpu::OpLaunch &launch)
        : ExtendedKernelContext(launch),
          outputs_(ascendc_cpu::PlacesBefore(launch.outputs, launch.outputs.size()), ge::DT_UNDEFINED)
    {}

    ge::DataType GetInputDataType(size_t index) const { return TypeOf(TensorAt(launch_.inputs, index)); }
    ge::DataType GetRequiredInputDataType(size_t ir_index) const { return TypeOf(TensorOf(launch_.inputs, ir_index, 0)); }
    ge::DataType GetOptionalInputDataType(size_t ir_index) const { return TypeOf(TensorOf(launch_.inputs, ir_index, 0)); }
    ge::DataType GetDynamicInputDataType(size_t ir_index, size_t relative_index) const
    {
        return TypeOf(TensorOf(launch_.inputs, ir_index, relative_index));
    }
    ge::DataType GetOutputDataType(size_t index) const { return index < outputs_.size() ? outputs_[index] : ge::DT_UNDEFINED; }
    ge::graphStatus SetOutputDataType(size_t index, ge::DataType datatype)
    {
        if (index >= outputs_.size()) {
            return ge::GRAPH_FAILED;
        }
        outputs_[index] = datatype;
        return ge::GRAPH_SUCCESS;
    }

private:
    static ge::DataType TypeOf(const Tensor *tensor) { return tensor == nullptr ? ge::DT_UNDEFINED : tensor->GetDataType(); }
    std::vector<ge::DataType> outputs_;
};
} // namespace gert

#endif
