// int32_t is compared for equality only.
// expect: fault arg: int32_t is compared with CMPMODE::EQ only
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k()
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> nBuf;
    pipe.InitBuffer(nBuf, 64 * sizeof(int32_t));
    LocalTensor<int32_t> n = nBuf.Get<int32_t>();
    TBuf<TPosition::VECCALC> mBuf;
    pipe.InitBuffer(mBuf, 32 * sizeof(uint8_t));
    LocalTensor<uint8_t> m = mBuf.Get<uint8_t>();
    Duplicate(n, 1, 64);
    Compare(m, n, n, CMPMODE::LT, 64); // <-- here
}
