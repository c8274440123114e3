// A kernel of an operator project: scales a vector, the tiling key chooses in place or not.
#include "kernel_operator.h"

struct ScaleTiling {
    uint32_t length; // elements of a block
    float factor;
};
REGISTER_TILING_DEFAULT(ScaleTiling);

extern "C" __global__ __aicore__ void scale(GM_ADDR x, GM_ADDR z, GM_ADDR tiling)
{
    using namespace AscendC;
    GET_TILING_DATA(data, tiling);
    const uint32_t length = data.length;
    GlobalTensor<float> xGm, zGm;
    xGm.SetGlobalBuffer((__gm__ float *)x + GetBlockIdx() * length, length);
    zGm.SetGlobalBuffer((__gm__ float *)z + GetBlockIdx() * length, length);
    TPipe pipe;
    TQue<TPosition::VECIN, 1> in;
    TQue<TPosition::VECOUT, 1> out;
    pipe.InitBuffer(in, 1, length * sizeof(float));
    pipe.InitBuffer(out, 1, length * sizeof(float));
    LocalTensor<float> a = in.AllocTensor<float>();
    DataCopy(a, xGm, length);
    in.EnQue(a);
    a = in.DeQue<float>();
    LocalTensor<float> b = out.AllocTensor<float>();
    Muls(b, a, data.factor, length);
    if (TILING_KEY_IS(1)) {
        out.EnQue(b);
        b = out.DeQue<float>();
    } // else: the copy below does not wait for Muls
    DataCopy(zGm, b, length);
    in.FreeTensor(a);
    out.FreeTensor(b);
}
