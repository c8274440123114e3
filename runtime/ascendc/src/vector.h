// How a vector instruction walks its operands: extents, strides, masks, poison.
//
// An instruction has one *lane* for each element of a repeat: 256 bytes of the widest operand. Lane l of repeat r of an
// operand with elements of `size` bytes lies at
//     at + 32 * (r * rep + (l * size / 32) * blk) + l * size % 32,
// for narrow operands of a mixed-width instruction too: they take fewer blocks a repeat (asc-devkit, Memory矢量计算, mask
// and stride pages).
#ifndef ASCENDC_CPU_VECTOR_H
#define ASCENDC_CPU_VECTOR_H

#include "core.h"

namespace ascendc_cpu {
// An extent with the registers read and the lanes counted.
struct Lanes {
    uint32_t per_repeat; // lanes of a whole repeat
    uint32_t repeats;
    uint64_t count;      // COUNT: all lanes that take part, the last repeat may be partial; else lanes of every repeat
    bool counted;        // contiguous count over repeats (COUNT, counter mode)
    bool masked;         // mask[] decides lane by lane
    uint64_t mask[2];

    // Lanes of repeat `r` from 0 up to where none follows; `masked` may take some out.
    uint32_t Of(uint32_t r) const
    {
        if (!counted) {
            return static_cast<uint32_t>(count);
        }
        const uint64_t left = count - uint64_t(r) * per_repeat;
        return left < per_repeat ? static_cast<uint32_t>(left) : per_repeat;
    }
    bool On(uint32_t lane) const { return !masked || (mask[lane / 64] >> lane % 64 & 1) != 0; }
    bool Empty() const { return repeats == 0 || count == 0; }
};

// Reads an extent for elements of at most `widest` bytes. Faults where the mask or repeat is not allowed.
// Counter mode (SetMaskCount): the mask is a number of elements over all repeats, of BITS and REGISTER the low word.
Lanes LanesOf(Core &core, const char *op, const Extent &extent, uint32_t widest);
// What becomes of the mask registers: an operand stays in them, and a form of a count leaves normal mode and every element on (掩码.md,
// 接口内设置Mask).
void LeaveMask(Core &core, const Extent &extent);
// Both, which is what most instructions do.
Lanes Resolve(Core &core, const char *op, const Extent &extent, uint32_t widest);
// Stops in counter mode: for instructions that set masks by bits inside.
void RefuseCounterMode(Core &core, const char *op);
// The number that an extent is in counter mode; COUNT is none.
uint64_t Counted(Core &core, const char *op, const Extent &extent);

// One operand of a vector instruction.
struct Operand {
    const char *name;
    Local tensor;
    Stride stride;

    uint32_t size() const { return SizeOf(tensor.type); }
    uint32_t Offset(uint32_t repeat, uint32_t lane) const
    {
        const uint32_t byte = lane * size();
        return BLOCK * (repeat * stride.rep + byte / BLOCK * stride.blk) + byte % BLOCK;
    }
    // Contiguous over all repeats of an instruction with `lanes` lanes a repeat.
    bool Dense(uint32_t lanes) const
    {
        return stride.blk == 1 && stride.rep * BLOCK == lanes * size();
    }
    // Bytes from the start of the tensor to the end of the last lane.
    uint64_t Span(const Lanes &lanes) const;
};

// Stops unless the operand is aligned to a data block (or to `align`), in bounds and usable.
void CheckOperand(Core &core, const char *op, const Operand &operand, const Lanes &lanes, uint32_t align = BLOCK);
// Stops where the instruction's own reads and writes overlap in a way the hardware does not order: within a repeat
// partly, or a later repeat reading what an earlier one wrote. `accumulates` allows the documented exception
// (dst = src1 with repeat stride 0).
void CheckOverlap(Core &core, const char *op, const Operand &dst, const Operand &src, const Lanes &lanes, bool accumulates);
// What the operand touches, for the race check.
void Describe(Accesses &accesses, const Operand &operand, const Lanes &lanes, bool write);
// Poison of element-wise work: a lane of `dst` is valid where that lane of every source is.
void SpreadPoison(Core &core, const Operand &dst, const Operand *srcs, int n, const Lanes &lanes);
// Stops where a lane of `src` is poison.
void RefusePoison(Core &core, const char *op, const Operand &src, const Lanes &lanes);

// Calls `f(repeat, lane, n)` for runs of lanes that are on and lie in one data block of every operand: the widest
// element decides. Runs come in order; `from` and `to` choose repeats.
template <typename F>
void ForEachRun(const Lanes &lanes, uint32_t from, uint32_t to, F f)
{
    const uint32_t step = lanes.per_repeat / BLOCKS_PER_REPEAT;
    for (uint32_t r = from; r < to; ++r) {
        const uint32_t end = lanes.Of(r);
        for (uint32_t lane = 0; lane < end; lane += step) {
            const uint32_t n = end - lane < step ? end - lane : step;
            const uint64_t all = (1ull << n) - 1;
            const uint64_t bits = lanes.masked ? lanes.mask[lane / 64] >> lane % 64 & all : all;
            if (bits == all) {
                f(r, lane, n);
                continue;
            }
            for (uint32_t i = 0; i < n; ++i) {
                if ((bits >> i & 1) != 0) {
                    f(r, lane + i, 1u);
                }
            }
        }
    }
}
template <typename F>
void ForEachRun(const Lanes &lanes, F f)
{
    ForEachRun(lanes, 0, lanes.repeats, f);
}

// An element-wise instruction of up to three sources. `compute(dst, srcs, n, context)` gets host pointers to `n`
// elements, contiguous in every operand; sources and destination are the same address or do not overlap.
using Compute = void (*)(void *dst, const void *const *srcs, uint64_t n, const void *context);
struct Elementwise {
    const char *op;
    Operand dst;
    int sources;
    Operand srcs[3];
    Compute compute;
    // dst = src1 with repeat stride 0 accumulates over the repeats (Add, Sub, Mul, Max, Min, AddRelu, SubRelu).
    bool accumulates = false;
    // Works on bits: of masks each answer keeps its own validity (And, Or, Not).
    bool bitwise = false;
    // Bytes of scalars that `compute` gets as context, at most 32.
    alignas(uint64_t) unsigned char context[32] = {};
};
void Run(Core &core, const Elementwise &instruction, const Extent &extent);
} // namespace ascendc_cpu

#endif
