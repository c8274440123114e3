// A buffer for float values was sized with the bytes of the half input.
// gm x: half[256] = 0
// gm z: float[256] out
// expect: fault bounds: Cast: dst is touched up to byte 1024, the tensor has 512
// expect: fault bounds: Exp: src is touched up to byte 1024, the tensor has 512
// expect z: 1 1 1 1
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t TILE = 256;

extern "C" __global__ __aicore__ void exponential(GM_ADDR x, GM_ADDR z)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> inQueue;
    TQue<TPosition::VECOUT, 1> outQueue;
    TBuf<TPosition::VECCALC> wideBuf;
    pipe.InitBuffer(inQueue, 1, TILE * sizeof(half));
    pipe.InitBuffer(outQueue, 1, TILE * sizeof(float));
    pipe.InitBuffer(wideBuf, TILE * sizeof(half)); //-
    //+ pipe.InitBuffer(wideBuf, TILE * sizeof(float));
    GlobalTensor<half> gx;
    GlobalTensor<float> gz;
    gx.SetGlobalBuffer((__gm__ half *)x, TILE);
    gz.SetGlobalBuffer((__gm__ float *)z, TILE);
    LocalTensor<half> a = inQueue.AllocTensor<half>();
    DataCopy(a, gx, TILE);
    inQueue.EnQue(a);
    a = inQueue.DeQue<half>();
    LocalTensor<float> wide = wideBuf.Get<float>();
    Cast(wide, a, RoundMode::CAST_NONE, TILE); // <-- here
    inQueue.FreeTensor(a);
    LocalTensor<float> b = outQueue.AllocTensor<float>();
    Exp(b, wide, TILE); // <-- here
    outQueue.EnQue(b);
    b = outQueue.DeQue<float>();
    DataCopy(gz, b, TILE);
    outQueue.FreeTensor(b);
}
