// Five double-buffered inputs are ten blocks of VECIN; a position has events for eight.
// gm x: float[640] = iota
// gm z: float[128] out
// expect: fault queue: FreeTensor: all 8 event ids of V_MTE2 are in use
// expect z: 1280 1285 1290
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void sum5(GM_ADDR x, GM_ADDR z)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> inQueue[5];
    TQue<TPosition::VECOUT, 1> outQueue;
    for (int i = 0; i < 5; ++i) {
        pipe.InitBuffer(inQueue[i], 2, 64 * sizeof(float)); //-
        //+ pipe.InitBuffer(inQueue[i], i < 3 ? 2 : 1, 64 * sizeof(float));
    }
    pipe.InitBuffer(outQueue, 2, 64 * sizeof(float));
    GlobalTensor<float> gx, gz;
    gx.SetGlobalBuffer((__gm__ float *)x, 640);
    gz.SetGlobalBuffer((__gm__ float *)z, 128);
    for (int tile = 0; tile < 2; ++tile) {
        LocalTensor<float> sum = outQueue.AllocTensor<float>();
        Duplicate(sum, 0.0f, 64);
        for (int i = 0; i < 5; ++i) {
            LocalTensor<float> a = inQueue[i].AllocTensor<float>();
            DataCopy(a, gx[i * 128 + tile * 64], 64);
            inQueue[i].EnQue(a);
            a = inQueue[i].DeQue<float>();
            Add(sum, sum, a, 64);
            inQueue[i].FreeTensor(a); // <-- here
        }
        outQueue.EnQue(sum);
        sum = outQueue.DeQue<float>();
        DataCopy(gz[tile * 64], sum, 64);
        outQueue.FreeTensor(sum);
    }
}
