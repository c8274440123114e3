#include "ascendc/adv_reduce_pattern.h"

#include "advanced.h"
#include "arithmetic.h"

#include <string>

namespace ascendc_cpu {
namespace {
const char *const NAMES[] = {"ReduceSum", "ReduceMean", "ReduceMax", "ReduceMin", "ReduceProd", "ReduceAny", "ReduceAll"};

struct Matrix {
    Reduction op;
    bool rows; // the last axis goes
    Local dst;
    Local src;
    uint32_t first;
    uint32_t last;

    const char *name() const { return NAMES[static_cast<int>(op)]; }
    uint32_t size() const { return SizeOf(src.type); }
    uint32_t padded() const { return AlignedTo(last * size(), BLOCK) / size(); }
    uint32_t results() const { return rows ? first : last; }
    uint32_t terms() const { return rows ? last : first; }
    // The element of a term of a result.
    uint32_t Index(uint32_t result, uint32_t term) const { return rows ? result * padded() + term : term * padded() + result; }
};

float Element(Core &core, const Matrix &in, uint32_t index)
{
    const uint8_t *const at = Data(core, in.src) + index * in.size();
    switch (in.src.type) {
        case Type::F16: return float(*reinterpret_cast<const half *>(at));
        case Type::U8: return *at;
        default: return *reinterpret_cast<const float *>(at);
    }
}

double Joined(Reduction op, double a, float b)
{
    switch (op) {
        case Reduction::SUM:
        case Reduction::MEAN: return a + static_cast<double>(b);
        case Reduction::PROD: return a * static_cast<double>(b);
        case Reduction::MAX:
        case Reduction::ANY: return Larger(static_cast<float>(a), b);
        case Reduction::MIN:
        case Reduction::ALL: return Smaller(static_cast<float>(a), b);
    }
    return a;
}

// A truth is 0 or 1 (pages of ReduceAny and ReduceAll).
void CheckTruth(const Matrix &in, uint32_t index, float value)
{
    if ((in.op == Reduction::ANY || in.op == Reduction::ALL) && value != 0.0f && value != 1.0f) {
        Mistake("arg", "%s: element %u of srcTensor is %g; allowed are 0 and 1", in.name(), index, static_cast<double>(value));
    }
}

void ComputeResults(Core &core, const Matrix &in)
{
    Memory &ub = core.memory(Space::UB);
    const uint32_t size = in.size();
    std::vector<float> results(in.results());
    std::vector<bool> valid(in.results(), true);
    for (uint32_t r = 0; r < in.results(); ++r) {
        double value = 0;
        for (uint32_t t = 0; t < in.terms(); ++t) {
            const uint32_t index = in.Index(r, t);
            if (!ub.IsValid(in.src.at + index * size, size)) {
                valid[r] = false;
                continue;
            }
            const float element = Element(core, in, index);
            CheckTruth(in, index, element);
            value = t == 0 ? static_cast<double>(element) : Joined(in.op, value, element);
        }
        results[r] = static_cast<float>(in.op == Reduction::MEAN ? value / in.terms() : value);
    }
    for (uint32_t r = 0; r < in.results(); ++r) {
        uint8_t *const at = Data(core, in.dst) + r * size;
        switch (in.dst.type) {
            case Type::F16: *reinterpret_cast<half *>(at) = half::Rounded(static_cast<float>(results[r])); break;
            case Type::U8: *at = static_cast<uint8_t>(results[r]); break;
            default: *reinterpret_cast<float *>(at) = results[r]; break;
        }
        valid[r] ? ub.MarkValid(in.dst.at + r * size, size) : ub.MarkPoison(in.dst.at + r * size, size);
    }
}
} // namespace

void ReduceAxis(Reduction op, bool rows, bool reuses, const Local &dst, const Local &src, const Local *tmp, uint32_t first, uint32_t last,
    bool padded)
try {
    Core &core = EnterInstruction();
    const Matrix in{op, rows, dst, src, first, last};
    if (first == 0 || last == 0) {
        Fault("arg", "%s: srcShape is %u, %u; both axes have an element at least", in.name(), first, last);
    }
    if (!padded) {
        Mistake("arg", "%s: srcInnerPad is false; this chip takes rows that are padded to whole data blocks and reads %u elements of %u as one "
                       "of %u, so give true", in.name(), last, SizeOf(src.type), in.padded());
    }
    const uint64_t source = uint64_t(first) * in.padded() * in.size();
    const uint64_t results = uint64_t(in.results()) * in.size();
    CheckLocal(core, in.name(), "srcTensor", src, source, BLOCK);
    CheckLocal(core, in.name(), "dstTensor", dst, results, BLOCK);
    const std::string sizes = std::string("Get") + in.name() + "MaxMinTmpSize";
    const uint32_t needs = ReductionSpace(op, rows, first, last, in.size(), reuses);
    const Local space = TakeSpace(core, in.name(), sizes.c_str(), tmp, needs, needs);
    RefuseOverlap(in.name(), {"dstTensor", dst, results}, {"srcTensor", src, source});
    RefuseOverlap(in.name(), {"sharedTmpBuffer", space, space.bytes}, {"srcTensor", src, source});
    RefuseOverlap(in.name(), {"sharedTmpBuffer", space, space.bytes}, {"dstTensor", dst, results});
    const auto describe = [&](Accesses &accesses) {
        accesses.Read(src, 0, source);
        if (reuses) {
            accesses.Write(src, 0, source);
        }
        accesses.Write(dst, 0, results);
        accesses.Write(space, 0, space.bytes);
        DescribeCall(accesses, src.type,
            {{"dst", dst.at}, {"src", src.at}, {"tmp", space.at}, {"first", first}, {"last", last}, {"rows", rows}, {"reuses", reuses}});
    };
    core.pipes.Issue(core, Pipe::V, in.name(), describe, [=, &core] {
        ComputeResults(core, in);
        Memory &ub = core.memory(Space::UB);
        ub.MarkPoison(space.at, space.bytes);
        if (reuses) {
            ub.MarkPoison(src.at, static_cast<uint32_t>(source));
        }
    });
} catch (const LeftOut &) {
}
} // namespace ascendc_cpu
