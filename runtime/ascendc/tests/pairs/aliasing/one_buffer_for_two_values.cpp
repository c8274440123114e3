// Two intermediate values were given one TBuf: the second call overwrites what the third still reads.
// gm x: float[64] = -1 2
// gm y: float[64] out
// note: Muls: writes over the result of Maxs, which nobody has read
// expect y: -2 6 -2 6
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void both(GM_ADDR x, GM_ADDR y)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> inX;
    TQue<TPosition::VECOUT, 1> outY;
    TBuf<TPosition::VECCALC> buf, more;
    pipe.InitBuffer(inX, 1, 64 * sizeof(float));
    pipe.InitBuffer(outY, 1, 64 * sizeof(float));
    pipe.InitBuffer(buf, 64 * sizeof(float));
    pipe.InitBuffer(more, 64 * sizeof(float));
    GlobalTensor<float> gx, gy;
    gx.SetGlobalBuffer((__gm__ float *)x, 64);
    gy.SetGlobalBuffer((__gm__ float *)y, 64);
    LocalTensor<float> positive = buf.Get<float>(), doubled = buf.Get<float>(); //-
    //+ LocalTensor<float> positive = buf.Get<float>(), doubled = more.Get<float>();
    LocalTensor<float> a = inX.AllocTensor<float>();
    DataCopy(a, gx, 64);
    inX.EnQue(a);
    a = inX.DeQue<float>();
    Maxs(positive, a, 0.0f, 64);
    Muls(doubled, a, 2.0f, 64); // <-- here
    inX.FreeTensor(a);
    LocalTensor<float> b = outY.AllocTensor<float>();
    Add(b, positive, doubled, 64);
    outY.EnQue(b);
    b = outY.DeQue<float>();
    DataCopy(gy, b, 64);
    outY.FreeTensor(b);
}
