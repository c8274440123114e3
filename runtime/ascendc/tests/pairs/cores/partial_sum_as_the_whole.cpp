// Each block stores the sum of its share to the one element of the output.
// gm x: float[256] = ones
// gm y: float[1] inout
// blocks: 2
// expect: fault race: DataCopyPad of pipe MTE3 writes byte 0 of `y` (4 bytes) while DataCopyPad of pipe MTE3 on block
// expect y: 256
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void total(GM_ADDR x, GM_ADDR y)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> inX;
    TQue<TPosition::VECOUT, 1> outY;
    TBuf<TPosition::VECCALC> workBuf;
    const int64_t count = 256 / GetBlockNum();
    pipe.InitBuffer(inX, 1, 256 * sizeof(float));
    pipe.InitBuffer(outY, 1, 32);
    pipe.InitBuffer(workBuf, 256);
    GlobalTensor<float> gx, gy;
    gx.SetGlobalBuffer((__gm__ float *)x + GetBlockIdx() * count, count);
    gy.SetGlobalBuffer((__gm__ float *)y, 1);
    LocalTensor<float> a = inX.AllocTensor<float>();
    DataCopy(a, gx, count);
    inX.EnQue(a);
    a = inX.DeQue<float>();
    LocalTensor<float> b = outY.AllocTensor<float>();
    ReduceSum(b, a, workBuf.Get<float>(), count);
    inX.FreeTensor(a);
    outY.EnQue(b);
    b = outY.DeQue<float>();
    //+ SetAtomicAdd<float>();
    DataCopyPad(gy, b, {1, sizeof(float), 0, 0, 0}); // <-- here
    //+ SetAtomicNone();
    outY.FreeTensor(b);
}
