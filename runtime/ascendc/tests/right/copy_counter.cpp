// Copy in counter mode: the mask is the number of elements of a repeat, more than 256 bytes of them here.
#include "check.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k()
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> fromBuf, toBuf;
    pipe.InitBuffer(fromBuf, 18 * 8 * 32);
    pipe.InitBuffer(toBuf, 18 * 32);
    LocalTensor<int32_t> from = fromBuf.Get<int32_t>();
    LocalTensor<int32_t> to = toBuf.Get<int32_t>();
    CreateVecIndex(from, int32_t(0), 18 * 64);
    Duplicate(to, int32_t(-1), 144);
    // The first block of each of 18 rows of 8 blocks.
    SetMaskCount();
    SetVectorMask<int32_t, MaskMode::COUNTER>(140);
    Copy<int32_t, false>(to, from, MASK_PLACEHOLDER, 1, {1, 8, 8, 8});
    ResetMask();
    SetMaskNorm();
    for (int32_t i = 0; i < 144; ++i) {
        Expect(to.GetValue(i), i < 140 ? i / 8 * 64 + i % 8 : -1, i);
    }
}
