// What operator files have around the kernel: checks that name AscendC without its namespace, a mask of int8_t, a launch of
// their own behind the kernel.
// gm x: float[64] = -2 3
// gm z: float[64] out
// value n: uint32_t = 64
// expect z: 0 3 0
#include "check.h"

class KernelRelu {
public:
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR z, uint32_t n)
    {
        ASSERT(GetBlockNum() != 0 && "block dim can not be zero!");
        length = n;
        xGm.SetGlobalBuffer((__gm__ float *)x, n);
        zGm.SetGlobalBuffer((__gm__ float *)z, n);
        pipe.InitBuffer(inQueue, 1, n * sizeof(float));
        pipe.InitBuffer(outQueue, 1, n * sizeof(float));
        pipe.InitBuffer(maskBuf, n * sizeof(int8_t));
    }
    __aicore__ inline void Process()
    {
        AscendC::LocalTensor<float> x = inQueue.AllocTensor<float>();
        AscendC::DataCopy(x, xGm, length);
        inQueue.EnQue(x);
        x = inQueue.DeQue<float>();
        AscendC::LocalTensor<float> z = outQueue.AllocTensor<float>();
        AscendC::LocalTensor<int8_t> mask = maskBuf.Get<int8_t>();
        AscendC::CompareScalar(mask, x, 0.0f, AscendC::CMPMODE::GT, length);
        AscendC::Select(z, mask, x, 0.0f, AscendC::SELMODE::VSEL_TENSOR_SCALAR_MODE, length);
        outQueue.EnQue(z);
        inQueue.FreeTensor(x);
        z = outQueue.DeQue<float>();
        AscendC::DataCopy(zGm, z, length);
        outQueue.FreeTensor(z);
    }

private:
    AscendC::TPipe pipe;
    AscendC::TQue<AscendC::QuePosition::VECIN, 1> inQueue;
    AscendC::TQue<AscendC::QuePosition::VECOUT, 1> outQueue;
    AscendC::TBuf<AscendC::TPosition::VECCALC> maskBuf;
    AscendC::GlobalTensor<float> xGm, zGm;
    uint32_t length;
};

extern "C" __global__ __aicore__ void relu(GM_ADDR x, GM_ADDR z, uint32_t n)
{
    KernelRelu op;
    op.Init(x, z, n);
    op.Process();
}

#ifndef ASCENDC_CPU_DEBUG
void relu_do(uint32_t blockDim, void *l2ctrl, void *stream, uint8_t *x, uint8_t *z, uint32_t n)
{
    relu<<<blockDim, l2ctrl, stream>>>(x, z, n);
}
#endif
