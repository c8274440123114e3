// ReduceMax is given its source to work in.
// gm x: float[64] = iota
// gm y: float[1] out
// expect: fault overlap: ReduceMax: sharedTmpBuffer and src share memory; they must be apart
// expect y: 63
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void largest(GM_ADDR x, GM_ADDR y)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> inX;
    TQue<TPosition::VECOUT, 1> outY;
    TBuf<TPosition::VECCALC> workBuf;
    pipe.InitBuffer(inX, 1, 64 * sizeof(float));
    pipe.InitBuffer(outY, 1, 32);
    pipe.InitBuffer(workBuf, 64);
    GlobalTensor<float> gx, gy;
    gx.SetGlobalBuffer((__gm__ float *)x, 64);
    gy.SetGlobalBuffer((__gm__ float *)y, 1);
    LocalTensor<float> a = inX.AllocTensor<float>();
    DataCopy(a, gx, 64);
    inX.EnQue(a);
    a = inX.DeQue<float>();
    LocalTensor<float> b = outY.AllocTensor<float>(), work = workBuf.Get<float>();
    ReduceMax(b, a, a, 64); //- <-- here
    //+ ReduceMax(b, a, work, 64);
    inX.FreeTensor(a);
    outY.EnQue(b);
    b = outY.DeQue<float>();
    DataCopyPad(gy, b, {1, sizeof(float), 0, 0, 0});
    outY.FreeTensor(b);
    (void)work;
}
