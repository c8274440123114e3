// A copy that rounds past the end is only noted when the launch asks for that: what exists is copied, and nobody asks for the rest.
// option: bounds report
// gm x: float[256] = iota
// gm z: float[256] inout
// note: src ends 128 bytes behind the end of `x`
// note: dst ends 224 bytes behind the end of `z`
// note: src ends 16 bytes behind the end of `x`
// note: dst ends 16 bytes behind the end of `z`
#include "check.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k(GM_ADDR x, GM_ADDR z)
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> aBuf;
    pipe.InitBuffer(aBuf, 64 * sizeof(float));
    LocalTensor<float> a = aBuf.Get<float>();
    GlobalTensor<float> gx, gz;
    gx.SetGlobalBuffer((__gm__ float *)x);
    gz.SetGlobalBuffer((__gm__ float *)z);
    DataCopy(a, gx[224], 64);
    pipe_barrier(PIPE_ALL);
    Expect(a.GetValue(31), 255.0f);
    Duplicate(a, 1.0f, 64);
    pipe_barrier(PIPE_ALL);
    DataCopy(gz[248], a, 64);
    pipe_barrier(PIPE_ALL);
    DataCopy(a, gx[252], 8);
    pipe_barrier(PIPE_ALL);
    DataCopy(gz[252], a, 8);
}
