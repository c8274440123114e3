#include "ascendc/vec_sort.h"

#include "advanced.h"

#include <algorithm>

namespace ascendc_cpu {
namespace {
constexpr uint32_t MAX_LENGTH = 4095; // records of one list
constexpr uint32_t ELEMENTS = 8;      // of a proposal
constexpr uint32_t Y1 = 1;            // elements of a proposal
constexpr uint32_t SCORE = 4;
constexpr uint32_t LABEL = 5;

// What is sorted: pairs of a score and an index on 910b and A3, region proposals of eight elements on the inference products.
struct Layout {
    uint32_t bytes;
    uint32_t score;
    uint32_t part; // bytes that have a value or none together
};
Layout LayoutOf(Type type)
{
    const uint32_t size = SizeOf(type);
    return config().arch == 2201 ? Layout{8, 0, size} : Layout{ELEMENTS * size, SCORE * size, size};
}

struct Record {
    uint8_t bytes[32];
    uint8_t valid; // a bit for each part
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

Record Read(Memory &ub, uint32_t at, const Layout &layout, Type type, const char *op)
{
    Record record = {};
    std::memcpy(record.bytes, ub.data(at), layout.bytes);
    for (uint32_t part = 0; part * layout.part < layout.bytes; ++part) {
        record.valid |= ub.IsValid(at + part * layout.part, layout.part) ? 1u << part : 0u;
    }
    if ((record.valid >> layout.score / layout.part & 1) == 0) {
        Poison("%s: the score at byte %u has no value: nothing was written there, or only the filler of a copy", op,
            at + layout.score);
    }
    record.score = ScoreOf(record.bytes + layout.score, type);
    return record;
}

void Write(Memory &ub, uint32_t at, const Layout &layout, const Record &record)
{
    std::memcpy(ub.data(at), record.bytes, layout.bytes);
    for (uint32_t part = 0; part * layout.part < layout.bytes; ++part) {
        if ((record.valid >> part & 1) != 0) {
            ub.MarkValid(at + part * layout.part, layout.part);
        } else {
            ub.MarkPoison(at + part * layout.part, layout.part);
        }
    }
}

// Falling order; equal scores keep theirs.
void Sort(std::vector<Record> &records)
{
    std::stable_sort(records.begin(), records.end(), [](const Record &a, const Record &b) { return a.score > b.score; });
}

uint32_t CheckRepeat(const char *op, int32_t repeat, uint32_t each)
{
    if (repeat < 0 || repeat > 255) {
        Fault("arg", "%s: repeatTime is %d, allowed are 0 to 255", op, repeat);
    }
    return static_cast<uint32_t>(repeat) * each;
}
} // namespace

namespace {
// A pair of a score and an index, from two tensors.
Record PairOf(Core &core, const char *op, const Local &scores, const Local &indices, uint32_t i)
{
    Memory &ub = core.memory(Space::UB);
    const uint32_t size = SizeOf(scores.type);
    const uint32_t score = scores.at + i * size;
    const uint32_t index = indices.at + i * 4;
    Record record = {};
    if (!ub.IsValid(score, size)) {
        PoisonIn(core, scores, i * size, size, "%s: element %u of the scores has no value", op, i);
    }
    std::memcpy(record.bytes, ub.data(score), size);
    std::memcpy(record.bytes + 4, ub.data(index), 4);
    // Of half the two bytes between a score and its index say nothing.
    const unsigned places = size == 4 ? 2u : 12u;
    record.valid = 1u | (ub.IsValid(index, 4) ? places : 0u);
    record.score = ScoreOf(record.bytes, scores.type);
    return record;
}

// Puts indices into proposals: of float into their labels, of half the lower part into y1 and the upper one into the label.
void LabelProposals(Memory &ub, const Local &proposals, const Local &indices, uint32_t count, uint32_t size)
{
    const auto put = [&](uint32_t i, uint32_t element, uint32_t part) {
        const uint32_t from = indices.at + i * 4 + part;
        const uint32_t to = proposals.at + (i * ELEMENTS + element) * size;
        std::memcpy(ub.data(to), ub.data(from), size);
        ub.IsValid(from, size) ? ub.MarkValid(to, size) : ub.MarkPoison(to, size);
    };
    for (uint32_t i = 0; i < count; ++i) {
        if (size == 2) {
            put(i, Y1, 0);
        }
        put(i, LABEL, size == 2 ? 2 : 0);
    }
}
} // namespace

void SortPairs(const char *op, const Local &dst, const Local &scores, const Local &indices, const Local *tmp, int32_t repeat)
try {
    Core &core = EnterInstruction();
    constexpr uint32_t EACH = 32;
    const uint32_t count = CheckRepeat(op, repeat, EACH);
    if (count == 0) {
        return;
    }
    const Layout layout = LayoutOf(scores.type);
    const uint32_t size = SizeOf(scores.type);
    const uint64_t bytes = uint64_t(count) * layout.bytes;
    CheckLocal(core, op, "dst", dst, bytes, BLOCK);
    CheckLocal(core, op, tmp == nullptr ? "src0" : "concat", scores, uint64_t(count) * size, BLOCK);
    CheckLocal(core, op, tmp == nullptr ? "src1" : "index", indices, uint64_t(count) * 4, BLOCK);
    const Local space = tmp == nullptr ? Local{} : *tmp;
    if (tmp != nullptr) {
        CheckLocal(core, op, "tmp", space, bytes, BLOCK);
        RefuseOverlap(op, {"tmp", space, bytes}, {"dst", dst, bytes});
    }
    const auto describe = [&](Accesses &accesses) {
        accesses.Repeats(count, REPEAT / size);
        accesses.Read(scores, 0, count * size);
        accesses.Read(indices, 0, count * 4);
        accesses.Write(dst, 0, bytes);
        accesses.Write(space, 0, tmp == nullptr ? 0 : bytes);
        if (std::string(op) == "Sort") {
            DescribeCall(accesses, scores.type,
                {{"dst", dst.at}, {"scores", scores.at}, {"indices", indices.at}, {"tmp", space.at}, {"repeats", count / EACH},
                    {"whole", tmp != nullptr}});
        }
    };
    core.pipes.Issue(core, Pipe::V, op, describe, [=, &core, full = tmp != nullptr] {
        Memory &ub = core.memory(Space::UB);
        const uint32_t at_once = full ? count : EACH;
        for (uint32_t first = 0; first < count; first += at_once) {
            std::vector<Record> records;
            for (uint32_t i = 0; i < at_once; ++i) {
                records.push_back(PairOf(core, op, scores, indices, first + i));
            }
            Sort(records);
            for (uint32_t i = 0; i < at_once; ++i) {
                Write(ub, dst.at + (first + i) * layout.bytes, layout, records[i]);
            }
        }
        if (full) {
            ub.MarkPoison(space.at, static_cast<uint32_t>(bytes));
        }
    });
} catch (const LeftOut &) {
}

void SortProposals(const char *op, const Local &dst, const Local &src, const Local &indices, const Local *tmp, int32_t repeat)
try {
    Core &core = EnterInstruction();
    constexpr uint32_t EACH = 16;
    const uint32_t count = CheckRepeat(op, repeat, EACH);
    if (count == 0) {
        return;
    }
    const Type type = src.type;
    const Layout layout = LayoutOf(type);
    const uint64_t bytes = uint64_t(count) * layout.bytes;
    const bool labelled = indices.bytes != 0;
    CheckLocal(core, op, "dst", dst, bytes, BLOCK);
    CheckLocal(core, op, "src", src, bytes, BLOCK);
    if (labelled) {
        CheckLocal(core, op, "index", indices, uint64_t(count) * 4, BLOCK);
    }
    const Local space = tmp == nullptr ? Local{} : *tmp;
    if (tmp != nullptr) {
        CheckLocal(core, op, "tmp", space, bytes, BLOCK);
        RefuseOverlap(op, {"tmp", space, bytes}, {"dst", dst, bytes});
    }
    const auto describe = [&](Accesses &accesses) {
        accesses.Read(src, 0, bytes);
        if (labelled) {
            accesses.Read(indices, 0, uint64_t(count) * 4);
            accesses.Write(src, 0, bytes);
        }
        accesses.Write(dst, 0, bytes);
        accesses.Write(space, 0, tmp == nullptr ? 0 : bytes);
    };
    core.pipes.Issue(core, Pipe::V, op, describe, [=, &core, full = tmp != nullptr] {
        Memory &ub = core.memory(Space::UB);
        if (labelled) {
            LabelProposals(ub, src, indices, count, SizeOf(type));
        }
        const uint32_t at_once = full ? count : EACH;
        for (uint32_t first = 0; first < count; first += at_once) {
            std::vector<Record> records;
            for (uint32_t i = 0; i < at_once; ++i) {
                records.push_back(Read(ub, src.at + (first + i) * layout.bytes, layout, type, op));
            }
            Sort(records);
            for (uint32_t i = 0; i < at_once; ++i) {
                Write(ub, dst.at + (first + i) * layout.bytes, layout, records[i]);
            }
        }
        if (full) {
            ub.MarkPoison(space.at, static_cast<uint32_t>(bytes));
        }
    });
} catch (const LeftOut &) {
}

void CheckConcat(int32_t repeat)
try {
    EnterInstruction();
    CheckRepeat("Concat", repeat, 16);
} catch (const LeftOut &) {
}

void ExtractSorted(const Local &values, const Local &indices, const Local &sorted, int32_t repeat)
try {
    Core &core = EnterInstruction();
    const bool pairs = config().arch == 2201;
    const uint32_t count = CheckRepeat("Extract", repeat, pairs ? 32 : 16);
    if (count == 0) {
        return;
    }
    const Layout layout = LayoutOf(sorted.type);
    const uint32_t size = SizeOf(sorted.type);
    const bool indexed = pairs || indices.bytes != 0;
    CheckLocal(core, "Extract", "sorted", sorted, uint64_t(count) * layout.bytes, BLOCK);
    CheckLocal(core, "Extract", "dstValue", values, uint64_t(count) * size, BLOCK);
    if (indexed) {
        CheckLocal(core, "Extract", "dstIndex", indices, uint64_t(count) * 4, BLOCK);
    }
    // kernel_operator_proposal_intf_impl.h gathers the indices of half with two repeats for each of repeatTime.
    if (pairs && size == 2 && indices.bytes < count * 8) {
        Note("bounds", "Extract: of half the toolkit's code takes twice as many indices as values: a chip writes %u numbers to dstIndex, which "
                       "has %u; leave room for them", count * 2, indices.bytes / 4);
    }
    const auto describe = [&](Accesses &accesses) {
        accesses.Read(sorted, 0, uint64_t(count) * layout.bytes);
        accesses.Write(values, 0, uint64_t(count) * size);
        accesses.Write(indices, 0, indexed ? uint64_t(count) * 4 : 0);
        DescribeCall(accesses, sorted.type,
            {{"values", values.at}, {"indices", indices.at}, {"sorted", sorted.at}, {"repeats", count / (pairs ? 32u : 16u)}});
    };
    core.pipes.Issue(core, Pipe::V, "Extract", describe, [=, &core] {
        Memory &ub = core.memory(Space::UB);
        const auto move = [&](uint32_t to, uint32_t from, uint32_t bytes) {
            const bool valid = ub.IsValid(from, bytes);
            std::memmove(ub.data(to), ub.data(from), bytes);
            valid ? ub.MarkValid(to, bytes) : ub.MarkPoison(to, bytes);
        };
        for (uint32_t i = 0; i < count; ++i) {
            move(values.at + i * size, sorted.at + i * layout.bytes + layout.score, size);
        }
        for (uint32_t i = 0; indexed && i < count; ++i) {
            const uint32_t record = sorted.at + i * layout.bytes;
            if (pairs) {
                move(indices.at + i * 4, record + 4, 4);
            } else if (size == 4) {
                move(indices.at + i * 4, record + LABEL * size, 4);
            } else {
                move(indices.at + i * 4, record + Y1 * size, 2);
                move(indices.at + i * 4 + 2, record + LABEL * size, 2);
            }
        }
    });
} catch (const LeftOut &) {
}

void MoveProposalElements(const char *op, const Local &dst, const Local &src, int32_t repeat, int32_t element, bool into)
try {
    Core &core = EnterInstruction();
    const uint32_t count = CheckRepeat(op, repeat, 16);
    if (element < 0 || element > 5) {
        Fault("arg", "%s: modeNumber is %d, allowed are 0 (x1) to 5 (label)", op, element);
    }
    if (count == 0) {
        return;
    }
    const uint32_t size = SizeOf(src.type);
    const uint64_t dense = uint64_t(count) * size;
    CheckLocal(core, op, "dst", dst, into ? dense * ELEMENTS : dense, BLOCK);
    CheckLocal(core, op, "src", src, into ? dense : dense * ELEMENTS, BLOCK);
    const auto describe = [&](Accesses &accesses) {
        accesses.Read(src, 0, into ? dense : dense * ELEMENTS);
        accesses.Write(dst, 0, into ? dense * ELEMENTS : dense);
    };
    core.pipes.Issue(core, Pipe::V, op, describe, [=, &core] {
        Memory &ub = core.memory(Space::UB);
        for (uint32_t i = 0; i < count; ++i) {
            const uint32_t listed = i * size;
            const uint32_t inside = (i * ELEMENTS + static_cast<uint32_t>(element)) * size;
            const uint32_t from = src.at + (into ? listed : inside);
            const uint32_t to = dst.at + (into ? inside : listed);
            std::memmove(ub.data(to), ub.data(from), size);
            if (ub.IsValid(from, size)) {
                ub.MarkValid(to, size);
            } else {
                ub.MarkPoison(to, size);
            }
        }
    });
} catch (const LeftOut &) {
}

void MergeSorted(const char *op, const Local &dst, const SortedLists &sorted)
try {
    Core &core = EnterInstruction();
    const Type type = dst.type;
    const Layout layout = LayoutOf(type);
    // A proposal of half has 16 bytes, and a list may begin with any (MrgSort4.md), so may one of pairs (MrgSort.md).
    const uint32_t align = std::min(layout.bytes, BLOCK);
    uint32_t total = 0;
    for (int i = 0; i < 4; ++i) {
        if ((sorted.valid >> i & 1) == 0) {
            continue;
        }
        if (sorted.lengths[i] > MAX_LENGTH) {
            Fault("arg", "%s: list %d has %u elements, at most %u are allowed", op, i + 1, sorted.lengths[i], MAX_LENGTH);
        }
        total += sorted.lengths[i];
    }
    if (sorted.repeat == 0) {
        return;
    }
    if (sorted.repeat > 1 && sorted.valid != 0xf) {
        Fault("arg", "%s: repeatTimes is %u; more than one is for four lists of equal length", op, sorted.repeat);
    }
    // With several repeats the four lists of one stand behind those of the other.
    const auto bytes = [&](int i) { return (uint64_t(sorted.repeat - 1) * total + sorted.lengths[i]) * layout.bytes; };
    // What a merge writes that stops at the end of a list is known when it has stopped.
    const uint64_t all = uint64_t(total) * layout.bytes * sorted.repeat;
    const uint64_t written = sorted.suspend ? std::min<uint64_t>(all, dst.bytes) : all;
    const auto describe = [&](Accesses &accesses) {
        accesses.Repeats(uint64_t(total) * sorted.repeat, REPEAT / SizeOf(type));
        for (int i = 0; i < 4; ++i) {
            if ((sorted.valid >> i & 1) != 0) {
                accesses.Read(sorted.lists[i], 0, bytes(i));
            }
        }
        accesses.Write(dst, 0, written);
    };
    for (int i = 0; i < 4; ++i) {
        if ((sorted.valid >> i & 1) != 0) {
            CheckLocal(core, op, "a source", sorted.lists[i], bytes(i), align);
        }
    }
    CheckLocal(core, op, "dst", dst, written, layout.bytes == 8 ? BLOCK : align);
    core.pipes.Issue(core, Pipe::V, op, describe, [=, &core] {
        Memory &ub = core.memory(Space::UB);
        for (uint32_t r = 0; r < sorted.repeat; ++r) {
            uint16_t taken[4] = {};
            const auto head = [&](int list) {
                const uint32_t at = sorted.lists[list].at + (r * (sorted.repeat > 1 ? total : 0) + taken[list]) * layout.bytes;
                return Read(ub, at, layout, type, op);
            };
            for (uint32_t out = 0; out < total; ++out) {
                Record best = {};
                int from = -1;
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
                    const Record record = head(i);
                    if (from < 0 || record.score > best.score) {
                        best = record;
                        from = i;
                    }
                }
                if (from < 0 || (sorted.suspend && exhausted)) {
                    break;
                }
                ++taken[from];
                const uint32_t offset = (r * total + out) * layout.bytes;
                if (offset + layout.bytes > dst.bytes) {
                    Fault("bounds", "%s: dst is touched up to byte %u, the tensor has %u", op, offset + layout.bytes, dst.bytes);
                }
                Write(ub, dst.at + offset, layout, best);
            }
            std::copy(taken, taken + 4, core.regs.merged);
        }
    });
} catch (const LeftOut &) {
}

void MergedCounts(uint16_t (&counts)[4])
try {
    Core &core = EnterInstruction();
    core.pipes.Drain(core);
    std::copy(core.regs.merged, core.regs.merged + 4, counts);
} catch (const LeftOut &) {
}
} // namespace ascendc_cpu
