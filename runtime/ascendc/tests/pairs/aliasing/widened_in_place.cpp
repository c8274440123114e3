// half is cast to float in the same TBuf, seen under two element types.
// gm x: half[128] = iota
// gm y: float[128] out
// expect: fault overlap: Cast: repeat 1 reads from src what an earlier repeat wrote to dst
// expect y: 0 1 2 3
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void widened(GM_ADDR x, GM_ADDR y)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> inX;
    TQue<TPosition::VECOUT, 1> outY;
    TBuf<TPosition::VECCALC> buf;
    pipe.InitBuffer(inX, 1, 128 * sizeof(half));
    pipe.InitBuffer(outY, 1, 128 * sizeof(float));
    pipe.InitBuffer(buf, 128 * sizeof(float));
    GlobalTensor<half> gx;
    GlobalTensor<float> gy;
    gx.SetGlobalBuffer((__gm__ half *)x, 128);
    gy.SetGlobalBuffer((__gm__ float *)y, 128);
    LocalTensor<half> a = inX.AllocTensor<half>(), narrow = buf.Get<half>();
    LocalTensor<float> wide = buf.Get<float>();
    DataCopy(a, gx, 128);
    inX.EnQue(a);
    a = inX.DeQue<half>();
    Adds(narrow, a, half(0.0f), 128); //-
    Cast(wide, narrow, RoundMode::CAST_NONE, 128); //- <-- here
    //+ Cast(wide, a, RoundMode::CAST_NONE, 128);
    inX.FreeTensor(a);
    LocalTensor<float> b = outY.AllocTensor<float>();
    Adds(b, wide, 0.0f, 128);
    outY.EnQue(b);
    b = outY.DeQue<float>();
    DataCopy(gy, b, 128);
    outY.FreeTensor(b);
    (void)narrow;
}
