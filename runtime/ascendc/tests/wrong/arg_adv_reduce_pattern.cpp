// Two rows of 128 take 2 * 64 floats, GetReduceSumMaxMinTmpSize says; rows are padded; ReduceAny takes 0 and 1.
// expect: fault arg: ReduceSum: sharedTmpBuffer has 256 bytes, which is fewer than the 512 that the temporary space takes at least (GetReduceSumMaxMinTmpSize)
// expect: fault arg: ReduceMax: srcInnerPad is false
// expect: fault arg: ReduceAny: element 0 of srcTensor is 2; allowed are 0 and 1
#include "kernel_operator.h"
using namespace AscendC;
using Pattern::Reduce::AR;

extern "C" __global__ __aicore__ void k()
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> xBuf, yBuf, tmpBuf;
    pipe.InitBuffer(xBuf, 1024);
    pipe.InitBuffer(yBuf, 256);
    pipe.InitBuffer(tmpBuf, 256);
    LocalTensor<float> x = xBuf.Get<float>(), y = yBuf.Get<float>();
    LocalTensor<uint8_t> tmp = tmpBuf.Get<uint8_t>();
    Duplicate(x, 2.0f, 256);
    const uint32_t shape[] = {2, 128};
    ReduceSum<float, AR>(y, x, tmp, shape, true); // <-- here
    ReduceMax<float, AR>(y, x, shape, false); // <-- here
    ReduceAny<float, AR>(y, x, shape, true); // <-- here
    (void)y, (void)tmp, (void)shape;
}
