// A merge that stops at the end of a list writes beyond a dst that has no room for what comes before.
// expect: fault bounds: MrgSort: dst is touched up to byte 264, the tensor has 256
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k()
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> xBuf, nBuf, yBuf, zBuf;
    pipe.InitBuffer(xBuf, 64 * sizeof(float));
    pipe.InitBuffer(nBuf, 64 * sizeof(uint32_t));
    pipe.InitBuffer(yBuf, 128 * sizeof(float));
    pipe.InitBuffer(zBuf, 64 * sizeof(float));
    LocalTensor<float> x = xBuf.Get<float>(), y = yBuf.Get<float>(), z = zBuf.Get<float>();
    LocalTensor<uint32_t> n = nBuf.Get<uint32_t>();
    // Two lists of the same numbers end together.
    for (int i = 0; i < 64; ++i) {
        x.SetValue(i, float(i % 32));
        n.SetValue(i, i);
    }
    Sort32(y, x, n, 2);
    const uint16_t lengths[4] = {32, 32, 0, 0};
    MrgSort(z, MrgSortSrcList<float>(y, y[64], y, y), MrgSort4Info(lengths, true, 3, 1)); // <-- here
}
