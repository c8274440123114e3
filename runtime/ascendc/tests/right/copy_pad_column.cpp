// Without pads a block of one element fills its data block, whatever isPad says: a column comes in expanded, for what repeats the blocks.
// gm x: float[64] = iota
// gm h: half[64] = iota
// gm z: float[256] out
// expect z: 5 5 5 5 5 5 5 5 5 5
#include "check.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k(GM_ADDR x, GM_ADDR h, GM_ADDR z)
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> aBuf, bBuf, cBuf;
    pipe.InitBuffer(aBuf, 4 * 32);
    pipe.InitBuffer(bBuf, 4 * 32);
    pipe.InitBuffer(cBuf, 4 * 256);
    LocalTensor<float> a = aBuf.Get<float>();
    LocalTensor<half> b = bBuf.Get<half>();
    GlobalTensor<float> gx, gz;
    GlobalTensor<half> gh;
    gx.SetGlobalBuffer((__gm__ float *)x);
    gh.SetGlobalBuffer((__gm__ half *)h);
    gz.SetGlobalBuffer((__gm__ float *)z);
    DataCopyPad(a, gx[5], DataCopyExtParams(4, 4, 28, 0, 0), DataCopyPadExtParams<float>(false, 0, 0, 0));
    DataCopyPad(b, gh[5], DataCopyExtParams(4, 2, 14, 0, 0), DataCopyPadExtParams<half>(true, 0, 0, half(9.0f)));
    pipe_barrier(PIPE_ALL);
    for (int i = 0; i < 64; ++i) {
        Expect(b.GetValue(i), 5.0f + 8 * (i / 16), i);
    }
    LocalTensor<float> c = cBuf.Get<float>();
    Adds(a, a, 1.0f, 32);
    Adds(c, a, -1.0f, 64, 4, {1, 0, 8, 1});
    pipe_barrier(PIPE_ALL);
    for (int i = 0; i < 256; ++i) {
        Expect(c.GetValue(i), 5.0f + 8 * (i / 64), i);
    }
    DataCopy(gz, c, 256);
}
