// float to int32_t has no CAST_ODD.
// expect: fault arg: from float to int32_t does not round by CAST_ODD; allowed is CAST_RINT, CAST_FLOOR, CAST_CEIL, CAST_ROUND, CAST_TRUNC
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k()
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> aBuf;
    pipe.InitBuffer(aBuf, 64 * sizeof(float));
    LocalTensor<float> a = aBuf.Get<float>();
    TBuf<TPosition::VECCALC> bBuf;
    pipe.InitBuffer(bBuf, 128 * sizeof(float));
    LocalTensor<float> b = bBuf.Get<float>();
    Duplicate(a, 1.0f, 64);
    Duplicate(b, 1.0f, 128);
    TBuf<TPosition::VECCALC> nBuf;
    pipe.InitBuffer(nBuf, 256);
    Cast(nBuf.Get<int32_t>(), a, RoundMode::CAST_ODD, 64); // <-- here
}
