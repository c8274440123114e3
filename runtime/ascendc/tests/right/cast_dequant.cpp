// CastDequant of int32_t to half, by the scale that was set last.
#include "check.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k()
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> buf;
    pipe.InitBuffer(buf, 1024);
    LocalTensor<int32_t> x = buf.Get<int32_t>();
    LocalTensor<half> z = buf.Get<half>()[256];
    for (int i = 0; i < 128; ++i) {
        x.SetValue(i, i == 5 ? -1000000 : 3 * i - 100);
    }
    Duplicate(z, half(7.0f), 256);
    SetDeqScale(half(0.5f));
    CastDequant(z, x, 100);
    for (int i = 0; i < 128; ++i) {
        const float wanted = i == 5 ? -std::numeric_limits<float>::infinity() : (3 * i - 100) / 2.0f;
        Expect(float(z.GetValue(i)), i < 100 ? wanted : 7.0f, i);
    }
    SetDeqScale(half(-2.0f));
    CastDequant(z, x, 8, 2, {1, 1, 4, 8});
    uint64_t mask[2] = {0x100, 0};
    CastDequant(z, x, mask, 2, {1, 1, 4, 8});
    for (int i = 0; i < 128; ++i) {
        if (i % 64 < 9 && i != 5) {
            Expect(float(z.GetValue(i)), 200.0f - 6 * i, i);
        }
    }
    SetMaskCount();
    SetVectorMask<int32_t, MaskMode::COUNTER>(0, 128);
    SetDeqScale(half(1.0f));
    CastDequant<half, int32_t, false>(z, x, MASK_PLACEHOLDER, 1, {1, 1, 4, 8});
    SetMaskNorm();
    ResetMask();
    Expect(float(z.GetValue(127)), 281.0f);
}
