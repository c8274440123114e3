// A comparison works on whole repeats, 128 elements for 100; the buffers hold 104.
// gm x: float[100] = -1 2
// gm y: float[100] out
// expect: fault bounds: CompareScalar: src0 is touched up to byte 512, the tensor has 416
// expect y: 0 2 0 2
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void relu(GM_ADDR x, GM_ADDR y)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> inX;
    TQue<TPosition::VECOUT, 1> outY;
    TBuf<TPosition::VECCALC> maskBuf;
    pipe.InitBuffer(inX, 1, 104 * sizeof(float)); //-
    //+ pipe.InitBuffer(inX, 1, 128 * sizeof(float));
    pipe.InitBuffer(outY, 1, 128 * sizeof(float));
    pipe.InitBuffer(maskBuf, 32);
    GlobalTensor<float> gx, gy;
    gx.SetGlobalBuffer((__gm__ float *)x, 100);
    gy.SetGlobalBuffer((__gm__ float *)y, 100);
    LocalTensor<float> a = inX.AllocTensor<float>();
    DataCopyPad(a, gx, {1, 100 * sizeof(float), 0, 0, 0}, {false, 0, 0, 0.0f});
    inX.EnQue(a);
    a = inX.DeQue<float>();
    LocalTensor<float> b = outY.AllocTensor<float>();
    LocalTensor<uint8_t> mask = maskBuf.Get<uint8_t>();
    CompareScalar(mask, a, 0.0f, CMPMODE::GT, 128); // <-- here
    Select(b, mask, a, 0.0f, SELMODE::VSEL_TENSOR_SCALAR_MODE, 100);
    inX.FreeTensor(a);
    outY.EnQue(b);
    b = outY.DeQue<float>();
    DataCopyPad(gy, b, {1, 100 * sizeof(float), 0, 0, 0});
    outY.FreeTensor(b);
}
