// The last tile is copied with DataCopy, which moves whole data blocks only.
// gm x: float[301] = iota
// gm z: float[301] out
// value length: uint32_t = 301
// expect: fault arg: DataCopy: the count is 180 bytes
// expect: fault arg: DataCopy: the count is 180 bytes
// expect z: 0 2 4 6
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t TILE = 128;

extern "C" __global__ __aicore__ void twice(GM_ADDR x, GM_ADDR z, uint32_t length)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> inQueue;
    TQue<TPosition::VECOUT, 1> outQueue;
    pipe.InitBuffer(inQueue, 2, TILE * sizeof(float));
    pipe.InitBuffer(outQueue, 2, TILE * sizeof(float));
    GlobalTensor<float> gx, gz;
    gx.SetGlobalBuffer((__gm__ float *)x, length);
    gz.SetGlobalBuffer((__gm__ float *)z, length);
    for (uint32_t at = 0; at < length; at += TILE) {
        const uint32_t count = length - at < TILE ? length - at : TILE;
        //+ DataCopyExtParams tile{1, static_cast<uint32_t>(count * sizeof(float)), 0, 0, 0};
        LocalTensor<float> a = inQueue.AllocTensor<float>();
        DataCopy(a, gx[at], count); //- <-- here
        //+ DataCopyPad(a, gx[at], tile, DataCopyPadExtParams<float>{});
        inQueue.EnQue(a);
        a = inQueue.DeQue<float>();
        LocalTensor<float> b = outQueue.AllocTensor<float>();
        Muls(b, a, 2.0f, count);
        inQueue.FreeTensor(a);
        outQueue.EnQue(b);
        b = outQueue.DeQue<float>();
        DataCopy(gz[at], b, count); //- <-- here
        //+ DataCopyPad(gz[at], b, tile);
        outQueue.FreeTensor(b);
    }
}
