// GatherMask packs a tensor into itself, behind its first 64 elements.
// gm x: float[128] = iota
// gm y: float[64] out
// expect: fault overlap: GatherMask: reads from src0 what it has written to dst
// expect y: 0 2 4 6 8
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void even(GM_ADDR x, GM_ADDR y)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> inX;
    TQue<TPosition::VECOUT, 1> outY;
    pipe.InitBuffer(inX, 1, 128 * sizeof(float));
    pipe.InitBuffer(outY, 1, 64 * sizeof(float));
    GlobalTensor<float> gx, gy;
    gx.SetGlobalBuffer((__gm__ float *)x, 128);
    gy.SetGlobalBuffer((__gm__ float *)y, 64);
    LocalTensor<float> a = inX.AllocTensor<float>();
    DataCopy(a, gx, 128);
    inX.EnQue(a);
    a = inX.DeQue<float>();
    LocalTensor<float> b = outY.AllocTensor<float>();
    uint64_t taken = 0;
    GatherMask(a[64], a, 1, true, 128, {1, 1, 8, 0}, taken); //- <-- here
    Adds(b, a[64], 0.0f, 64); //-
    //+ GatherMask(b, a, 1, true, 128, {1, 1, 8, 0}, taken);
    inX.FreeTensor(a);
    outY.EnQue(b);
    b = outY.DeQue<float>();
    DataCopy(gy, b, 64);
    outY.FreeTensor(b);
}
