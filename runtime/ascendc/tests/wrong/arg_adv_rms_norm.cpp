// Tiling data that nobody has filled, or that leaves rows out; too little temporary space; what is no basic block.
// expect: fault arg: RmsNorm: tiling has rows of 0 elements, 0 of them real
// expect: fault arg: RmsNorm: tiling takes 4 rows 1 times and 0 more, of 5 rows
// expect: fault arg: RmsNorm: sharedTmpBuffer has 256 bytes, which is fewer than the 288 that the temporary space takes at least
// expect: fault arg: RmsNorm: isBasicBlock takes rows of a multiple of 64 elements below 2048, and a multiple of 8 rows, not 4 of 16
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k()
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> xBuf, yBuf, tmpBuf;
    pipe.InitBuffer(xBuf, 256);
    pipe.InitBuffer(yBuf, 256);
    pipe.InitBuffer(tmpBuf, 256);
    LocalTensor<float> x = xBuf.Get<float>(), y = yBuf.Get<float>(), gamma = y[32];
    LocalTensor<uint8_t> tmp = tmpBuf.Get<uint8_t>();
    Duplicate(x, 1.0f, 64);
    Duplicate(y, 1.0f, 64);
    RmsNormTiling tiling{1, 4, 16, 16, 1.0f / 16, 64, 4, 8, 1, 64, 0, 0};
    RmsNorm(x, x, gamma, 0.0f, RmsNormTiling{}); // <-- here
    tiling.sLength = 5;
    RmsNorm(x, x, gamma, 0.0f, tiling); // <-- here
    tiling.sLength = 4;
    RmsNorm(x, x, gamma, tmp, 0.0f, tiling); // <-- here
    RmsNorm<float, true>(x, x, gamma, 0.0f, tiling); // <-- here
    (void)y, (void)tmp, (void)gamma;
}
