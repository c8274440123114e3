// The second part of a concatenation begins one element too late.
// gm a: float[33] = ones
// gm b: float[40] = iota
// gm y: float[73] out
// option: whole 1
// expect: fault poison: `y` is not wholly written: no block writes 4 of its 292 bytes, byte 132 is the first
// expect y: 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 0 1 2 3
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void joined(GM_ADDR a, GM_ADDR b, GM_ADDR y)
{
    TPipe pipe;
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> through;
    pipe.InitBuffer(through, 2, 64 * sizeof(float));
    GlobalTensor<float> first, second, gy;
    first.SetGlobalBuffer((__gm__ float *)a, 33);
    second.SetGlobalBuffer((__gm__ float *)b, 40);
    gy.SetGlobalBuffer((__gm__ float *)y, 73);
    const uint32_t from = 1; //-
    //+ const uint32_t from = 0;
    for (uint32_t part = 0; part < 2; ++part) {
        const uint32_t start = part == 0 ? 0 : from;
        const uint32_t count = part == 0 ? 33 : 40 - from;
        const DataCopyExtParams copy{1, uint32_t(count * sizeof(float)), 0, 0, 0};
        LocalTensor<float> v = through.AllocTensor<float>();
        DataCopyPad(v, part == 0 ? first[start] : second[start], copy, {false, 0, 0, 0.0f});
        through.EnQue(v);
        v = through.DeQue<float>();
        DataCopyPad(gy[part * 33 + start], v, copy);
        through.FreeTensor(v);
    }
}
