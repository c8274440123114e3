// Names that host files of public operators use.
#include "platform/platform_info.h"
#include "register/op_def_registry.h"
#include "tiling/tiling_api.h"

#include "common/util/error_manager/error_manager.h"
#include "graph/utils/type_utils.h"
#include "securec.h"
#include "toolchain/slog.h"

#include "acl/acl.h"
#include "check.h"

namespace {
class Lists : public ops::OpDef {
public:
    explicit Lists(const char *name) : OpDef(name)
    {
        Input("x").ParamType(ops::DYNAMIC).DataType({ge::DT_COMPLEX64}).Format({ge::FORMAT_NCDHW});
        Output("y").ParamType(ops::REQUIRED).DataType({ge::DT_COMPLEX64}).OutputShapeDependOnCompute();
        SetInferShapeRange([](gert::InferShapeRangeContext *context) {
            return context->GetInputShapeRange(0) == nullptr ? ge::GRAPH_FAILED : ge::GRAPH_SUCCESS;
        });
    }
};

void Types()
{
    HostExpect(ge::DT_COMPLEX64, 16);
    HostExpect(ge::GetSizeByDataType(ge::DT_COMPLEX64), 8);
    HostExpect(ge::GetSizeByDataType(ge::DT_COMPLEX128), 16);
    HostExpect(ge::GetSizeInBytes(5, ge::DT_UINT1), 1);
    HostExpect(ge::GetSizeInBytes(5, ge::DT_INT2), 2);
    HostExpect(ge::GetSizeByDataType(ge::DT_STRING), -1);
    HostExpect(ge::FORMAT_NCDHW, 30);
    HostExpect(ge::FORMAT_FRACTAL_NZ, 29);
    HostExpect(ge::GetPrimaryFormat(0x1203), ge::FORMAT_NC1HWC0);
    HostExpect(ge::TypeUtils::FormatToSerialString(ge::FORMAT_ND) == "ND", true);
    HostExpect(ge::TypeUtils::DataTypeToSerialString(ge::DT_BF16) == "DT_BF16", true);
    HostExpect(ge::SUCCESS, 0);
    HostExpect(ge::UNKNOWN_DIM, -1);
    HostExpect(ge::UNKNOWN_DIM_NUM, -2);
    HostExpect(aclFloat16ToFloat(aclFloatToFloat16(1.5f)) == 1.5f, true);
}

void Shapes()
{
    ge::Shape shape({2, 3});
    HostExpect(shape.GetShapeSize(), 6);
    HostExpect(shape.SetDim(1, 4), ge::GRAPH_SUCCESS);
    HostExpect(shape.SetDim(2, 4), ge::GRAPH_FAILED);
    HostExpect(shape.GetDims()[1], 4);
    HostExpect(ge::Shape().GetShapeSize(), 0);
    const gert::StorageShape a({2, 3}, {2, 3});
    const gert::StorageShape b({2, 3}, {2, 4});
    HostExpect(a == a && a != b, true);
    HostExpect(b.GetOriginShape().GetDim(1), 3);
    HostExpect(b.GetStorageShape().GetDim(1), 4);
    gert::Shape axes = {2, 3};
    axes.SetDimNum(1);
    axes.SetDimNum(2); // the axis comes back with its length
    HostExpect(axes.GetShapeSize(), 6);
    axes.AppendDim(std::numeric_limits<int64_t>::max());
    HostExpect(axes.GetShapeSize(), gert::Shape::kInvalidDimValue);
    HostExpect(gert::Shape().GetShapeSize(), 1);
    HostExpect(axes.GetDim(24), 0);
    HostExpect(axes.GetDim(25), gert::Shape::kInvalidDimValue);
}

void Node()
{
    const gert::Tensor x({{2}, {2}}, gert::StorageFormat(), ge::DT_COMPLEX64);
    ascendc_cpu::OpLaunch launch{"Lists", {{x, x, x}, {}, {x}}, {{x}}, {}, {}};
    launch.attrs.values = {int64_t{7}, true, gert::RuntimeAttrs::ListOf(std::vector<int64_t>{4, 5}),
        gert::RuntimeAttrs::ListOf(std::vector<bool>{false, true})};
    gert::TilingContext context(launch);
    const gert::ComputeNodeInfo *const node = context.GetComputeNodeInfo();
    HostExpect(node->GetIrInputsNum(), 3);
    HostExpect(node->GetInputsNum(), 4);
    HostExpect(node->GetOutputsNum(), 1);
    HostExpect(node->GetInputInstanceInfo(0)->GetInstanceNum(), 3);
    HostExpect(node->GetInputInstanceInfo(1)->GetInstanceNum(), 0);
    HostExpect(node->GetInputInstanceInfo(2)->GetInstanceStart(), 3);
    HostExpect(node->GetInputInstanceInfo(3) == nullptr, true);
    HostExpect(context.GetIrInputInstanceInfo(0)->GetInstanceStart(), 0);
    HostExpect(node->GetInputTdInfo(3)->GetDataType(), ge::DT_COMPLEX64);
    HostExpect(node->GetInputTdInfo(3)->GetFormat().GetStorageFormat(), ge::FORMAT_ND);
    const gert::RuntimeAttrs *const attrs = context.GetAttrs();
    HostExpect(*attrs->GetAttrPointer<int32_t>(0), 7);
    HostExpect(*attrs->GetAttrPointer<uint8_t>(1), 1);
    const auto *const list = attrs->GetAttrPointer<gert::ContinuousVector>(2);
    HostExpect(list->GetSize(), 2);
    HostExpect(static_cast<const int64_t *>(list->GetData())[1], 5);
    HostExpect(attrs->GetListInt(2)->GetData()[0], 4);
    HostExpect(static_cast<const bool *>(attrs->GetAttrPointer<gert::ContinuousVector>(3)->GetData())[1], true);
    HostExpect(attrs->GetAttrPointer<float>(0) == nullptr, true);
    HostExpect(attrs->GetAttrNum(), 4);
    const int32_t words[] = {1, 2, 3};
    HostExpect(context.GetRawTilingData()->Append(words, 3), ge::GRAPH_SUCCESS);
    *context.GetRawTilingData() << int32_t{9};
    HostExpect(context.GetRawTilingData()->GetDataSize(), 16);
    HostExpect(static_cast<const int32_t *>(context.GetRawTilingData()->GetData())[3], 9);
    HostExpect(context.GetRawTilingData()->Expand(65536) == nullptr, true);
}

void Chip()
{
    platform_ascendc::PlatformAscendC chip(&ascendc_cpu::Platform());
    HostExpect(chip.GetCurNpuArch() == NpuArch::DAV_2201, true);
    uint64_t before = 0;
    uint64_t after = 0;
    chip.GetCoreMemSize(platform_ascendc::CoreMemType::UB, before);
    chip.ReserveLocalMemory(platform_ascendc::ReservedSize::RESERVED_SIZE_16K);
    chip.GetCoreMemSize(platform_ascendc::CoreMemType::UB, after);
    HostExpect(before - after, 16384);
    std::string text;
    HostExpect(ascendc_cpu::Platform().GetPlatformRes("version", "Short_SoC_version", text), true);
    HostExpect(text == "Ascend910B", true);
    fe::PlatformInfo info;
    fe::OptionalInfo optional;
    HostExpect(fe::PlatformInfoManager::Instance().GetPlatformInfoWithOutSocVersion(info, optional), 0);
    HostExpect(info.soc_info.vector_core_cnt, 48);
    HostExpect(optional.soc_version == "Ascend910B1", true);
}

void Texts()
{
    const ge::AscendString a("ab");
    HostExpect(a.GetLength(), 2);
    HostExpect(a == "ab" && a != ge::AscendString("b") && a < ge::AscendString("b"), true);
    HostExpect(ge::AscendString().GetString()[0], 0);
    HostExpect(ge::AscendString("abc", 1) == "a", true);
    HostExpect(ge::TypeUtils::DataTypeToAscendString(ge::DT_FLOAT8_E4M3FN) == "DT_FLOAT8_E4M3FN", true);
    HostExpect(ge::GetSizeByDataType(ge::DT_FLOAT8_E5M2), 1);
    HostExpect(ge::GetSizeInBytes(3, ge::DT_FLOAT4_E2M1), 2);
    HostExpect(ge::GetC0Value(ge::FORMAT_NC1HWC0 | (5 << 24)), 16);
    HostExpect(ge::GetSubFormat(ge::GetFormatFromSub(ge::FORMAT_FRACTAL_Z, 7)), 7);
}

void BoundedCopies()
{
    char text[4] = "abc";
    HostExpect(strcpy_s(text, sizeof text, "xyz"), EOK);
    HostExpect(text[2], 'z');
    HostExpect(strcpy_s(text, sizeof text, "four"), ERANGE_AND_RESET);
    HostExpect(text[0], 0);
    HostExpect(memset_s(text, sizeof text, 'q', 3), EOK);
    HostExpect(text[2], 'q');
    HostExpect(memcpy_s(text, sizeof text, "long text", 9), ERANGE_AND_RESET);
    HostExpect(text[2], 0);
    HostExpect(snprintf_s(text, sizeof text, sizeof text - 1, "%d", 12), 2);
    HostExpect(sprintf_s(text, sizeof text, "%d", 1234), -1);
    HostExpect(text[3], 0);
    HostExpect(strcpy_s(text, sizeof text, "a"), EOK);
    HostExpect(strcat_s(text, sizeof text, "bc"), EOK);
    HostExpect(text[2], 'c');
    HostExpect(strcat_s(text, sizeof text, "d"), ERANGE_AND_RESET);
    HostExpect(text[0], 0);
}
} // namespace

