// The output is [d, n] and is indexed as if it were [n, d]: rows are stored at a distance of n.
// blocks: 2
// gm x: float[16] = iota
// gm z: float[16] out
// expect: fault race: SyncAll or a cross-core flag must stand between them
// expect z: 0 8 1 9 2 10 3 11
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t N = 2, D = 8;

extern "C" __global__ __aicore__ void transposed(GM_ADDR x, GM_ADDR z)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> inQueue;
    TQue<TPosition::VECOUT, 1> outQueue;
    pipe.InitBuffer(inQueue, 1, D * 32);
    pipe.InitBuffer(outQueue, 1, D * 32);
    GlobalTensor<float> gx, gz;
    gx.SetGlobalBuffer((__gm__ float *)x, N * D);
    gz.SetGlobalBuffer((__gm__ float *)z, N * D);
    const uint32_t row = GetBlockIdx();
    LocalTensor<float> a = inQueue.AllocTensor<float>();
    DataCopyPad(a, gx[row * D], DataCopyExtParams{D, 4, 0, 0, 0}, DataCopyPadExtParams<float>{});
    inQueue.EnQue(a);
    a = inQueue.DeQue<float>();
    LocalTensor<float> b = outQueue.AllocTensor<float>();
    Adds(b, a, 0.0f, D * 8);
    inQueue.FreeTensor(a);
    outQueue.EnQue(b);
    b = outQueue.DeQue<float>();
    DataCopyPad(gz[row * N], b, DataCopyExtParams{D, 4, 0, 0, 0}); //- <-- here
    //+ DataCopyPad(gz[row], b, DataCopyExtParams{D, 4, 0, (N - 1) * 4, 0});
    outQueue.FreeTensor(b);
}
