// In counter mode it is open whether Compare takes the register's count or its repeats.
// expect: fault arg: counter mode is on for 100 elements and repeatTime is 1; give the repeats of these elements, which is 2
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k()
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> aBuf, mBuf;
    pipe.InitBuffer(aBuf, 512);
    pipe.InitBuffer(mBuf, 32);
    LocalTensor<float> a = aBuf.Get<float>();
    Duplicate(a, 1.0f, 128);
    SetMaskCount();
    SetVectorMask<float, MaskMode::COUNTER>(0, 100);
    Compare<float, uint8_t, false>(mBuf.Get<uint8_t>(), a, a, CMPMODE::EQ, MASK_PLACEHOLDER, 1, {1, 1, 1, 8, 8, 8}); // <-- here
}
