// ReduceMax sets masks by bits for its rounds.
// expect: fault arg: ReduceMax: sets masks by bits, which counter mode reads as numbers; call SetMaskNorm before
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k()
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> xBuf, dBuf;
    pipe.InitBuffer(xBuf, 512);
    pipe.InitBuffer(dBuf, 512);
    LocalTensor<float> x = xBuf.Get<float>(), d = dBuf.Get<float>();
    Duplicate(x, 1.0f, 128);
    Duplicate(d, 1.0f, 128);
    SetMaskCount();
    ReduceMax(d, x, d[64], 64); // <-- here
}
