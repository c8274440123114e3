// The diagonal goes as far as there are rows, and x has fewer columns.
// gm x: float[63] = iota
// gm z: float[16] out
// value sizes: uint32_t uint32_t = 9 7
// expect: fault bounds: GetValue: the element of 4 bytes begins at byte 256 of `x` (252 bytes)
// expect z: 0 8 16 24 32 40 48 0
#include "kernel_operator.h"
using namespace AscendC;

struct Sizes {
    uint32_t rows, columns;
};

extern "C" __global__ __aicore__ void diagonal(GM_ADDR x, GM_ADDR z, Sizes sizes)
{
    TPipe pipe;
    TQue<TPosition::VECOUT, 1> outQueue;
    pipe.InitBuffer(outQueue, 1, 16 * sizeof(float));
    GlobalTensor<float> gx, gz;
    gx.SetGlobalBuffer((__gm__ float *)x, sizes.rows * sizes.columns);
    gz.SetGlobalBuffer((__gm__ float *)z, 16);
    LocalTensor<float> a = outQueue.AllocTensor<float>();
    Duplicate(a, 0.0f, 16);
    const uint32_t length = sizes.rows; //-
    //+ const uint32_t length = sizes.rows < sizes.columns ? sizes.rows : sizes.columns;
    for (uint32_t i = 0; i < length; ++i) {
        a.SetValue(i, gx.GetValue(i * sizes.columns + i)); // <-- here
    }
    outQueue.EnQue(a);
    a = outQueue.DeQue<float>();
    DataCopy(gz, a, 16);
    outQueue.FreeTensor(a);
}
