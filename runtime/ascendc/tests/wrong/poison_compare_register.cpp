// The compare register has no value where nothing was compared.
// expect: fault poison: element 1 has no value
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k()
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> aBuf, rBuf;
    pipe.InitBuffer(aBuf, 256);
    pipe.InitBuffer(rBuf, 128);
    LocalTensor<float> a = aBuf.Get<float>();
    Duplicate(a, 1.0f, 64);
    Compare(a, a, CMPMODE::EQ, uint64_t(8), {1, 1, 1, 8, 8, 8});
    GetCmpMask(rBuf.Get<uint8_t>());
    (void)rBuf.Get<uint8_t>().GetValue(1); // <-- here
}
