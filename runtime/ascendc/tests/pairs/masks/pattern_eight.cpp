// GatherMask has patterns 1 to 7; 8 was meant as "every eighth".
// gm x: float[64] = iota
// gm y: float[8] out
// expect: fault arg: GatherMask:
// expect y: 0 8 16 24
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void every_eighth(GM_ADDR x, GM_ADDR y)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> inX;
    TQue<TPosition::VECOUT, 1> outY;
    TBuf<TPosition::VECCALC> patternBuf;
    pipe.InitBuffer(inX, 1, 64 * sizeof(float));
    pipe.InitBuffer(outY, 1, 8 * sizeof(float));
    pipe.InitBuffer(patternBuf, 32);
    GlobalTensor<float> gx, gy;
    gx.SetGlobalBuffer((__gm__ float *)x, 64);
    gy.SetGlobalBuffer((__gm__ float *)y, 8);
    LocalTensor<float> a = inX.AllocTensor<float>();
    DataCopy(a, gx, 64);
    inX.EnQue(a);
    a = inX.DeQue<float>();
    LocalTensor<float> b = outY.AllocTensor<float>();
    uint64_t taken = 0;
    GatherMask(b, a, 8, true, 64, {1, 1, 8, 0}, taken); //- <-- here
    //+ LocalTensor<uint32_t> pattern = patternBuf.Get<uint32_t>();
    //+ Duplicate(pattern, uint32_t(0x01010101), 8);
    //+ GatherMask(b, a, pattern, true, 64, {1, 1, 8, 1}, taken);
    inX.FreeTensor(a);
    outY.EnQue(b);
    b = outY.DeQue<float>();
    DataCopy(gy, b, 8);
    outY.FreeTensor(b);
}
