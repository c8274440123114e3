#include "ascendc/vec_fill.h"

#include "numeric.h"
#include "vector.h"

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
void Write(uint8_t *at, double first, double step, uint64_t index)
{
    T value;
    if constexpr (std::is_integral<T>::value) {
        value = static_cast<T>(static_cast<int64_t>(first) + static_cast<int64_t>(step) * static_cast<int64_t>(index));
    } else {
        value = T(static_cast<float>(first) + static_cast<float>(step) * static_cast<float>(index));
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

using Writer = void (*)(uint8_t *, double, double, uint64_t);
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

void Progress(Core &core, const char *op, const Local &dst, Scalar first, double step, const Extent &extent, Stride stride)
{
    const Operand to{"dst", dst, stride};
    const Lanes lanes = Resolve(core, op, extent, to.size());
    core.regs.mask_left_by = op;
    if (lanes.Empty()) {
        return;
    }
    CheckOperand(core, op, to, lanes);
    const Progressing type = ProgressionOf(dst.type);
    const double start = type.value(first);
    core.pipes.Issue(
        core, Pipe::V, op, [&](Accesses &accesses) { Describe(accesses, to, lanes, true); },
        [=, &core] {
            Memory &ub = core.memory(Space::UB);
            ForEachRun(lanes, [&](uint32_t repeat, uint32_t lane, uint32_t n) {
                for (uint32_t i = 0; i < n; ++i) {
                    type.write(ub.data(dst.at + to.Offset(repeat, lane + i)), start, step,
                        uint64_t(repeat) * lanes.per_repeat + lane + i);
                }
            });
            SpreadPoison(core, to, nullptr, 0, lanes);
        });
}
} // namespace

void Duplicate(const Local &dst, Scalar scalar, const Extent &extent, Stride stride)
{
    Core &core = Enter();
    Elementwise instruction{"Duplicate", {"dst", dst, stride}, 0, {}, SizeOf(dst.type) == 2 ? FillLoop<uint16_t> : FillLoop<uint32_t>};
    std::memcpy(instruction.context, &scalar.bits, sizeof scalar.bits);
    Run(core, instruction, extent);
}

void Brcb(const Local &dst, const Local &src, uint32_t repeat, Stride stride)
{
    Core &core = Enter();
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
    if (dst.at < src.at + from_bytes && src.at < dst.at + to_bytes) {
        Fault("overlap", "Brcb: dst and src0 share memory; they must be apart");
    }
    const auto block_of = [stride](uint32_t i) {
        return BLOCK * (i / BLOCKS_PER_REPEAT * stride.rep + i % BLOCKS_PER_REPEAT * stride.blk);
    };
    const auto describe = [&](Accesses &accesses) {
        accesses.Read(src, 0, from_bytes);
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
}

void CreateVecIndex(const Local &dst, Scalar first, const Extent &extent, Stride stride)
{
    Progress(Enter(), "CreateVecIndex", dst, first, 1.0, extent, stride);
}

void Progression(const Local &dst, Scalar first, Scalar step, const Extent &extent)
{
    Core &core = Enter();
    Progress(core, "ArithProgression", dst, first, ProgressionOf(dst.type).value(step), extent, {1, 8});
}
} // namespace ascendc_cpu
