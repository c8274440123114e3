// The second word of a bit mask is for lanes 64 to 127, which float does not have.
// gm x: float[128] = iota
// gm y: float[128] out
// expect: fault poison: DataCopy: src has no value at element 64
// expect y: 0 1 4 3 8
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void even_doubled(GM_ADDR x, GM_ADDR y)
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
    uint64_t even[2] = {0x5555555555555555, 0x5555555555555555}, odd[2] = {0xaaaaaaaaaaaaaaaa, 0xaaaaaaaaaaaaaaaa}; //-
    //+ uint64_t even[2] = {0x5555555555555555, 0}, odd[2] = {0xaaaaaaaaaaaaaaaa, 0};
    Muls(b, a, 2.0f, even, 1, {1, 1, 8, 8}); //-
    Adds(b, a, 0.0f, odd, 1, {1, 1, 8, 8}); //-
    //+ Muls(b, a, 2.0f, even, 2, {1, 1, 8, 8});
    //+ Adds(b, a, 0.0f, odd, 2, {1, 1, 8, 8});
    inX.FreeTensor(a);
    outY.EnQue(b);
    b = outY.DeQue<float>();
    DataCopy(gy, b, 128); // <-- here
    outY.FreeTensor(b);
}
