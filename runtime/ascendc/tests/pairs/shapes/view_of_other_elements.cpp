// Channels are split into groups of `groups` rather than into `groups` groups.
// gm x: float[128] = ones
// gm z: float[16] out
// value sizes: uint32_t uint32_t = 128 16
// expect: fault bounds: WholeReduceSum: src is touched up to byte 1024, the tensor has 512
// expect: fault poison: WholeReduceSum: src has no value at element 128
// expect z: 8 8 8 8
#include "kernel_operator.h"
using namespace AscendC;

struct Sizes {
    uint32_t channels, groups;
};

extern "C" __global__ __aicore__ void group_sums(GM_ADDR x, GM_ADDR z, Sizes sizes)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> inQueue;
    TQue<TPosition::VECOUT, 1> outQueue;
    pipe.InitBuffer(inQueue, 1, 128 * sizeof(float));
    pipe.InitBuffer(outQueue, 1, 64);
    GlobalTensor<float> gx, gz;
    gx.SetGlobalBuffer((__gm__ float *)x, sizes.channels);
    gz.SetGlobalBuffer((__gm__ float *)z, 16);
    LocalTensor<float> a = inQueue.AllocTensor<float>();
    DataCopy(a, gx, sizes.channels);
    inQueue.EnQue(a);
    a = inQueue.DeQue<float>();
    LocalTensor<float> b = outQueue.AllocTensor<float>();
    const uint32_t group = sizes.groups; //-
    //+ const uint32_t group = sizes.channels / sizes.groups;
    WholeReduceSum(b, a, group, sizes.groups, 1, 1, group / 8); // <-- here
    inQueue.FreeTensor(a);
    outQueue.EnQue(b);
    b = outQueue.DeQue<float>();
    DataCopy(gz, b, 16);
    outQueue.FreeTensor(b);
}
