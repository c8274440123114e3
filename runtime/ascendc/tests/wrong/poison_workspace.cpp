// A workspace begins without values: what nobody wrote there is poison where it is used.
// expect: fault poison: src has no value at element 8
// gm y: float[16] out
// scratch w: 64
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k(GM_ADDR y, GM_ADDR w)
{
    TPipe pipe;
    TQue<TPosition::VECOUT, 1> out;
    TQue<TPosition::VECIN, 1> in;
    pipe.InitBuffer(out, 1, 64);
    pipe.InitBuffer(in, 1, 64);
    GlobalTensor<float> gw, gy;
    gw.SetGlobalBuffer(reinterpret_cast<__gm__ float *>(w));
    gy.SetGlobalBuffer(reinterpret_cast<__gm__ float *>(y));
    LocalTensor<float> a = out.AllocTensor<float>();
    Duplicate(a, 1.0f, 8);
    out.EnQue(a);
    a = out.DeQue<float>();
    DataCopy(gw, a, 8);
    out.FreeTensor(a);
    PipeBarrier<PIPE_ALL>();
    LocalTensor<float> b = in.AllocTensor<float>();
    DataCopy(b, gw, 16);
    in.EnQue(b);
    b = in.DeQue<float>();
    a = out.AllocTensor<float>();
    Adds(a, b, 1.0f, 16);
    in.FreeTensor(b);
    out.EnQue(a);
    a = out.DeQue<float>();
    DataCopy(gy, a, 16); // <-- here
    out.FreeTensor(a);
}
