// What was in the block that was given back is gone, also for what was computed of it.
// gm x: float[64] = iota
// gm z: float[64] out
// expect: fault poison: DataCopy: src has no value at element 0: it was in a block of a queue that FreeTensor gave back
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k(GM_ADDR x, GM_ADDR z)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> in;
    TQue<TPosition::VECOUT, 1> out;
    pipe.InitBuffer(in, 1, 256);
    pipe.InitBuffer(out, 1, 256);
    GlobalTensor<float> gx, gz;
    gx.SetGlobalBuffer((__gm__ float *)x);
    gz.SetGlobalBuffer((__gm__ float *)z);
    LocalTensor<float> a = in.AllocTensor<float>();
    DataCopy(a, gx, 64);
    in.EnQue(a);
    a = in.DeQue<float>();
    in.FreeTensor(a); // <-- here
    LocalTensor<float> again = in.AllocTensor<float>(); // <-- here
    LocalTensor<float> b = out.AllocTensor<float>();
    Muls(b, again, 2.0f, 64);
    Adds(b, b, 1.0f, 64);
    in.FreeTensor(again);
    LocalTensor<float> c = b;
    out.EnQue(c);
    c = out.DeQue<float>();
    DataCopy(gz, c, 64); // <-- here
    out.FreeTensor(c);
}
