// Nine blocks of one position that have been used: each keeps an event id.
// expect: fault queue: all 8 event ids of MTE3_V are in use
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k()
{
    TPipe pipe;
    TQue<TPosition::VECOUT, 1> out;
    pipe.InitBuffer(out, 9, 256);
    for (int i = 0; i < 9; ++i) {
        LocalTensor<float> a = out.AllocTensor<float>();
        out.EnQue(a);
        a = out.DeQue<float>();
        out.FreeTensor(a); // <-- here
    }
}
