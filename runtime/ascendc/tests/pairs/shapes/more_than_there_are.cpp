// Of a row of 32 the forty largest are stored: nothing limits their number to those that there are.
// gm x: float[32] = iota
// gm z: float[40] inout
// value most: uint32_t = 40
// expect: fault bounds: DataCopy: src is touched up to byte 160, the tensor has 128
// expect z: 31 30 29 28
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void largest(GM_ADDR x, GM_ADDR z, uint32_t most)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> inQueue;
    TQue<TPosition::VECOUT, 1> outQueue;
    TBuf<TPosition::VECCALC> indexBuf, pairBuf;
    pipe.InitBuffer(inQueue, 1, 32 * sizeof(float));
    pipe.InitBuffer(outQueue, 1, 32 * sizeof(float));
    pipe.InitBuffer(indexBuf, 32 * sizeof(int32_t));
    pipe.InitBuffer(pairBuf, 64 * sizeof(float));
    GlobalTensor<float> gx, gz;
    gx.SetGlobalBuffer((__gm__ float *)x, 32);
    gz.SetGlobalBuffer((__gm__ float *)z, 40);
    LocalTensor<float> a = inQueue.AllocTensor<float>();
    DataCopy(a, gx, 32);
    inQueue.EnQue(a);
    a = inQueue.DeQue<float>();
    LocalTensor<float> pairs = pairBuf.Get<float>(), best = outQueue.AllocTensor<float>();
    LocalTensor<int32_t> index = indexBuf.Get<int32_t>();
    CreateVecIndex(index, 0, 32);
    Sort32(pairs, a, index.ReinterpretCast<uint32_t>(), 1);
    Extract(best, index.ReinterpretCast<uint32_t>(), pairs, 1);
    inQueue.FreeTensor(a);
    outQueue.EnQue(best);
    best = outQueue.DeQue<float>();
    const uint32_t count = most; //-
    //+ const uint32_t count = most < 32 ? most : 32;
    DataCopy(gz, best, count); // <-- here
    outQueue.FreeTensor(best);
}
