// The steps of a tiling function as a class (opbase, op_host/tiling_base_class.h).
#ifndef ASCENDC_CPU_OP_COMMON_TILING_BASE_CLASS_H
#define ASCENDC_CPU_OP_COMMON_TILING_BASE_CLASS_H

#include <memory>
#include <sstream>
#include <string>

#include "exe_graph/runtime/tiling_context.h"
#include "graph/utils/type_utils.h"
#include "op_common/log/log.h"
#include "platform/soc_spec.h"
#include "tiling/platform/platform_ascendc.h"

#define ASCENDC_EXTERN_C

namespace Ops {
namespace Base {
struct AiCoreParams {
    uint64_t ubSize = 0;
    uint64_t numBlocks = 0;
    uint64_t aicNum = 0;
    uint64_t l1Size = 0;
    uint64_t l0aSize = 0;
    uint64_t l0bSize = 0;
    uint64_t l0cSize = 0;
};

struct CompileInfoCommon {
    uint32_t aivNum;
    uint32_t aicNum;
    uint64_t ubSize;
    uint64_t l1Size;
    uint64_t l0aSize;
    uint64_t l0bSize;
    uint64_t l0cSize;
    uint64_t l2CacheSize;
    int64_t coreNum;
    int32_t socVersion;
    uint32_t rsvd;
};

class TilingBaseClass {
public:
    explicit TilingBaseClass(gert::TilingContext *context) : context_(context) {}
    virtual ~TilingBaseClass() = default;

    // GRAPH_PARAM_INVALID where the class does not serve these tensors, and another one may.
    ge::graphStatus DoTiling()
    {
        if (context_ == nullptr) {
            OP_LOGE(context_, "context_ cannot be null");
            return ge::GRAPH_FAILED;
        }
        ge::graphStatus status = GetShapeAttrsInfo();
        status = status == ge::GRAPH_SUCCESS ? GetPlatformInfo() : status;
        status = status == ge::GRAPH_SUCCESS && !IsCapable() ? ge::GRAPH_PARAM_INVALID : status;
        status = status == ge::GRAPH_SUCCESS ? DoOpTiling() : status;
        status = status == ge::GRAPH_SUCCESS ? DoLibApiTiling() : status;
        status = status == ge::GRAPH_SUCCESS ? GetWorkspaceSize() : status;
        status = status == ge::GRAPH_SUCCESS ? PostTiling() : status;
        if (status == ge::GRAPH_SUCCESS) {
            context_->SetTilingKey(GetTilingKey());
            DumpTilingInfo();
        }
        return status;
    }
    virtual void Reset(gert::TilingContext *context) { context_ = context; }

protected:
    virtual bool IsCapable() = 0;
    virtual ge::graphStatus GetPlatformInfo() = 0;
    virtual ge::graphStatus GetShapeAttrsInfo() = 0;
    virtual ge::graphStatus DoOpTiling() = 0;
    virtual ge::graphStatus DoLibApiTiling() = 0;
    [[nodiscard]] virtual uint64_t GetTilingKey() const = 0;
    virtual ge::graphStatus GetWorkspaceSize() = 0;
    virtual ge::graphStatus PostTiling() = 0;
    virtual void DumpTilingInfo() {} // the toolkit's goes to the debug log

    static uint32_t CalcTschBlockDim(uint32_t sliceNum, uint32_t aicCoreNum, uint32_t aivCoreNum)
    {
        return platform_ascendc::PlatformAscendC(&ascendc_cpu::Platform()).CalcTschBlockDim(sliceNum, aicCoreNum, aivCoreNum);
    }
    template <typename T>
    [[nodiscard]] std::string GetShapeDebugStr(const T &shape) const
    {
        std::ostringstream axes;
        for (size_t i = 0; i < shape.GetDimNum(); ++i) {
            axes << (i > 0 ? ", " : "") << shape.GetDim(i);
        }
        return "[" + axes.str() + "]";
    }
    [[nodiscard]] std::string GetTensorDebugStr(const gert::StorageShape *shape, const gert::CompileTimeTensorDesc *tensor)
    {
        if (shape == nullptr || tensor == nullptr) {
            return "nil ";
        }
        return "(dtype: " + ToString(tensor->GetDataType()) + "),(shape:" + GetShapeDebugStr(shape->GetStorageShape()) + "),(ori_shape:" +
            GetShapeDebugStr(shape->GetOriginShape()) + "),(format: " + ToString(tensor->GetStorageFormat()) + "),(ori_format: " +
            ToString(tensor->GetOriginFormat()) + ") ";
    }
    [[nodiscard]] std::string GetTilingContextDebugStr()
    {
        std::ostringstream all;
        for (size_t i = 0; i < context_->GetComputeNodeInputNum(); ++i) {
            all << "input" << i << ": " << GetTensorDebugStr(context_->GetInputShape(i), context_->GetInputDesc(i));
        }
        for (size_t i = 0; i < context_->GetComputeNodeOutputNum(); ++i) {
            all << "output" << i << ": " << GetTensorDebugStr(context_->GetOutputShape(i), context_->GetOutputDesc(i));
        }
        return all.str();
    }
    [[nodiscard]] std::string GetTilingDataDebugStr() const
    {
        const gert::TilingData *const data = context_->GetRawTilingData();
        const auto *const words = static_cast<const int32_t *>(data->GetData());
        std::ostringstream all;
        for (size_t i = 0; i < data->GetDataSize() / sizeof *words; ++i) {
            all << words[i] << ", ";
        }
        return all.str();
    }

    gert::TilingContext *context_ = nullptr;
    std::unique_ptr<platform_ascendc::PlatformAscendC> ascendcPlatform_{nullptr};
    uint32_t blockDim_{0};
    uint64_t workspaceSize_{0};
    uint64_t tilingKey_{0};
    AiCoreParams aicoreParams_;
};
} // namespace Base
} // namespace Ops

#endif
