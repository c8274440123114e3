// Two elements go to one place.
// chip: ascend310p3
// expect: fault arg: elements 0 and 3 go to the same place
#include "check.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k()
{
    LocalTensor<float> src(TPosition::VECCALC, 0, 8);
    LocalTensor<float> dst(TPosition::VECCALC, 32, 8);
    LocalTensor<uint32_t> offsets(TPosition::VECCALC, 64, 8);
    Duplicate(src, 1.0f, 8);
    for (uint32_t i = 0; i < 8; ++i) {
        offsets.SetValue(i, i % 3 * 4);
    }
    Scatter(dst, src, offsets, uint32_t(0), uint32_t(8)); // <-- here
}
