// The result stands in a TBuf and is copied to GM from there, with no event between the vector unit
// and MTE3.
// gm x: float[64] = iota
// gm z: float[64] out
// expect: fault race: SetFlag and WaitFlag of HardEvent::V_MTE3
// expect z: 0 2 4 6
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void twice(GM_ADDR x, GM_ADDR z)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> inQueue;
    pipe.InitBuffer(inQueue, 1, 64 * sizeof(float));
    TBuf<TPosition::VECCALC> outBuf; //-
    pipe.InitBuffer(outBuf, 64 * sizeof(float)); //-
    //+ TQue<TPosition::VECOUT, 1> outQueue;
    //+ pipe.InitBuffer(outQueue, 1, 64 * sizeof(float));
    GlobalTensor<float> gx, gz;
    gx.SetGlobalBuffer((__gm__ float *)x, 64);
    gz.SetGlobalBuffer((__gm__ float *)z, 64);
    LocalTensor<float> a = inQueue.AllocTensor<float>();
    DataCopy(a, gx, 64);
    inQueue.EnQue(a);
    a = inQueue.DeQue<float>();
    LocalTensor<float> b = outBuf.Get<float>(); //-
    //+ LocalTensor<float> b = outQueue.AllocTensor<float>();
    Muls(b, a, 2.0f, 64);
    inQueue.FreeTensor(a);
    //+ outQueue.EnQue(b);
    //+ b = outQueue.DeQue<float>();
    DataCopy(gz, b, 64); // <-- here
    //+ outQueue.FreeTensor(b);
}
