#include "ascendc/adv_norm.h"

#include "advanced.h"
#include "numeric.h"

namespace ascendc_cpu {
namespace {
struct Norm {
    Local dst;
    Local src;
    Local gamma;
    float epsilon;
    AscendC::tiling::RmsNormTiling tiling;
    uint32_t terms; // of a row that are added up
    bool saturate;
};

void CheckTiling(const AscendC::tiling::RmsNormTiling &t, uint32_t size, bool basic_block)
{
    const uint64_t rows = uint64_t(t.bLength) * t.sLength;
    if (t.hLength == 0 || t.hLength * size % BLOCK != 0 || t.originalHLength == 0 || t.originalHLength > t.hLength) {
        Fault("arg", "RmsNorm: tiling has rows of %u elements, %u of them real: a row is whole data blocks, and what is real is in it; fill it "
                     "with GetRmsNormTilingInfo", t.hLength, t.originalHLength);
    }
    const uint64_t done = uint64_t(t.loopRound) * t.mainBsLength + t.tailBsLength;
    if (done != rows || uint64_t(t.mainBsLength) * t.hLength != t.mainBshLength || uint64_t(t.tailBsLength) * t.hLength != t.tailBshLength ||
        uint64_t(t.loopRound) * t.mainBshLength != t.inputTailPos || t.mainBsLengthAlign < t.mainBsLength) {
        Fault("arg", "RmsNorm: tiling takes %u rows %u times and %u more, of %llu rows; fill it with GetRmsNormTilingInfo", t.mainBsLength,
            t.loopRound, t.tailBsLength, static_cast<unsigned long long>(rows));
    }
    if (basic_block && !IsRmsNormBlock(rows, t.hLength)) {
        Fault("arg", "RmsNorm: isBasicBlock takes rows of a multiple of 64 elements below 2048, and a multiple of 8 rows, not %llu of %u",
            static_cast<unsigned long long>(rows), t.hLength);
    }
}

template <typename T>
float At(Core &core, const Local &tensor, uint32_t index)
{
    return float(reinterpret_cast<const T *>(Data(core, tensor))[index]);
}

template <typename T>
void ComputeRow(Core &core, const Norm &in, uint32_t first)
{
    Memory &ub = core.memory(Space::UB);
    constexpr uint32_t size = sizeof(T);
    const uint32_t h = in.tiling.hLength;
    double squares = 0;
    for (uint32_t i = 0; i < in.terms; ++i) {
        const double x = static_cast<double>(At<T>(core, in.src, first + i));
        squares += x * x;
    }
    const bool known = ub.FirstPoison(in.src.at + first * size, in.terms * size) < 0;
    const double mean = squares * static_cast<double>(in.tiling.reciprocalOfHLength) + static_cast<double>(in.epsilon);
    const double factor = 1.0 / std::sqrt(mean);
    std::vector<T> row(h);
    std::vector<bool> valid(h);
    for (uint32_t i = 0; i < h; ++i) {
        const double x = static_cast<double>(At<T>(core, in.src, first + i));
        const double scale = static_cast<double>(At<T>(core, in.gamma, i));
        float y = static_cast<float>(x * factor * scale);
        if constexpr (size == 2) {
            Narrow(&row[i], &y, 1, in.saturate);
        } else {
            row[i] = y;
        }
        valid[i] = known && ub.IsValid(in.src.at + (first + i) * size, size) && ub.IsValid(in.gamma.at + i * size, size);
    }
    std::memcpy(Data(core, in.dst) + first * size, row.data(), h * size);
    for (uint32_t i = 0; i < h; ++i) {
        const uint32_t at = in.dst.at + (first + i) * size;
        valid[i] ? ub.MarkValid(at, size) : ub.MarkPoison(at, size);
    }
}
} // namespace

void RmsNorm(const Local &dst, const Local &src, const Local &gamma, const Local *tmp, float epsilon, const RmsNormTiling &tiling,
    bool basic_block)
try {
    Core &core = EnterInstruction();
    const uint32_t size = SizeOf(src.type);
    CheckTiling(tiling, size, basic_block);
    const uint32_t rows = tiling.bLength * tiling.sLength;
    const uint64_t bytes = uint64_t(rows) * tiling.hLength * size;
    const uint64_t row = uint64_t(tiling.hLength) * size;
    CheckLocal(core, "RmsNorm", "dstLocal", dst, bytes, BLOCK);
    CheckLocal(core, "RmsNorm", "srcLocal", src, bytes, BLOCK);
    CheckLocal(core, "RmsNorm", "gammaLocal", gamma, row, BLOCK);
    const uint32_t needs = (tiling.mainBsLengthAlign + tiling.mainBshLength * (size == 2 ? 2 : 1)) * 4;
    const Local space = TakeSpace(core, "RmsNorm", "what GetRmsNormTilingInfo was given", tmp, needs, needs);
    RefuseOverlap("RmsNorm", {"dstLocal", dst, bytes}, {"gammaLocal", gamma, row});
    if (dst.at != src.at) {
        RefuseOverlap("RmsNorm", {"dstLocal", dst, bytes}, {"srcLocal", src, bytes});
    }
    for (const Region &region : {Region{"dstLocal", dst, bytes}, Region{"srcLocal", src, bytes}, Region{"gammaLocal", gamma, row}}) {
        RefuseOverlap("RmsNorm", {"sharedTmpBuffer", space, space.bytes}, region);
    }
    const auto describe = [&](Accesses &accesses) {
        accesses.Read(src, 0, bytes);
        accesses.Read(gamma, 0, row);
        accesses.Write(dst, 0, bytes);
        accesses.Write(space, 0, space.bytes);
        DescribeCall(accesses, src.type,
            {{"dst", dst.at}, {"src", src.at}, {"gamma", gamma.at}, {"tmp", space.at}, {"row", tiling.hLength},
                {"row_real", tiling.originalHLength}, {"rounds", tiling.loopRound}, {"rows", tiling.mainBsLength},
                {"rows_aligned", tiling.mainBsLengthAlign}, {"rows_last", tiling.tailBsLength}, {"blocks", basic_block}});
    };
    const Norm in{dst, src, gamma, epsilon, tiling, basic_block ? tiling.hLength : tiling.originalHLength, core.regs.saturate};
    core.pipes.Issue(core, Pipe::V, "RmsNorm", describe, [=, &core] {
        for (uint32_t r = 0; r < rows; ++r) {
            size == 2 ? ComputeRow<half>(core, in, r * in.tiling.hLength) : ComputeRow<float>(core, in, r * in.tiling.hLength);
        }
        core.memory(Space::UB).MarkPoison(space.at, space.bytes);
    });
} catch (const LeftOut &) {
}
} // namespace ascendc_cpu
