// Reductions in the documented order.
//
// Inside a repeat or data block a binary tree of neighbours (asc-devkit, 归约计算/ReduceDataBlock.md); over repeats, the count form of
// ReduceSum on 910b adds them in order, every other form goes on as a tree over the results (ReduceSum.md). Sums of half are rounded
// after each addition. Elements that a mask takes out do not take part: their neighbours go on to the next level.
#include "ascendc/vec_reduce.h"

#include "arithmetic.h"
#include "numeric.h"
#include "vector.h"

#include <algorithm>

namespace ascendc_cpu {
namespace {
struct Found {
    float value;
    uint32_t index;
    uint32_t place = 0; // among the leaves of the tree
};

// What is to be done with values of one element type.
struct Reducer {
    ReduceType type;
    Type element;
    bool saturate;

    float Rounded(float v) const
    {
        if (element == Type::F32) {
            return v;
        }
        half h;
        Narrow(&h, &v, 1, saturate);
        return float(h);
    }
    // Of two equal values the first stays, which has the smaller index.
    Found Step(Found a, Found b) const
    {
        if (type == ReduceType::SUM) {
            return {Rounded(a.value + b.value), a.index};
        }
        const float value = type == ReduceType::MAX ? Larger(a.value, b.value) : Smaller(a.value, b.value);
        const bool second = b.value != b.value ? a.value == a.value : a.value == a.value && b.value != a.value && value == b.value;
        return {value, second ? b.index : a.index};
    }
    // The tree of neighbours; one without a neighbour goes on to the next level.
    Found Tree(std::vector<Found> &values) const
    {
        for (size_t n = values.size(); n > 1;) {
            size_t out = 0;
            for (size_t i = 0; i < n; ++out) {
                const uint32_t place = values[i].place / 2;
                const bool pair = i + 1 < n && values[i + 1].place / 2 == place;
                values[out] = pair ? Step(values[i], values[i + 1]) : values[i];
                values[out].place = place;
                i += pair ? 2 : 1;
            }
            n = out;
        }
        return {Rounded(values[0].value), values[0].index};
    }
};

float Element(Memory &ub, uint32_t at, Type type)
{
    if (type == Type::F32) {
        float v;
        std::memcpy(&v, ub.data(at), sizeof v);
        return v;
    }
    uint16_t bits;
    std::memcpy(&bits, ub.data(at), sizeof bits);
    return HalfToFloat(bits);
}

// The bits of a value in the element type.
uint64_t BitsAs(float v, Type type)
{
    return type == Type::F32 ? BitsOf(v) : HalfBits(v);
}

void Store(Memory &ub, uint32_t at, uint64_t bits, uint32_t bytes)
{
    std::memcpy(ub.data(at), &bits, bytes);
    ub.MarkValid(at, bytes);
}

// The elements of a repeat that take part, with their places in it.
void Gather(Core &core, const Operand &src, const Lanes &lanes, uint32_t repeat, std::vector<Found> &out)
{
    Memory &ub = core.memory(Space::UB);
    out.clear();
    ForEachRun(lanes, repeat, repeat + 1, [&](uint32_t r, uint32_t lane, uint32_t n) {
        for (uint32_t i = 0; i < n; ++i) {
            out.push_back({Element(ub, src.tensor.at + src.Offset(r, lane + i), src.tensor.type), lane + i, lane + i});
        }
    });
}

// One level of the tree: from `in` to `out`, which is another array so that the loop is a vector one.
template <typename Step>
void Level(float *__restrict out, const float *__restrict in, uint32_t pairs, Step step)
{
    for (uint32_t i = 0; i < pairs; ++i) {
        out[i] = step(in[2 * i], in[2 * i + 1]);
    }
}

// The tree of neighbours on values alone; both arrays are overwritten.
template <typename Step>
float TreeOfFloats(float *values, float *spare, uint32_t n, Step step)
{
    while (n > 1) {
        Level(spare, values, n / 2, step);
        if (n % 2 != 0) {
            spare[n / 2] = values[n - 1];
        }
        n = (n + 1) / 2;
        std::swap(values, spare);
    }
    return values[0];
}

// The tree of what a reduction does; both arrays are overwritten.
float TreeOf(const Reducer &reducer, float *values, float *spare, uint32_t n)
{
    switch (reducer.type) {
        case ReduceType::SUM: return reducer.Rounded(TreeOfFloats(values, spare, n, [](float a, float b) { return a + b; }));
        case ReduceType::MAX: return reducer.Rounded(TreeOfFloats(values, spare, n, [](float a, float b) { return Larger(a, b); }));
        case ReduceType::MIN: break;
    }
    return reducer.Rounded(TreeOfFloats(values, spare, n, [](float a, float b) { return Smaller(a, b); }));
}

// True where values need no bookkeeping: whole data blocks in a row, and nothing to round on the way.
bool IsPlain(const Reducer &reducer, const Operand &src, const Lanes &lanes)
{
    return !lanes.masked && src.stride.blk == 1 && (reducer.element == Type::F32 || reducer.type != ReduceType::SUM);
}

// The values of a repeat as floats.
uint32_t Values(Core &core, const Operand &src, const Lanes &lanes, uint32_t repeat, float *out)
{
    const uint8_t *const from = core.memory(Space::UB).data(src.tensor.at + src.Offset(repeat, 0));
    const uint32_t n = lanes.Of(repeat);
    if (src.tensor.type == Type::F32) {
        std::memcpy(out, from, n * sizeof(float));
    } else {
        Widen(out, reinterpret_cast<const half *>(from), n);
    }
    return n;
}

// The result of each repeat. An index counts from the start of src, gaps between repeats included (ReduceImplThirdStep).
std::vector<Found> PerRepeat(Core &core, const Reducer &reducer, const Operand &src, const Lanes &lanes)
{
    std::vector<Found> results;
    results.reserve(lanes.repeats);
    if (IsPlain(reducer, src, lanes)) {
        float values[REPEAT / 2];
        float spare[REPEAT / 2];
        for (uint32_t r = 0; r < lanes.repeats; ++r) {
            const uint32_t n = Values(core, src, lanes, r, values);
            results.push_back({TreeOf(reducer, values, spare, n), 0});
        }
        return results;
    }
    std::vector<Found> values;
    for (uint32_t r = 0; r < lanes.repeats; ++r) {
        Gather(core, src, lanes, r, values);
        Found found = reducer.Tree(values);
        found.index += r * src.stride.rep * (BLOCK / src.size());
        results.push_back(found);
    }
    return results;
}

// Where the value stands first: what a tree that carries indices would find.
uint32_t FirstIndex(Core &core, const Operand &src, const Lanes &lanes, float value)
{
    float values[REPEAT / 2];
    for (uint32_t r = 0; r < lanes.repeats; ++r) {
        const uint32_t n = Values(core, src, lanes, r, values);
        for (uint32_t i = 0; i < n; ++i) {
            if (values[i] == value || (value != value && values[i] != values[i])) {
                return r * src.stride.rep * (BLOCK / src.size()) + i;
            }
        }
    }
    return 0;
}

// Strides that do something else than they seem to: no mistake, but more often than not a sum over rows was meant.
void NoteStrides(Core &core, const char *op, const Operand &src, const Lanes &lanes)
{
    const uint32_t bytes = lanes.Of(0) * src.size();
    const uint32_t step = src.stride.rep * BLOCK;
    const bool overlap = lanes.repeats > 1 && lanes.Of(1) > 0 && src.stride.blk == 1 && step > 0 && step < bytes;
    const bool alone = src.stride.blk > 1 && bytes <= BLOCK;
    if ((!overlap && !alone) || !core.told.insert({core.site, "strides"}).second) {
        return;
    }
    if (alone) {
        Note("arg", "%s: srcBlkStride is %u and has no effect: the %u elements of a repeat lie in one data block, so that each result is one of "
                    "neighbours; rows are added with Add", op, src.stride.blk, lanes.Of(0));
    } else {
        Note("arg", "%s: repeats of %u bytes begin %u bytes behind each other, so that elements are read up to %u times; rows are added with Add",
            op, bytes, step, (bytes + step - 1) / step);
    }
}

void CheckType(const char *op, const Local &tensor, const char *what)
{
    if (tensor.space != Space::UB) {
        Fault("arg", "%s: %s lies in %s; vector instructions work in UB", op, what, NameOf(tensor.space));
    }
}

void CheckRange(const char *op, const char *what, int64_t value, int64_t most)
{
    if (value < 0 || value > most) {
        Fault("arg", "%s: %s is %lld; allowed are 0 to %lld", op, what, static_cast<long long>(value), static_cast<long long>(most));
    }
}

// A repeat and strides as the instruction takes them (ReduceRepeat.md, 表2); the extent keeps the bits of an int32_t.
Stride Checked(const char *op, const Extent &extent, const ReduceStrides &strides)
{
    CheckRange(op, "repeatTime", static_cast<int32_t>(extent.repeat), 255);
    CheckRange(op, "dstRepStride", strides.dst_rep, 65535);
    CheckRange(op, "srcBlkStride", strides.src_blk, 65535);
    CheckRange(op, "srcRepStride", strides.src_rep, 65535);
    return {static_cast<uint16_t>(strides.src_blk), static_cast<uint16_t>(strides.src_rep)};
}

// Where the results of groups of lanes go: those of one repeat side by side, `step` bytes behind those of the one before.
struct Results {
    Local dst;
    uint32_t step;
    uint32_t group; // lanes of one result

