// Rows of 20 elements are taken 20 elements apart in UB; DataCopyPad begins each at a data block.
// gm x: float[256] = iota
// gm z: float[80] out
// expect: fault arg: Adds: dst starts at byte 464 of UB, which is not a multiple of 32
// expect z: 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 32 33
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void crop(GM_ADDR x, GM_ADDR z)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> inQueue;
    TQue<TPosition::VECOUT, 1> outQueue;
    pipe.InitBuffer(inQueue, 1, 4 * 24 * sizeof(float));
    pipe.InitBuffer(outQueue, 1, 4 * 24 * sizeof(float));
    GlobalTensor<float> gx, gz;
    gx.SetGlobalBuffer((__gm__ float *)x, 256);
    gz.SetGlobalBuffer((__gm__ float *)z, 80);
    LocalTensor<float> a = inQueue.AllocTensor<float>();
    DataCopyPad(a, gx, DataCopyExtParams{4, 80, 48, 0, 0}, DataCopyPadExtParams<float>{});
    inQueue.EnQue(a);
    a = inQueue.DeQue<float>();
    LocalTensor<float> b = outQueue.AllocTensor<float>();
    for (int row = 0; row < 4; ++row) {
        Adds(b[row * 20], a[row * 20], 0.0f, 20); //- <-- here
        //+ Adds(b[row * 24], a[row * 24], 0.0f, 20);
    }
    inQueue.FreeTensor(a);
    outQueue.EnQue(b);
    b = outQueue.DeQue<float>();
    DataCopyPad(gz, b, DataCopyExtParams{4, 80, 0, 0, 0});
    outQueue.FreeTensor(b);
}
