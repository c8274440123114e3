// Rows of any length; where pads are asked for, the filler is their value, too.
// gm x: float[256] = iota
// gm z: float[256] inout
// expect z: 9 0 1 2 0 9 5 6 7 0
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
    DataCopyPad(a, gx, DataCopyExtParams(2, 12, 8, 0, 0), DataCopyPadExtParams<float>(true, 1, 2, 9.0f));
    pipe_barrier(PIPE_ALL);
    const float row[] = {9, 0, 1, 2, 9, 9, 9, 9, 9, 5, 6, 7, 9, 9, 9, 9};
    for (int i = 0; i < 16; ++i) {
        Expect(a.GetValue(i), row[i], i);
    }
    DataCopyPad(gz, a, DataCopyExtParams(2, 16, 0, 4, 0));
}
