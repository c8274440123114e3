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

struct Selection {
    Local dst;
    Local src;
    Local mask;
    Scalar number;
    bool tensor_at_0;
    AscendC::SelectWithBytesMaskShapeInfo info;

    uint32_t size() const { return SizeOf(src.type); }
    uint32_t mask_size() const { return SizeOf(mask.type); }
    uint64_t bytes() const { return uint64_t(info.firstAxis) * info.srcLastAxis * size(); }
    uint64_t mask_bytes() const { return uint64_t(info.firstAxis) * info.maskLastAxis * mask_size(); }
    // Once the bytes are known to be in UB.
    uint32_t count() const { return info.firstAxis * info.srcLastAxis; }
};

// The temporary space; stops where operands are out of bounds or share memory that they may not.
Local Prepare(Core &core, const Selection &in, const Local &tmp, bool copies_mask)
{
    const Region dst{"dst", in.dst, in.bytes()};
    const Region src{"src", in.src, in.bytes()};
    const Region mask{"mask", in.mask, in.mask_bytes()};
    for (const Region &region : {dst, src, mask}) {
        CheckLocal(core, "Select", region.name, region.tensor, region.bytes, BLOCK);
    }
    const Local space = TakeSpace(core, "Select", "GetSelectMaxMinTmpSize", &tmp, SelectSpace(in.count(), in.mask_size(), copies_mask, true),
        SelectSpace(in.count(), in.mask_size(), copies_mask, false));
    for (const Region &region : {dst, src, mask}) {
        RefuseOverlap("Select", {"sharedTmpBuffer", space, space.bytes}, region);
    }
    RefuseOverlap("Select", dst, mask);
    if (in.dst.at != in.src.at) {
        RefuseOverlap("Select", dst, src);
    }
    return space;
}

void Choose(Memory &ub, const Selection &in)
{
    const uint32_t size = in.size();
    const uint32_t row = in.info.srcLastAxis;
    for (uint32_t i = 0; i < in.count(); ++i) {
        const uint32_t mask = in.mask.at + (i / row * in.info.maskLastAxis + i % row) * in.mask_size();
        const uint32_t from = in.src.at + i * size;
        const uint32_t to = in.dst.at + i * size;
        const bool takes_tensor = IsZero(ub.data(mask), in.mask_size()) == in.tensor_at_0;
        const bool known = ub.IsValid(mask, in.mask_size()) && (!takes_tensor || ub.IsValid(from, size));
        std::memmove(ub.data(to), takes_tensor ? static_cast<const void *>(ub.data(from)) : &in.number.bits, size);
        known ? ub.MarkValid(to, size) : ub.MarkPoison(to, size);
    }
}
} // namespace

void SelectByBytes(const Local &dst, const Local &src, Scalar number, bool tensor_at_0, const Local &mask, const Local &tmp,
    const AscendC::SelectWithBytesMaskShapeInfo &info, bool reuses_mask)
try {
    Core &core = EnterInstruction();
    const Selection in{dst, src, mask, number, tensor_at_0, info};
    CheckShape(info, in.size(), in.mask_size());
    const bool shortens = info.maskLastAxis != info.srcLastAxis;
    const Local space = Prepare(core, in, tmp, shortens && !reuses_mask);
    const bool gone = shortens && reuses_mask;
    const auto describe = [&](Accesses &accesses) {
        accesses.Read(src, 0, in.bytes());
        accesses.Read(mask, 0, in.mask_bytes());
        accesses.Write(dst, 0, in.bytes());
        accesses.Write(space, 0, space.bytes);
        if (gone) {
            accesses.Write(mask, 0, in.mask_bytes());
        }
        DescribeCall(accesses, src.type,
            {{"dst", dst.at}, {"src", src.at}, {"mask", mask.at}, {"mask_size", in.mask_size()}, {"tmp", tmp.at}, {"tmp_bytes", tmp.bytes},
                {"rows", info.firstAxis}, {"row", info.srcLastAxis}, {"mask_row", info.maskLastAxis}, {"reuses", reuses_mask},
                {"elements", src.bytes / in.size()}});
    };
    core.pipes.Issue(core, Pipe::V, "Select", describe, [=, &core] {
        Memory &ub = core.memory(Space::UB);
        Choose(ub, in);
        ub.MarkPoison(space.at, space.bytes);
        if (gone) {
            ub.MarkPoison(mask.at, static_cast<uint32_t>(in.mask_bytes()));
        }
    });
} catch (const LeftOut &) {
}
} // namespace ascendc_cpu