OP_ADD(Lists);

namespace ge {
REG_OP(Lists)
    .DYNAMIC_INPUT(x, TensorType({DT_COMPLEX64, DT_ANYTHING}))
    .OUTPUT(y, "T")
    .DATATYPE(T, TensorType::NumberType())
    .ATTR(axes, ListInt, {1, 2})
    .ATTR(mode, String, "sum")
    .REQUIRED_ATTR(scale, Float)
    .OP_END_FACTORY_REG(Lists)
} // namespace ge

struct Compiled {
    size_t length = 0;
};
IMPL_OP_OPTILING(Lists).TilingParse<Compiled>([](gert::TilingParseContext *context) {
    context->GetCompiledInfo<Compiled>()->length = std::string(context->GetNodeName()).size();
    return ge::GRAPH_SUCCESS;
});

int main()
{
    const vector<int64_t> short_name = {1};
    HostExpect(short_name.size(), 1);
    HostExpect(CheckLogLevel(OP, DLOG_ERROR), 1);
    HostExpect(CheckLogLevel(OP, DLOG_INFO), 0);
    DlogSub(OP, "TEST", DLOG_DEBUG, "not written: %d", 1);
    HostExpect(ascendc_cpu::Operators().size(), 1);
    std::shared_ptr<void> compiled;
    HostExpect(ascendc_cpu::ImplOf("Lists").parse(compiled), ge::GRAPH_SUCCESS);
    HostExpect(static_cast<Compiled *>(compiled.get())->length, 5);
    Types();
    Shapes();
    Node();
    Chip();
    Texts();
    BoundedCopies();
    return 0;
}
