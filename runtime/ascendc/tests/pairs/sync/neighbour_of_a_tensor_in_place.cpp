// Each element is replaced by the difference to its right neighbour, which another block replaces,
// too.
// blocks: 2
// gm x: float[136] inout
// gm z: float[128] out
// expect: fault race: SyncAll or a cross-core flag must stand between them
// expect z: 0 0 0
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void differences(GM_ADDR x, GM_ADDR z)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 2> inQueue;
    TQue<TPosition::VECOUT, 1> outQueue;
    pipe.InitBuffer(inQueue, 2, 64 * sizeof(float));
    pipe.InitBuffer(outQueue, 1, 64 * sizeof(float));
    GlobalTensor<float> gx, gz;
    gx.SetGlobalBuffer((__gm__ float *)x, 136);
    gz.SetGlobalBuffer((__gm__ float *)z, 128);
    const uint32_t at = GetBlockIdx() * 64;
    LocalTensor<float> a = inQueue.AllocTensor<float>(), b = inQueue.AllocTensor<float>();
    DataCopy(a, gx[at], 64);
    DataCopy(b, gx[at + 1], 64); // <-- here
    inQueue.EnQue(a);
    inQueue.EnQue(b);
    a = inQueue.DeQue<float>();
    b = inQueue.DeQue<float>();
    LocalTensor<float> c = outQueue.AllocTensor<float>();
    Sub(c, b, a, 64);
    inQueue.FreeTensor(a);
    inQueue.FreeTensor(b);
    outQueue.EnQue(c);
    c = outQueue.DeQue<float>();
    DataCopy(gx[at], c, 64); //- <-- here
    DataCopy(gz[at], c, 64);
    outQueue.FreeTensor(c);
}
