// What all contexts of an operator's functions can tell (asc-devkit, docs: gert::ExtendedKernelContext).
//
// Tensors are asked for in two ways: by their place among those that a launch gives, or by parameter of the definition ("Ir"), of
// which an optional one may be missing and a dynamic one may have several.
#ifndef ASCENDC_CPU_EXE_GRAPH_EXTENDED_KERNEL_CONTEXT_H
#define ASCENDC_CPU_EXE_GRAPH_EXTENDED_KERNEL_CONTEXT_H

#include "exe_graph/runtime/runtime_attrs.h"
#include "exe_graph/runtime/tensor.h"

namespace ascendc_cpu {
// The tensors of each parameter: one, none for an optional one that is left out, any number for a dynamic one.
using Parameters = std::vector<std::vector<gert::Tensor>>;
// What the functions of an operator are asked about; whoever calls them fills it.
struct OpLaunch {
    std::string type;
    Parameters inputs;
    Parameters outputs;
    gert::RuntimeAttrs attrs;
};
} // namespace ascendc_cpu

namespace gert {
class ExtendedKernelContext {
public:
    const CompileTimeTensorDesc *GetInputDesc(size_t index) const { return DescOf(TensorAt(launch_.inputs, index)); }
    const CompileTimeTensorDesc *GetRequiredInputDesc(size_t ir_index) const { return DescOf(TensorOf(launch_.inputs, ir_index, 0)); }
    const CompileTimeTensorDesc *GetOptionalInputDesc(size_t ir_index) const { return DescOf(TensorOf(launch_.inputs, ir_index, 0)); }
    const CompileTimeTensorDesc *GetDynamicInputDesc(size_t ir_index, size_t relative_index) const
    {
        return DescOf(TensorOf(launch_.inputs, ir_index, relative_index));
    }
    const CompileTimeTensorDesc *GetOutputDesc(size_t index) const { return DescOf(TensorAt(launch_.outputs, index)); }
    size_t GetComputeNodeInputNum() const { return CountOf(launch_.inputs); }
    size_t GetComputeNodeOutputNum() const { return CountOf(launch_.outputs); }
    const RuntimeAttrs *GetAttrs() const { return &launch_.attrs; }
    const ge::char_t *GetNodeType() const { return launch_.type.c_str(); }
    const ge::char_t *GetNodeName() const { return launch_.type.c_str(); }

protected:
    explicit ExtendedKernelContext(const ascendc_cpu::OpLaunch &launch) : launch_(launch) {}
    // A tensor of a parameter; null where there is none.
    static const Tensor *TensorOf(const ascendc_cpu::Parameters &parameters, size_t ir_index, size_t relative_index)
    {
        const bool exists = ir_index < parameters.size() && relative_index < parameters[ir_index].size();
        return exists ? &parameters[ir_index][relative_index] : nullptr;
    }
    // The i-th tensor of all.
    static const Tensor *TensorAt(const ascendc_cpu::Parameters &parameters, size_t i)
    {
        for (const auto &tensors : parameters) {
            if (i < tensors.size()) {
                return &tensors[i];
            }
            i -= tensors.size();
        }
        return nullptr;
    }
    static size_t CountOf(const ascendc_cpu::Parameters &parameters)
    {
        size_t count = 0;
        for (const auto &tensors : parameters) {
            count += tensors.size();
        }
        return count;
    }
    static const CompileTimeTensorDesc *DescOf(const Tensor *tensor) { return tensor == nullptr ? nullptr : &tensor->Desc(); }
    static const StorageShape *ShapeOf(const Tensor *tensor) { return tensor == nullptr ? nullptr : &tensor->GetShape(); }
    const ascendc_cpu::OpLaunch &launch_;
};
} // namespace gert

#endif
