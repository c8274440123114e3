#include "ascendc/adv_reduce.h"

#include "advanced.h"

namespace ascendc_cpu {
bool CheckRows(const char *op, const char *sizes, const Local &dst, const Local &src, const Local &tmp, bool given,
    const AscendC::SumParams &rows, uint32_t least)
try {
    Core &core = EnterInstruction();
    const uint32_t size = SizeOf(src.type);
    const uint32_t inner = AlignedTo(rows.n * size, BLOCK) / size;
    if (rows.n == 0 || rows.outter == 0 || rows.inner != inner) {
        Fault("arg", "%s: outter is %u, n is %u and inner %u: there is a row, it has an element, and inner is n up to whole data blocks, which "
                     "is %u", op, rows.outter, rows.n, rows.inner, inner);
    }
    const uint64_t source = uint64_t(rows.outter) * rows.inner * size;
    const uint64_t results = AlignedTo(rows.outter * size, BLOCK);
    CheckLocal(core, op, "srcTensor", src, source, BLOCK);
    CheckLocal(core, op, "dstTensor", dst, results, BLOCK);
    const Local space = TakeSpace(core, op, sizes, given ? &tmp : nullptr, least, least);
    RefuseOverlap(op, {"dstTensor", dst, results}, {"srcTensor", src, source});
    RefuseOverlap(op, {"sharedTmpBuffer", space, space.bytes}, {"srcTensor", src, source});
    RefuseOverlap(op, {"sharedTmpBuffer", space, space.bytes}, {"dstTensor", dst, results});
    return true;
} catch (const LeftOut &) {
    return false;
}
} // namespace ascendc_cpu
