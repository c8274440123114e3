// Repeat strides count data blocks; they were given in elements, 128 for rows of 128 floats.
// gm x: float[512] = iota
// gm y: float[256] out
// expect: fault bounds: Adds: src is touched up to byte 12544, the tensor has 2048
// expect: fault poison: DataCopy: src has no value at element 64
// expect y: 0 1 2 3
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void head(GM_ADDR x, GM_ADDR y)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> inX;
    TQue<TPosition::VECOUT, 1> outY;
    constexpr uint8_t width = 128;
    pipe.InitBuffer(inX, 1, 4 * width * sizeof(float));
    pipe.InitBuffer(outY, 1, 4 * 64 * sizeof(float));
    GlobalTensor<float> gx, gy;
    gx.SetGlobalBuffer((__gm__ float *)x, 4 * width);
    gy.SetGlobalBuffer((__gm__ float *)y, 4 * 64);
    LocalTensor<float> a = inX.AllocTensor<float>();
    DataCopy(a, gx, 4 * width);
    inX.EnQue(a);
    a = inX.DeQue<float>();
    LocalTensor<float> b = outY.AllocTensor<float>();
    Adds(b, a, 0.0f, 64, 4, {1, 1, 8, width}); //- <-- here
    //+ Adds(b, a, 0.0f, 64, 4, {1, 1, 8, width / 8});
    inX.FreeTensor(a);
    outY.EnQue(b);
    b = outY.DeQue<float>();
    DataCopy(gy, b, 4 * 64); // <-- here
    outY.FreeTensor(b);
}
