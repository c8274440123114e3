#include "ascendc/adv_softmax_grad.h"

#include "advanced.h"
#include "arithmetic.h"
#include "elementary.h"
#include "numeric.h"

#include <algorithm>

namespace ascendc_cpu {
namespace {
float Read(Core &core, const Local &tensor, uint32_t index)
{
    const uint8_t *const at = Data(core, tensor) + index * SizeOf(tensor.type);
    return tensor.type == Type::F32 ? *reinterpret_cast<const float *>(at) : float(*reinterpret_cast<const half *>(at));
}

void Write(Core &core, const Local &tensor, uint32_t index, float value)
{
    const uint32_t size = SizeOf(tensor.type);
    uint8_t *const at = Data(core, tensor) + index * size;
    if (tensor.type == Type::F32) {
        *reinterpret_cast<float *>(at) = value;
    } else {
        Narrow(reinterpret_cast<half *>(at), &value, 1, core.regs.saturate);
    }
    core.memory(Space::UB).MarkValid(tensor.at + index * size, size);
}

// A data block of one number for each row, in a tensor that there is.
void WriteBlock(Core &core, const Local &tensor, uint32_t row, float value)
{
    const uint32_t in_block = tensor.bytes > 0 ? BLOCK / SizeOf(tensor.type) : 0;
    for (uint32_t i = 0; i < in_block; ++i) {
        Write(core, tensor, row * in_block + i, value);
    }
}

struct Row {
    std::vector<float> quotients;
    float largest;
    float sum;
};
Row RowOf(Core &core, const Local &src, uint32_t first, uint32_t n)
{
    Row row{std::vector<float>(n), Read(core, src, first), 0.0f};
    for (uint32_t i = 1; i < n; ++i) {
        row.largest = Larger(row.largest, Read(core, src, first + i));
    }
    double sum = 0;
    for (uint32_t i = 0; i < n; ++i) {
        row.quotients[i] = Exp(Read(core, src, first + i) - row.largest);
        sum += row.quotients[i];
    }
    row.sum = static_cast<float>(sum);
    std::for_each(row.quotients.begin(), row.quotients.end(), [&row](float &e) { e /= row.sum; });
    return row;
}

struct Rows {
    Local dst;
    Local src;
    Local sum; // no bytes where nobody asks for it
    Local max;
    AscendC::SoftMaxShapeInfo shape;

