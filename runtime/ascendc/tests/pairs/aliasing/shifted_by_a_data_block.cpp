// A call adds to each element the one eight before it, in place: a later repeat reads what an earlier one has written.
// gm x: float[128] = ones
// gm y: float[128] out
// expect: fault overlap: Add: dst and src1 overlap in part within a repeat; they must be the same elements or apart
// expect y: 1 1 1 1 1 1 1 1 2 2
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void shifted(GM_ADDR x, GM_ADDR y)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> inX;
    TQue<TPosition::VECOUT, 1> outY;
    pipe.InitBuffer(inX, 1, 128 * sizeof(float));
    pipe.InitBuffer(outY, 1, 128 * sizeof(float));
    GlobalTensor<float> gx, gy;
    gx.SetGlobalBuffer((__gm__ float *)x, 128);
    gy.SetGlobalBuffer((__gm__ float *)y, 128);
    LocalTensor<float> a = inX.AllocTensor<float>();
    DataCopy(a, gx, 128);
    inX.EnQue(a);
    a = inX.DeQue<float>();
    LocalTensor<float> b = outY.AllocTensor<float>();
    Adds(b, a, 0.0f, 128);
    Add(b[8], b[8], b, 120); //- <-- here
    //+ Add(b[8], b[8], a, 120);
    inX.FreeTensor(a);
    outY.EnQue(b);
    b = outY.DeQue<float>();
    DataCopy(gy, b, 128);
    outY.FreeTensor(b);
}
