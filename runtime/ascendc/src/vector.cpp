#include "vector.h"

#include <algorithm>

namespace ascendc_cpu {
namespace {
const uint64_t *MaskRegisters(Core &core, const char *op)
{
    if (core.regs.mask_left_by != nullptr) {
        Fault("arg", "%s: the mask registers hold what %s left in them, which is open; set them before, with SetVectorMask or ResetMask", op,
            core.regs.mask_left_by);
    }
    return core.regs.mask;
}
} // namespace

void RefuseCounterMode(Core &core, const char *op)
{
    if (core.regs.counter) {
        Fault("arg", "%s: sets masks by bits, which counter mode reads as numbers; call SetMaskNorm before", op);
    }
}

// The operand becomes the mask register, whose low word is the number (掩码.md, Counter模式).
uint64_t Counted(Core &core, const char *op, const Extent &extent)
{
    switch (extent.kind) {
        case Extent::BITS: return extent.mask[0];
        case Extent::REGISTER: return MaskRegisters(core, op)[0];
        case Extent::COUNT:
        case Extent::LANES: break;
    }
    // SetMask sets the lowest bits of the register, whatever the mode (kernel_utils_base.h), and counter mode reads 2^n - 1 there.
    if (extent.kind == Extent::LANES && extent.n > 1) {
        Fault("arg", "%s: a mask of %llu elements sets so many bits, which counter mode reads as the number 2^%llu - 1; give the number in "
                     "mask[0] of the form with mask[], or in SetVectorMask with isSetMask = false", op,
            static_cast<unsigned long long>(extent.n), static_cast<unsigned long long>(std::min<uint64_t>(extent.n, 64)));
    }
    return extent.n;
}

Lanes LanesOf(Core &core, const char *op, const Extent &extent, uint32_t widest)
{
    Lanes lanes{};
    lanes.per_repeat = REPEAT / widest;
    const auto count = [&](uint64_t n) {
        lanes.counted = true;
        lanes.count = n;
        lanes.repeats = static_cast<uint32_t>((n + lanes.per_repeat - 1) / lanes.per_repeat);
    };
    const auto refuse_none = [op] {
        if (config().arch == 2002) {
            Fault("arg", "%s: the mask is 0, which this chip refuses; leave the call out", op);
        }
    };
    const auto bits = [&](const uint64_t *mask) {
        lanes.repeats = extent.repeat;
        lanes.count = lanes.per_repeat;
        lanes.mask[0] = mask[0];
        lanes.mask[1] = mask[1];
        const uint64_t first = lanes.per_repeat >= 64 ? ~0ull : (1ull << lanes.per_repeat) - 1;
        const bool whole = (mask[0] & first) == first && (lanes.per_repeat <= 64 || mask[1] == ~0ull);
        lanes.masked = !whole;
        const bool none = (mask[0] & first) == 0 && (lanes.per_repeat <= 64 || mask[1] == 0);
        if (none) {
            refuse_none();
            lanes.count = 0;
        }
    };
    if (core.regs.counter && extent.kind != Extent::COUNT) {
        count(Counted(core, op, extent));
        return lanes;
    }
    switch (extent.kind) {
        case Extent::COUNT:
            count(extent.n);
            break;
        case Extent::BITS:
            bits(extent.mask);
            break;
        case Extent::LANES:
            if (extent.n > lanes.per_repeat) {
                Fault("arg", "%s: the mask is %llu elements, a repeat of %u-byte elements has %u", op,
                    static_cast<unsigned long long>(extent.n), widest, lanes.per_repeat);
            }
            if (extent.n == 0) {
                refuse_none();
            }
            lanes.repeats = extent.repeat;
            lanes.count = extent.n;
            break;
        case Extent::REGISTER:
            bits(MaskRegisters(core, op));
            break;
    }
    return lanes;
}

void LeaveMask(Core &core, const Extent &extent)
{
    if (extent.kind == Extent::REGISTER) {
        return;
    }
    uint64_t low = extent.mask[0];
    uint64_t high = extent.mask[1];
    if (extent.kind == Extent::LANES) {
        low = extent.n >= 64 ? ~0ull : (1ull << extent.n) - 1;
        high = extent.n >= 128 ? ~0ull : extent.n > 64 ? (1ull << (extent.n - 64)) - 1 : 0;
    } else if (extent.kind == Extent::COUNT) {
        core.regs.counter = false;
        low = high = ~0ull;
    }
    core.regs.mask[0] = low;
    core.regs.mask[1] = high;
    core.regs.mask_left_by = nullptr;
}

// A count with isSetMask = false is legal and has no effect (Muls.md asks for 1); one that is larger than what is computed was meant.
void NoteCount(const char *op, const Extent &extent, const Lanes &lanes)
{
    if (extent.kind != Extent::REGISTER || extent.mask[0] <= 1) {
        return;
    }
    uint64_t computed = lanes.count * (lanes.counted ? 1 : lanes.repeats);
    if (lanes.masked) {
        const uint64_t high = lanes.per_repeat > 64 ? lanes.mask[1] : 0;
        const uint64_t low = lanes.per_repeat < 64 ? lanes.mask[0] & ((1ull << lanes.per_repeat) - 1) : lanes.mask[0];
        computed = static_cast<uint64_t>(__builtin_popcountll(low) + __builtin_popcountll(high));
    }
    if (extent.mask[0] > computed) {
        Note("arg", "%s: the count is %llu and has no effect with isSetMask = false: %llu elements are computed, as the mask registers say", op,
            static_cast<unsigned long long>(extent.mask[0]), static_cast<unsigned long long>(computed));
    }
}

Lanes Resolve(Core &core, const char *op, const Extent &extent, uint32_t widest)
{
    const Lanes lanes = LanesOf(core, op, extent, widest);
    NoteCount(op, extent, lanes);
    LeaveMask(core, extent);
    return lanes;
}

uint64_t Operand::Span(const Lanes &lanes) const
{
    if (lanes.Empty()) {
        return 0;
    }
    if (Dense(lanes.per_repeat) && !lanes.masked && (lanes.counted || lanes.count == lanes.per_repeat)) {
        return (lanes.counted ? lanes.count : uint64_t(lanes.count) * lanes.repeats) * size();
    }
    // Strides are not negative: the end lies in the last repeat, or where that is cut short in the one before. Inside of a
    // repeat it lies in the last data block, or with block stride 0 in any: the first is a whole one.
    uint64_t end = 0;
    for (uint32_t r = lanes.repeats > 2 ? lanes.repeats - 2 : 0; r < lanes.repeats; ++r) {
        uint32_t last = lanes.Of(r);
        while (last > 0 && !lanes.On(last - 1)) {
            --last;
        }
        if (last == 0) {
            continue;
        }
        const uint32_t in_block = BLOCK / size();
        const uint32_t first_lanes = last < in_block ? last : in_block;
        const uint64_t first = uint64_t(Offset(r, 0)) + first_lanes * size();
        const uint64_t final = uint64_t(Offset(r, last - 1)) + size();
        end = std::max({end, first, final});
    }
    return end;
}

void CheckOperand(Core &core, const char *op, const Operand &operand, const Lanes &lanes, uint32_t align)
{
    if (operand.tensor.space != Space::UB) {
        Fault("arg", "%s: %s lies in %s; vector instructions work in UB", op, operand.name, NameOf(operand.tensor.space));
    }
    CheckLocal(core, op, operand.name, operand.tensor, operand.Span(lanes), align);
}

namespace {
bool ShareBytes(const Operand &a, const Operand &b, const Lanes &lanes)
{
    return a.tensor.at < b.tensor.at + b.Span(lanes) && b.tensor.at < a.tensor.at + a.Span(lanes);
}
} // namespace

void CheckOverlap(Core &, const char *op, const Operand &dst, const Operand &src, const Lanes &lanes, bool accumulates)
{
    if (!ShareBytes(dst, src, lanes)) {
        return;
    }
    const uint64_t dst_end = dst.tensor.at + dst.Span(lanes);
    const uint64_t src_end = src.tensor.at + src.Span(lanes);
    const bool same = dst.tensor.at == src.tensor.at && dst.size() == src.size() && dst.stride.blk == src.stride.blk;
    if (same && (dst.stride.rep == src.stride.rep || lanes.repeats <= 1) &&
        (dst.stride.rep * BLOCK >= REPEAT || lanes.repeats <= 1 || accumulates)) {
        return;
    }
    // Which repeat wrote a byte last, plus one.
    const uint64_t base = dst.tensor.at < src.tensor.at ? dst.tensor.at : src.tensor.at;
    std::vector<uint32_t> written((dst_end > src_end ? dst_end : src_end) - base, 0);
    for (uint32_t r = 0; r < lanes.repeats; ++r) {
        bool earlier = false;
        ForEachRun(lanes, r, r + 1, [&](uint32_t, uint32_t lane, uint32_t n) {
            const uint64_t from = src.tensor.at - base + src.Offset(r, lane);
            for (uint64_t i = 0; i < uint64_t(n) * src.size(); ++i) {
                earlier |= written[from + i] != 0;
            }
        });
        if (earlier) {
            Mistake("overlap", "%s: repeat %u reads from %s what an earlier repeat wrote to dst, which the hardware does not order; "
                             "use another buffer for dst", op, r, src.name);
            return;
        }
        ForEachRun(lanes, r, r + 1, [&](uint32_t, uint32_t lane, uint32_t n) {
            const uint64_t from = dst.tensor.at - base + dst.Offset(r, lane);
            std::fill_n(written.begin() + static_cast<int64_t>(from), uint64_t(n) * dst.size(), r + 1);
        });
        // The page on overlap asks for all or nothing within a repeat where repeats are given. Where a count is given, casts between
        // widths work in place: a repeat reads all of its sources before it writes.
        bool inside = false;
        if (lanes.counted && src.size() != dst.size()) {
            continue;
        }
        ForEachRun(lanes, r, r + 1, [&](uint32_t, uint32_t lane, uint32_t n) {
            const uint64_t from = src.tensor.at - base + src.Offset(r, lane);
            const bool here = src.tensor.at + src.Offset(r, lane) == dst.tensor.at + dst.Offset(r, lane) && src.size() == dst.size();
            for (uint64_t i = 0; i < uint64_t(n) * src.size(); ++i) {
                inside |= !here && written[from + i] == r + 1;
            }
        });
        if (inside) {
            Mistake("overlap", "%s: dst and %s overlap in part within a repeat; they must be the same elements or apart", op, src.name);
            return;
        }
    }
}

void Describe(Accesses &accesses, const Operand &operand, const Lanes &lanes, bool write)
{
    if (accesses.recorded && operand.tensor.space == Space::UB) {
        const auto narrow = [](uint32_t step) { return static_cast<uint16_t>(step); };
        accesses.strided.push_back({operand.tensor.at, narrow(operand.stride.blk), narrow(operand.stride.rep),
            static_cast<uint8_t>(operand.size()), write});
        accesses.repeats = std::max(accesses.repeats, lanes.repeats);
        // The lane behind the last one that takes part.
        uint32_t each = lanes.counted ? lanes.per_repeat : static_cast<uint32_t>(lanes.count);
        while (lanes.masked && each > 0 && !lanes.On(each - 1)) {
            --each;
        }
        accesses.lanes = narrow(std::max<uint32_t>(accesses.lanes, each));
        accesses.last = narrow(lanes.repeats == 0 ? 0 : lanes.counted ? lanes.Of(lanes.repeats - 1) : each);
        return;
    }
    const auto add = [&](uint64_t offset, uint64_t bytes) {
        write ? accesses.Write(operand.tensor, offset, bytes) : accesses.Read(operand.tensor, offset, bytes);
    };
    if (operand.Dense(lanes.per_repeat) && !lanes.masked && (lanes.counted || lanes.count == lanes.per_repeat)) {
        add(0, operand.Span(lanes));
        return;
    }
    ForEachRun(lanes, [&](uint32_t r, uint32_t lane, uint32_t n) { add(operand.Offset(r, lane), uint64_t(n) * operand.size()); });
}

namespace {
// The same where elements fill data blocks of their own: a source whose block is repeated is one that means to read them.
void SpreadFilled(Memory &ub, const Operand &dst, const Operand *srcs, int n, const Lanes &lanes)
{
    enum Has : uint8_t { NOTHING, FILLER, VALUE };
    std::vector<Has> has(lanes.per_repeat);
    for (uint32_t r = 0; r < lanes.repeats; ++r) {
        ForEachRun(lanes, r, r + 1, [&](uint32_t, uint32_t first, uint32_t run) {
            for (uint32_t lane = first; lane < first + run; ++lane) {
                has[lane] = VALUE;
                for (int i = 0; i < n; ++i) {
                    const uint32_t at = srcs[i].tensor.at + srcs[i].Offset(r, lane);
                    const bool filled = ub.IsFilled(at, srcs[i].size());
                    const Has one = ub.IsValid(at, srcs[i].size()) || (filled && srcs[i].stride.blk == 0) ? VALUE : filled ? FILLER : NOTHING;
                    has[lane] = std::min(has[lane], one);
                }
            }
        });
        ForEachRun(lanes, r, r + 1, [&](uint32_t, uint32_t first, uint32_t run) {
            for (uint32_t lane = first; lane < first + run; ++lane) {
                const uint32_t at = dst.tensor.at + dst.Offset(r, lane);
                switch (has[lane]) {
                    case VALUE: ub.MarkValid(at, dst.size()); break;
                    case FILLER: ub.MarkFilled(at, dst.size()); break;
                    case NOTHING: ub.MarkPoison(at, dst.size()); break;
                }
            }
        });
    }
}
} // namespace

void SpreadPoison(Core &core, const Operand &dst, const Operand *srcs, int n, const Lanes &lanes)
{
    Memory &ub = core.memory(Space::UB);
    bool words = !lanes.masked;
    for (int i = 0; i < n; ++i) {
        words = words && srcs[i].size() == dst.size();
    }
    ub.ForgetBits(dst.tensor.at, static_cast<uint32_t>(dst.Span(lanes)));
    if (ub.HasFilled()) {
        SpreadFilled(ub, dst, srcs, n, lanes);
        return;
    }
    bool dense = words && lanes.counted && dst.Dense(lanes.per_repeat);
    for (int i = 0; i < n; ++i) {
        dense = dense && srcs[i].Dense(lanes.per_repeat) && srcs[i].tensor.at % BLOCK == 0;
    }
    if (dense) {
        const uint64_t bytes = lanes.count * dst.size();
        uint32_t *const to = &ub.Valid(dst.tensor.at / BLOCK);
        const uint32_t *const from[3] = {n > 0 ? &ub.Valid(srcs[0].tensor.at / BLOCK) : nullptr,
            n > 1 ? &ub.Valid(srcs[1].tensor.at / BLOCK) : nullptr, n > 2 ? &ub.Valid(srcs[2].tensor.at / BLOCK) : nullptr};
        const auto word = [&](uint64_t i) {
            uint32_t valid = ~0u;
            for (int k = 0; k < n; ++k) {
                valid &= from[k][i];
            }
            return valid;
        };
        const uint64_t whole = bytes / BLOCK;
        if (n == 1) {
            std::copy(from[0], from[0] + whole, to);
        } else if (n == 2) {
            std::transform(from[0], from[0] + whole, from[1], to, [](uint32_t a, uint32_t b) { return a & b; });
        } else {
            for (uint64_t i = 0; i < whole; ++i) {
                to[i] = word(i);
            }
        }
        if (bytes % BLOCK != 0) {
            const uint32_t written = Memory::Low(bytes % BLOCK);
            to[whole] = (word(whole) & written) | (to[whole] & ~written);
        }
        return;
    }
    // The usual case, also of casts and of rows that are read again: everything has a value.
    bool all = !lanes.masked && dst.Dense(lanes.per_repeat) && lanes.counted;
    for (int i = 0; i < n && all; ++i) {
        all = ub.FirstPoison(srcs[i].tensor.at, static_cast<uint32_t>(srcs[i].Span(lanes))) < 0;
    }
    if (all) {
        ub.MarkValid(dst.tensor.at, static_cast<uint32_t>(dst.Span(lanes)));
        return;
    }
    if (words) {
        // Lanes of a block share a word: what one block of each source lacks, that block of dst lacks.
        const uint32_t step = BLOCK / dst.size();
        for (uint32_t r = 0; r < lanes.repeats; ++r) {
            const uint32_t end = lanes.Of(r);
            for (uint32_t lane = 0; lane < end; lane += step) {
                uint32_t valid = ~0u;
                for (int i = 0; i < n; ++i) {
                    const uint32_t at = srcs[i].tensor.at + srcs[i].Offset(r, lane);
                    const uint32_t inside = at % BLOCK;
                    const uint32_t low = ub.Valid(at / BLOCK) >> inside;
                    valid &= inside == 0 ? low : low | ub.Valid(at / BLOCK + 1) << (BLOCK - inside);
                }
                const uint32_t lanes_here = end - lane < step ? end - lane : step;
                const uint32_t written = Memory::Low(lanes_here * dst.size());
                uint32_t &to = ub.Valid((dst.tensor.at + dst.Offset(r, lane)) / BLOCK);
                to = (valid & written) | (to & ~written);
            }
        }
        return;
    }
    // A repeat reads before it writes.
    std::vector<bool> valid(lanes.per_repeat);
    for (uint32_t r = 0; r < lanes.repeats; ++r) {
        ForEachRun(lanes, r, r + 1, [&](uint32_t, uint32_t first, uint32_t run) {
            for (uint32_t lane = first; lane < first + run; ++lane) {
                valid[lane] = true;
                for (int i = 0; i < n; ++i) {
                    valid[lane] = valid[lane] && ub.IsValid(srcs[i].tensor.at + srcs[i].Offset(r, lane), srcs[i].size());
                }
            }
        });
        ForEachRun(lanes, r, r + 1, [&](uint32_t, uint32_t first, uint32_t run) {
            for (uint32_t lane = first; lane < first + run; ++lane) {
                const uint32_t at = dst.tensor.at + dst.Offset(r, lane);
                valid[lane] ? ub.MarkValid(at, dst.size()) : ub.MarkPoison(at, dst.size());
            }
        });
    }
}

void RefusePoison(Core &core, const char *op, const Operand &src, const Lanes &lanes)
{
    Memory &ub = core.memory(Space::UB);
    const auto refuse = [&](uint64_t byte) {
        PoisonIn(core, src.tensor, 0, src.Span(lanes), "%s: %s has no value at element %llu", op,
            src.name, static_cast<unsigned long long>(byte / src.size()));
    };
    if (src.Dense(lanes.per_repeat) && !lanes.masked && lanes.counted) {
        const int64_t bad = ub.FirstPoison(src.tensor.at, static_cast<uint32_t>(src.Span(lanes)));
        if (bad >= 0) {
            refuse(static_cast<uint64_t>(bad));
        }
        return;
    }
    bool told = false;
    ForEachRun(lanes, [&](uint32_t r, uint32_t lane, uint32_t n) {
        const int64_t bad = told ? -1 : ub.FirstPoison(src.tensor.at + src.Offset(r, lane), n * src.size());
        if (bad >= 0) {
            told = true;
            refuse(src.Offset(r, lane) + static_cast<uint64_t>(bad));
        }
    });
}

namespace {
// A bit of `dst` is valid where that bit of every source is.
void SpreadBits(Core &core, const Elementwise &in, const Lanes &lanes)
{
    Memory &ub = core.memory(Space::UB);
    ForEachRun(lanes, [&](uint32_t r, uint32_t lane, uint32_t n) {
        for (uint32_t byte = 0; byte < n * in.dst.size(); ++byte) {
            uint8_t bits = 0xff;
            for (int i = 0; i < in.sources; ++i) {
                bits &= ub.Bits(in.srcs[i].tensor.at + in.srcs[i].Offset(r, lane) + byte);
            }
            ub.SetBits(in.dst.tensor.at + in.dst.Offset(r, lane) + byte, bits);
        }
    });
}
} // namespace

namespace {
// Remembers the last instructions, so that a value that lacks can be followed to where it was lost.
void Note(Core &core, const Elementwise &in, const Lanes &lanes)
{
    constexpr size_t KEPT = 1024;
    const auto span = [&](const Operand &operand) { return Trace::Span{operand.tensor.at, static_cast<uint32_t>(operand.Span(lanes))}; };
    Trace trace{span(in.dst), {}, in.sources};
    std::transform(in.srcs, in.srcs + in.sources, trace.from, span);
    core.traces.push_back(trace);
    if (core.traces.size() > KEPT) {
        core.traces.pop_front();
    }
}
} // namespace

void Run(Core &core, const Elementwise &instruction, const Extent &extent)
{
    uint32_t widest = instruction.dst.size();
    for (int i = 0; i < instruction.sources; ++i) {
        widest = instruction.srcs[i].size() > widest ? instruction.srcs[i].size() : widest;
    }
    const Lanes lanes = Resolve(core, instruction.op, extent, widest);
    if (lanes.Empty()) {
        return;
    }
    CheckOperand(core, instruction.op, instruction.dst, lanes);
    if (instruction.dst.stride.blk == 0) {
        Fault("arg", "%s: the destination's block stride is 0, which the hardware does not define; use 1 or more", instruction.op);
    }
    for (int i = 0; i < instruction.sources; ++i) {
        CheckOperand(core, instruction.op, instruction.srcs[i], lanes);
        CheckOverlap(core, instruction.op, instruction.dst, instruction.srcs[i], lanes, instruction.accumulates && i == 1);
    }
    const auto describe = [&](Accesses &accesses) {
        Describe(accesses, instruction.dst, lanes, true);
        for (int i = 0; i < instruction.sources; ++i) {
            Describe(accesses, instruction.srcs[i], lanes, false);
        }
        accesses.computes = instruction.sources > 0;
    };
    core.pipes.Issue(core, Pipe::V, instruction.op, describe, [instruction, lanes, &core] {
        const Elementwise &in = instruction;
        Note(core, in, lanes);
        bool dense = !lanes.masked && in.dst.Dense(lanes.per_repeat) && (lanes.counted || lanes.count == lanes.per_repeat);
        for (int i = 0; i < in.sources; ++i) {
            dense = dense && in.srcs[i].Dense(lanes.per_repeat);
        }
        const uint8_t *starts[3] = {};
        std::vector<uint8_t> aside[3];
        for (int i = 0; i < in.sources; ++i) {
            starts[i] = Data(core, in.srcs[i].tensor);
            if (in.srcs[i].size() != in.dst.size() && ShareBytes(in.dst, in.srcs[i], lanes)) {
                aside[i].assign(starts[i], starts[i] + in.srcs[i].Span(lanes));
                starts[i] = aside[i].data();
            }
        }
        const void *srcs[3] = {};
        if (dense) {
            std::copy(starts, starts + 3, srcs);
            in.compute(Data(core, in.dst.tensor), srcs, lanes.counted ? lanes.count : lanes.count * lanes.repeats, in.context);
        } else {
            ForEachRun(lanes, [&](uint32_t r, uint32_t lane, uint32_t n) {
                for (int i = 0; i < in.sources; ++i) {
                    srcs[i] = starts[i] + in.srcs[i].Offset(r, lane);
                }
                in.compute(Data(core, in.dst.tensor) + in.dst.Offset(r, lane), srcs, n, in.context);
            });
        }
        if (in.bitwise && core.memory(Space::UB).HasMasks()) {
            SpreadBits(core, in, lanes);
        } else {
            SpreadPoison(core, in.dst, in.srcs, in.sources, lanes);
        }
    });
}
} // namespace ascendc_cpu
