// The older structures, and SetPadValue.
// gm x: half[64] = iota
// gm z: half[64] inout
// expect z: 3 4 5 5 5 0
#include "check.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k(GM_ADDR x, GM_ADDR z)
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> aBuf;
    pipe.InitBuffer(aBuf, 32 * sizeof(half));
    LocalTensor<half> a = aBuf.Get<half>();
    GlobalTensor<half> gx, gz;
    gx.SetGlobalBuffer((__gm__ half *)x);
    gz.SetGlobalBuffer((__gm__ half *)z);
    SetPadValue(half(5.0f));
    DataCopyPad(a, gx[3], DataCopyParams(1, 4, 0, 0), DataCopyPadParams(false, 0, 2, 0));
    pipe_barrier(PIPE_ALL);
    Expect(a.GetValue(2), 5.0f);
    Expect(a.GetValue(15), 5.0f);
    DataCopyPad(gz, a, DataCopyParams(1, 10, 0, 0));
}
