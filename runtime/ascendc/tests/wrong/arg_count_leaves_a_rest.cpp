// By count, what does not fill a data block is left out: 13 elements are 1 block, and the last 5 stay where they are.
// gm x: float[256] = iota
// gm z: float[8] out
// expect: fault arg: the count is 52 bytes, of which whole data blocks of 32 are copied and the last 20 are not
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
    Duplicate(a, -1.0f, 64);
    pipe_barrier(PIPE_ALL);
    DataCopy(a, gx, 13); // <-- here
    pipe_barrier(PIPE_ALL);
    Expect(a.GetValue(7), 7.0f);
    Expect(a.GetValue(8), -1.0f);
    DataCopy(gz, a, 8);
}
