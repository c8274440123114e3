// Operator ScaleAdd: z = x * alpha, plus bias where there is one. Host side of a custom operator project.
#include <algorithm>

#include "register/op_def_registry.h"
#include "scale_add_tiling.h"
#include "tiling/platform/platform_ascendc.h"

namespace optiling {
static ge::graphStatus TilingFunc(gert::TilingContext *context)
{
    auto platform = platform_ascendc::PlatformAscendC(context->GetPlatformInfo());
    uint64_t ubSize = 0;
    platform.GetCoreMemSize(platform_ascendc::CoreMemType::UB, ubSize);
    const gert::Shape &shape = context->GetInputShape(0)->GetOriginShape();
    const uint32_t total = shape.GetShapeSize();
    const uint32_t size = ge::GetSizeByDataType(context->GetInputDesc(0)->GetDataType());

    // A block takes whole data blocks; three queues of two tiles share UB.
    const uint32_t unit = 32 / size;
    const uint32_t perCore = ((total - 1) / platform.GetCoreNumAiv() / unit + 1) * unit;
    const uint32_t tile = std::min<uint32_t>(ubSize / 6 / 256 * 256 / size, (perCore * size + 255) / 256 * 256 / size);

    ScaleAddTilingData tiling;
    tiling.set_total(total);
    tiling.split.set_perCore(perCore);
    tiling.split.set_tile(tile);
    uint16_t axes[AXES] = {static_cast<uint16_t>(shape.GetDim(0)), static_cast<uint16_t>(shape.GetDim(1))};
    tiling.split.set_shape(axes);
    tiling.set_alpha(*context->GetAttrs()->GetFloat(0));
    tiling.SaveToBuffer(context->GetRawTilingData()->GetData(), context->GetRawTilingData()->GetCapacity());
    context->GetRawTilingData()->SetDataSize(tiling.GetDataSize());

    context->SetBlockDim((total - 1) / perCore + 1);
    context->SetTilingKey(context->GetOptionalInputShape(1) == nullptr ? 1 : 2);
    size_t *workspaces = context->GetWorkspaceSizes(1);
    workspaces[0] = platform.GetLibApiWorkSpaceSize();
    return ge::GRAPH_SUCCESS;
}
} // namespace optiling

namespace ge {
static graphStatus InferShape(gert::InferShapeContext *context)
{
    *context->GetOutputShape(0) = *context->GetInputShape(0);
    return GRAPH_SUCCESS;
}

static graphStatus InferDataType(gert::InferDataTypeContext *context)
{
    return context->SetOutputDataType(0, context->GetInputDataType(0));
}
} // namespace ge

namespace ops {
class ScaleAdd : public OpDef {
public:
    explicit ScaleAdd(const char *name) : OpDef(name)
    {
        this->Input("x")
            .ParamType(REQUIRED)
            .DataType({ge::DT_FLOAT16, ge::DT_FLOAT})
            .Format({ge::FORMAT_ND, ge::FORMAT_ND});
        this->Input("bias")
            .ParamType(OPTIONAL)
            .DataType({ge::DT_FLOAT16, ge::DT_FLOAT})
            .Format({ge::FORMAT_ND, ge::FORMAT_ND});
        this->Output("z")
            .ParamType(REQUIRED)
            .DataType({ge::DT_FLOAT16, ge::DT_FLOAT})
            .Format({ge::FORMAT_ND, ge::FORMAT_ND});
        this->Attr("alpha").AttrType(OPTIONAL).Float(1.0);
        this->SetInferShape(ge::InferShape).SetInferDataType(ge::InferDataType);
        this->AICore().SetTiling(optiling::TilingFunc);
        this->AICore().AddConfig("ascend910b");
    }
};

OP_ADD(ScaleAdd);
} // namespace ops
