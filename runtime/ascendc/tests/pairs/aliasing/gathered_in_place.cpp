// Gather writes over the tensor from which it still reads.
// gm x: float[64] = iota
// gm y: float[64] out
// expect: fault overlap: Gather: dst and src share memory; they must be apart
// expect y: 63 62 61 60
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void reversed(GM_ADDR x, GM_ADDR y)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> inX;
    TQue<TPosition::VECOUT, 1> outY;
    TBuf<TPosition::VECCALC> offsetBuf;
    pipe.InitBuffer(inX, 1, 64 * sizeof(float));
    pipe.InitBuffer(outY, 1, 64 * sizeof(float));
    pipe.InitBuffer(offsetBuf, 64 * sizeof(int32_t));
    GlobalTensor<float> gx, gy;
    gx.SetGlobalBuffer((__gm__ float *)x, 64);
    gy.SetGlobalBuffer((__gm__ float *)y, 64);
    LocalTensor<int32_t> offsets = offsetBuf.Get<int32_t>();
    ArithProgression(offsets, int32_t(63 * sizeof(float)), -int32_t(sizeof(float)), 64);
    LocalTensor<float> a = inX.AllocTensor<float>();
    DataCopy(a, gx, 64);
    inX.EnQue(a);
    a = inX.DeQue<float>();
    LocalTensor<float> b = outY.AllocTensor<float>();
    Adds(b, a, 0.0f, 64); //-
    Gather(b, b, offsets.ReinterpretCast<uint32_t>(), 0, 64); //- <-- here
    //+ Gather(b, a, offsets.ReinterpretCast<uint32_t>(), 0, 64);
    inX.FreeTensor(a);
    outY.EnQue(b);
    b = outY.DeQue<float>();
    DataCopy(gy, b, 64);
    outY.FreeTensor(b);
}
