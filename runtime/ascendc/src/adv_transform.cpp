#include "ascendc/adv_transform.h"

#include "core.h"

namespace ascendc_cpu {
void BroadcastAxis(const Local &dst, const Local &src, uint32_t outer, uint32_t count, uint32_t inner)
try {
    Core &core = EnterInstruction();
    const uint32_t size = SizeOf(dst.type);
    const uint64_t run = uint64_t(inner) * size;
    CheckLocal(core, "BroadCast", "dstLocal", dst, run * outer * count, BLOCK);
    CheckLocal(core, "BroadCast", "srcLocal", src, run * outer, BLOCK);
    const auto describe = [&](Accesses &accesses) {
        accesses.Read(src, 0, run * outer);
        accesses.Write(dst, 0, run * outer * count);
    };
    core.pipes.Issue(core, Pipe::V, "BroadCast", describe, [=, &core] {
        Memory &ub = core.memory(Space::UB);
        for (uint32_t o = 0; o < outer; ++o) {
            for (uint32_t c = 0; c < count; ++c) {
                for (uint32_t i = 0; i < inner; ++i) {
                    const uint32_t from = src.at + (o * inner + i) * size;
                    const uint32_t to = dst.at + ((o * count + c) * inner + i) * size;
                    std::memcpy(ub.data(to), ub.data(from), size);
                    ub.IsValid(from, size) ? ub.MarkValid(to, size) : ub.MarkPoison(to, size);
                }
            }
        }
    });
} catch (const LeftOut &) {
}

void FillGlobal(const Global &dst, uint64_t count, Scalar value)
try {
    Core &core = EnterInstruction();
    const uint32_t size = SizeOf(dst.type);
    if (CheckGlobal(core, "InitOutput", "gmWorkspaceAddr", dst.at, count * size, true) == nullptr) {
        return;
    }
    core.pipes.Issue(
        core, Pipe::MTE3, "InitOutput", [&](Accesses &accesses) { accesses.WriteGlobal(dst.at, count * size); },
        [=] {
            for (uint64_t i = 0; i < count; ++i) {
                std::memcpy(reinterpret_cast<uint8_t *>(dst.at) + i * size, &value.bits, size);
            }
            MarkGlobal(dst.at, count * size);
        });
} catch (const LeftOut &) {
}
} // namespace ascendc_cpu
