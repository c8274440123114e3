#include "ascendc/adv_softmax.h"

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

// A data block of one number for each row.
void WriteBlock(Core &core, const Local *tensor, uint32_t row, float value)
{
    const uint32_t in_block = tensor != nullptr ? BLOCK / SizeOf(tensor->type) : 0;
    for (uint32_t i = 0; i < in_block; ++i) {
        Write(core, *tensor, row * in_block + i, value);
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
} // namespace

void SoftMax(const Local &dst, const Local *sum, const Local *max, const Local &src, const Local *tmp,
    const AscendC::SoftMaxShapeInfo &shape)
{
    Core &core = Enter();
    const char *const op = "SoftMax";
    const uint32_t size = SizeOf(src.type);
    const uint64_t bytes = uint64_t(shape.srcM) * shape.srcK * size;
    if (bytes == 0 || shape.srcK * size % BLOCK != 0 || shape.oriSrcM > shape.srcM || shape.oriSrcK > shape.srcK || shape.oriSrcK == 0) {
        Fault("arg", "%s: rows of %u elements, %u of them real, in %u rows, %u of them real: a row is whole data blocks, and what is real "
                     "is in it", op, shape.srcK, shape.oriSrcK, shape.srcM, shape.oriSrcM);
    }
    CheckLocal(core, op, "dstTensor", dst, bytes, BLOCK);
    CheckLocal(core, op, "srcTensor", src, bytes, BLOCK);
    for (const auto &[name, tensor] : {std::pair("sumTensor", sum), std::pair("maxTensor", max)}) {
        if (tensor != nullptr) {
            CheckLocal(core, op, name, *tensor, uint64_t(shape.srcM) * BLOCK, BLOCK);
        }
    }
    const uint32_t wide = sum != nullptr ? SizeOf(sum->type) : size;
    const Local space = TakeSpace(core, op, "GetSoftMaxMinTmpSize", tmp, SoftMaxSpace(1, shape.srcK, wide),
        SoftMaxSpace(shape.srcM, shape.srcK, wide));
    RefuseOverlap(op, {"sharedTmpBuffer", space, space.bytes}, {"srcTensor", src, bytes});
    RefuseOverlap(op, {"sharedTmpBuffer", space, space.bytes}, {"dstTensor", dst, bytes});
    if (dst.at != src.at) {
        RefuseOverlap(op, {"dstTensor", dst, bytes}, {"srcTensor", src, bytes});
    }
    const auto describe = [&](Accesses &accesses) {
        accesses.Read(src, 0, bytes);
        accesses.Write(dst, 0, bytes);
        accesses.Write(space, 0, space.bytes);
        for (const Local *tensor : {sum, max}) {
            if (tensor != nullptr) {
                accesses.Write(*tensor, 0, uint64_t(shape.srcM) * BLOCK);
            }
        }
    };
    const Local sums = sum != nullptr ? *sum : Local{};
    const Local largest = max != nullptr ? *max : Local{};
    const bool has_sum = sum != nullptr;
    const bool has_max = max != nullptr;
    core.pipes.Issue(core, Pipe::V, op, describe, [=, &core] {
        Memory &ub = core.memory(Space::UB);
        for (uint32_t r = 0; r < shape.oriSrcM; ++r) {
            const uint32_t first = r * shape.srcK;
            const int64_t bad = ub.FirstPoison(src.at + first * size, shape.oriSrcK * size);
            if (bad >= 0) {
                Poison("%s: srcTensor has no value at element %u: nothing was written there, or only the filler of a copy", op,
                    first + static_cast<uint32_t>(bad) / size);
            }
            const Row row = RowOf(core, src, first, shape.oriSrcK);
            for (uint32_t i = 0; i < shape.oriSrcK; ++i) {
                Write(core, dst, first + i, row.quotients[i]);
            }
            WriteBlock(core, has_sum ? &sums : nullptr, r, row.sum);
            WriteBlock(core, has_max ? &largest : nullptr, r, row.largest);
            ub.MarkPoison(dst.at + (first + shape.oriSrcK) * size, (shape.srcK - shape.oriSrcK) * size);
        }
        const uint32_t real = shape.oriSrcM * shape.srcK * size;
        ub.MarkPoison(dst.at + real, static_cast<uint32_t>(bytes) - real);
        ub.MarkPoison(space.at, space.bytes);
    });
}
} // namespace ascendc_cpu
