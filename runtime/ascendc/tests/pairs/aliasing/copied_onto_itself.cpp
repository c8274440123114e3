// A local copy moves a tensor by one data block over itself.
// gm x: float[128] = iota
// gm y: float[128] out
// expect: fault overlap: DataCopy:
// expect y: 0 1 2 3 4 5 6 7 0 1 2 3
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void moved(GM_ADDR x, GM_ADDR y)
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
    DataCopy(b[8], b, 120); //- <-- here
    //+ DataCopy(b[8], a, 120);
    inX.FreeTensor(a);
    outY.EnQue(b);
    b = outY.DeQue<float>();
    DataCopy(gy, b, 128);
    outY.FreeTensor(b);
}
