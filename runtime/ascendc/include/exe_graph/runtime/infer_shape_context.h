// What the inference of shapes asks and says (asc-devkit, docs: gert::InferShapeContext).
#ifndef ASCENDC_CPU_EXE_GRAPH_INFER_SHAPE_CONTEXT_H
#define ASCENDC_CPU_EXE_GRAPH_INFER_SHAPE_CONTEXT_H

#include "exe_graph/runtime/extended_kernel_context.h"

namespace gert {
class InferShapeContext : public ExtendedKernelContext {
public:
    explicit InferShapeContext(const ascendc_cpu::OpLaunch &launch)
        : ExtendedKernelContext(launch), outputs_(ascendc_cpu::PlacesBefore(launch.outputs, launch.outputs.size()))
    {}

    const Shape *GetInputShape(size_t index) const { return Origin(TensorAt(launch_.inputs, index)); }
    const Shape *GetRequiredInputShape(size_t ir_index) const { return Origin(TensorOf(launch_.inputs, ir_index, 0)); }
    const Shape *GetOptionalInputShape(size_t ir_index) const { return Origin(TensorOf(launch_.inputs, ir_index, 0)); }
    const Shape *GetDynamicInputShape(size_t ir_index, size_t relative_index) const
    {
        return Origin(TensorOf(launch_.inputs, ir_index, relative_index));
    }
    const Tensor *GetInputTensor(size_t index) const { return TensorAt(launch_.inputs, index); }
    const Tensor *GetRequiredInputTensor(size_t ir_index) const { return TensorOf(launch_.inputs, ir_index, 0); }
    const Tensor *GetOptionalInputTensor(size_t ir_index) const { return TensorOf(launch_.inputs, ir_index, 0); }
    const Tensor *GetDynamicInputTensor(size_t ir_index, size_t relative_index) const
    {
        return TensorOf(launch_.inputs, ir_index, relative_index);
    }
    Shape *GetOutputShape(size_t index) { return index < outputs_.size() ? &outputs_[index] : nullptr; }

private:
    static const Shape *Origin(const Tensor *tensor) { return tensor == nullptr ? nullptr : &tensor->GetOriginShape(); }
    std::vector<Shape> outputs_;
};
} // namespace gert

#endif