    uint32_t size() const { return SizeOf(src.type); }
    uint64_t bytes() const { return uint64_t(shape.srcM) * shape.srcK * size(); }
    // Of a data block for each row.
    uint64_t beside() const { return uint64_t(shape.srcM) * BLOCK; }
};

void CheckShape(const char *op, const AscendC::SoftMaxShapeInfo &shape, uint32_t size)
{
    if (shape.srcM == 0 || shape.srcK == 0) {
        Fault("arg", "%s: softmaxShapeInfo is empty, and srcTensor has no shape (SetShapeInfo); the headers take none from the tiling", op);
    }
    if (shape.srcK * size % BLOCK != 0 || shape.oriSrcM > shape.srcM ||
        shape.oriSrcK > shape.srcK || shape.oriSrcK == 0) {
        Fault("arg", "%s: rows of %u elements, %u of them real, in %u rows, %u of them real: a row is whole data blocks, and what is "
                     "real is in it", op, shape.srcK, shape.oriSrcK, shape.srcM, shape.oriSrcM);
    }
}

// The temporary space; stops where operands are out of bounds or share memory that they may not.
Local Prepare(Core &core, const Rows &in, const Local *tmp, uint32_t wide)
{
    const Region dst{"dstTensor", in.dst, in.bytes()};
    const Region src{"srcTensor", in.src, in.bytes()};
    CheckLocal(core, "SoftMax", dst.name, dst.tensor, dst.bytes, BLOCK);
    CheckLocal(core, "SoftMax", src.name, src.tensor, src.bytes, BLOCK);
    const Local space = TakeSpace(core, "SoftMax", "GetSoftMaxMinTmpSize", tmp, SoftMaxSpace(1, in.shape.srcK, wide),
        SoftMaxSpace(in.shape.srcM, in.shape.srcK, wide));
    RefuseOverlap("SoftMax", {"sharedTmpBuffer", space, space.bytes}, src);
    RefuseOverlap("SoftMax", {"sharedTmpBuffer", space, space.bytes}, dst);
    if (in.dst.at != in.src.at) {
        RefuseOverlap("SoftMax", dst, src);
    }
    return space;
}

// What is padding gets no value.
void ComputeRows(Core &core, const Rows &in)
{
    Memory &ub = core.memory(Space::UB);
    const uint32_t size = in.size();
    const uint32_t real = in.shape.oriSrcK;
    for (uint32_t r = 0; r < in.shape.oriSrcM; ++r) {
        const uint32_t first = r * in.shape.srcK;
        const int64_t bad = ub.FirstPoison(in.src.at + first * size, real * size);
        if (bad >= 0) {
            PoisonIn(core, in.src, first * size, real * size, "SoftMax: srcTensor has no value at element %u",
                first + static_cast<uint32_t>(bad) / size);
        }
        const Row row = RowOf(core, in.src, first, real);
        for (uint32_t i = 0; i < real; ++i) {
            Write(core, in.dst, first + i, row.quotients[i]);
        }
        WriteBlock(core, in.sum, r, row.sum);
        WriteBlock(core, in.max, r, row.largest);
        ub.MarkPoison(in.dst.at + (first + real) * size, (in.shape.srcK - real) * size);
    }
    const uint32_t end = in.shape.oriSrcM * in.shape.srcK * size;
    ub.MarkPoison(in.dst.at + end, static_cast<uint32_t>(in.bytes()) - end);
}
} // namespace

void SoftMax(const Local &dst, const Local *sum, const Local *max, const Local &src, const Local *tmp,
    const AscendC::SoftMaxShapeInfo &shape)
try {
    Core &core = EnterInstruction();
    Rows in{dst, src, {}, {}, shape};
    CheckShape("SoftMax", shape, in.size());
    if (sum != nullptr) {
        in.sum = *sum;
        in.max = *max;
        CheckLocal(core, "SoftMax", "sumTensor", in.sum, in.beside(), BLOCK);
        CheckLocal(core, "SoftMax", "maxTensor", in.max, in.beside(), BLOCK);
    }
    const Local space = Prepare(core, in, tmp, sum != nullptr ? SizeOf(sum->type) : in.size());
    const auto describe = [&](Accesses &accesses) {
        accesses.Read(src, 0, in.bytes());
        accesses.Write(dst, 0, in.bytes());
        accesses.Write(space, 0, space.bytes);
        if (sum != nullptr) {
            accesses.Write(in.sum, 0, in.beside());
            accesses.Write(in.max, 0, in.beside());
        }
        DescribeCall(accesses, src.type,
            {{"dst", dst.at}, {"src", src.at}, {"tmp", space.at}, {"tmp_bytes", GivenSpace(core, tmp)}, {"rows", shape.srcM}, {"row", shape.srcK},
                {"rows_real", shape.oriSrcM}, {"row_real", shape.oriSrcK}, {"gives_sums", sum != nullptr}, {"sum", in.sum.at}, {"max", in.max.at},
                {"sum_size", sum != nullptr ? SizeOf(sum->type) : 0u}});
    };
    core.pipes.Issue(core, Pipe::V, "SoftMax", describe, [=, &core] {
        ComputeRows(core, in);
        core.memory(Space::UB).MarkPoison(space.at, space.bytes);
    });
} catch (const LeftOut &) {
}

namespace {
struct Grad {
    Local dst;
    Local grad;
    Local src;
    AscendC::SoftMaxShapeInfo shape;
    bool front;
};

// The padding of a row takes no part in its sum, and is computed with the others.
void ComputeGrad(Core &core, const Grad &in)
{
    Memory &ub = core.memory(Space::UB);
    const uint32_t size = SizeOf(in.src.type);
    const auto known = [&](const Local &tensor, uint32_t first, uint32_t n) { return ub.FirstPoison(tensor.at + first * size, n * size) < 0; };
    const uint32_t k = in.shape.srcK;
    for (uint32_t r = 0; r < in.shape.srcM; ++r) {
        const uint32_t first = r * k;
        double sum = 0;
        for (uint32_t i = first; i < first + in.shape.oriSrcK; ++i) {
            sum += static_cast<double>(Read(core, in.grad, i)) * static_cast<double>(Read(core, in.src, i));
        }
        const bool summed = known(in.grad, first, in.shape.oriSrcK) && known(in.src, first, in.shape.oriSrcK);
        if (in.front) {
            WriteBlock(core, in.dst, r, static_cast<float>(sum));
            if (!summed) {
                ub.MarkPoison(in.dst.at + r * BLOCK, BLOCK);
            }
            continue;
        }
        for (uint32_t i = first; i < first + k; ++i) {
            const bool valid = summed && known(in.grad, i, 1) && known(in.src, i, 1);
            const double part = static_cast<double>(Read(core, in.grad, i)) - sum;
            Write(core, in.dst, i, static_cast<float>(part * static_cast<double>(Read(core, in.src, i))));
            if (!valid) {
                ub.MarkPoison(in.dst.at + i * size, size);
            }
        }
    }
}
} // namespace

void SoftMaxGrad(const char *op, const Local &dst, const Local &grad, const Local &src, const Local *tmp, bool front,
    const AscendC::SoftMaxShapeInfo &shape)
try {
    Core &core = EnterInstruction();
    const uint32_t size = SizeOf(src.type);
    CheckShape(op, shape, size);
    const uint64_t bytes = uint64_t(shape.srcM) * shape.srcK * size;
    const Region to{"dstTensor", dst, front ? uint64_t(shape.srcM) * BLOCK : bytes};
    const Region sources[] = {{"gradTensor", grad, bytes}, {"srcTensor", src, bytes}};
    CheckLocal(core, op, to.name, dst, to.bytes, BLOCK);
    const Local space = TakeSpace(core, op, "GetSoftMaxGradMinTmpSize", tmp, SoftMaxGradSpace(1, shape.srcK, size, front),
        SoftMaxGradSpace(shape.srcM, shape.srcK, size, front));
    RefuseOverlap(op, {"sharedTmpBuffer", space, space.bytes}, to);
    for (const Region &from : sources) {
        CheckLocal(core, op, from.name, from.tensor, from.bytes, BLOCK);
        RefuseOverlap(op, {"sharedTmpBuffer", space, space.bytes}, from);
        if (from.tensor.at != dst.at) {
            RefuseOverlap(op, to, from);
        }
    }
    const auto describe = [&](Accesses &accesses) {
        accesses.Read(grad, 0, bytes);
        accesses.Read(src, 0, bytes);
        accesses.Write(dst, 0, to.bytes);
        accesses.Write(space, 0, space.bytes);
        DescribeCall(accesses, src.type,
            {{"dst", dst.at}, {"grad", grad.at}, {"src", src.at}, {"tmp", space.at}, {"tmp_bytes", GivenSpace(core, tmp)}, {"rows", shape.srcM},
                {"row", shape.srcK}, {"row_real", shape.oriSrcK}, {"front", front}});
    };
    const Grad in{dst, grad, src, shape, front};
    core.pipes.Issue(core, Pipe::V, op, describe, [=, &core] {
        ComputeGrad(core, in);
        core.memory(Space::UB).MarkPoison(space.at, space.bytes);
    });
} catch (const LeftOut &) {
}
} // namespace ascendc_cpu
