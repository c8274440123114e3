#include "ascendc/adv_select.h"

#include "advanced.h"
#include "ascendc/adv_space.h"

namespace ascendc_cpu {
namespace {
bool IsZero(const uint8_t *at, uint32_t size)
{
    uint64_t bits = 0;
    std::memcpy(&bits, at, size);
    return bits == 0;
}

void CheckShape(const AscendC::SelectWithBytesMaskShapeInfo &info, uint32_t size, uint32_t mask_size)
{
    if (info.srcLastAxis * size % BLOCK != 0 || info.maskLastAxis * mask_size % BLOCK != 0 || info.maskLastAxis % 16 != 0 ||
        info.maskLastAxis < info.srcLastAxis) {
        Fault("arg", "Select: rows of %u elements under a mask of %u: rows of both are whole data blocks, those of the mask 16 elements or a "
                     "multiple, and no shorter than those of the source", info.srcLastAxis, info.maskLastAxis);
    }
}
} // namespace

void SelectByBytes(const Local &dst, const Local &src, Scalar number, bool tensor_at_0, const Local &mask, const Local &tmp,
    const AscendC::SelectWithBytesMaskShapeInfo &info, bool reuses_mask)
{
    Core &core = Enter();
    const char *const op = "Select";
    const uint32_t size = SizeOf(src.type);
    const uint32_t mask_size = SizeOf(mask.type);
    CheckShape(info, size, mask_size);
    const uint64_t elements = uint64_t(info.firstAxis) * info.srcLastAxis;
    const uint64_t bytes = elements * size;
    const uint64_t mask_bytes = uint64_t(info.firstAxis) * info.maskLastAxis * mask_size;
    CheckLocal(core, op, "dst", dst, bytes, BLOCK);
    CheckLocal(core, op, "src", src, bytes, BLOCK);
    CheckLocal(core, op, "mask", mask, mask_bytes, BLOCK);
    const bool shortens = info.maskLastAxis != info.srcLastAxis;
    const uint32_t count = static_cast<uint32_t>(elements);
    const Local space = TakeSpace(core, op, "GetSelectMaxMinTmpSize", &tmp, SelectSpace(count, mask_size, shortens && !reuses_mask, true),
        SelectSpace(count, mask_size, shortens && !reuses_mask, false));
    if (dst.at != src.at) {
        RefuseOverlap(op, {"dst", dst, bytes}, {"src", src, bytes});
    }
    RefuseOverlap(op, {"dst", dst, bytes}, {"mask", mask, mask_bytes});
    for (const Region &other : {Region{"dst", dst, bytes}, Region{"src", src, bytes}, Region{"mask", mask, mask_bytes}}) {
        RefuseOverlap(op, {"sharedTmpBuffer", space, space.bytes}, other);
    }
    const bool gone = shortens && reuses_mask;
    const auto describe = [&](Accesses &accesses) {
        accesses.Read(src, 0, bytes);
        accesses.Read(mask, 0, mask_bytes);
        accesses.Write(dst, 0, bytes);
        accesses.Write(space, 0, space.bytes);
        if (gone) {
            accesses.Write(mask, 0, mask_bytes);
        }
    };
    core.pipes.Issue(core, Pipe::V, op, describe, [=, &core] {
        Memory &ub = core.memory(Space::UB);
        for (uint32_t i = 0; i < count; ++i) {
            const uint32_t m = mask.at + (i / info.srcLastAxis * info.maskLastAxis + i % info.srcLastAxis) * mask_size;
            const bool from_tensor = IsZero(ub.data(m), mask_size) == tensor_at_0;
            const bool known = ub.IsValid(m, mask_size) && (!from_tensor || ub.IsValid(src.at + i * size, size));
            const void *const value = from_tensor ? static_cast<const void *>(ub.data(src.at + i * size)) : &number.bits;
            std::memmove(ub.data(dst.at + i * size), value, size);
            known ? ub.MarkValid(dst.at + i * size, size) : ub.MarkPoison(dst.at + i * size, size);
        }
        if (gone) {
            ub.MarkPoison(mask.at, static_cast<uint32_t>(mask_bytes));
        }
        ub.MarkPoison(space.at, space.bytes);
    });
}
} // namespace ascendc_cpu
