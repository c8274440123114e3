// A row of 16 floats takes 16 + 16 + 64 floats of temporary space, GetSoftMaxGradMinTmpSize says; a shape that nobody gives; a result
// that lies across a source.
// expect: fault arg: SoftmaxGradFront: softmaxShapeInfo is empty, and srcTensor has no shape (SetShapeInfo)
// expect: fault arg: SoftmaxGrad: sharedTmpBuffer has 256 bytes, which is fewer than the 384 that the temporary space takes at least (GetSoftMaxGradMinTmpSize)
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
    SoftmaxGradFront<float>(x, g, x, tiling); // <-- here
    const uint32_t sides[2] = {1, 16};
    x.SetShapeInfo(ShapeInfo(2, sides));
    SoftmaxGrad<float>(x, g, x, tmp, tiling); // <-- here
    SoftmaxGrad<float>(g[8], g, x, tiling); // <-- here
}
