// InitBuffer is missing.
// expect: fault queue: the queue has no buffers; call InitBuffer
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k()
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> in;
    LocalTensor<float> a = in.AllocTensor<float>(); // <-- here
    in.FreeTensor(a);
}
