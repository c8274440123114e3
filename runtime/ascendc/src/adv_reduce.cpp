#include "ascendc/adv_reduce.h"

#include "advanced.h"

#include <cstring>

namespace ascendc_cpu {
bool CheckRows(const char *op, const char *sizes, const Local &dst, const Local &src, const Local &tmp, bool given,
    const AscendC::SumParams &rows, uint32_t least)
try {
    Core &core = EnterInstruction();
    const uint32_t size = SizeOf(src.type);
    const uint32_t inner = AlignedTo(rows.n * size, BLOCK) / size;
    if (rows.n == 0 || rows.outter == 0 || rows.inner != inner) {
        Fault("arg", "%s: outter is %u, n is %u and inner %u: there is a row, it has an element, and inner is n up to whole data blocks, which "
                     "is %u", op, rows.outter, rows.n, rows.inner, inner);
    }
    const uint64_t source = uint64_t(rows.outter) * rows.inner * size;
    const uint64_t results = AlignedTo(rows.outter * size, BLOCK);
    CheckLocal(core, op, "srcTensor", src, source, BLOCK);
    CheckLocal(core, op, "dstTensor", dst, results, BLOCK);
    const Local space = TakeSpace(core, op, sizes, given ? &tmp : nullptr, least, least);
    RefuseOverlap(op, {"dstTensor", dst, results}, {"srcTensor", src, source});
    RefuseOverlap(op, {"sharedTmpBuffer", space, space.bytes}, {"srcTensor", src, source});
    RefuseOverlap(op, {"sharedTmpBuffer", space, space.bytes}, {"dstTensor", dst, results});
    return true;
} catch (const LeftOut &) {
    return false;
}

namespace {
float ElementAt(const uint8_t *at, Type type)
{
    return type == Type::F16 ? float(*reinterpret_cast<const half *>(at)) : *reinterpret_cast<const float *>(at);
}

// Sums are float on the way, also those of half. An element without a value takes it from all behind it.
void AddUp(Core &core, bool last_axis, const Local &dst, const Local &src, AscendC::CumSumInfo shape)
{
    Memory &ub = core.memory(Space::UB);
    const uint32_t size = SizeOf(src.type);
    const uint32_t lines = last_axis ? shape.outter : shape.inner, terms = last_axis ? shape.inner : shape.outter;
    for (uint32_t line = 0; line < lines; ++line) {
        float sum = 0;
        bool valid = true;
        for (uint32_t term = 0; term < terms; ++term) {
            const uint32_t offset = (last_axis ? line * shape.inner + term : term * shape.inner + line) * size;
            valid = valid && ub.IsValid(src.at + offset, size);
            const float element = ElementAt(Data(core, src) + offset, src.type);
            sum = term == 0 ? element : sum + element;
            uint8_t *const at = Data(core, dst) + offset;
            if (dst.type == Type::F16) {
                *reinterpret_cast<half *>(at) = half(sum);
            } else {
                *reinterpret_cast<float *>(at) = sum;
            }
            valid ? ub.MarkValid(dst.at + offset, size) : ub.MarkPoison(dst.at + offset, size);
        }
    }
}
} // namespace

void RunningSums(bool last_axis, const Local &dst, const Local *last_row, const Local &src, const Local *tmp, AscendC::CumSumInfo shape)
try {
    const char *const op = "CumSum";
    Core &core = EnterInstruction();
    const uint32_t size = SizeOf(src.type);
    const uint64_t row = uint64_t(shape.inner) * size;
    if (shape.outter == 0 || shape.inner == 0 || row % BLOCK != 0) {
        Fault("arg", "CumSum: cumSumInfo is %u rows of %u elements; there is a row, and rows are whole data blocks of %u elements", shape.outter,
            shape.inner, BLOCK / size);
    }
    const uint64_t bytes = shape.outter * row;
    CheckLocal(core, op, "srcTensor", src, bytes, BLOCK);
    CheckLocal(core, op, "dstTensor", dst, bytes, BLOCK);
    const uint32_t least = CumSumSpace(last_axis, last_axis ? 16 : shape.outter, shape.inner, size);
    const uint32_t most = CumSumSpace(last_axis, last_axis ? AlignedTo(shape.outter, 16) : shape.outter, shape.inner, size);
    const Local space = TakeSpace(core, op, "GetCumSumMaxMinTmpSize", tmp, least, most);
    if (dst.at != src.at) {
        RefuseOverlap(op, {"dstTensor", dst, bytes}, {"srcTensor", src, bytes});
    }
    RefuseOverlap(op, {"sharedTmpBuffer", space, space.bytes}, {"srcTensor", src, bytes});
    RefuseOverlap(op, {"sharedTmpBuffer", space, space.bytes}, {"dstTensor", dst, bytes});
    const Local last = last_row != nullptr ? *last_row : Local{};
    const uint64_t last_bytes = last_row != nullptr ? row : 0;
    if (last_row != nullptr) {
        CheckLocal(core, op, "lastRowTensor", last, row, BLOCK);
        RefuseOverlap(op, {"lastRowTensor", last, row}, {"dstTensor", dst, bytes});
    }
    const auto describe = [&](Accesses &accesses) {
        accesses.Read(src, 0, bytes);
        accesses.Write(dst, 0, bytes);
        accesses.Write(space, 0, space.bytes);
        if (last_bytes > 0) {
            accesses.Write(last, 0, last_bytes);
        }
        DescribeCall(accesses, src.type,
            {{"dst", dst.at}, {"src", src.at}, {"tmp", space.at}, {"tmp_bytes", GivenSpace(core, tmp)}, {"rows", shape.outter},
                {"row", shape.inner}, {"last_axis", last_axis}, {"gives_last", last_bytes > 0}, {"last", last.at}});
    };
    core.pipes.Issue(core, Pipe::V, op, describe, [=, &core] {
        AddUp(core, last_axis, dst, src, shape);
        Memory &ub = core.memory(Space::UB);
        ub.MarkPoison(space.at, space.bytes);
        const uint32_t from = static_cast<uint32_t>(bytes - row);
        for (uint32_t i = 0; i < last_bytes; i += size) {
            std::memcpy(Data(core, last) + i, Data(core, dst) + from + i, size);
            ub.IsValid(dst.at + from + i, size) ? ub.MarkValid(last.at + i, size) : ub.MarkPoison(last.at + i, size);
        }
    });
} catch (const LeftOut &) {
}
} // namespace ascendc_cpu
