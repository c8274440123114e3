// The work buffer of ReduceMax holds a value and an index a repeat.
// expect: fault bounds: sharedTmpBuffer is touched up to byte 64, the tensor has 32
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k()
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> xBuf;
    pipe.InitBuffer(xBuf, 512 * sizeof(float));
    LocalTensor<float> x = xBuf.Get<float>();
    TBuf<TPosition::VECCALC> dBuf;
    pipe.InitBuffer(dBuf, 8 * sizeof(float));
    LocalTensor<float> d = dBuf.Get<float>();
    TBuf<TPosition::VECCALC> wBuf;
    pipe.InitBuffer(wBuf, 8 * sizeof(float));
    LocalTensor<float> w = wBuf.Get<float>();
    Duplicate(x, 1.0f, 512);
    ReduceMax(d, x, w, 512); // <-- here
}
