// A row of a softmax is whole data blocks.
// expect: fault arg: SoftMax: rows of 12 elements
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k()
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> xBuf, yBuf, tmpBuf;
    pipe.InitBuffer(xBuf, 256);
    pipe.InitBuffer(yBuf, 256);
    pipe.InitBuffer(tmpBuf, 4096);
    LocalTensor<float> x = xBuf.Get<float>(), y = yBuf.Get<float>();
    LocalTensor<uint8_t> tmp = tmpBuf.Get<uint8_t>();
    Duplicate(x, 1.0f, 64);
    SoftMaxTiling tiling;
    SoftMax<float>(y, x, tmp, tiling, SoftMaxShapeInfo{4, 12, 4, 12}); // <-- here
}
