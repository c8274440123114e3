// What a tiling function asks and says (asc-devkit, docs: gert::TilingContext, gert::TilingData).
#ifndef ASCENDC_CPU_EXE_GRAPH_TILING_CONTEXT_H
#define ASCENDC_CPU_EXE_GRAPH_TILING_CONTEXT_H

#include <cstring>

#include "exe_graph/runtime/extended_kernel_context.h"
#include "platform/platform_infos_def.h"

namespace gert {
class TilingData {
public:
    void *GetData() { return words_.data(); }
    size_t GetCapacity() const { return words_.size() * sizeof words_[0]; }
    void SetDataSize(size_t size) { size_ = size; }
    size_t GetDataSize() const { return size_; }
    template <typename T>
    ge::graphStatus Append(const T &data)
    {
        if (size_ + sizeof(T) > GetCapacity()) {
            return ge::GRAPH_FAILED;
        }
        std::memcpy(static_cast<uint8_t *>(GetData()) + size_, &data, sizeof(T));
        size_ += sizeof(T);
        return ge::GRAPH_SUCCESS;
    }

private:
    std::vector<uint64_t> words_ = std::vector<uint64_t>(8192);
    size_t size_ = 0;
};

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
    int32_t GetDeterministic() const { return 0; }

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

private:
    const void *compile_info_;
    TilingData data_;
    uint64_t key_ = 0;
    uint32_t block_dim_ = 0;
    uint32_t schedule_mode_ = 0;
    bool need_atomic_ = false;
    std::vector<size_t> workspaces_;
};
} // namespace gert

#endif
