#include "ascendc/vec_fill.h"

#include "arithmetic.h"
#include "numeric.h"
#include "vector.h"

#include <algorithm>

namespace ascendc_cpu {
namespace {
// Fills runs of one element, of any type of that size.
template <typename T>
void FillLoop(void *dst, const void *const *, uint64_t n, const void *context)
{
    T value;
    std::memcpy(&value, context, sizeof value);
    for (uint64_t i = 0; i < n; ++i) {
        static_cast<T *>(dst)[i] = value;
    }
}

// Element `index` of a progression: what an element-wise run needs beyond its own numbers is written after the run.
template <typename T>
void Write(uint8_t *at, double first, double step, uint64_t index, bool saturate)
{
    T value;
    if constexpr (std::is_integral<T>::value) {
        const int64_t exact = static_cast<int64_t>(first) + static_cast<int64_t>(step) * static_cast<int64_t>(index);
        value = saturate ? Fit<true, T>(exact) : Fit<false, T>(exact);
    } else {
        float exact = static_cast<float>(first) + static_cast<float>(step) * static_cast<float>(index);
        if (saturate && sizeof(T) == 2) {
            exact = Clamped(exact, HALF_MAX);
        }
        value = T(exact);
    }
    std::memcpy(at, &value, sizeof value);
}

template <typename T>
double ValueOf(Scalar scalar)
{
    T value;
    std::memcpy(&value, &scalar.bits, sizeof value);
    return static_cast<double>(static_cast<std::conditional_t<std::is_integral<T>::value, T, float>>(value));
}

using Writer = void (*)(uint8_t *, double, double, uint64_t, bool);
struct Progressing {
    Writer write;
    double (*value)(Scalar);
};
Progressing ProgressionOf(Type type)
{
    switch (type) {
        case Type::I16: return {Write<int16_t>, ValueOf<int16_t>};
        case Type::F16: return {Write<half>, ValueOf<half>};
        case Type::I32: return {Write<int32_t>, ValueOf<int32_t>};
        default: return {Write<float>, ValueOf<float>};
    }
}

// The scalar unit writes what vector calls go on from: a data block, and where a mask of bits decides, the first repeat. Nothing waits
// before it does; the vector unit waits for it (dav_c220, CreateVecIndexCalc).
void ByScalar(Core &core, const char *op, const Operand &to, Lanes lanes)
{
    lanes.repeats = 1;
    lanes.count = lanes.counted && lanes.count > lanes.per_repeat ? lanes.per_repeat : lanes.count;
    const uint64_t span = to.Span(lanes);
    const uint64_t bytes = lanes.masked || span < BLOCK ? span : BLOCK;
    core.pipes.Scalar(core, op, [&](Accesses &accesses) { accesses.Write(to.tensor, 0, bytes); }, [] {});
}

void Progress(
    Core &core, const char *op, const Local &dst, Scalar first, double step, const Extent &extent, Stride stride, bool by_scalar = false)
{
    const Operand to{"dst", dst, stride};
    const Lanes lanes = Resolve(core, op, extent, to.size());
    core.regs.mask_left_by = op;
    if (lanes.Empty()) {
        return;
    }
    CheckOperand(core, op, to, lanes);
    if (by_scalar) {
        ByScalar(core, op, to, lanes);
    }
    const Progressing type = ProgressionOf(dst.type);
    const double start = type.value(first);
    const bool saturate = core.regs.saturate;
    core.pipes.Issue(
        core, Pipe::V, op, by_scalar, [&](Accesses &accesses) { Describe(accesses, to, lanes, true); },
        [=, &core] {
            Memory &ub = core.memory(Space::UB);
            ForEachRun(lanes, [&](uint32_t repeat, uint32_t lane, uint32_t n) {
                for (uint32_t i = 0; i < n; ++i) {
                    type.write(ub.data(dst.at + to.Offset(repeat, lane + i)), start, step,
                        uint64_t(repeat) * lanes.per_repeat + lane + i, saturate);
                }
            });
            SpreadPoison(core, to, nullptr, 0, lanes);
        });
}
} // namespace

void Duplicate(const Local &dst, Scalar scalar, const Extent &extent, Stride stride)
try {
    Core &core = EnterInstruction();
    Elementwise instruction{"Duplicate", {"dst", dst, stride}, 0, {}, SizeOf(dst.type) == 2 ? FillLoop<uint16_t> : FillLoop<uint32_t>};
    std::memcpy(instruction.context, &scalar.bits, sizeof scalar.bits);
    Run(core, instruction, extent);
} catch (const LeftOut &) {
}

void Brcb(const Local &dst, const Local &src, uint32_t repeat, Stride stride)
try {
    Core &core = EnterInstruction();
    if (repeat == 0) {
        return;
    }
    if (stride.blk == 0) {
        Fault("arg", "Brcb: the destination's block stride is 0; it must be 1 or more");
    }
    const uint32_t size = SizeOf(dst.type);
    const uint64_t from_bytes = uint64_t(repeat) * BLOCKS_PER_REPEAT * size;
    const uint64_t to_bytes = uint64_t(BLOCK) * ((repeat - 1) * stride.rep + (BLOCKS_PER_REPEAT - 1) * stride.blk + 1);
    CheckLocal(core, "Brcb", "dst", dst, to_bytes, BLOCK);
    CheckLocal(core, "Brcb", "src0", src, from_bytes, BLOCK);
    // Bytes beyond a tensor have been told.
    const uint64_t src_end = src.at + std::min<uint64_t>(from_bytes, src.bytes);
    const uint64_t dst_end = dst.at + std::min<uint64_t>(to_bytes, dst.bytes);
    if (dst.at < src_end && src.at < dst_end) {
        Mistake("overlap", "Brcb: dst and src0 share memory; they must be apart");
    }
    const auto block_of = [stride](uint32_t i) {
        return BLOCK * (i / BLOCKS_PER_REPEAT * stride.rep + i % BLOCKS_PER_REPEAT * stride.blk);
    };
    const auto describe = [&](Accesses &accesses) {
        accesses.Read(src, 0, from_bytes);
        if (accesses.recorded) {
            accesses.Stride(dst, stride.blk, stride.rep, true);
            accesses.repeats = repeat;
            return;
        }
        for (uint32_t i = 0; i < repeat * BLOCKS_PER_REPEAT; ++i) {
            accesses.Write(dst, block_of(i), BLOCK);
        }
    };
    core.pipes.Issue(core, Pipe::V, "Brcb", describe, [=, &core] {
        Memory &ub = core.memory(Space::UB);
        for (uint32_t i = 0; i < repeat * BLOCKS_PER_REPEAT; ++i) {
            const uint32_t from = src.at + i * size;
            const uint32_t to = dst.at + block_of(i);
            for (uint32_t byte = 0; byte < BLOCK; byte += size) {
                std::memcpy(ub.data(to + byte), ub.data(from), size);
            }
            ub.IsValid(from, size) ? ub.MarkValid(to, BLOCK) : ub.MarkPoison(to, BLOCK);
        }
    });
} catch (const LeftOut &) {
}

void CreateVecIndex(const Local &dst, Scalar first, const Extent &extent, Stride stride)
try {
    Core &core = EnterInstruction();
    const uint32_t least = BLOCK / SizeOf(dst.type);
    if (extent.kind == Extent::LANES && !core.regs.counter && extent.n > 0 && extent.n < least) {
        Fault("arg", "CreateVecIndex: mask is %u; with fewer elements than a data block has (%u) it adds to what lies in front of dst",
            static_cast<uint32_t>(extent.n), least);
    }
    Progress(core, "CreateVecIndex", dst, first, 1.0, extent, stride, true);
} catch (const LeftOut &) {
}

void Progression(const Local &dst, Scalar first, Scalar step, const Extent &extent)
try {
    Core &core = EnterInstruction();
    Progress(core, "ArithProgression", dst, first, ProgressionOf(dst.type).value(step), extent, {1, 8});
} catch (const LeftOut &) {
}
} // namespace ascendc_cpu
