// Masks of tensors are joined by `&&`, which is for scalars.
// gm x: float[64] = -3 -1 1 3
// gm y: float[64] out
// expect: compile: LocalTensor<
// expect y: 0 -1 1 0
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void inside(GM_ADDR x, GM_ADDR y)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> inX;
    TQue<TPosition::VECOUT, 1> outY;
    TBuf<TPosition::VECCALC> aboveBuf, belowBuf;
    pipe.InitBuffer(inX, 1, 64 * sizeof(float));
    pipe.InitBuffer(outY, 1, 64 * sizeof(float));
    pipe.InitBuffer(aboveBuf, 32);
    pipe.InitBuffer(belowBuf, 32);
    GlobalTensor<float> gx, gy;
    gx.SetGlobalBuffer((__gm__ float *)x, 64);
    gy.SetGlobalBuffer((__gm__ float *)y, 64);
    LocalTensor<float> a = inX.AllocTensor<float>();
    DataCopy(a, gx, 64);
    inX.EnQue(a);
    a = inX.DeQue<float>();
    LocalTensor<float> b = outY.AllocTensor<float>();
    LocalTensor<uint16_t> above = aboveBuf.Get<uint16_t>(), below = belowBuf.Get<uint16_t>();
    CompareScalar(above.ReinterpretCast<uint8_t>(), a, -2.0f, CMPMODE::GT, 64);
    CompareScalar(below.ReinterpretCast<uint8_t>(), a, 2.0f, CMPMODE::LT, 64);
    above = above && below; //- <-- here
    //+ And(above, above, below, 4);
    Select(b, above, a, 0.0f, SELMODE::VSEL_TENSOR_SCALAR_MODE, 64);
    inX.FreeTensor(a);
    outY.EnQue(b);
    b = outY.DeQue<float>();
    DataCopy(gy, b, 64);
    outY.FreeTensor(b);
}
