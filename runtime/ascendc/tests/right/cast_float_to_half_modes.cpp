// Halfway between 1 and its neighbour, in every mode.
#include "check.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k()
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> aBuf;
    pipe.InitBuffer(aBuf, 16 * sizeof(float));
    LocalTensor<float> a = aBuf.Get<float>();
    TBuf<TPosition::VECCALC> hBuf;
    pipe.InitBuffer(hBuf, 16 * sizeof(half));
    LocalTensor<half> h = hBuf.Get<half>();
    for (int i = 0; i < 16; ++i) {
        a.SetValue(i, (i % 2 == 0 ? 1.0f : -1.0f) * (1.0f + 1.0f / 2048));
    }
    const float up = 1.0f + 1.0f / 1024;
    const struct {
        RoundMode mode;
        float plus;
        float minus;
    } rows[] = {{RoundMode::CAST_RINT, 1.0f, -1.0f}, {RoundMode::CAST_FLOOR, 1.0f, -up}, {RoundMode::CAST_CEIL, up, -1.0f},
        {RoundMode::CAST_ROUND, up, -up}, {RoundMode::CAST_TRUNC, 1.0f, -1.0f}, {RoundMode::CAST_ODD, up, -up},
        {RoundMode::CAST_NONE, 1.0f, -1.0f}};
    for (const auto &row : rows) {
        Cast(h, a, row.mode, 16);
        Expect(h.GetValue(0), row.plus);
        Expect(h.GetValue(1), row.minus);
    }
}
