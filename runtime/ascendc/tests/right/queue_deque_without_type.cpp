// DeQue without a type waits, and the tensor that was enqueued is used on.
// gm x: float[64] = iota
// gm z: float[64] out
// option: replay 5
// expect z: 0 2 4 6
#include "check.h"
using namespace AscendC;

constexpr TQueConfig ONE_BLOCK = {false, false, false, 0, 1, 0, {TPosition::MAX}, false, false};

extern "C" __global__ __aicore__ void k(GM_ADDR x, GM_ADDR z)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1, &ONE_BLOCK> in;
    TQue<TPosition::VECOUT, 1> out;
    pipe.InitBuffer(in, 1, 256);
    pipe.InitBuffer(out, 1, 256);
    GlobalTensor<float> gx, gz;
    gx.SetGlobalBuffer((__gm__ float *)x);
    gz.SetGlobalBuffer((__gm__ float *)z);
    LocalTensor<float> a = in.AllocTensor<float>(), b = out.AllocTensor<float>();
    DataCopy(a, gx, 64);
    in.EnQue(a);
    in.DeQue();
    Add(b, a, a, 64);
    out.EnQue(b);
    out.DeQue();
    DataCopy(gz, b, 64);
    in.FreeTensor(a);
    out.FreeTensor(b);
}
