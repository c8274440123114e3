#include "ascendc/data_copy.h"

#include "core.h"

namespace ascendc_cpu {
// Contiguous copies of whole data blocks: what is over is left out, silently (DataCopy, count form).
void CopyIn(const Local &dst, const Global &src, uint64_t count)
{
    Core &core = Enter();
    const uint64_t bytes = count / BLOCK * BLOCK;
    CheckLocal(core, "DataCopy", "dst", dst, bytes, BLOCK);
    const uint8_t *const from = CheckGlobal(core, "DataCopy", "src", src.at, bytes, false);
    if (from == nullptr) {
        return;
    }
    const auto describe = [&](Accesses &accesses) {
        accesses.ReadGlobal(src.at, bytes);
        accesses.Write(dst, 0, bytes);
    };
    core.pipes.Issue(core, Pipe::MTE2, "DataCopy", describe, [&core, dst, from, bytes] {
        std::memcpy(Data(core, dst), from, bytes);
        core.memory(dst.space).MarkValid(dst.at, static_cast<uint32_t>(bytes));
    });
}

void CopyOut(const Global &dst, const Local &src, uint64_t count)
{
    Core &core = Enter();
    const uint64_t bytes = count / BLOCK * BLOCK;
    CheckLocal(core, "DataCopy", "src", src, bytes, BLOCK);
    uint8_t *const to = CheckGlobal(core, "DataCopy", "dst", dst.at, bytes, true);
    if (to == nullptr) {
        return;
    }
    const auto describe = [&](Accesses &accesses) {
        accesses.Read(src, 0, bytes);
        accesses.WriteGlobal(dst.at, bytes, false);
    };
    core.pipes.Issue(core, Pipe::MTE3, "DataCopy", describe, [&core, src, to, bytes] {
        const int64_t poison = core.memory(src.space).FirstPoison(src.at, static_cast<uint32_t>(bytes));
        if (poison >= 0) {
            Fault("poison", "DataCopy: src has no value at byte %lld: nothing was written there, or only the filler of a copy",
                static_cast<long long>(poison));
        }
        std::memcpy(to, Data(core, src), bytes);
    });
}
} // namespace ascendc_cpu
