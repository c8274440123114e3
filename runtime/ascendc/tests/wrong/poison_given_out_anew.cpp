// The block of the queue that was given back is given out again, and what it held is gone.
// gm x: float[64] = iota
// gm z: float[1] out
// expect: fault poison: it was in a block of a queue that FreeTensor gave back and AllocTensor gave out anew
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
    PipeBarrier<PIPE_ALL>();
    b.SetValue(0, again.GetValue(0)); // <-- here
    in.FreeTensor(again);
    LocalTensor<float> c = b;
    out.EnQue(c);
    c = out.DeQue<float>();
    DataCopyPad(gz, c, DataCopyExtParams(1, 4, 0, 0, 0));
    out.FreeTensor(c);
}
