// On the inference products Round takes temporary space for float, which it does not on 910b.
// chip: ascend310p3
// expect: fault arg: Round: sharedTmpBuffer has 128 bytes, which is fewer than the 256 that the temporary space takes at least
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k()
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> xBuf, yBuf, tmpBuf;
    pipe.InitBuffer(xBuf, 256);
    pipe.InitBuffer(yBuf, 256);
    pipe.InitBuffer(tmpBuf, 128);
    LocalTensor<float> x = xBuf.Get<float>(), y = yBuf.Get<float>();
    Duplicate(x, 1.5f, 64);
    Round(y, x, tmpBuf.Get<uint8_t>(), 64); // <-- here
}
