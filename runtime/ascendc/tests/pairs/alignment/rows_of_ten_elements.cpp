// Rows of 10 floats are copied one by one with DataCopy: 40 bytes each.
// gm x: float[50] = ones
// gm z: float[5] out
// expect: fault arg: DataCopy: the count is 40 bytes
// expect: fault poison: WholeReduceSum: src has no value at element 8
// expect z: 10 10 10 10 10
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void row_sums(GM_ADDR x, GM_ADDR z)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> inQueue;
    TQue<TPosition::VECOUT, 1> outQueue;
    pipe.InitBuffer(inQueue, 2, 64);
    pipe.InitBuffer(outQueue, 2, 32);
    GlobalTensor<float> gx, gz;
    gx.SetGlobalBuffer((__gm__ float *)x, 50);
    gz.SetGlobalBuffer((__gm__ float *)z, 5);
    //+ DataCopyExtParams ten{1, 10 * sizeof(float), 0, 0, 0};
    for (int row = 0; row < 5; ++row) {
        LocalTensor<float> a = inQueue.AllocTensor<float>();
        DataCopy(a, gx[row * 10], 10); //- <-- here
        //+ DataCopyPad(a, gx[row * 10], ten, DataCopyPadExtParams<float>{});
        inQueue.EnQue(a);
        a = inQueue.DeQue<float>();
        LocalTensor<float> b = outQueue.AllocTensor<float>();
        WholeReduceSum(b, a, 10, 1, 1, 1, 8); // <-- here
        inQueue.FreeTensor(a);
        outQueue.EnQue(b);
        b = outQueue.DeQue<float>();
        DataCopyPad(gz[row], b, DataCopyExtParams{1, sizeof(float), 0, 0, 0});
        outQueue.FreeTensor(b);
    }
}
