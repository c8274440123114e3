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
    const gert::StorageShape a(gert::Shape{2, 3});
    const gert::StorageShape b(gert::Shape{2, 4});
    HostExpect(a == a && a != b, true);
}

void Node()
{
    const gert::Tensor x(ge::DT_COMPLEX64, gert::Shape{2});
    const ascendc_cpu::OpLaunch launch{"Lists", {{x, x, x}, {}, {x}}, {{x}}, {}, {}};
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
}
} // namespace

OP_ADD(Lists);

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
    BoundedCopies();
    return 0;
}
