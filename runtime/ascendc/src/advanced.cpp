#include "advanced.h"

#include <algorithm>

namespace ascendc_cpu {
Local TakeSpace(Core &core, const char *op, const char *sizes, const Local *given, uint32_t least, uint32_t most)
{
    const int ub = static_cast<int>(Space::UB);
    Local space = given != nullptr ? *given : Local{core.tops[ub], core.limits[ub] - core.tops[ub], NO_BUFFER, Space::UB, Type::U8};
    if (least > 0 && space.bytes < least) {
        const char *const what = given != nullptr ? "sharedTmpBuffer has" : "TPipe has left in UB";
        Fault("arg", "%s: %s %u bytes, which is fewer than the %u that the temporary space takes at least (%s)", op, what, space.bytes,
            least, sizes);
    }
    space.bytes = least > 0 ? std::min(space.bytes, most) : 0;
    if (given != nullptr && least > 0) {
        CheckLocal(core, op, "sharedTmpBuffer", space, space.bytes, BLOCK);
    }
    return space;
}

uint32_t GivenSpace(const Core &core, const Local *given)
{
    const int ub = static_cast<int>(Space::UB);
    return given != nullptr ? given->bytes : core.limits[ub] - core.tops[ub];
}

void DescribeCall(Accesses &accesses, Type type, const std::vector<CallNumber> &numbers)
{
    if (!accesses.recorded) {
        return;
    }
    accesses.call = NameOf(type);
    for (const CallNumber &number : numbers) {
        accesses.call += std::string(" ") + number.name + "=" + std::to_string(number.value);
    }
}

void RefuseOverlap(const char *op, const Region &a, const Region &b)
{
    const bool apart = a.bytes == 0 || b.bytes == 0 || a.tensor.space != b.tensor.space || a.tensor.at >= b.tensor.at + b.bytes ||
        b.tensor.at >= a.tensor.at + a.bytes;
    if (!apart) {
        Mistake("overlap", "%s: %s and %s share memory, which this function does not allow; use another tensor", op, a.name, b.name);
    }
}

Prepared Prepare(Core &core, const Invocation &in)
{
    Prepared prepared{Resolve(core, in.op, Extent::Count(in.count), in.dst.size()), {}, GivenSpace(core, in.tmp)};
    if (prepared.lanes.Empty()) {
        return prepared;
    }
    CheckOperand(core, in.op, in.dst, prepared.lanes);
    prepared.space = TakeSpace(core, in.op, in.sizes, in.tmp, in.least, in.most);
    const uint64_t bytes = uint64_t(in.count) * in.dst.size();
    // What lies behind the end of a tensor is told already.
    const auto region = [&](const Operand &operand) { return Region{operand.name, operand.tensor, std::min<uint64_t>(bytes, operand.tensor.bytes)}; };
    const Region dst = region(in.dst);
    const Region space{"sharedTmpBuffer", prepared.space, prepared.space.bytes};
    RefuseOverlap(in.op, space, dst);
    for (const Operand &operand : in.srcs) {
        CheckOperand(core, in.op, operand, prepared.lanes);
        const Region src = region(operand);
        RefuseOverlap(in.op, space, src);
        if (!in.in_place || src.tensor.at != dst.tensor.at) {
            RefuseOverlap(in.op, dst, src);
        }
    }
    return prepared;
}

void Describe(Accesses &accesses, const Invocation &in, const Prepared &prepared)
{
    for (const Operand &src : in.srcs) {
        Describe(accesses, src, prepared.lanes, false);
    }
    Describe(accesses, in.dst, prepared.lanes, true);
    accesses.Write(prepared.space, 0, prepared.space.bytes);
    std::vector<CallNumber> numbers = {{"count", in.count}, {"dst", in.dst.tensor.at}, {"tmp", prepared.space.at}, {"tmp_bytes", prepared.given}};
    for (size_t i = 0; i < in.srcs.size(); ++i) {
        numbers.push_back({i == 0 ? "src" : "src1", in.srcs[i].tensor.at});
    }
    numbers.insert(numbers.end(), in.choices.begin(), in.choices.end());
    DescribeCall(accesses, in.dst.tensor.type, numbers);
}
} // namespace ascendc_cpu
