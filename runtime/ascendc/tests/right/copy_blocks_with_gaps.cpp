// Lengths and gaps in data blocks.
// gm x: float[256] = iota
// gm z: float[256] inout
// expect z: 0 1 2 3 4 5 6 7 24 25
#include "check.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k(GM_ADDR x, GM_ADDR z)
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> aBuf;
    pipe.InitBuffer(aBuf, 128 * sizeof(float));
    LocalTensor<float> a = aBuf.Get<float>();
    GlobalTensor<float> gx, gz;
    gx.SetGlobalBuffer((__gm__ float *)x);
    gz.SetGlobalBuffer((__gm__ float *)z);
    DataCopy(a, gx, DataCopyParams(3, 1, 2, 1));
    pipe_barrier(PIPE_ALL);
    Expect(a.GetValue(0), 0.0f);
    Expect(a.GetValue(16), 24.0f);
    Expect(a.GetValue(39), 55.0f);
    DataCopyParams params;
    params.blockCount = 3;
    params.blockLen = 1;
    params.srcGap = 1;
    DataCopy(gz, a, params);
}
