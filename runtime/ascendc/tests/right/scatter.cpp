// Elements to places: by count, and by a mask with a base.
// chip: ascend310p3
#include "check.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k()
{
    constexpr uint32_t COUNT = 128;
    LocalTensor<half> src(TPosition::VECCALC, 0, COUNT);
    LocalTensor<half> dst(TPosition::VECCALC, 256, COUNT);
    LocalTensor<uint32_t> offsets(TPosition::VECCALC, 512, COUNT);
    for (uint32_t i = 0; i < COUNT; ++i) {
        src.SetValue(i, half(float(i)));
        offsets.SetValue(i, (COUNT - 1 - i) * sizeof(half));
    }
    Scatter(dst, src, offsets, uint32_t(0), COUNT);
    for (uint32_t i = 0; i < COUNT; ++i) {
        Expect(dst.GetValue(i), float(COUNT - 1 - i), i);
    }
    Duplicate(dst, half(-1.0f), COUNT);
    for (uint32_t i = 0; i < COUNT; ++i) {
        offsets.SetValue(i, i * 4);
    }
    Scatter(dst, src, offsets, uint32_t(2), uint64_t(3), uint8_t(1), uint8_t(8));
    Expect(dst.GetValue(0), -1.0f);
    Expect(dst.GetValue(1), 0.0f);
    Expect(dst.GetValue(3), 1.0f);
    Expect(dst.GetValue(5), 2.0f);
    Expect(dst.GetValue(7), -1.0f);
}
