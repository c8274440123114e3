// What all contexts of an operator's functions can tell (asc-devkit, docs: gert::ExtendedKernelContext).
//
// Tensors are asked for in two ways: by their place among those that a launch gives, or by parameter of the definition ("Ir"), of
// which an optional one may be missing and a dynamic one may have several.
#ifndef ASCENDC_CPU_EXE_GRAPH_EXTENDED_KERNEL_CONTEXT_H
#define ASCENDC_CPU_EXE_GRAPH_EXTENDED_KERNEL_CONTEXT_H

#include "exe_graph/runtime/compute_node_info.h"

namespace gert {
class ExtendedKernelContext {
public:
    const CompileTimeTensorDesc *GetInputDesc(size_t index) const { return ascendc_cpu::DescOf(TensorAt(launch_.inputs, index)); }
    const CompileTimeTensorDesc *GetRequiredInputDesc(size_t ir_index) const { return ascendc_cpu::DescOf(TensorOf(launch_.inputs, ir_index, 0)); }
    const CompileTimeTensorDesc *GetOptionalInputDesc(size_t ir_index) const { return ascendc_cpu::DescOf(TensorOf(launch_.inputs, ir_index, 0)); }
    const CompileTimeTensorDesc *GetDynamicInputDesc(size_t ir_index, size_t relative_index) const
    {
        return ascendc_cpu::DescOf(TensorOf(launch_.inputs, ir_index, relative_index));
    }
    const CompileTimeTensorDesc *GetOutputDesc(size_t index) const { return ascendc_cpu::DescOf(OutputAt(launch_, index)); }
    size_t GetComputeNodeInputNum() const { return ascendc_cpu::CountOf(launch_.inputs); }
    size_t GetComputeNodeOutputNum() const { return ascendc_cpu::CountOf(launch_.outputs); }
    const ComputeNodeInfo *GetComputeNodeInfo() const { return &node_; }
    const AnchorInstanceInfo *GetIrInputInstanceInfo(size_t ir_index) const { return node_.GetInputInstanceInfo(ir_index); }
    const AnchorInstanceInfo *GetIrOutputInstanceInfo(size_t ir_index) const { return node_.GetOutputInstanceInfo(ir_index); }
    const RuntimeAttrs *GetAttrs() const { return &launch_.attrs; }
    const ge::char_t *GetNodeType() const { return launch_.type.c_str(); }
    const ge::char_t *GetNodeName() const { return launch_.type.c_str(); }

protected:
    explicit ExtendedKernelContext(const ascendc_cpu::OpLaunch &launch) : launch_(launch), node_(launch) {}
    static const Tensor *TensorOf(const ascendc_cpu::Parameters &parameters, size_t ir_index, size_t relative_index)
    {
        return ascendc_cpu::TensorOf(parameters, ir_index, relative_index);
    }
    static const Tensor *TensorAt(const ascendc_cpu::Parameters &parameters, size_t i) { return ascendc_cpu::TensorAt(parameters, i); }
    static const StorageShape *ShapeOf(const Tensor *tensor) { return tensor == nullptr ? nullptr : &tensor->GetShape(); }
    const ascendc_cpu::OpLaunch &launch_;

private:
    ComputeNodeInfo node_;
};
} // namespace gert

#endif
