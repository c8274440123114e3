// Two tensors wait in a queue of depth 2; a queue of depth 0 works in place.
// gm x: float[128] = iota
// gm z: float[128] out
// option: replay 5
// expect z: 0 2 4
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k(GM_ADDR x, GM_ADDR z)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 2> in;
    TQue<TPosition::VECOUT, 0> out;
    pipe.InitBuffer(in, 2, 256);
    pipe.InitBuffer(out, 1, 256);
    GlobalTensor<float> gx, gz;
    gx.SetGlobalBuffer((__gm__ float *)x);
    gz.SetGlobalBuffer((__gm__ float *)z);
    for (int i = 0; i < 2; ++i) {
        LocalTensor<float> a = in.AllocTensor<float>();
        DataCopy(a, gx[i * 64], 64);
        in.EnQue(a);
    }
    for (int i = 0; i < 2; ++i) {
        LocalTensor<float> a = in.DeQue<float>();
        LocalTensor<float> b;
        out.AllocTensor(b);
        Add(b, a, a, 64);
        in.FreeTensor(a);
        out.EnQue(b);
        out.DeQue(b);
        DataCopy(gz[i * 64], b, 64);
        out.FreeTensor(b);
    }
}
