// Shifts of signed and unsigned integers, with rounding.
#include "check.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k()
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> aBuf;
    pipe.InitBuffer(aBuf, 8 * sizeof(int32_t));
    LocalTensor<int32_t> a = aBuf.Get<int32_t>();
    TBuf<TPosition::VECCALC> bBuf;
    pipe.InitBuffer(bBuf, 8 * sizeof(int32_t));
    LocalTensor<int32_t> b = bBuf.Get<int32_t>();
    TBuf<TPosition::VECCALC> uBuf;
    pipe.InitBuffer(uBuf, 8 * sizeof(uint32_t));
    LocalTensor<uint32_t> u = uBuf.Get<uint32_t>();
    for (int i = 0; i < 8; ++i) {
        a.SetValue(i, -16 + i);
    }
    for (int i = 0; i < 8; ++i) {
        u.SetValue(i, 0x80000000u + i);
    }
    ShiftLeft(b, a, 2, 8);
    for (int i = 0; i < 8; ++i) {
        Expect(b.GetValue(i), (-16 + i) * 4, i);
    }
    ShiftRight(b, a, 2, 8);
    for (int i = 0; i < 8; ++i) {
        Expect(b.GetValue(i), (-16 + i) >> 2, i);
    }
    ShiftRight(b, a, 2, uint64_t(8), uint8_t(1), {1, 1, 8, 8}, true);
    for (int i = 0; i < 8; ++i) {
        Expect(b.GetValue(i), (-16 + i + 2) >> 2, i);
    }
    ShiftRight(u, u, 31u, 8);
    for (int i = 0; i < 8; ++i) {
        Expect(u.GetValue(i), 1u, i);
    }
}
