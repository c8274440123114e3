// What a tiling function asks and says (asc-devkit, docs: gert::TilingContext).
#ifndef ASCENDC_CPU_EXE_GRAPH_TILING_CONTEXT_H
#define ASCENDC_CPU_EXE_GRAPH_TILING_CONTEXT_H

#include "ascendc/platform.h"
#include "exe_graph/runtime/extended_kernel_context.h"
#include "exe_graph/runtime/tiling_data.h"

namespace gert {
class TilingContext : public ExtendedKernelContext {
public:
    explicit TilingContext(const ascendc_cpu::OpLaunch &launch, const void *compile_info = nullptr)
        : ExtendedKernelContext(launch), compile_info_(compile_info)
    {}

    const StorageShape *GetInputShape(size_t index) const { return ShapeOf(GetInputTensor(index)); }
    const StorageShape *GetRequiredInputShape(size_t ir_index) const { return ShapeOf(GetRequiredInputTensor(ir_index)); }
    const StorageShape *GetOptionalInputShape(size_t ir_index) const { return ShapeOf(GetOptionalInputTensor(ir_index)); }
    const StorageShape *GetDynamicInputShape(size_t ir_index, size_t relative_index) const
    {
        return ShapeOf(GetDynamicInputTensor(ir_index, relative_index));
    }
    const Tensor *GetInputTensor(size_t index) const { return TensorAt(launch_.inputs, index); }
    const Tensor *GetRequiredInputTensor(size_t ir_index) const { return TensorOf(launch_.inputs, ir_index, 0); }
    const Tensor *GetOptionalInputTensor(size_t ir_index) const { return TensorOf(launch_.inputs, ir_index, 0); }
    const Tensor *GetDynamicInputTensor(size_t ir_index, size_t relative_index) const
    {
        return TensorOf(launch_.inputs, ir_index, relative_index);
    }
    const StorageShape *GetOutputShape(size_t index) const { return ShapeOf(OutputAt(launch_, index)); }
    fe::PlatFormInfos *GetPlatformInfo() const { return &ascendc_cpu::Platform(); }
    // What the function of TilingParse has filled.
    const void *GetCompileInfo() const { return compile_info_; }
    template <typename T>
    const T *GetCompileInfo() const
    {
        return static_cast<const T *>(compile_info_);
    }
    // A launch does not ask for results that are equal in every run, beyond what kernels do anyhow.
    int32_t GetDeterministic() const { return 0; }
    int32_t GetDeterministicLevel() const { return 0; }
    // Tensors of a launch lie in one piece: none is a view of another.
    bool InputIsView(const size_t) const { return false; }
    bool OptionalInputIsView(const size_t) const { return false; }
    bool RequiredInputIsView(const size_t) const { return false; }
    bool DynamicInputIsView(const size_t, const size_t) const { return false; }
    bool OutputIsView(const size_t) const { return false; }

    TilingData *GetRawTilingData() { return &data_; }
    // The place of a plain structure; null where it does not fit.
    template <typename T>
    T *GetTilingData()
    {
        if (sizeof(T) > data_.GetCapacity()) {
            return nullptr;
        }
        data_.SetDataSize(sizeof(T));
        return static_cast<T *>(data_.GetData());
    }
    ge::graphStatus SetTilingKey(uint64_t tiling_key)
    {
        key_ = tiling_key;
        return ge::GRAPH_SUCCESS;
    }
    uint64_t GetTilingKey() const { return key_; }
    ge::graphStatus SetBlockDim(uint32_t block_dim)
    {
        block_dim_ = block_dim;
        return ge::GRAPH_SUCCESS;
    }
    uint32_t GetBlockDim() const { return block_dim_; }
    // The name of CANN 9.
    ge::graphStatus SetSimdNumBlocks(uint32_t num_blocks) { return SetBlockDim(num_blocks); }
    uint32_t GetSimdNumBlocks() const { return GetBlockDim(); }
    // Null where no workspace is asked for.
    size_t *GetWorkspaceSizes(size_t workspace_count)
    {
        workspaces_.resize(workspace_count);
        return workspaces_.data();
    }
    size_t GetWorkspaceNum() const { return workspaces_.size(); }
    // How blocks are scheduled: all blocks of a launch that fit run at once here in every mode.
    ge::graphStatus SetScheduleMode(uint32_t schedule_mode)
    {
        schedule_mode_ = schedule_mode;
        return ge::GRAPH_SUCCESS;
    }
    uint32_t GetScheduleMode() const { return schedule_mode_; }
    // Outputs are zero before a launch, which is what an operator with atomics asks for.
    ge::graphStatus SetNeedAtomic(bool atomic)
    {
        need_atomic_ = atomic;
        return ge::GRAPH_SUCCESS;
    }
    bool NeedAtomic() const { return need_atomic_; }
    // Bytes of UB that the toolkit sets aside for a kernel that asks for them as it starts; a kernel has all of UB here.
    ge::graphStatus SetLocalMemorySize(const uint32_t local_memory_size)
    {
        local_memory_size_ = local_memory_size;
        return ge::GRAPH_SUCCESS;
    }
    uint32_t GetLocalMemorySize() const { return local_memory_size_; }
    // The names of CANN 9.
    ge::graphStatus SetDynUBufSize(const uint32_t dyn_ubuf_size) { return SetLocalMemorySize(dyn_ubuf_size); }
    uint32_t GetDynUBufSize() const { return GetLocalMemorySize(); }
    // What a graph chooses by between kernels; a launch has one kernel.
    ge::graphStatus SetTilingCond(int32_t tiling_cond)
    {
        tiling_cond_ = tiling_cond;
        return ge::GRAPH_SUCCESS;
    }
    int32_t GetTilingCond() const { return tiling_cond_; }

private:
    const void *compile_info_;
    TilingData data_;
    uint64_t key_ = 0;
    uint32_t block_dim_ = 0;
    uint32_t schedule_mode_ = 0;
    bool need_atomic_ = false;
    int32_t tiling_cond_ = 0;
    uint32_t local_memory_size_ = 0;
    std::vector<size_t> workspaces_;
};
} // namespace gert

#endif
