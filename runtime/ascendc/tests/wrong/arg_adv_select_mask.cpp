// Rows of the mask are multiples of 16 elements.
// expect: fault arg: Select: rows of 8 elements under a mask of 8
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
    SelectWithBytesMaskShapeInfo info;
    info.firstAxis = 4;
    info.srcLastAxis = 8;
    info.maskLastAxis = 8;
    SelectWithBytesMask(y, x, 1.0f, tmp.ReinterpretCast<int32_t>(), tmp, info); // <-- here
}
