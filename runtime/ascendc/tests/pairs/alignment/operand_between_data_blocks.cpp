// A vector call begins at element 4 of a tensor: 16 bytes into a data block.
// gm x: float[72] = iota
// gm z: float[64] out
// expect: fault arg: Muls: src starts at byte 16 of UB, which is not a multiple of 32
// expect z: 4 5 6 7
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void behind_the_header(GM_ADDR x, GM_ADDR z)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> inQueue;
    TQue<TPosition::VECOUT, 1> outQueue;
    pipe.InitBuffer(inQueue, 1, 72 * sizeof(float));
    pipe.InitBuffer(outQueue, 1, 64 * sizeof(float));
    GlobalTensor<float> gx, gz;
    gx.SetGlobalBuffer((__gm__ float *)x, 72);
    gz.SetGlobalBuffer((__gm__ float *)z, 64);
    LocalTensor<float> a = inQueue.AllocTensor<float>();
    DataCopy(a, gx, 72); //-
    //+ DataCopyPad(a, gx[4], DataCopyExtParams{1, 256, 0, 0, 0}, DataCopyPadExtParams<float>{});
    inQueue.EnQue(a);
    a = inQueue.DeQue<float>();
    LocalTensor<float> b = outQueue.AllocTensor<float>();
    Muls(b, a[4], 1.0f, 64); //- <-- here
    //+ Muls(b, a, 1.0f, 64);
    inQueue.FreeTensor(a);
    outQueue.EnQue(b);
    b = outQueue.DeQue<float>();
    DataCopy(gz, b, 64);
    outQueue.FreeTensor(b);
}
