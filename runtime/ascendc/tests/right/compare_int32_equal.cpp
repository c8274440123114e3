// int32_t is compared for equality.
#include "check.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k()
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> aBuf;
    pipe.InitBuffer(aBuf, 64 * sizeof(int32_t));
    LocalTensor<int32_t> a = aBuf.Get<int32_t>();
    TBuf<TPosition::VECCALC> bBuf;
    pipe.InitBuffer(bBuf, 64 * sizeof(int32_t));
    LocalTensor<int32_t> b = bBuf.Get<int32_t>();
    TBuf<TPosition::VECCALC> mBuf;
    pipe.InitBuffer(mBuf, 32 * sizeof(uint8_t));
    LocalTensor<uint8_t> m = mBuf.Get<uint8_t>();
    for (int i = 0; i < 64; ++i) {
        a.SetValue(i, i);
    }
    for (int i = 0; i < 64; ++i) {
        b.SetValue(i, i - i % 2);
    }
    Compare(m, a, b, CMPMODE::EQ, 64);
    Expect(m.GetValue(0), 0x55);
    Expect(m.GetValue(7), 0x55);
}
