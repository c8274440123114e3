// The sum over a row is taken over as many elements as the batch has: here more than the tile has.
// gm x: float[192] = ones
// gm z: float[8] out
// value sizes: uint32_t uint32_t = 128 64
// expect: fault bounds: ReduceSum: src is touched up to byte 512, the tensor has 256
// expect: fault poison: ReduceSum: src has no value at element 72
// expect z: 192
#include "kernel_operator.h"
using namespace AscendC;

struct Sizes {
    uint32_t batch, columns;
};

extern "C" __global__ __aicore__ void channel_sums(GM_ADDR x, GM_ADDR z, Sizes sizes)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> inQueue;
    TQue<TPosition::VECOUT, 1> outQueue;
    TBuf<TPosition::VECCALC> workBuf, sumBuf;
    pipe.InitBuffer(inQueue, 1, sizes.columns * sizeof(float));
    pipe.InitBuffer(outQueue, 1, 32);
    pipe.InitBuffer(workBuf, 256);
    pipe.InitBuffer(sumBuf, 32);
    GlobalTensor<float> gx, gz;
    gx.SetGlobalBuffer((__gm__ float *)x, 3 * sizes.columns);
    gz.SetGlobalBuffer((__gm__ float *)z, 8);
    LocalTensor<float> b = outQueue.AllocTensor<float>(), sum = sumBuf.Get<float>();
    Duplicate(b, 0.0f, 8);
    Duplicate(sum, 0.0f, 8);
    for (uint32_t row = 0; row < 3; ++row) {
        LocalTensor<float> a = inQueue.AllocTensor<float>();
        DataCopy(a, gx[row * sizes.columns], sizes.columns);
        inQueue.EnQue(a);
        a = inQueue.DeQue<float>();
        ReduceSum(sum, a, workBuf.Get<float>(), sizes.batch); //- <-- here
        //+ ReduceSum(sum, a, workBuf.Get<float>(), sizes.columns);
        Add(b, b, sum, 8);
        inQueue.FreeTensor(a);
    }
    outQueue.EnQue(b);
    b = outQueue.DeQue<float>();
    DataCopy(gz, b, 8);
    outQueue.FreeTensor(b);
}
