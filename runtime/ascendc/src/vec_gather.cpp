#include "ascendc/vec_gather.h"

#include "ascendc/mask.h"
#include "vector.h"

#include <algorithm>
#include <map>

namespace ascendc_cpu {
namespace {
uint32_t OffsetAt(Core &core, const char *op, const Local &offsets, uint32_t index)
{
    Memory &ub = core.memory(Space::UB);
    const uint32_t at = offsets.at + index * 4;
    if (!ub.IsValid(at, 4)) {
        PoisonIn(core, offsets, index * 4, 4, "%s: offset %u has no value", op, index);
    }
    uint32_t offset;
    std::memcpy(&offset, ub.data(at), sizeof offset);
    return offset;
}
} // namespace

void Gather(const Local &dst, const Local &src, const Local &offsets, uint32_t base, const Extent &extent, uint16_t dstRepStride)
try {
    Core &core = EnterInstruction();
    const Operand to{"dst", dst, {1, dstRepStride}};
    const uint32_t size = to.size();
    if (extent.kind == Extent::COUNT) {
        RefuseCounterMode(core, "Gather");
        // Whole repeats are one call, whose repeats have 8 bits; the toolkit cuts off what is more (kernel_operator_vec_gather_intf_impl.h).
        const uint64_t most = 256 * (REPEAT / size) - 1;
        if (extent.n > most) {
            Fault("arg", "Gather: count is %llu; whole repeats are counted in 8 bits, so that at most %llu are possible",
                static_cast<unsigned long long>(extent.n), static_cast<unsigned long long>(most));
        }
    }
    const Lanes lanes = Resolve(core, "Gather", extent, size);
    // The form of a count is two under masks.
    core.regs.mask_left_by = extent.kind == Extent::COUNT ? "Gather" : nullptr;
    if (lanes.Empty()) {
        return;
    }
    CheckOperand(core, "Gather", to, lanes);
    CheckLocal(core, "Gather", "src", src, size, BLOCK);
    const uint64_t count = lanes.counted ? lanes.count : uint64_t(lanes.repeats) * lanes.per_repeat;
    CheckLocal(core, "Gather", "srcOffset", offsets, count * 4, BLOCK);
    if (dst.at < src.at + src.bytes && src.at < dst.at + to.Span(lanes)) {
        Mistake("overlap", "Gather: dst and src share memory; they must be apart");
    }
    const auto describe = [&](Accesses &accesses) {
        Describe(accesses, to, lanes, true);
        accesses.Read(src, 0, src.bytes);
        accesses.Read(offsets, 0, count * 4);
    };
    core.pipes.Issue(core, Pipe::V, "Gather", describe, [=, &core] {
        Memory &ub = core.memory(Space::UB);
        ForEachRun(lanes, [&](uint32_t repeat, uint32_t lane, uint32_t n) {
            for (uint32_t i = 0; i < n; ++i) {
                const uint32_t index = repeat * lanes.per_repeat + lane + i;
                const uint64_t offset = uint64_t(base) + OffsetAt(core, "Gather", offsets, index);
                if (offset % size != 0) {
                    Fault("align", "Gather: offset %u is %llu bytes, which is no multiple of the element (%u)", index,
                        static_cast<unsigned long long>(offset), size);
                }
                if (offset + size > src.bytes) {
                    Fault("bounds", "Gather: offset %u is %llu bytes, src has %u", index, static_cast<unsigned long long>(offset), src.bytes);
                }
                const uint32_t from = src.at + static_cast<uint32_t>(offset);
                const uint32_t at = dst.at + to.Offset(repeat, lane + i);
                std::memcpy(ub.data(at), ub.data(from), size);
                ub.IsValid(from, size) ? ub.MarkValid(at, size) : ub.MarkPoison(at, size);
            }
        });
    });
} catch (const LeftOut &) {
}

void Scatter(const Local &dst, const Local &src, const Local &offsets, uint32_t base, const Extent &extent, uint8_t srcRepStride)
try {
    Core &core = EnterInstruction();
    const Operand from{"src", src, {1, srcRepStride}};
    const uint32_t size = from.size();
    const Lanes lanes = Resolve(core, "Scatter", extent, size);
    if (lanes.Empty()) {
        return;
    }
    CheckOperand(core, "Scatter", from, lanes);
    CheckLocal(core, "Scatter", "dst", dst, size, BLOCK);
    const uint64_t count = lanes.counted ? lanes.count : uint64_t(lanes.repeats) * lanes.per_repeat;
    CheckLocal(core, "Scatter", "dstOffset", offsets, count * 4, BLOCK);
    if (dst.at < src.at + from.Span(lanes) && src.at < dst.at + dst.bytes) {
        Mistake("overlap", "Scatter: dst and src share memory; they must be apart");
    }
    const auto describe = [&](Accesses &accesses) {
        Describe(accesses, from, lanes, false);
        accesses.Read(offsets, 0, count * 4);
        accesses.Write(dst, 0, dst.bytes);
    };
    core.pipes.Issue(core, Pipe::V, "Scatter", describe, [=, &core] {
        Memory &ub = core.memory(Space::UB);
        std::map<uint64_t, uint32_t> taken;
        ForEachRun(lanes, [&](uint32_t repeat, uint32_t lane, uint32_t n) {
            for (uint32_t i = 0; i < n; ++i) {
                const uint32_t index = repeat * lanes.per_repeat + lane + i;
                const uint64_t offset = uint64_t(base) + OffsetAt(core, "Scatter", offsets, index);
                if (offset % size != 0) {
                    Fault("align", "Scatter: offset %u is %llu bytes, which is no multiple of the element (%u)", index,
                        static_cast<unsigned long long>(offset), size);
                }
                if (offset + size > dst.bytes) {
                    Fault("bounds", "Scatter: offset %u is %llu bytes, dst has %u", index, static_cast<unsigned long long>(offset), dst.bytes);
                }
                const auto [first, is_new] = taken.emplace(offset, index);
                if (!is_new) {
                    Fault("arg", "Scatter: elements %u and %u go to the same place, byte %llu of dst; which one stays is open", first->second,
                        index, static_cast<unsigned long long>(offset));
                }
                const uint32_t at = src.at + from.Offset(repeat, lane + i);
                const uint32_t to = dst.at + static_cast<uint32_t>(offset);
                std::memcpy(ub.data(to), ub.data(at), size);
                ub.IsValid(at, size) ? ub.MarkValid(to, size) : ub.MarkPoison(to, size);
            }
        });
    });
} catch (const LeftOut &) {
}

void GatherBlocks(const Local &dst, const Local &src, const Local &offsets, uint8_t repeat, Stride stride)
try {
    Core &core = EnterInstruction();
    if (repeat == 0) {
        return;
    }
    // GatherbImpl begins with ResetMask, which is no call of the kernel's here: a fault has the place of Gatherb.
    core.regs.mask[0] = core.regs.mask[1] = ~0ull;
    core.regs.mask_left_by = nullptr;
    const uint32_t blocks = repeat * BLOCKS_PER_REPEAT;
    const uint64_t reached = uint64_t(BLOCK) * ((repeat - 1) * stride.rep + (BLOCKS_PER_REPEAT - 1) * stride.blk + 1);
    CheckLocal(core, "Gatherb", "dst", dst, reached, BLOCK);
    CheckLocal(core, "Gatherb", "offset", offsets, blocks * 4, BLOCK);
    CheckLocal(core, "Gatherb", "src0", src, BLOCK, BLOCK);
    if (dst.at < src.at + src.bytes && src.at < dst.at + reached) {
        Mistake("overlap", "Gatherb: dst and src0 share memory, which its page does not allow; use another buffer for dst");
    }
    const auto at_block = [=](uint32_t i) { return BLOCK * (i / BLOCKS_PER_REPEAT * stride.rep + i % BLOCKS_PER_REPEAT * stride.blk); };
    const auto describe = [&](Accesses &accesses) {
        accesses.Read(src, 0, src.bytes);
        accesses.Read(offsets, 0, blocks * 4);
        for (uint32_t i = 0; i < blocks; ++i) {
            accesses.Write(dst, at_block(i), BLOCK);
        }
    };
    core.pipes.Issue(core, Pipe::V, "Gatherb", describe, [=, &core] {
        Memory &ub = core.memory(Space::UB);
        for (uint32_t i = 0; i < blocks; ++i) {
            const uint32_t offset = OffsetAt(core, "Gatherb", offsets, i);
            if (offset % BLOCK != 0 || uint64_t(offset) + BLOCK > src.bytes) {
                Fault("bounds", "Gatherb: offset %u is %u bytes; it must be a data block of src, which has %u bytes", i, offset, src.bytes);
            }
            std::memcpy(ub.data(dst.at + at_block(i)), ub.data(src.at + offset), BLOCK);
            ub.CopyValidity(dst.at + at_block(i), ub, src.at + offset);
        }
    });
} catch (const LeftOut &) {
}

uint64_t GatherMasked(const Local &dst, const Local &src, const Local *pattern, uint8_t builtin, bool reduce, uint32_t mask,
    uint32_t repeat, Stride stride, uint32_t pattern_step)
{
    Core &core = Enter();
    const Operand from{"src0", src, stride};
    const uint32_t size = from.size();
    const uint32_t most = config().arch == 2201 ? 7 : 6;
    if (pattern == nullptr && (builtin < 1 || builtin > most)) {
        Fault("arg", "GatherMask: src1Pattern is %u; patterns are 1 to %u on this chip", builtin, most);
    }
    if (reduce && mask == 0) {
        Fault("arg", "GatherMask: mask is 0; with reduceMode allowed are 1 to 4294967295");
    }
    // In counter mode a repeat has `mask` elements, which may be more than 256 bytes hold; on 310p these are all, over whole repeats
    // and a last one that may be partial (GatherMask.md, 配置方式一 and 二).
    const uint32_t per_repeat = REPEAT / size;
    const bool over_all = reduce && config().arch == 2002;
    const uint32_t each = reduce && !over_all ? mask : per_repeat;
    if (over_all) {
        repeat = (mask - 1) / per_repeat + 1;
    }
    const uint32_t last = over_all ? mask - (repeat - 1) * per_repeat : each;
    const auto at_element = [=](uint32_t r, uint32_t i) {
        const uint64_t byte = uint64_t(i) * size;
        return uint64_t(BLOCK) * (uint64_t(r) * stride.rep + byte / BLOCK * stride.blk) + byte % BLOCK;
    };
    const uint64_t before = repeat > 1 ? at_element(repeat - 2, each - 1) : 0;
    const uint64_t span = repeat == 0 ? 0 : std::max(at_element(repeat - 1, last - 1), before) + size;
    CheckLocal(core, "GatherMask", "src0", src, span, BLOCK);
    const uint32_t bits_bytes = (each + 7) / 8;
    if (pattern != nullptr && repeat > 0) {
        CheckLocal(core, "GatherMask", "src1Pattern", *pattern, uint64_t(pattern_step) * BLOCK * (repeat - 1) + bits_bytes, BLOCK);
    }
    const Local bits = pattern != nullptr ? *pattern : src;
    const bool own = pattern != nullptr;
    const auto takes = [=, &core](uint32_t r, uint32_t i) {
        if (!own) {
            return builtin == 7 || (builtin <= 2 ? i % 2 == builtin - 1u : i % 4 == builtin - 3u);
        }
        Memory &ub = core.memory(Space::UB);
        const uint32_t at = bits.at + r * pattern_step * BLOCK + i / 8;
        if ((ub.Bits(at) >> i % 8 & 1) == 0) {
            PoisonIn(core, bits, at - bits.at, 1, "GatherMask: bit %u of src1Pattern has no value", r * each + i);
        }
        return (*ub.data(at) >> i % 8 & 1) != 0;
    };
    const auto describe = [&](Accesses &accesses) {
        if (accesses.recorded) {
            accesses.Stride(src, stride.blk, stride.rep, false);
            accesses.repeats = repeat * ((each + per_repeat - 1) / per_repeat);
        } else {
            accesses.Read(src, 0, span);
        }
        accesses.Write(dst, 0, dst.bytes < span ? dst.bytes : span);
        if (own) {
            accesses.Read(bits, 0, uint64_t(pattern_step) * BLOCK * (repeat > 0 ? repeat - 1 : 0) + bits_bytes);
        }
    };
    core.pipes.Issue(core, Pipe::V, "GatherMask", describe, [=, &core] {
        Memory &ub = core.memory(Space::UB);
        uint32_t count = 0;
        for (uint32_t r = 0; r < repeat; ++r) {
            for (uint32_t i = 0; i < (r + 1 == repeat ? last : each); ++i) {
                if (!takes(r, i)) {
                    continue;
                }
                CheckLocal(core, "GatherMask", "dst", dst, uint64_t(count + 1) * size, BLOCK);
                const uint32_t at = src.at + static_cast<uint32_t>(at_element(r, i));
                const uint32_t to = dst.at + count * size;
                if (at + size > dst.at && at < to) {
                    Mistake("overlap", "GatherMask: reads from src0 what it has written to dst; dst may begin where src0 does, or lie apart");
                }
                std::memcpy(ub.data(to), ub.data(at), size);
                ub.IsValid(at, size) ? ub.MarkValid(to, size) : ub.MarkPoison(to, size);
                ++count;
            }
        }
        core.regs.gather_count = count;
    });
    // The mode is normal afterwards (GatherMask.md), and `mask` stays in the register (dav_c220, GatherMaskImpl).
    SetMask(0, mask);
    core.regs.counter = false;
    core.pipes.Drain(core);
    return core.regs.gather_count;
}
} // namespace ascendc_cpu
