// What operators of public repositories take from op_common: whole numbers, shapes, the chip, inference, the steps of a tiling function.
#include "op_common/op_host/infershape_broadcast_util.h"
#include "op_common/op_host/infershape_elewise_util.h"
#include "op_common/op_host/infershape_reduce_util.h"
#include "op_common/op_host/tiling_base_class.h"
#include "op_common/op_host/tiling_base_util.h"
#include "op_common/op_host/util/bfloat16.h"
#include "op_common/op_host/util/const_util.h"
#include "op_common/op_host/util/fp16.h"
#include "op_common/op_host/util/math_util.h"
#include "op_common/op_host/util/platform_util.h"
#include "op_common/op_host/util/shape_util.h"

#include "check.h"

namespace {
using namespace Ops::Base;

gert::Tensor Of(const gert::Shape &shape, ge::DataType type = ge::DT_FLOAT)
{
    return ascendc_cpu::PlainTensor(type, shape);
}

void Numbers()
{
    HostExpect(CeilDiv(7, 2), 4);
    HostExpect(CeilDiv(-7, 2), -3);
    HostExpect(CeilDiv(7u, 0u), 7);
    HostExpect(FloorDiv(7, 2), 3);
    HostExpect(CeilAlign(33, 32), 64);
    HostExpect(CeilAlign(33, 0), 0);
    HostExpect(CeilAlign<uint8_t>(250, 32), 255);
    HostExpect(FloorAlign(63, 32), 32);
    HostExpect(IsFloatEqual(0.1f + 0.2f, 0.3f), true);
    HostExpect(IsFloatEqual(NAN, NAN), false);
    HostExpect(IsFloatEqual(INFINITY, -INFINITY), false);
    HostExpect(IsFloatEqual(INFINITY, INFINITY), true);
    HostExpect(LastPow2(0), 1);
    HostExpect(LastPow2(100), 64);
    HostExpect(LastPow2(~uint64_t{0}) == uint64_t{1} << 63, true);
    // The numbers of the algorithm's own tests.
    HostExpect(MurmurHash("", 0, 1), 0x514E28B7);
    HostExpect(MurmurHash("\x21\x43\x65\x87", 4, 0), 0xF55B516B);
    HostExpect(MurmurHash("\x21\x43\x65", 3, 0), 0x7E4A8634);
    SplitResult split;
    HostExpect(SplitIntoEqualByParts(10, 4, split), true);
    HostExpect(split.splitCount * 100 + split.splitFactor * 10 + split.splitTailFactor, 431);
    HostExpect(SplitIntoEqualByFactor(10, 4, split), true);
    HostExpect(split.splitCount * 100 + split.splitFactor * 10 + split.splitTailFactor, 342);
    HostExpect(SplitIntoEqualByFactor(3, 4, split), true);
    HostExpect(split.splitCount * 100 + split.splitFactor * 10 + split.splitTailFactor, 103);
    HostExpect(SplitIntoEqualByParts(0, 4, split), false);
}

void ShortFloats()
{
    HostExpect(fp16_t(1.0f).val, 0x3c00);
    HostExpect(fp16_t(-0.0f).val, 0x8000);
    HostExpect(fp16_t(65504.0f).val, 0x7bff);
    HostExpect(fp16_t(65519.0).val, 0x7bff);
    HostExpect(fp16_t(65520.0).val, 0x7c00);
    HostExpect(fp16_t(-65520.0).IsInf(), -1);
    HostExpect(fp16_t(NAN).val, 0x7e00);
    HostExpect(fp16_t(std::ldexp(1.0, -24)).val, 1);
    HostExpect(fp16_t(std::ldexp(1.0, -25)).val, 0); // a tie, to even
    HostExpect(fp16_t(std::ldexp(1.5, -24)).val, 2); // a tie, to even
    HostExpect(fp16_t(std::ldexp(2047.5, -25)).val, 0x400);
    HostExpect(fp16_t(2049).val, fp16_t(2048).val);
    HostExpect(fp16_t(2051).val, fp16_t(2052).val);
    for (int bits = 0; bits < 0x7c01; ++bits) {
        HostExpect(fp16_t(fp16_t(static_cast<uint16_t>(bits)).toDouble()).val, bits, bits);
    }
    HostExpect((fp16_t(0.1f) + fp16_t(0.2f)).val, 0x34cc);
    HostExpect(fp16_t(1.0f) / fp16_t(3.0f) < fp16_t(0.5f), true);
    HostExpect(bfloat16(1.0f).value, 0x3f80);
    HostExpect(bfloat16(1.00390625f).value, 0x3f80); // a tie, to even
    HostExpect(bfloat16(1.01171875f).value, 0x3f82); // a tie, to even
    HostExpect(bfloat16(NAN).value, 0x7fc0);
    HostExpect(bfloat16(3) * 2 == 6, true);
}

void Shapes()
{
    gert::Shape shape;
    SetUnknownRank(shape);
    HostExpect(IsUnknownRank(shape), true);
    SetUnknownShape(2, shape);
    HostExpect(IsUnknownShape(shape), true);
    HostExpect(shape.GetDimNum(), 2);
    HostExpect(CheckAxisBounds(3, -3) && CheckAxisBounds(3, 2) && CheckAxisBounds(0, 0), true);
    HostExpect(CheckAxisBounds(3, 3) || CheckAxisBounds(3, -4), false);
    HostExpect(EnsureNotScalar(gert::Shape()).GetDim(0), 1);
}

bool Becomes(const gert::Shape &a, const gert::Shape &b, const gert::Shape &want)
{
    gert::Shape out;
    return BroadcastShape(&a, &b, &out) && out == want;
}

void Broadcasts()
{
    HostExpect(Becomes({2, 1, 4}, {3, 1}, {2, 3, 4}), true);
    HostExpect(Becomes({}, {3}, {3}), true);
    HostExpect(Becomes({1}, {0}, {0}), true);
    HostExpect(Becomes({-1, 2}, {5, 1}, {5, 2}), true);
    HostExpect(Becomes({-1}, {1}, {-1}), true);
    HostExpect(Becomes({-2}, {5, 1}, {-2}), true);
    HostExpect(Becomes({2}, {3}, {3}), false);
    const ascendc_cpu::OpLaunch launch{"Add", {{Of({2, 1})}, {Of({3})}, {Of({4, 1, 1})}}, {{}}, {}, {}};
    gert::InferShapeContext context(launch);
    HostExpect(InferShape4Broadcast(&context), ge::GRAPH_SUCCESS);
    HostExpect(*context.GetOutputShape(0) == gert::Shape({2, 3}), true);
    HostExpect(InferShape4Broadcast(&context, 3), ge::GRAPH_SUCCESS);
    HostExpect(*context.GetOutputShape(0) == gert::Shape({4, 2, 3}), true);
    HostExpect(InferShape4Broadcast(&context, 4), ge::GRAPH_FAILED);
    HostExpect(InferShape4Elewise(&context), ge::GRAPH_SUCCESS);
    HostExpect(*context.GetOutputShape(0) == gert::Shape({2, 1}), true);
}

gert::Shape Reduced(const gert::Shape &shape, std::vector<int64_t> axes, bool keep, ge::graphStatus want = ge::GRAPH_SUCCESS)
{
    gert::Tensor list = Of({static_cast<int64_t>(axes.size())}, ge::DT_INT64);
    list.SetElements(axes.empty() ? nullptr : axes.data());
    ascendc_cpu::OpLaunch launch{"ReduceSum", {{Of(shape)}, {list}}, {{}}, {}, {}};
    launch.attrs.values = {keep};
    gert::InferShapeContext context(launch);
    HostExpect(InferShape4Reduce(&context), want);
    return *context.GetOutputShape(0);
}

void Reductions()
{
    HostExpect(Reduced({2, 3, 4}, {1}, false) == gert::Shape({2, 4}), true);
    HostExpect(Reduced({2, 3, 4}, {-1, 0}, true) == gert::Shape({1, 3, 1}), true);
    HostExpect(Reduced({2, 3}, {0, 1}, false) == gert::Shape(), true);
    HostExpect(Reduced({2, 3}, {}, false) == gert::Shape({2, 3}), true);
    HostExpect(Reduced({-2}, {1}, false) == gert::Shape({-2}), true);
    HostExpect(Reduced({}, {0}, true) == gert::Shape(), true);
    Reduced({2, 3}, {2}, false, ge::GRAPH_FAILED);
}

void Elements()
{
    const std::vector<int32_t> axes = {4, 5};
    gert::Tensor list = Of({2}, ge::DT_INT32);
    list.SetElements(axes.data());
    const ascendc_cpu::OpLaunch launch{"Tile", {{list}, {Of({2})}}, {{}}, {}, {}};
    gert::TilingContext context(launch);
    int64_t first = 0;
    gert::Shape shape;
    HostExpect(GetConstInt(&context, 0, first), true);
    HostExpect(first, 4);
    HostExpect(GetConstIntToShape(&context, 0, shape), true);
    HostExpect(shape == gert::Shape({4, 5}), true);
    HostExpect(GetConstInt(&context, 1, first), false);
    HostExpect(GetConstInt(&context, 2, first), false);
}

class Steps : public TilingBaseClass {
public:
    Steps(gert::TilingContext *context, bool is_capable) : TilingBaseClass(context), is_capable_(is_capable) {}
    int done = 0;

protected:
    bool IsCapable() override { return is_capable_; }
    ge::graphStatus GetPlatformInfo() override { return Step(); }
    ge::graphStatus GetShapeAttrsInfo() override { return Step(); }
    ge::graphStatus DoOpTiling() override { return Step(); }
    ge::graphStatus DoLibApiTiling() override { return Step(); }
    uint64_t GetTilingKey() const override { return 42; }
    ge::graphStatus GetWorkspaceSize() override { return Step(); }
    ge::graphStatus PostTiling() override { return Step(); }

private:
    ge::graphStatus Step()
    {
        ++done;
        return ge::GRAPH_SUCCESS;
    }
    bool is_capable_;
};

void Classes()
{
    const ascendc_cpu::OpLaunch launch{"Tile", {{Of({2})}}, {{Of({2})}}, {}, {}};
    gert::TilingContext context(launch);
    Steps whole(&context, true);
    HostExpect(whole.DoTiling(), ge::GRAPH_SUCCESS);
    HostExpect(whole.done, 6);
    HostExpect(context.GetTilingKey(), 42);
    Steps other(&context, false);
    HostExpect(other.DoTiling(), ge::GRAPH_PARAM_INVALID);
    HostExpect(other.done, 2);
    HostExpect(GetAivCoreNum(&context), 48);
    HostExpect(GetUbSize(&context), 196352);
    HostExpect(Ops::Base::GetWorkspaceSize(&context), 16 * 1024 * 1024);
    HostExpect(GetUbBlockSize(&context), 32);
    HostExpect(IsRegbaseSocVersion(&context), false);
}
} // namespace

int main()
{
    Numbers();
    ShortFloats();
    Shapes();
    Broadcasts();
    Reductions();
    Elements();
    Classes();
    return 0;
}
