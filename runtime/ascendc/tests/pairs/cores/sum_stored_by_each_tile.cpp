// The sum of each tile is stored to the one number of the output: the last one stays.
// gm x: float[256] = ones
// gm y: float[1] inout
// expect: fault race: PipeBarrier<PIPE_MTE3> must stand between them
// expect y: 256
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void total(GM_ADDR x, GM_ADDR y)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> inX;
    TQue<TPosition::VECOUT, 1> outY;
    pipe.InitBuffer(inX, 2, 64 * sizeof(float));
    pipe.InitBuffer(outY, 2, 32);
    GlobalTensor<float> gx, gy;
    gx.SetGlobalBuffer((__gm__ float *)x, 256);
    gy.SetGlobalBuffer((__gm__ float *)y, 1);
    //+ SetAtomicAdd<float>();
    for (uint32_t at = 0; at < 256; at += 64) {
        LocalTensor<float> a = inX.AllocTensor<float>();
        DataCopy(a, gx[at], 64);
        inX.EnQue(a);
        a = inX.DeQue<float>();
        LocalTensor<float> b = outY.AllocTensor<float>();
        WholeReduceSum(b, a, 64, 1, 1, 1, 8);
        inX.FreeTensor(a);
        outY.EnQue(b);
        b = outY.DeQue<float>();
        DataCopyPad(gy, b, {1, sizeof(float), 0, 0, 0}); // <-- here
        outY.FreeTensor(b);
    }
    //+ SetAtomicNone();
}
