// Headers for A2 have this form with an empty body (adv_api/pad/broadcast.h), so that dst keeps what it held.
// gm x: float[64] = iota
// gm z: float[128] inout
// expect: fault arg: Broadcast: the form with a BroadcastTiling is of later chips and does nothing on this one
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k(GM_ADDR x, GM_ADDR z)
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> row_buf, rows_buf;
    pipe.InitBuffer(row_buf, 64 * sizeof(float));
    pipe.InitBuffer(rows_buf, 128 * sizeof(float));
    LocalTensor<float> row = row_buf.Get<float>(), rows = rows_buf.Get<float>();
    GlobalTensor<float> gx, gz;
    gx.SetGlobalBuffer((__gm__ float *)x, 64);
    gz.SetGlobalBuffer((__gm__ float *)z, 128);
    DataCopy(row, gx, 64);
    PipeBarrier<PIPE_ALL>();
    Duplicate(rows, 0.0f, 128);
    PipeBarrier<PIPE_V>();
    const uint32_t to[2] = {2, 64}, from[2] = {1, 64};
    BroadcastTiling tiling;
    GetBroadcastTilingInfo<float, 2>(2, to, from, false, tiling);
    Broadcast(rows, row, to, from, &tiling); // <-- here
    PipeBarrier<PIPE_ALL>();
    DataCopy(gz, rows, 128);
}
