// A tile length of 100 halves is no whole number of data blocks.
// gm x: half[1200] = 1 2 3
// gm z: half[1200] out
// expect: fault arg: DataCopy: the count is 200 bytes
// expect: fault arg: DataCopy: the count is 200 bytes
// expect z: 2 4 6 2
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t TILE = 100; //-
//+ constexpr uint32_t TILE = 240;

extern "C" __global__ __aicore__ void twice(GM_ADDR x, GM_ADDR z)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> inQueue;
    TQue<TPosition::VECOUT, 1> outQueue;
    pipe.InitBuffer(inQueue, 2, 512);
    pipe.InitBuffer(outQueue, 2, 512);
    GlobalTensor<half> gx, gz;
    gx.SetGlobalBuffer((__gm__ half *)x, 1200);
    gz.SetGlobalBuffer((__gm__ half *)z, 1200);
    for (uint32_t at = 0; at < 1200; at += TILE) {
        LocalTensor<half> a = inQueue.AllocTensor<half>();
        DataCopy(a, gx[at], TILE); // <-- here
        inQueue.EnQue(a);
        a = inQueue.DeQue<half>();
        LocalTensor<half> b = outQueue.AllocTensor<half>();
        Muls(b, a, half(2), TILE);
        inQueue.FreeTensor(a);
        outQueue.EnQue(b);
        b = outQueue.DeQue<half>();
        DataCopy(gz[at], b, TILE); // <-- here
        outQueue.FreeTensor(b);
    }
}
