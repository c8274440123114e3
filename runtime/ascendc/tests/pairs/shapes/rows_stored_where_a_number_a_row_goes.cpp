// The rows themselves are stored to a tensor with one element a row: the reduction was forgotten.
// gm x: float[512] = iota
// gm z: float[8] out
// expect: fault bounds: DataCopy: dst ends 2016 bytes behind the end of `z`
// expect z: 63 127 191 255
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void row_max(GM_ADDR x, GM_ADDR z)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> inQueue;
    TQue<TPosition::VECOUT, 1> outQueue;
    pipe.InitBuffer(inQueue, 1, 512 * sizeof(float));
    pipe.InitBuffer(outQueue, 1, 512 * sizeof(float));
    GlobalTensor<float> gx, gz;
    gx.SetGlobalBuffer((__gm__ float *)x, 512);
    gz.SetGlobalBuffer((__gm__ float *)z, 8);
    LocalTensor<float> a = inQueue.AllocTensor<float>();
    DataCopy(a, gx, 512);
    inQueue.EnQue(a);
    a = inQueue.DeQue<float>();
    LocalTensor<float> b = outQueue.AllocTensor<float>();
    Adds(b, a, 0.0f, 512); //-
    //+ WholeReduceMax(b, a, 64, 8, 1, 1, 8, ReduceOrder::ORDER_ONLY_VALUE);
    inQueue.FreeTensor(a);
    outQueue.EnQue(b);
    b = outQueue.DeQue<float>();
    DataCopy(gz, b, 512); //- <-- here
    //+ DataCopy(gz, b, 8);
    outQueue.FreeTensor(b);
}