    uint32_t size() const { return SizeOf(dst.type); }
    uint32_t At(uint32_t repeat, uint32_t index) const { return repeat * step + index * size(); }
    // One bit for each group of the repeat with a lane that takes part.
    uint64_t Taken(const Lanes &lanes, uint32_t repeat) const
    {
        if (!lanes.masked) {
            const uint32_t groups = (lanes.Of(repeat) + group - 1) / group;
            return groups < 64 ? (1ull << groups) - 1 : ~0ull;
        }
        uint64_t taken = 0;
        ForEachRun(lanes, repeat, repeat + 1, [&](uint32_t, uint32_t lane, uint32_t n) {
            for (uint32_t i = lane; i < lane + n; ++i) {
                taken |= 1ull << i / group;
            }
        });
        return taken;
    }
    void Check(Core &core, const char *op, const Lanes &lanes, uint32_t align) const
    {
        uint64_t end = 0;
        for (uint32_t r = 0; r < lanes.repeats; ++r) {
            const uint64_t taken = Taken(lanes, r);
            const auto last = taken == 0 ? 0u : 64u - static_cast<uint32_t>(__builtin_clzll(taken));
            end = std::max(end, last == 0 ? 0 : uint64_t(r) * step + last * size());
        }
        CheckLocal(core, op, "dst", dst, end, align);
    }
    // No value where no lane of a group takes part.
    void Forget(Core &core, const Lanes &lanes, uint32_t repeat) const
    {
        const uint64_t taken = Taken(lanes, repeat);
        for (uint32_t i = 0; i < lanes.per_repeat / group; ++i) {
            if ((taken >> i & 1) == 0 && At(repeat, i) + size() <= dst.bytes) {
                core.memory(Space::UB).MarkPoison(dst.at + At(repeat, i), size());
            }
        }
    }
    void Describe(Accesses &accesses, const Lanes &lanes) const
    {
        for (uint32_t r = 0; r < lanes.repeats; ++r) {
            const uint64_t taken = Taken(lanes, r);
            for (uint32_t i = 0; i < lanes.per_repeat / group; ++i) {
                uint32_t n = 0;
                while (i + n < lanes.per_repeat / group && (taken >> (i + n) & 1) != 0) {
                    ++n;
                }
                if (n > 0) {
                    accesses.Write(dst, At(r, i), n * size());
                }
                i += n;
            }
        }
    }
};

// The results of repeats, one joined to the next.
Found InOrder(const Reducer &reducer, const std::vector<Found> &results)
{
    Found total = results[0];
    for (size_t i = 1; i < results.size(); ++i) {
        total = reducer.Step(total, results[i]);
    }
    return total;
}

// The results of the data blocks of a repeat of which the first lanes take part.
void BlocksOf(Core &core, const Reducer &reducer, const Operand &src, const Lanes &lanes, uint32_t repeat, const Results &results)
{
    float values[REPEAT / 2];
    float spare[REPEAT / 2];
    const uint32_t n = Values(core, src, lanes, repeat, values);
    for (uint32_t i = 0; i * results.group < n; ++i) {
        const uint32_t first = i * results.group;
        const float v = TreeOf(reducer, values + first, spare, std::min(results.group, n - first));
        Store(core.memory(Space::UB), results.dst.at + results.At(repeat, i), BitsAs(v, src.tensor.type), results.size());
    }
    if (config().arch == 2002) {
        results.Forget(core, lanes, repeat);
    }
}
} // namespace

void Reduce(const char *op, ReduceType type, const Local &dst, const Local &src, const Local &work, const Extent &extent,
    int32_t srcRepStride, bool index, bool counted)
try {
    Core &core = EnterInstruction();
    CheckRange(op, "repeatTime", static_cast<int32_t>(extent.repeat), INT32_MAX);
    CheckRange(op, "srcRepStride", srcRepStride, 65535);
    const Operand from{"src", src, {1, static_cast<uint16_t>(srcRepStride)}};
    const uint32_t size = from.size();
    const bool in_order = type == ReduceType::SUM && counted && config().arch == 2201;
    // The others work on their results under masks of their own.
    if (!in_order) {
        RefuseCounterMode(core, op);
    }
    const Lanes lanes = Resolve(core, op, extent, size);
    core.regs.mask_left_by = in_order ? core.regs.mask_left_by : op;
    if (lanes.Empty()) {
        return;
    }
    CheckOperand(core, op, from, lanes);
    NoteStrides(core, op, from, lanes);
    CheckType(op, dst, "dst");
    CheckLocal(core, op, "dst", dst, index ? 2 * size : size, index ? 2 * size : size);
    // Maxima and minima keep a value and an index of each repeat; with the index asked for, every round keeps its own.
    uint64_t work_bytes = 0;
    if (!in_order) {
        const uint32_t each = type == ReduceType::SUM ? 1 : 2;
        for (uint64_t results = lanes.repeats; ;) {
            work_bytes += (results * each * size + BLOCK - 1) / BLOCK * BLOCK;
            if (!index || results <= 1) {
                break;
            }
            results = (results * each + lanes.per_repeat - 1) / lanes.per_repeat;
        }
        CheckLocal(core, op, "sharedTmpBuffer", work, work_bytes, BLOCK);
        const uint64_t span = from.Span(lanes);
        if (work.at < src.at + span && src.at < work.at + work_bytes) {
            Mistake("overlap", "%s: sharedTmpBuffer and src share memory; they must be apart", op);
        }
    }
    if (index && size == 2 && from.Span(lanes) > 65536 * size) {
        Fault("arg", "%s: the index of a half is 16 bits, %llu elements have larger ones", op,
            static_cast<unsigned long long>(from.Span(lanes) / size));
    }
    const Reducer reducer{type, src.type, core.regs.saturate};
    const auto describe = [&](Accesses &accesses) {
        Describe(accesses, from, lanes, false);
        accesses.Write(dst, 0, index ? 2 * size : size);
        accesses.Write(work, 0, work_bytes);
    };
    core.pipes.Issue(core, Pipe::V, op, describe, [=, &core] {
        Memory &ub = core.memory(Space::UB);
        RefusePoison(core, op, from, lanes);
        std::vector<Found> results = PerRepeat(core, reducer, from, lanes);
        Found total = results[0];
        if (in_order) {
            total = InOrder(reducer, results);
            core.regs.acc_val = static_cast<int64_t>(BitsAs(total.value, src.type));
        } else {
            ub.MarkPoison(work.at, static_cast<uint32_t>(work_bytes));
            while (results.size() > 1) {
                std::vector<Found> next;
                for (size_t at = 0; at < results.size(); at += lanes.per_repeat) {
                    const size_t end = std::min<size_t>(at + lanes.per_repeat, results.size());
                    std::vector<Found> part(results.begin() + static_cast<long>(at), results.begin() + static_cast<long>(end));
                    for (size_t i = 0; i < part.size(); ++i) {
                        part[i].place = static_cast<uint32_t>(i);
                    }
                    next.push_back(reducer.Tree(part));
                }
                results = std::move(next);
            }
            total = results[0];
        }
        if (type != ReduceType::SUM && IsPlain(reducer, from, lanes)) {
            total.index = FirstIndex(core, from, lanes, total.value);
        }
        Store(ub, dst.at, BitsAs(total.value, src.type), size);
        if (type != ReduceType::SUM) {
            core.regs.max_min_value = BitsAs(total.value, src.type);
            core.regs.max_min_count = total.index;
        }
        if (index) {
            Store(ub, dst.at + size, total.index, size);
        }
    });
} catch (const LeftOut &) {
}

void ReduceRepeats(const char *op, ReduceType type, const Local &dst, const Local &src, const Extent &extent,
    const ReduceStrides &strides, ReduceOrder order)
try {
    Core &core = EnterInstruction();
    const Operand from{"src", src, Checked(op, extent, strides)};
    const auto dst_rep = static_cast<uint32_t>(strides.dst_rep);
    const uint32_t size = from.size();
    const Lanes lanes = Resolve(core, op, extent, size);
    if (lanes.Empty()) {
        return;
    }
    CheckOperand(core, op, from, lanes);
    NoteStrides(core, op, from, lanes);
    CheckType(op, dst, "dst");
    // An index alone is a uint32_t on 910b; beside a value it is as wide as the value (ReduceRepeat.md).
    const bool pair = order == ReduceOrder::ORDER_VALUE_INDEX || order == ReduceOrder::ORDER_INDEX_VALUE;
    const uint32_t unit = pair ? 2 * size : order == ReduceOrder::ORDER_ONLY_INDEX ? 4 : size;
    if (config().arch == 2002 && type != ReduceType::SUM && order > ReduceOrder::ORDER_INDEX_VALUE) {
        Fault("arg", "%s: this chip gives ORDER_VALUE_INDEX and ORDER_INDEX_VALUE only; take the half of the pair that is wanted", op);
    }
    CheckLocal(core, op, "dst", dst, uint64_t(unit) * (uint64_t(lanes.repeats - 1) * dst_rep + 1), unit);
    const Reducer reducer{type, src.type, core.regs.saturate};
    const auto describe = [&](Accesses &accesses) {
        Describe(accesses, from, lanes, false);
        for (uint32_t r = 0; r < lanes.repeats; ++r) {
            accesses.Write(dst, uint64_t(r) * dst_rep * unit, unit);
        }
    };
    core.pipes.Issue(core, Pipe::V, op, describe, [=, &core] {
        Memory &ub = core.memory(Space::UB);
        RefusePoison(core, op, from, lanes);
        // A sum has no index, and leaves no register.
        if (type == ReduceType::SUM && order == ReduceOrder::ORDER_ONLY_VALUE && IsPlain(reducer, from, lanes)) {
            const std::vector<Found> results = PerRepeat(core, reducer, from, lanes);
            for (uint32_t r = 0; r < lanes.repeats; ++r) {
                Store(ub, dst.at + r * dst_rep * unit, BitsAs(results[r].value, src.type), size);
            }
            return;
        }
        std::vector<Found> values;
        Found extreme{};
        for (uint32_t r = 0; r < lanes.repeats; ++r) {
            Gather(core, from, lanes, r, values);
            const Found found = reducer.Tree(values);
            const uint64_t value = BitsAs(found.value, src.type);
            const Found here{found.value, found.index + r * lanes.per_repeat};
            extreme = r == 0 ? here : reducer.Step(extreme, here);
            const uint32_t at = dst.at + r * dst_rep * unit;
            switch (order) {
                case ReduceOrder::ORDER_VALUE_INDEX:
                    Store(ub, at, value, size);
                    Store(ub, at + size, found.index, size);
                    break;
                case ReduceOrder::ORDER_INDEX_VALUE:
                    Store(ub, at, found.index, size);
                    Store(ub, at + size, value, size);
                    break;
                case ReduceOrder::ORDER_ONLY_VALUE: Store(ub, at, value, size); break;
                case ReduceOrder::ORDER_ONLY_INDEX: Store(ub, at, found.index, 4); break;
            }
        }
        // The registers keep the extreme of all repeats (GetReduceRepeatMaxMinSpr page).
        if (type != ReduceType::SUM) {
            core.regs.max_min_value = BitsAs(extreme.value, src.type);
            core.regs.max_min_count = extreme.index;
        }
    });
} catch (const LeftOut &) {
}

void ReduceBlocks(const char *op, ReduceType type, const Local &dst, const Local &src, const Extent &extent,
    const ReduceStrides &strides)
try {
    Core &core = EnterInstruction();
    const Operand from{"src", src, Checked(op, extent, strides)};
    const uint32_t size = from.size();
    const Lanes lanes = Resolve(core, op, extent, size);
    if (lanes.Empty()) {
        return;
    }
    CheckOperand(core, op, from, lanes);
    NoteStrides(core, op, from, lanes);
    CheckType(op, dst, "dst");
    const uint32_t unit = BLOCKS_PER_REPEAT * size; // the results of one repeat: 16 bytes of half, 32 of float
    const Results results{dst, unit * static_cast<uint32_t>(strides.dst_rep), BLOCK / size};
    results.Check(core, op, lanes, unit);
    const Reducer reducer{type, src.type, core.regs.saturate};
    const auto describe = [&](Accesses &accesses) {
        Describe(accesses, from, lanes, false);
        results.Describe(accesses, lanes);
    };
    core.pipes.Issue(core, Pipe::V, op, describe, [=, &core] {
        RefusePoison(core, op, from, lanes);
        const bool plain = IsPlain(reducer, from, lanes);
        std::vector<Found> values;
        for (uint32_t r = 0; r < lanes.repeats; ++r) {
            if (plain) {
                BlocksOf(core, reducer, from, lanes, r, results);
                continue;
            }
            Gather(core, from, lanes, r, values);
            // A block without an element that takes part leaves dst as it is on 910b and A3 (ReduceDataBlock.md, which leaves 310p open).
            for (auto begin = values.begin(); begin != values.end();) {
                const uint32_t block = begin->index / results.group;
                const auto end = std::find_if(begin, values.end(), [&](const Found &f) { return f.index / results.group != block; });
                std::vector<Found> part(begin, end);
                Store(core.memory(Space::UB), dst.at + results.At(r, block), BitsAs(reducer.Tree(part).value, src.type), size);
                begin = end;
            }
            if (config().arch == 2002) {
                results.Forget(core, lanes, r);
            }
        }
    });
} catch (const LeftOut &) {
}

void ReducePairs(const char *op, const Local &dst, const Local &src, const Extent &extent, const ReduceStrides &strides)
try {
    Core &core = EnterInstruction();
    const Operand from{"src", src, Checked(op, extent, strides)};
    const uint32_t size = from.size();
    const Lanes lanes = Resolve(core, op, extent, size);
    if (lanes.Empty()) {
        return;
    }
    CheckOperand(core, op, from, lanes);
    NoteStrides(core, op, from, lanes);
    CheckType(op, dst, "dst");
    const Results results{dst, REPEAT / 2 * static_cast<uint32_t>(strides.dst_rep), 2};
    results.Check(core, op, lanes, BLOCK);
    const Reducer reducer{ReduceType::SUM, src.type, core.regs.saturate};
    const auto describe = [&](Accesses &accesses) {
        Describe(accesses, from, lanes, false);
        results.Describe(accesses, lanes);
    };
    core.pipes.Issue(core, Pipe::V, op, describe, [=, &core] {
        RefusePoison(core, op, from, lanes);
        std::vector<Found> values;
        for (uint32_t r = 0; r < lanes.repeats; ++r) {
            Gather(core, from, lanes, r, values);
            // A pair of which neither takes part leaves dst as it is (ReducePairElem.md).
            for (size_t i = 0; i < values.size(); ++i) {
                const uint32_t pair = values[i].index / 2;
                const bool both = i + 1 < values.size() && values[i + 1].index / 2 == pair;
                const float sum = both ? reducer.Step(values[i], values[i + 1]).value : reducer.Rounded(values[i].value);
                i += both ? 1 : 0;
                Store(core.memory(Space::UB), dst.at + results.At(r, pair), BitsAs(sum, src.type), size);
            }
        }
    });
} catch (const LeftOut &) {
}

void AddUpRepeats(const char *op, const Local &src, const Extent &extent, const ReduceStrides &strides)
try {
    Core &core = EnterInstruction();
    const Operand from{"src", src, Checked(op, extent, strides)};
    const Lanes lanes = Resolve(core, op, extent, from.size());
    if (lanes.Empty()) {
        return;
    }
    CheckOperand(core, op, from, lanes);
    const Reducer reducer{ReduceType::SUM, src.type, core.regs.saturate};
    const auto describe = [&](Accesses &accesses) { Describe(accesses, from, lanes, false); };
    core.pipes.Issue(core, Pipe::V, op, describe, [=, &core] {
        RefusePoison(core, op, from, lanes);
        core.regs.acc_val = static_cast<int64_t>(BitsAs(InOrder(reducer, PerRepeat(core, reducer, from, lanes)).value, src.type));
    });
} catch (const LeftOut &) {
}

uint64_t AccumulatedSum()
{
    Core &core = Enter();
    core.pipes.Drain(core);
    return static_cast<uint64_t>(core.regs.acc_val);
}

uint64_t MaxMinValue()
{
    Core &core = Enter();
    core.pipes.Drain(core);
    return core.regs.max_min_value;
}

uint64_t MaxMinIndex()
{
    Core &core = Enter();
    core.pipes.Drain(core);
    return core.regs.max_min_count;
}
} // namespace ascendc_cpu
