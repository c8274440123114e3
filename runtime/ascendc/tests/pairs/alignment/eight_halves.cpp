// Eight elements are a data block of float; of half they are half of one.
// gm x: half[8] = iota
// gm z: half[8] out
// expect: fault arg: DataCopy: the count is 16 bytes
// expect: fault arg: DataCopy: the count is 16 bytes
// expect z: 0 2 4 6 8 10 12 14
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void twice(GM_ADDR x, GM_ADDR z)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> inQueue;
    TQue<TPosition::VECOUT, 1> outQueue;
    pipe.InitBuffer(inQueue, 1, 32);
    pipe.InitBuffer(outQueue, 1, 32);
    GlobalTensor<half> gx, gz;
    gx.SetGlobalBuffer((__gm__ half *)x, 8);
    gz.SetGlobalBuffer((__gm__ half *)z, 8);
    //+ DataCopyExtParams row{1, 8 * sizeof(half), 0, 0, 0};
    LocalTensor<half> a = inQueue.AllocTensor<half>();
    DataCopy(a, gx, 8); //- <-- here
    //+ DataCopyPad(a, gx, row, DataCopyPadExtParams<half>{});
    inQueue.EnQue(a);
    a = inQueue.DeQue<half>();
    LocalTensor<half> b = outQueue.AllocTensor<half>();
    Muls(b, a, half(2), 8);
    inQueue.FreeTensor(a);
    outQueue.EnQue(b);
    b = outQueue.DeQue<half>();
    DataCopy(gz, b, 8); //- <-- here
    //+ DataCopyPad(gz, b, row);
    outQueue.FreeTensor(b);
}
