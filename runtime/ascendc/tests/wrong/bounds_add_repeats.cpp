// The last repeat lies behind the tensor.
// expect: fault bounds: src0 is touched up to byte 768, the tensor has 512
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k()
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> aBuf;
    pipe.InitBuffer(aBuf, 64 * sizeof(float));
    LocalTensor<float> a = aBuf.Get<float>();
    TBuf<TPosition::VECCALC> bBuf;
    pipe.InitBuffer(bBuf, 128 * sizeof(float));
    LocalTensor<float> b = bBuf.Get<float>();
    Duplicate(a, 1.0f, 64);
    Duplicate(b, 1.0f, 128);
    Adds(b, b, 1.0f, 64);
    Add(b, b, b, uint64_t(64), uint8_t(2), {1, 1, 1, 8, 16, 8}); // <-- here
}
