#include "ascendc/vec_transpose.h"

#include "core.h"

namespace ascendc_cpu {
namespace {
// Moves an element with its validity.
void Move(Memory &to, uint32_t at, const uint8_t *from, bool valid, uint32_t size)
{
    std::memcpy(to.data(at), from, size);
    valid ? to.MarkValid(at, size) : to.MarkPoison(at, size);
}

void TransposeSquare(Core &core, const Local &dst, const Local &src)
{
    constexpr uint32_t SIDE = 16;
    constexpr uint32_t BYTES = SIDE * SIDE * 2;
    CheckLocal(core, "Transpose", "dst", dst, BYTES, BLOCK);
    CheckLocal(core, "Transpose", "src", src, BYTES, BLOCK);
    const auto describe = [&](Accesses &accesses) {
        accesses.Read(src, 0, BYTES);
        accesses.Write(dst, 0, BYTES);
    };
    core.pipes.Issue(core, Pipe::V, "Transpose", describe, [=, &core] {
        Memory &ub = core.memory(Space::UB);
        uint8_t bytes[BYTES];
        bool valid[SIDE * SIDE];
        std::memcpy(bytes, ub.data(src.at), BYTES);
        for (uint32_t i = 0; i < SIDE * SIDE; ++i) {
            valid[i] = ub.IsValid(src.at + i * 2, 2);
        }
        for (uint32_t i = 0; i < SIDE * SIDE; ++i) {
            const uint32_t from = i % SIDE * SIDE + i / SIDE;
            Move(ub, dst.at + i * 2, bytes + from * 2, valid[from], 2);
        }
    });
}
} // namespace

void Transpose16(const Local &dst, const Local &src)
try {
    TransposeSquare(EnterInstruction(), dst, src);
} catch (const LeftOut &) {
}

void TransposeAxes(const Local &dst, const Local &src, const Local &work, const AscendC::TransposeParamsExt &p)
try {
    using AscendC::TransposeType;
    Core &core = EnterInstruction();
    if (p.transposeType == TransposeType::TRANSPOSE_TYPE_NONE) {
        return;
    }
    if (p.transposeType == TransposeType::TRANSPOSE_ND2ND_B16) {
        if (src.type != Type::U16 || p.hSize != 16 || p.wSize != 16) {
            Fault("arg", "Transpose: TRANSPOSE_ND2ND_B16 takes uint16_t with hSize and wSize of 16, not %s, %u and %u", NameOf(src.type),
                p.hSize, p.wSize);
        }
        TransposeSquare(core, dst, src);
        return;
    }
    const bool to_nhwc = p.transposeType == TransposeType::TRANSPOSE_NCHW2NHWC;
    if (!to_nhwc && p.transposeType != TransposeType::TRANSPOSE_NHWC2NCHW) {
        Fault("arg", "Transpose: transposeType %d is none that the toolkit supports; there are TRANSPOSE_ND2ND_B16, TRANSPOSE_NCHW2NHWC "
                     "and TRANSPOSE_NHWC2NCHW", static_cast<int>(p.transposeType));
    }
    const uint32_t size = SizeOf(src.type);
    const uint32_t plane = uint32_t(p.hSize) * p.wSize;
    const uint32_t channels = p.cSize;
    // One channel is a copy, which has neither limits nor temporary space (kernel_operator_vec_transpose_intf_impl.h).
    const bool copies = channels == 1;
    if (!copies && (channels > 4095 || plane > 4095 || plane * size % BLOCK != 0)) {
        Fault("arg", "Transpose: cSize is %u, hSize * wSize %u; each is at most 4095, and hSize * wSize elements are whole data blocks",
            channels, plane);
    }
    const uint64_t elements = uint64_t(p.nSize) * channels * plane;
    if (elements == 0) {
        return;
    }
    const uint64_t bytes = elements * size;
    if (copies && bytes % BLOCK != 0) {
        Fault("arg", "Transpose: one channel is copied by whole data blocks, and %llu bytes are none", static_cast<unsigned long long>(bytes));
    }
    CheckLocal(core, "Transpose", "dst", dst, bytes, BLOCK);
    CheckLocal(core, "Transpose", "src", src, bytes, BLOCK);
    if (dst.at < src.at + bytes && src.at < dst.at + bytes) {
        Mistake("overlap", "Transpose: dst and src share memory; NCHW and NHWC are not exchanged in place");
    }
    // Rows of h0 elements and columns of w0 (Transpose page, table of sharedTmpBuffer); the inference products need none.
    const uint64_t unit = (size == 1 ? 32 : 16) * BLOCK;
    const uint64_t work_bytes = config().arch == 2002 || copies ? 0 : (to_nhwc ? channels + 2 : 2 * channels + 1) * unit;
    if (work_bytes > 0) {
        CheckLocal(core, "Transpose", "sharedTmpBuffer", work, work_bytes, BLOCK);
    }
    const auto describe = [&](Accesses &accesses) {
        accesses.Read(src, 0, bytes);
        accesses.Write(dst, 0, bytes);
        accesses.Write(work, 0, work_bytes);
    };
    core.pipes.Issue(core, Pipe::V, "Transpose", describe, [=, &core] {
        Memory &ub = core.memory(Space::UB);
        const uint32_t rows = to_nhwc ? channels : plane;
        const uint32_t columns = to_nhwc ? plane : channels;
        for (uint32_t i = 0; i < elements; ++i) {
            const uint32_t image = i / (rows * columns) * (rows * columns);
            const uint32_t row = i % (rows * columns) / columns;
            const uint32_t from = src.at + i * size;
            const uint32_t to = dst.at + (image + i % columns * rows + row) * size;
            Move(ub, to, ub.data(from), ub.IsValid(from, size), size);
        }
        ub.MarkPoison(work.at, static_cast<uint32_t>(work_bytes));
    });
} catch (const LeftOut &) {
}

void TransposeRows(const Local (&dst)[16], const Local (&src)[16], const AscendC::TransDataTo5HDParams &p)
try {
    Core &core = EnterInstruction();
    if (p.repeatTimes == 0) {
        return;
    }
    struct Rows {
        Local dst[16];
        Local src[16];
    } rows;
    // Where a repeat begins behind the addresses.
    const uint32_t first = p.repeatTimes == 1 ? 1 : 0;
    const uint32_t last = p.repeatTimes == 1 ? 1 : p.repeatTimes - 1;
    for (int i = 0; i < 16; ++i) {
        CheckLocal(core, "TransDataTo5HD", "an entry of dstList", dst[i], uint64_t(BLOCK) * (last * p.dstRepStride + 1), BLOCK);
        CheckLocal(core, "TransDataTo5HD", "an entry of srcList", src[i], uint64_t(BLOCK) * (last * p.srcRepStride + 1), BLOCK);
        rows.dst[i] = dst[i];
        rows.src[i] = src[i];
    }
    const uint32_t size = SizeOf(src[0].type);
    if (size != 1 && (p.dstHighHalf || p.srcHighHalf)) {
        Mistake("arg", "TransDataTo5HD: dstHighHalf and srcHighHalf are of int8_t and uint8_t; of %s whole data blocks are taken, so leave them "
                       "false", NameOf(src[0].type));
    }
    // What is taken of a data block, and where it begins: half of it for elements of 8 bits.
    const uint32_t taken = size == 1 ? BLOCK / 2 : BLOCK;
    const uint32_t to_half = size == 1 && p.dstHighHalf ? BLOCK / 2 : 0;
    const uint32_t from_half = size == 1 && p.srcHighHalf ? BLOCK / 2 : 0;
    const auto describe = [&](Accesses &accesses) {
        if (accesses.recorded) {
            // Its blocks lie where the caller will; a record has the distance of the first two.
            accesses.Stride(dst[0], (dst[1].at - dst[0].at) / BLOCK, p.dstRepStride, true);
            accesses.Stride(src[0], (src[1].at - src[0].at) / BLOCK, p.srcRepStride, false);
            accesses.repeats = last - first + 1;
            return;
        }
        for (uint32_t r = first; r <= last; ++r) {
            for (int i = 0; i < 16; ++i) {
                accesses.Read(src[i], uint64_t(r) * p.srcRepStride * BLOCK + from_half, taken);
                accesses.Write(dst[i], uint64_t(r) * p.dstRepStride * BLOCK + to_half, taken);
            }
        }
    };
    core.pipes.Issue(core, Pipe::V, "TransDataTo5HD", describe, [=, &core] {
        Memory &ub = core.memory(Space::UB);
        const uint32_t columns = taken / size;
        for (uint32_t r = first; r <= last; ++r) {
            uint8_t bytes[16][BLOCK];
            bool valid[16][16];
            for (int i = 0; i < 16; ++i) {
                const uint32_t at = rows.src[i].at + r * p.srcRepStride * BLOCK + from_half;
                std::memcpy(bytes[i], ub.data(at), taken);
                for (uint32_t c = 0; c < columns; ++c) {
                    valid[i][c] = ub.IsValid(at + c * size, size);
                }
            }
            // Column c has 16 elements: one data block of 16-bit ones, two of 32-bit ones, half of one of 8-bit ones.
            for (uint32_t c = 0; c < columns; ++c) {
                for (uint32_t i = 0; i < 16; ++i) {
                    const uint32_t element = c * 16 + i;
                    const uint32_t at = rows.dst[element / columns].at + r * p.dstRepStride * BLOCK + to_half + element % columns * size;
                    Move(ub, at, bytes[i] + c * size, valid[i][c], size);
                }
            }
        }
    });
} catch (const LeftOut &) {
}
} // namespace ascendc_cpu
