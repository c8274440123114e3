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
} // namespace

void Transpose16(const Local &dst, const Local &src)
{
    Core &core = Enter();
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

void TransposeRows(const Local (&dst)[16], const Local (&src)[16], uint32_t repeat, uint32_t dst_step, uint32_t src_step)
{
    Core &core = Enter();
    if (repeat == 0) {
        return;
    }
    struct Rows {
        Local dst[16];
        Local src[16];
    } rows;
    for (int i = 0; i < 16; ++i) {
        CheckLocal(core, "TransDataTo5HD", "an entry of dstList", dst[i], uint64_t(BLOCK) * ((repeat - 1) * dst_step + 1), BLOCK);
        CheckLocal(core, "TransDataTo5HD", "an entry of srcList", src[i], uint64_t(BLOCK) * ((repeat - 1) * src_step + 1), BLOCK);
        rows.dst[i] = dst[i];
        rows.src[i] = src[i];
    }
    const auto describe = [&](Accesses &accesses) {
        for (uint32_t r = 0; r < repeat; ++r) {
            for (int i = 0; i < 16; ++i) {
                accesses.Read(src[i], uint64_t(r) * src_step * BLOCK, BLOCK);
                accesses.Write(dst[i], uint64_t(r) * dst_step * BLOCK, BLOCK);
            }
        }
    };
    core.pipes.Issue(core, Pipe::V, "TransDataTo5HD", describe, [=, &core] {
        Memory &ub = core.memory(Space::UB);
        const uint32_t size = SizeOf(rows.src[0].type);
        const uint32_t columns = BLOCK / size;
        for (uint32_t r = 0; r < repeat; ++r) {
            uint8_t bytes[16][BLOCK];
            bool valid[16][16];
            for (int i = 0; i < 16; ++i) {
                const uint32_t at = rows.src[i].at + r * src_step * BLOCK;
                std::memcpy(bytes[i], ub.data(at), BLOCK);
                for (uint32_t c = 0; c < columns; ++c) {
                    valid[i][c] = ub.IsValid(at + c * size, size);
                }
            }
            // Column c has 16 elements: one data block of 16-bit ones, two of 32-bit ones.
            for (uint32_t c = 0; c < columns; ++c) {
                for (uint32_t i = 0; i < 16; ++i) {
                    const uint32_t element = c * 16 + i;
                    const uint32_t at = rows.dst[element / columns].at + r * dst_step * BLOCK + element % columns * size;
                    Move(ub, at, bytes[i] + c * size, valid[i][c], size);
                }
            }
        }
    });
}
} // namespace ascendc_cpu
