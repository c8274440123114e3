// The comparison was of the tile's first half, the choice is of all of it: the bits behind are whatever UB held.
// gm x: float[128] = -1 2
// gm y: float[128] out
// expect: fault poison: DataCopy: src has no value at element 64
// expect y: 0 2 0 2
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void relu(GM_ADDR x, GM_ADDR y)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> inX;
    TQue<TPosition::VECOUT, 1> outY;
    TBuf<TPosition::VECCALC> maskBuf;
    pipe.InitBuffer(inX, 1, 128 * sizeof(float));
    pipe.InitBuffer(outY, 1, 128 * sizeof(float));
    pipe.InitBuffer(maskBuf, 32);
    GlobalTensor<float> gx, gy;
    gx.SetGlobalBuffer((__gm__ float *)x, 128);
    gy.SetGlobalBuffer((__gm__ float *)y, 128);
    LocalTensor<float> a = inX.AllocTensor<float>();
    DataCopy(a, gx, 128);
    inX.EnQue(a);
    a = inX.DeQue<float>();
    LocalTensor<float> b = outY.AllocTensor<float>();
    LocalTensor<uint8_t> mask = maskBuf.Get<uint8_t>();
    CompareScalar(mask, a, 0.0f, CMPMODE::GT, 64); //-
    //+ CompareScalar(mask, a, 0.0f, CMPMODE::GT, 128);
    Select(b, mask, a, 0.0f, SELMODE::VSEL_TENSOR_SCALAR_MODE, 128);
    inX.FreeTensor(a);
    outY.EnQue(b);
    b = outY.DeQue<float>();
    DataCopy(gy, b, 128); // <-- here
    outY.FreeTensor(b);
}
