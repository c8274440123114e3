// Compare to a tensor computes whole repeats whatever its mask; Compare to the register does not look at lanes that are off.
#include "check.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k()
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> aBuf, bBuf, mBuf, rBuf;
    pipe.InitBuffer(aBuf, 512);
    pipe.InitBuffer(bBuf, 512);
    pipe.InitBuffer(mBuf, 32);
    pipe.InitBuffer(rBuf, 128);
    LocalTensor<float> a = aBuf.Get<float>(), b = bBuf.Get<float>();
    LocalTensor<uint8_t> m = mBuf.Get<uint8_t>(), r = rBuf.Get<uint8_t>();
    CreateVecIndex(a, 0.0f, 128);
    Duplicate(b, 100.0f, 128);
    const BinaryRepeatParams p{1, 1, 1, 8, 8, 8};
    Compare(m, a, b, CMPMODE::LT, uint64_t(3), uint8_t(2), p);
    Expect(m.GetValue(7), 0xff);
    Expect(m.GetValue(12), 0x0f);
    uint64_t bits[2] = {1, 0};
    Compare(m, a, b, CMPMODE::GE, bits, uint8_t(2), p);
    Expect(m.GetValue(7), 0);
    Expect(m.GetValue(12), 0xf0);
    Compare<float, uint8_t, false>(m, a, b, CMPMODE::LT, MASK_PLACEHOLDER, uint8_t(2), p);
    Expect(m.GetValue(12), 0x0f);
    SetMaskCount();
    SetVectorMask<float, MaskMode::COUNTER>(0, 100);
    Compare<float, uint8_t, false>(m, a, b, CMPMODE::GE, MASK_PLACEHOLDER, uint8_t(2), p);
    SetMaskNorm();
    ResetMask();
    Expect(m.GetValue(7), 0);

    LocalTensor<float> few = bBuf.Get<float>()[64]; // values in eight lanes only
    TBuf<TPosition::VECCALC> poor;
    pipe.InitBuffer(poor, 256);
    LocalTensor<float> x = poor.Get<float>();
    Duplicate(x, 1.0f, 8);
    Compare(x, few, CMPMODE::LT, uint64_t(8), p);
    GetCmpMask(r);
    Expect(r.GetValue(0), 0xff);
}
