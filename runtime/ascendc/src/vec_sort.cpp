#include "ascendc/vec_sort.h"

#include "core.h"

#include <algorithm>

namespace ascendc_cpu {
namespace {
constexpr uint32_t PAIR = 8;       // bytes
constexpr uint32_t MAX_PAIRS = 4095; // of one list

struct Pair {
    uint8_t bytes[PAIR];
    float score;
};

float ScoreOf(const uint8_t *at, Type type)
{
    if (type == Type::F32) {
        float v;
        std::memcpy(&v, at, sizeof v);
        return v;
    }
    uint16_t bits;
    std::memcpy(&bits, at, sizeof bits);
    return HalfToFloat(bits);
}

void Refuse(Core &core, const char *op, const char *what, const Local &tensor, uint64_t bytes)
{
    const int64_t bad = core.memory(Space::UB).FirstPoison(tensor.at, static_cast<uint32_t>(bytes));
    if (bad >= 0) {
        Fault("poison", "%s: %s has no value at byte %lld: nothing was written there, or only the filler of a copy", op, what,
            static_cast<long long>(bad));
    }
}
} // namespace

void Sort32(const Local &dst, const Local &src0, const Local &src1, int32_t repeat)
{
    Core &core = Enter();
    constexpr uint32_t EACH = 32;
    if (repeat <= 0) {
        return;
    }
    const uint32_t count = static_cast<uint32_t>(repeat) * EACH;
    const uint32_t size = SizeOf(src0.type);
    CheckLocal(core, "Sort32", "dst", dst, uint64_t(count) * PAIR, BLOCK);
    CheckLocal(core, "Sort32", "src0", src0, uint64_t(count) * size, BLOCK);
    CheckLocal(core, "Sort32", "src1", src1, uint64_t(count) * 4, BLOCK);
    const auto describe = [&](Accesses &accesses) {
        accesses.Read(src0, 0, count * size);
        accesses.Read(src1, 0, count * 4);
        accesses.Write(dst, 0, count * PAIR);
    };
    core.pipes.Issue(core, Pipe::V, "Sort32", describe, [=, &core] {
        Memory &ub = core.memory(Space::UB);
        Refuse(core, "Sort32", "src0", src0, count * size);
        Refuse(core, "Sort32", "src1", src1, count * 4);
        for (uint32_t first = 0; first < count; first += EACH) {
            std::vector<Pair> pairs(EACH);
            for (uint32_t i = 0; i < EACH; ++i) {
                const uint8_t *const at = ub.data(src0.at + (first + i) * size);
                std::memset(pairs[i].bytes, 0, PAIR);
                std::memcpy(pairs[i].bytes, at, size);
                std::memcpy(pairs[i].bytes + 4, ub.data(src1.at + (first + i) * 4), 4);
                pairs[i].score = ScoreOf(at, src0.type);
            }
            std::stable_sort(pairs.begin(), pairs.end(), [](const Pair &a, const Pair &b) { return a.score > b.score; });
            for (uint32_t i = 0; i < EACH; ++i) {
                std::memcpy(ub.data(dst.at + (first + i) * PAIR), pairs[i].bytes, PAIR);
            }
        }
        ub.MarkValid(dst.at, count * PAIR);
    });
}

void MergeSorted(const Local &dst, const SortedLists &sorted)
{
    Core &core = Enter();
    uint32_t total = 0;
    for (int i = 0; i < 4; ++i) {
        if ((sorted.valid >> i & 1) == 0) {
            continue;
        }
        if (sorted.lengths[i] > MAX_PAIRS) {
            Fault("arg", "MrgSort: list %d has %u pairs, at most %u are allowed", i + 1, sorted.lengths[i], MAX_PAIRS);
        }
        total += sorted.lengths[i];
    }
    // With several repeats the four lists of one stand behind those of the other.
    const auto bytes = [&](int i) { return (uint64_t(sorted.repeat - 1) * total + sorted.lengths[i]) * PAIR; };
    for (int i = 0; i < 4 && sorted.repeat > 0; ++i) {
        if ((sorted.valid >> i & 1) != 0) {
            CheckLocal(core, "MrgSort", "a source", sorted.lists[i], bytes(i), BLOCK);
        }
    }
    if (sorted.repeat > 1 && sorted.valid != 0xf) {
        Fault("arg", "MrgSort: repeatTimes is %u; more than one is for four lists of equal length", sorted.repeat);
    }
    CheckLocal(core, "MrgSort", "dst", dst, uint64_t(total) * PAIR * sorted.repeat, BLOCK);
    const auto describe = [&](Accesses &accesses) {
        for (int i = 0; i < 4; ++i) {
            if ((sorted.valid >> i & 1) != 0) {
                accesses.Read(sorted.lists[i], 0, sorted.repeat > 0 ? bytes(i) : 0);
            }
        }
        accesses.Write(dst, 0, uint64_t(total) * PAIR * sorted.repeat);
    };
    core.pipes.Issue(core, Pipe::V, "MrgSort", describe, [=, &core] {
        Memory &ub = core.memory(Space::UB);
        const Type type = dst.type;
        for (uint32_t r = 0; r < sorted.repeat; ++r) {
            uint16_t taken[4] = {};
            const auto at = [&](int list, uint32_t i) {
                return sorted.lists[list].at + (r * (sorted.repeat > 1 ? total : 0) + i) * PAIR;
            };
            for (uint32_t out = 0; out < total; ++out) {
                int best = -1;
                bool exhausted = false;
                for (int i = 0; i < 4; ++i) {
                    if ((sorted.valid >> i & 1) == 0) {
                        continue;
                    }
                    if (taken[i] >= sorted.lengths[i]) {
                        exhausted = true;
                        continue;
                    }
                    // Of equal scores the one of the earlier list comes first.
                    if (best < 0 || ScoreOf(ub.data(at(i, taken[i])), type) > ScoreOf(ub.data(at(best, taken[best])), type)) {
                        best = i;
                    }
                }
                if (best < 0 || (sorted.suspend && exhausted)) {
                    break;
                }
                const uint32_t from = at(best, taken[best]++);
                if (!ub.IsValid(from, 4) || !ub.IsValid(from + 4, 4)) {
                    Fault("poison", "MrgSort: pair %u of list %d has no value", taken[best] - 1, best + 1);
                }
                const uint32_t to = dst.at + (r * total + out) * PAIR;
                std::memmove(ub.data(to), ub.data(from), PAIR);
                ub.MarkValid(to, PAIR);
            }
            std::copy(taken, taken + 4, core.regs.merged);
        }
    });
}

void MergedCounts(uint16_t (&counts)[4])
{
    Core &core = Enter();
    core.pipes.Drain(core);
    std::copy(core.regs.merged, core.regs.merged + 4, counts);
}
} // namespace ascendc_cpu
