// Without pads the filler of longer blocks is their first element, too, with isPad and without; using it is noted.
// option: poison report
// gm x: float[64] = iota
// note: element 3 has no value
#include "check.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k(GM_ADDR x)
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> aBuf;
    pipe.InitBuffer(aBuf, 64);
    LocalTensor<float> a = aBuf.Get<float>();
    GlobalTensor<float> gx;
    gx.SetGlobalBuffer((__gm__ float *)x);
    for (const bool isPad : {false, true}) {
        DataCopyPad(a, gx[1], DataCopyExtParams(2, 12, 4, 0, 0), DataCopyPadExtParams<float>(isPad, 0, 0, 9.0f));
        PipeBarrier<PIPE_ALL>();
        const float row[] = {1, 2, 3, 1, 1, 1, 1, 1, 5, 6, 7, 5, 5, 5, 5, 5};
        for (int i = 0; i < 16; ++i) {
            Expect(a.GetValue(i), row[i], i);
        }
    }
}
