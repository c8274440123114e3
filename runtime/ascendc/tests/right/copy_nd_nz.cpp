// ND to NZ on the way in, with a filled data block, and back on the way out.
// gm x: half[1024] = iota
// gm z: half[1024] out
// expect z: 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17
#include "check.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k(GM_ADDR x, GM_ADDR z)
{
    TPipe pipe;
    TBuf<TPosition::VECIN> aBuf;
    TBuf<TPosition::A1> l1Buf;
    pipe.InitBuffer(aBuf, 1024 * sizeof(half));
    pipe.InitBuffer(l1Buf, 1024 * sizeof(half));
    LocalTensor<half> a = aBuf.Get<half>();
    LocalTensor<half> l1 = l1Buf.Get<half>();
    GlobalTensor<half> gx, gz;
    gx.SetGlobalBuffer((__gm__ half *)x);
    gz.SetGlobalBuffer((__gm__ half *)z);

    // Two matrices of 2 x 24: rows 48 apart, matrices 144 apart; the figure of the page.
    DataCopy(l1, gx, Nd2NzParams(2, 2, 24, 144, 48, 11, 2, 96));
    pipe_barrier(PIPE_ALL);
    Expect(float(l1.GetValue(0)), 0.0f);            // A1
    Expect(float(l1.GetValue(11 * 16)), 16.0f);     // A2
    Expect(float(l1.GetValue(11 * 16 + 8)), 0.0f);  // and its filler
    Expect(float(l1.GetValue(2 * 16)), 48.0f);      // B1
    Expect(float(l1.GetValue(13 * 16 + 7)), 71.0f); // B2
    Expect(float(l1.GetValue(96)), 144.0f);         // C1

    DataCopy(a, gx, Nd2NzParams{1, 32, 32, 0, 32, 32, 1, 0});
    pipe_barrier(PIPE_ALL);
    Expect(float(a.GetValue(16)), 32.0f);
    Expect(float(a.GetValue(512)), 16.0f);
    DataCopy(gz, a, Nz2NdParamsFull{1, 32, 32, 1, 32, 32, 1});
}
