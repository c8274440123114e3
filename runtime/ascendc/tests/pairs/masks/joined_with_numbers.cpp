// A padding mask comes as float zeros and ones and is joined with the bits of a comparison.
// gm x: float[64] = -1 2 3
// gm keep: float[64] = 1 1 0
// gm y: float[64] out
// expect: compile: And
// expect y: 0 2 0 0 2 0
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void kept(GM_ADDR x, GM_ADDR keep, GM_ADDR y)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> inX, inKeep;
    TQue<TPosition::VECOUT, 1> outY;
    TBuf<TPosition::VECCALC> maskBuf;
    pipe.InitBuffer(inX, 1, 64 * sizeof(float));
    pipe.InitBuffer(inKeep, 1, 64 * sizeof(float));
    pipe.InitBuffer(outY, 1, 64 * sizeof(float));
    pipe.InitBuffer(maskBuf, 64);
    LocalTensor<uint16_t> mask = maskBuf.Get<uint16_t>(), own = mask[16];
    GlobalTensor<float> gx, gKeep, gy;
    gx.SetGlobalBuffer((__gm__ float *)x, 64);
    gKeep.SetGlobalBuffer((__gm__ float *)keep, 64);
    gy.SetGlobalBuffer((__gm__ float *)y, 64);
    LocalTensor<float> a = inX.AllocTensor<float>(), k = inKeep.AllocTensor<float>();
    DataCopy(a, gx, 64);
    DataCopy(k, gKeep, 64);
    inX.EnQue(a);
    inKeep.EnQue(k);
    a = inX.DeQue<float>();
    k = inKeep.DeQue<float>();
    LocalTensor<float> b = outY.AllocTensor<float>();
    CompareScalar(mask.ReinterpretCast<uint8_t>(), a, 0.0f, CMPMODE::GT, 64);
    And(mask, mask, k, 4); //- <-- here
    //+ CompareScalar(own.ReinterpretCast<uint8_t>(), k, 0.0f, CMPMODE::NE, 64);
    //+ And(mask, mask, own, 4);
    Select(b, mask, a, 0.0f, SELMODE::VSEL_TENSOR_SCALAR_MODE, 64);
    inX.FreeTensor(a);
    inKeep.FreeTensor(k);
    outY.EnQue(b);
    b = outY.DeQue<float>();
    DataCopy(gy, b, 64);
    outY.FreeTensor(b);
}
