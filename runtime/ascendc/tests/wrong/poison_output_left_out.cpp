// Each block takes tiles / blocks of the tiles, so that the remainder is nobody's.
// gm x: float[640] = iota
// gm z: float[640] out
// value tiles: int32_t = 10
// blocks: 4
// option: whole 1
// expect: fault poison: `z` is not wholly written: no block writes 512 of its 2560 bytes, byte 2048 is the first
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k(GM_ADDR x, GM_ADDR z, int32_t tiles)
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> buf;
    pipe.InitBuffer(buf, 256);
    LocalTensor<float> a = buf.Get<float>();
    GlobalTensor<float> gx, gz;
    gx.SetGlobalBuffer((__gm__ float *)x);
    gz.SetGlobalBuffer((__gm__ float *)z);
    const int32_t share = tiles / static_cast<int32_t>(GetBlockNum());
    for (int32_t i = 0; i < share; ++i) {
        const int32_t at = (static_cast<int32_t>(GetBlockIdx()) * share + i) * 64;
        DataCopy(a, gx[at], 64);
        PipeBarrier<PIPE_ALL>();
        DataCopy(gz[at], a, 64);
        PipeBarrier<PIPE_ALL>();
    }
}
