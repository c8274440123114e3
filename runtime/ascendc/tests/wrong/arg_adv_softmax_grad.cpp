// A row of 16 floats takes 16 + 16 + 64 floats of temporary space, GetSoftMaxGradMinTmpSize says; tiling data nobody has filled; a result
// that lies across a source.
// expect: fault arg: SoftmaxGrad: sharedTmpBuffer has 256 bytes, which is fewer than the 384 that the temporary space takes at least (GetSoftMaxGradMinTmpSize)
// expect: fault arg: SoftmaxGradFront: rows of 0 elements, 0 of them real, in 0 rows
// expect: fault overlap: SoftmaxGrad: dstTensor and gradTensor share memory
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k()
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> xBuf, gBuf, tmpBuf;
    pipe.InitBuffer(xBuf, 64);
    pipe.InitBuffer(gBuf, 128);
    pipe.InitBuffer(tmpBuf, 256);
    LocalTensor<float> x = xBuf.Get<float>(), g = gBuf.Get<float>();
    LocalTensor<uint8_t> tmp = tmpBuf.Get<uint8_t>();
    Duplicate(x, 1.0f, 16);
    Duplicate(g, 1.0f, 32);
    SoftMaxTiling tiling;
    tiling.srcM = 1;
    tiling.srcK = 16;
    SoftmaxGrad<float>(x, g, x, tmp, tiling); // <-- here
    SoftmaxGradFront<float>(x, g, x, SoftMaxTiling{}); // <-- here
    SoftmaxGrad<float>(g[8], g, x, tiling); // <-- here
}
