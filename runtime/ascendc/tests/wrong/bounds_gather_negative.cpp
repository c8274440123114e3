// Offsets that were computed as int32_t: a negative one is a large one without a sign.
// expect: fault bounds: offset 0 is 4294967292 bytes, src has 256
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k()
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> xBuf, yBuf, oBuf;
    pipe.InitBuffer(xBuf, 256);
    pipe.InitBuffer(yBuf, 256);
    pipe.InitBuffer(oBuf, 256);
    LocalTensor<float> x = xBuf.Get<float>(), y = yBuf.Get<float>();
    LocalTensor<int32_t> o = oBuf.Get<int32_t>();
    Duplicate(x, 1.0f, 64);
    CreateVecIndex(o, -4, 64);
    Gather(y, x, o.ReinterpretCast<uint32_t>(), 0, 64); // <-- here
}
