#include "ascendc/vec_compare.h"

#include "numeric.h"
#include "vector.h"

namespace ascendc_cpu {
namespace {
using AscendC::CMPMODE;
using AscendC::SELMODE;

// With a nan every comparison says no, NE included (Compare.md).
template <typename T>
bool Holds(CMPMODE mode, T a, T b)
{
    switch (mode) {
        case CMPMODE::LT: return a < b;
        case CMPMODE::GT: return a > b;
        case CMPMODE::EQ: return a == b;
        case CMPMODE::LE: return a <= b;
        case CMPMODE::GE: return a >= b;
        case CMPMODE::NE: return a < b || a > b;
    }
    return false;
}

// One element of a type that is compared, exactly.
double Element(const uint8_t *at, Type type)
{
    if (type == Type::F16) {
        uint16_t bits;
        std::memcpy(&bits, at, sizeof bits);
        return HalfToFloat(bits);
    }
    if (type == Type::F32) {
        float v;
        std::memcpy(&v, at, sizeof v);
        return v;
    }
    int32_t v;
    std::memcpy(&v, at, sizeof v);
    return v;
}

// What Compare computes: whole repeats, whatever the mask operand says, which stays out of the registers. The toolkit's own callers in
// counter mode give the register's count and the repeats of it (lgamma_common_basic_impl.h); which of the two holds is open, so they
// must agree.
Lanes WholeRepeats(Core &core, const char *op, const Extent &extent, uint32_t size)
{
    if (extent.kind == Extent::COUNT) {
        return LanesOf(core, op, extent, size);
    }
    Lanes lanes{};
    lanes.per_repeat = REPEAT / size;
    lanes.repeats = extent.repeat;
    lanes.count = lanes.per_repeat;
    const uint64_t counted = core.regs.counter ? Counted(core, op, {Extent::REGISTER, 0, 0, {0, 0}}) : 0;
    if (core.regs.counter && (counted + lanes.per_repeat - 1) / lanes.per_repeat != lanes.repeats) {
        Fault("arg", "%s: counter mode is on for %llu elements and repeatTime is %u; give the repeats of these elements, which is %llu", op,
            static_cast<unsigned long long>(counted), lanes.repeats,
            static_cast<unsigned long long>((counted + lanes.per_repeat - 1) / lanes.per_repeat));
    }
    return lanes;
}

void CheckApart(const char *op, const char *what, const Local &dst, uint64_t dst_bytes, const Local &src, uint64_t src_bytes)
{
    if (dst.at < src.at + src_bytes && src.at < dst.at + dst_bytes) {
        Mistake("overlap", "%s: dst and %s share memory; they must be apart", op, what);
    }
}

struct Prepared {
    Lanes lanes;
    Operand src0;
    Operand src1;
    bool scalar;
    double value;
};

Prepared Prepare(Core &core, const char *op, const CompareOperands &operands, CMPMODE mode, const Lanes &lanes)
{
    const Type type = operands.src0.type;
    if (type == Type::I32 && mode != CMPMODE::EQ) {
        Fault("arg", "%s: int32_t is compared with CMPMODE::EQ only on this chip", op);
    }
    Prepared p{lanes, {"src0", operands.src0, operands.strides[1]},
        {"src1", operands.src1, operands.strides[2]}, operands.scalar != nullptr, 0};
    if (p.scalar) {
        p.value = Element(reinterpret_cast<const uint8_t *>(&operands.scalar->bits), type);
    }
    if (!p.lanes.Empty()) {
        CheckOperand(core, op, p.src0, p.lanes);
        if (!p.scalar) {
            CheckOperand(core, op, p.src1, p.lanes);
        }
    }
    return p;
}

// Answers and their validity for eight lanes of a repeat.
struct Eight {
    uint8_t answers = 0;
    uint8_t valid = 0;
};
Eight CompareEight(Core &core, const Prepared &p, CMPMODE mode, uint32_t repeat, uint32_t lane, uint32_t n)
{
    Memory &ub = core.memory(Space::UB);
    Eight out;
    for (uint32_t i = 0; i < n; ++i) {
        const uint32_t a = p.src0.tensor.at + p.src0.Offset(repeat, lane + i);
        const uint32_t b = p.src1.tensor.at + p.src1.Offset(repeat, lane + i);
        const uint32_t size = p.src0.size();
        const double y = p.scalar ? p.value : Element(ub.data(b), p.src1.tensor.type);
        out.answers |= static_cast<uint8_t>(Holds(mode, Element(ub.data(a), p.src0.tensor.type), y) << i);
        out.valid |= static_cast<uint8_t>((ub.IsValid(a, size) && (p.scalar || ub.IsValid(b, size))) << i);
    }
    return out;
}
} // namespace

void Compare(const char *op, const CompareOperands &operands, CMPMODE mode, const Extent &extent)
try {
    Core &core = EnterInstruction();
    const Prepared p = Prepare(core, op, operands, mode, WholeRepeats(core, op, extent, SizeOf(operands.src0.type)));
    const Lanes &lanes = p.lanes;
    if (lanes.Empty()) {
        return;
    }
    if (lanes.counted && lanes.count % lanes.per_repeat != 0) {
        Fault("arg", "%s: %llu elements of %u bytes; in this form they must fill repeats of %u bytes, the rest is not compared", op,
            static_cast<unsigned long long>(lanes.count), p.src0.size(), REPEAT);
    }
    const Local dst = operands.dst;
    const uint32_t bytes = lanes.repeats * lanes.per_repeat / 8;
    CheckLocal(core, op, "dst", dst, bytes, BLOCK);
    CheckApart(op, "src0", dst, bytes, p.src0.tensor, p.src0.Span(lanes));
    if (!p.scalar) {
        CheckApart(op, "src1", dst, bytes, p.src1.tensor, p.src1.Span(lanes));
    }
    const auto describe = [&](Accesses &accesses) {
        accesses.Write(dst, 0, bytes);
        Describe(accesses, p.src0, lanes, false);
        if (!p.scalar) {
            Describe(accesses, p.src1, lanes, false);
        }
    };
    core.pipes.Issue(core, Pipe::V, op, describe, [&core, p, dst, mode] {
        Memory &ub = core.memory(Space::UB);
        uint32_t at = dst.at;
        for (uint32_t repeat = 0; repeat < p.lanes.repeats; ++repeat) {
            for (uint32_t lane = 0; lane < p.lanes.per_repeat; lane += 8, ++at) {
                const Eight eight = CompareEight(core, p, mode, repeat, lane, 8);
                *ub.data(at) = eight.answers;
                ub.SetBits(at, eight.valid);
            }
        }
    });
} catch (const LeftOut &) {
}

void CompareToRegister(const CompareOperands &operands, CMPMODE mode, const Extent &extent)
try {
    Core &core = EnterInstruction();
    const Prepared p = Prepare(core, "Compare", operands, mode, Resolve(core, "Compare", extent, SizeOf(operands.src0.type)));
    if (p.lanes.Empty()) {
        return;
    }
    if (p.lanes.repeats > 1) {
        Fault("arg", "Compare: %llu elements; to the register one repeat is compared, which is %u of them",
            static_cast<unsigned long long>(p.lanes.count), p.lanes.per_repeat);
    }
    const auto describe = [&](Accesses &accesses) {
        Describe(accesses, p.src0, p.lanes, false);
        Describe(accesses, p.src1, p.lanes, false);
    };
    core.pipes.Issue(core, Pipe::V, "Compare", describe, [&core, p, mode] {
        // No page says what becomes of the other bits, of those that the mask takes out and of the upper half with float.
        core.regs.compare_known[0] = core.regs.compare_known[1] = 0;
        ForEachRun(p.lanes, [&](uint32_t, uint32_t first, uint32_t n) {
            for (uint32_t lane = first; lane < first + n; ++lane) {
                const Eight one = CompareEight(core, p, mode, 0, lane, 1);
                const uint64_t bit = 1ull << lane % 64;
                uint64_t &answers = core.regs.compare[lane / 64];
                answers = one.answers != 0 ? answers | bit : answers & ~bit;
                core.regs.compare_known[lane / 64] |= one.valid != 0 ? bit : 0;
            }
        });
    });
} catch (const LeftOut &) {
}

void GetCompareRegister(const Local &dst)
try {
    Core &core = EnterInstruction();
    CheckLocal(core, "GetCmpMask", "dst", dst, sizeof core.regs.compare, 16);
    core.pipes.Issue(
        core, Pipe::V, "GetCmpMask", [&](Accesses &accesses) { accesses.Write(dst, 0, 16); },
        [&core, dst] {
            std::memcpy(Data(core, dst), core.regs.compare, 16);
            for (uint32_t i = 0; i < 16; ++i) {
                core.memory(dst.space).SetBits(dst.at + i, static_cast<uint8_t>(core.regs.compare_known[i / 8] >> i % 8 * 8));
            }
        });
} catch (const LeftOut &) {
}

void SetCompareRegister(const Local &src)
try {
    Core &core = EnterInstruction();
    CheckLocal(core, "SetCmpMask", "src", src, sizeof core.regs.compare, 16);
    core.pipes.Issue(
        core, Pipe::V, "SetCmpMask", [&](Accesses &accesses) { accesses.Read(src, 0, 16); },
        [&core, src] {
            std::memcpy(core.regs.compare, Data(core, src), 16);
            core.regs.compare_known[0] = core.regs.compare_known[1] = 0;
            for (uint32_t i = 0; i < 16; ++i) {
                core.regs.compare_known[i / 8] |= uint64_t(core.memory(src.space).Bits(src.at + i)) << i % 8 * 8;
            }
        });
} catch (const LeftOut &) {
}

namespace {
// The other modes leave the scalar, or the address of the mask, in the last 8 KiB of UB: TMP_UB_OFFSET (Select page).
void CheckKept(Core &core, const SelectOperands &operands)
{
    constexpr uint32_t KEPT = 8192;
    uint32_t end = 0;
    for (const Local *tensor : {&operands.dst, &operands.src0, &operands.src1, operands.mask}) {
        end = tensor != nullptr ? std::max(end, tensor->at + tensor->bytes) : end;
    }
    for (const Buffer &buffer : core.buffers) {
        end = buffer.space == Space::UB ? std::max(end, buffer.at + buffer.bytes) : end;
    }
    const uint32_t size = core.memory(Space::UB).size();
    if (end > size - KEPT) {
        Mistake("bounds", "Select: this mode writes to the last %u bytes of UB, and buffers end at byte %u; leave those from byte %u on free",
            KEPT, end, size - KEPT);
    }
}

// Which modes go with the operands, and with counter mode.
void CheckMode(Core &core, const SelectOperands &operands, SELMODE mode, const Extent &extent)
{
    const bool scalar = operands.scalar != nullptr;
    if (scalar && mode != SELMODE::VSEL_TENSOR_SCALAR_MODE) {
        Fault("arg", "Select: src1 is a scalar, which goes with SELMODE::VSEL_TENSOR_SCALAR_MODE only");
    }
    if (!scalar && mode == SELMODE::VSEL_TENSOR_SCALAR_MODE) {
        Fault("arg", "Select: src1 is a tensor; SELMODE::VSEL_TENSOR_SCALAR_MODE takes a scalar");
    }
    if (operands.mask == nullptr && mode != SELMODE::VSEL_CMPMASK_SPR) {
        Fault("arg", "Select: without selMask SELMODE::VSEL_TENSOR_TENSOR_MODE reads the address of the mask from the compare register, "
                     "which the CPU build has not; give selMask");
    }
    if (mode != SELMODE::VSEL_CMPMASK_SPR) {
        CheckKept(core, operands);
    }
    // They fill a data block under SetMask(32) first, which in counter mode is 2^32 - 1 elements (VselIntrinsicsImplPre).
    if (core.regs.counter && extent.kind != Extent::COUNT && mode != SELMODE::VSEL_CMPMASK_SPR) {
        Fault("arg", "Select: in counter mode the forms with mask and repeat take SELMODE::VSEL_CMPMASK_SPR only; give a count instead, or "
                     "call SetMaskNorm before");
    }
}
} // namespace

void Select(const SelectOperands &operands, SELMODE mode, const Extent &extent)
try {
    Core &core = EnterInstruction();
    const uint32_t size = SizeOf(operands.dst.type);
    CheckMode(core, operands, mode, extent);
    const Lanes lanes = Resolve(core, "Select", extent, size);
    if (lanes.Empty()) {
        return;
    }
    const bool scalar = operands.scalar != nullptr;
    const Operand dst{"dst", operands.dst, operands.strides[0]};
    const Operand src0{"src0", operands.src0, operands.strides[1]};
    const Operand src1{"src1", operands.src1, operands.strides[2]};
    CheckOperand(core, "Select", dst, lanes);
    CheckOperand(core, "Select", src0, lanes);
    CheckOverlap(core, "Select", dst, src0, lanes, false);
    if (!scalar) {
        CheckOperand(core, "Select", src1, lanes);
        CheckOverlap(core, "Select", dst, src1, lanes, false);
    }
    // Mode 0 uses the bits of one repeat again and again, the others go on through the mask.
    const bool one_repeat = mode == SELMODE::VSEL_CMPMASK_SPR;
    const uint64_t elements = one_repeat ? lanes.per_repeat : lanes.counted ? lanes.count : uint64_t(lanes.per_repeat) * lanes.repeats;
    const uint64_t bytes = (elements + 7) / 8;
    const bool from_register = operands.mask == nullptr;
    const Local mask = from_register ? operands.dst : *operands.mask;
    if (!from_register) {
        CheckLocal(core, "Select", "selMask", mask, bytes, one_repeat ? 16 : BLOCK);
        CheckApart("Select", "selMask", dst.tensor, dst.Span(lanes), mask, bytes);
    }
    const auto describe = [&](Accesses &accesses) {
        Describe(accesses, dst, lanes, true);
        Describe(accesses, src0, lanes, false);
        if (!scalar) {
            Describe(accesses, src1, lanes, false);
        }
        if (!from_register) {
            accesses.Read(mask, 0, bytes);
        }
    };
    const uint64_t value = scalar ? operands.scalar->bits : 0;
    core.pipes.Issue(core, Pipe::V, "Select", describe, [=, &core] {
        Memory &ub = core.memory(Space::UB);
        ForEachRun(lanes, [&](uint32_t repeat, uint32_t start, uint32_t n) {
            for (uint32_t lane = start; lane < start + n; ++lane) {
                const uint32_t bit = one_repeat ? lane : repeat * lanes.per_repeat + lane;
                const bool known = from_register ? (core.regs.compare_known[bit / 64] >> bit % 64 & 1) != 0
                                                 : (ub.Bits(mask.at + bit / 8) >> bit % 8 & 1) != 0;
                const bool first = from_register ? (core.regs.compare[bit / 64] >> bit % 64 & 1) != 0
                                                 : (*ub.data(mask.at + bit / 8) >> bit % 8 & 1) != 0;
                const uint32_t a = src0.tensor.at + src0.Offset(repeat, lane);
                const uint32_t b = src1.tensor.at + src1.Offset(repeat, lane);
                const uint32_t to = dst.tensor.at + dst.Offset(repeat, lane);
                // Valid where both sources and the bit are: what is not chosen counts too, as in the simulator.
                const bool valid = known && ub.IsValid(a, size) && (scalar || ub.IsValid(b, size));
                std::memcpy(ub.data(to), first ? ub.data(a) : scalar ? reinterpret_cast<const uint8_t *>(&value) : ub.data(b), size);
                valid ? ub.MarkValid(to, size) : ub.MarkPoison(to, size);
            }
        });
    });
} catch (const LeftOut &) {
}
} // namespace ascendc_cpu
