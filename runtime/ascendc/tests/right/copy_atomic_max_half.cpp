// The largest of three in GM; sums of half are rounded.
// gm z: half[16] inout
// expect z: 6 6 6
#include "check.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k(GM_ADDR z)
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> aBuf;
    pipe.InitBuffer(aBuf, 16 * sizeof(half));
    LocalTensor<half> a = aBuf.Get<half>();
    GlobalTensor<half> gz;
    gz.SetGlobalBuffer((__gm__ half *)z);
    SetAtomicMax<half>();
    for (int i = 0; i < 3; ++i) {
        Duplicate(a, half(i == 1 ? 7.0f : 2.0f), 16);
        pipe_barrier(PIPE_ALL);
        DataCopy(gz, a, 16);
        pipe_barrier(PIPE_ALL);
    }
    SetAtomicMin<half>();
    Duplicate(a, half(6.0f), 16);
    pipe_barrier(PIPE_ALL);
    DataCopy(gz, a, 16);
    SetAtomicNone();
}
