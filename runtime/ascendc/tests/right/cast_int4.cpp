// int4b_t: two elements in a byte, the first in the lower half; to and from half in every form, sizes and offsets in half bytes, copies.
// gm x: uint8_t[32] = 16 50 84 118 152 186 220 254
// gm y: uint8_t[128] out
// expect y: 16 50 84 118 152 186 220 254
#include "check.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k(GM_ADDR x, GM_ADDR y)
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> hBuf, fourBuf, backBuf;
    pipe.InitBuffer(hBuf, 512);
    pipe.InitBuffer(fourBuf, 128);
    pipe.InitBuffer(backBuf, 512);
    LocalTensor<half> h = hBuf.Get<half>(), back = backBuf.Get<half>();
    LocalTensor<int4b_t> four = fourBuf.Get<int4b_t>();
    Expect(four.GetSize(), 256u);
    Expect(fourBuf.Get<int4b_t>(64).GetLength(), 32u);
    Expect(four[64].GetSize(), 192u);
    Expect(four.ReinterpretCast<int8_t>().GetSize(), 128u);
    Expect(static_cast<int64_t>(four.GetPhyAddr(64) - four.GetPhyAddr()), 32);

    GlobalTensor<int4b_t> gx, gy;
    gx.SetGlobalBuffer((__gm__ int4b_t *)x, 64);
    gy.SetGlobalBuffer((__gm__ int4b_t *)y, 256);
    Expect(gx.GetValue(3).storage, 3); // 50 is 0x32
    Expect(static_cast<int64_t>(gy[64].GetPhyAddr() - gy.GetPhyAddr()), 32);

    // 0 1 2 .. 7, -8 .. -1, again and again.
    DataCopy(four, gx, DataCopyParams(1, 1, 0, 0));
    PipeBarrier<PIPE_ALL>();
    Cast(h, four, RoundMode::CAST_NONE, 64);
    for (int i = 0; i < 64; ++i) {
        Expect(h.GetValue(i), float(i % 16 < 8 ? i % 16 : i % 16 - 16), i);
    }
    Cast(back.ReinterpretCast<int4b_t>(), h, RoundMode::CAST_NONE, 64);
    Expect(back.ReinterpretCast<uint8_t>().GetValue(5), 186);

    // By a count of elements a copy moves so many bytes on this chip.
    Duplicate(four.ReinterpretCast<uint16_t>(), uint16_t(0), 64);
    PipeBarrier<PIPE_ALL>();
    DataCopy(four, gx, 32);
    Expect(four.GetValue(63).storage, 15);

    // Rounding, the ends, masks of both kinds, several repeats.
    for (int i = 0; i < 256; ++i) {
        h.SetValue(i, half(i % 2 == 0 ? 2.5f : i % 4 == 1 ? 100.0f : -100.0f));
    }
    Cast(four, h, RoundMode::CAST_RINT, 256);
    Expect(four.GetValue(0).storage, 2);
    Expect(four.GetValue(1).storage, 7);
    Expect(four.GetValue(255).storage, 8); // -8
    Cast(four, h, RoundMode::CAST_CEIL, uint64_t(64), 2, {1, 1, 2, 8});
    Expect(four.GetValue(62).storage, 3);
    Expect(four.GetValue(64).storage, 2);
    Expect(four.GetValue(128).storage, 3);
    Expect(four.GetValue(192).storage, 2);
    const uint64_t mask[2] = {0xc, 0};
    Cast(four, h, RoundMode::CAST_FLOOR, mask, 1, {1, 1, 2, 8});
    Expect(four.GetValue(0).storage, 3);
    Expect(four.GetValue(2).storage, 2);
    Expect(four.GetValue(4).storage, 3);
    four.SetValue(5, int4b_t(-3));
    Expect(four.GetValue(4).storage, 3);
    Expect(four.GetValue(5).storage, 13);
    Cast(back, four, RoundMode::CAST_NONE, uint64_t(128), 2, {1, 1, 8, 2});
    Expect(back.GetValue(5), -3.0f);
    Expect(back.GetValue(255), -8.0f);

    // In place, as quantising kernels do.
    Cast(h.ReinterpretCast<int4b_t>(), h, RoundMode::CAST_TRUNC, 256);
    Expect(h.ReinterpretCast<int4b_t>().GetValue(254).storage, 2);

    PipeBarrier<PIPE_ALL>();
    DataCopy(four, gx, DataCopyParams(1, 1, 0, 0));
    PipeBarrier<PIPE_ALL>();
    Cast(h, four, RoundMode::CAST_NONE, 64);
    for (uint32_t i = 0; i < 4; ++i) {
        Cast(four[i * 64], h, RoundMode::CAST_RINT, 64);
    }
    PipeBarrier<PIPE_ALL>();
    DataCopyPad(gy, four, DataCopyParams(1, 128, 0, 0));
}
