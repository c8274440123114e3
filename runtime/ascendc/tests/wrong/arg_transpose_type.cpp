// A kind of transposition that the enumeration names and nobody supports.
// expect: fault arg: transposeType 7 is none that the toolkit supports
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k()
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> aBuf, bBuf;
    pipe.InitBuffer(aBuf, 512);
    pipe.InitBuffer(bBuf, 512);
    Transpose(aBuf.Get<half>(), bBuf.Get<half>(), LocalTensor<uint8_t>(), {1, 1, 16, 16, TransposeType::TRANSPOSE_ND2ND_ONLY}); // <-- here
}
