// The operator as a node of a graph (docs: gert::ComputeNodeInfo, gert::AnchorInstanceInfo): how many tensors each parameter has, and
// their descriptions.
#ifndef ASCENDC_CPU_EXE_GRAPH_COMPUTE_NODE_INFO_H
#define ASCENDC_CPU_EXE_GRAPH_COMPUTE_NODE_INFO_H

#include <set>

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
    std::set<size_t> unasked; // of the outputs those that are optional and that the caller has no tensor for
    gert::RuntimeAttrs attrs;
};

// A tensor of a parameter; null where there is none.
inline const gert::Tensor *TensorOf(const Parameters &parameters, size_t ir_index, size_t relative_index)
{
    const bool exists = ir_index < parameters.size() && relative_index < parameters[ir_index].size();
    return exists ? &parameters[ir_index][relative_index] : nullptr;
}
// The i-th tensor of all.
inline const gert::Tensor *TensorAt(const Parameters &parameters, size_t i)
{
    for (const auto &tensors : parameters) {
        if (i < tensors.size()) {
            return &tensors[i];
        }
        i -= tensors.size();
    }
    return nullptr;
}
// The i-th output of all. One that is not asked for keeps its place and is null there, as in opbase (indv_tilingcontext_builder.cpp,
// NnopbaseTilingBuildOpOutputs).
inline const gert::Tensor *OutputAt(const OpLaunch &launch, size_t i)
{
    for (size_t parameter = 0; parameter < launch.outputs.size(); ++parameter) {
        const size_t places = launch.unasked.count(parameter) > 0 ? 1 : launch.outputs[parameter].size();
        if (i < places) {
            return TensorOf(launch.outputs, parameter, i);
        }
        i -= places;
    }
    return nullptr;
}
// The places of outputs before a parameter: one for each tensor, and one for what is yet to be inferred.
inline size_t PlacesBefore(const Parameters &parameters, size_t parameter)
{
    size_t places = 0;
    for (size_t i = 0; i < parameter; ++i) {
        places += parameters[i].empty() ? 1 : parameters[i].size();
    }
    return places;
}
inline size_t CountOf(const Parameters &parameters)
{
    size_t count = 0;
    for (const auto &tensors : parameters) {
        count += tensors.size();
    }
    return count;
}
inline const gert::CompileTimeTensorDesc *DescOf(const gert::Tensor *tensor)
{
    return tensor == nullptr ? nullptr : &tensor->Desc();
}
} // namespace ascendc_cpu

namespace gert {
// Which of all tensors are those of one parameter.
class AnchorInstanceInfo {
public:
    AnchorInstanceInfo() = default;
    AnchorInstanceInfo(const uint32_t instance_start, const uint32_t instantiation_num) : start_(instance_start), num_(instantiation_num) {}
    size_t GetInstanceStart() const { return start_; }
    size_t GetInstanceNum() const { return num_; }

private:
    uint32_t start_ = 0;
    uint32_t num_ = 0;
};

class ComputeNodeInfo {
public:
    explicit ComputeNodeInfo(const ascendc_cpu::OpLaunch &launch)
        : launch_(launch), inputs_(Instances(launch.inputs)), outputs_(Instances(launch.outputs))
    {}
    const ge::char_t *GetNodeType() const { return launch_.type.c_str(); }
    const ge::char_t *GetNodeName() const { return launch_.type.c_str(); }
    size_t GetIrInputsNum() const { return inputs_.size(); }
    size_t GetIrOutputsNum() const { return outputs_.size(); }
    size_t GetInputsNum() const { return ascendc_cpu::CountOf(launch_.inputs); }
    size_t GetOutputsNum() const { return ascendc_cpu::CountOf(launch_.outputs); }
    const AnchorInstanceInfo *GetInputInstanceInfo(size_t ir_index) const { return At(inputs_, ir_index); }
    const AnchorInstanceInfo *GetOutputInstanceInfo(size_t ir_index) const { return At(outputs_, ir_index); }
    const CompileTimeTensorDesc *GetInputTdInfo(size_t index) const
    {
        return ascendc_cpu::DescOf(ascendc_cpu::TensorAt(launch_.inputs, index));
    }
    const CompileTimeTensorDesc *GetOutputTdInfo(size_t index) const
    {
        return ascendc_cpu::DescOf(ascendc_cpu::OutputAt(launch_, index));
    }
    const RuntimeAttrs *GetAttrs() const { return &launch_.attrs; }

private:
    static std::vector<AnchorInstanceInfo> Instances(const ascendc_cpu::Parameters &parameters)
    {
        std::vector<AnchorInstanceInfo> all;
        uint32_t start = 0;
        for (const auto &tensors : parameters) {
            all.emplace_back(start, static_cast<uint32_t>(tensors.size()));
            start += static_cast<uint32_t>(tensors.size());
        }
        return all;
    }
    static const AnchorInstanceInfo *At(const std::vector<AnchorInstanceInfo> &all, size_t i)
    {
        return i < all.size() ? &all[i] : nullptr;
    }
    const ascendc_cpu::OpLaunch &launch_;
    const std::vector<AnchorInstanceInfo> inputs_;
    const std::vector<AnchorInstanceInfo> outputs_;
};
} // namespace gert

#endif
