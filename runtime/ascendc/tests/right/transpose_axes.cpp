// NCHW to NHWC and back, of images of 2 x 3 x 4 x 8 and 2 x 3 x 4 x 4 elements.
#include "check.h"
using namespace AscendC;

template <typename T, uint16_t w>
ASCENDC_API void ThereAndBack(TPipe &pipe)
{
    constexpr uint16_t n = 2, c = 3, h = 4;
    constexpr uint32_t plane = h * w, all = n * c * plane;
    TBuf<TPosition::VECCALC> xBuf, yBuf, workBuf;
    pipe.InitBuffer(xBuf, all * sizeof(T));
    pipe.InitBuffer(yBuf, all * sizeof(T));
    pipe.InitBuffer(workBuf, 7 * 32 * 32);
    LocalTensor<T> x = xBuf.Get<T>();
    LocalTensor<T> y = yBuf.Get<T>();
    LocalTensor<uint8_t> work = workBuf.Get<uint8_t>();
    for (uint32_t i = 0; i < all; ++i) {
        x.SetValue(i, static_cast<T>(i % 125));
    }
    Transpose(y, x, work, {n, c, h, w, TransposeType::TRANSPOSE_NCHW2NHWC});
    for (uint32_t i = 0; i < all; ++i) {
        const uint32_t image = i / (c * plane), place = i % (c * plane) / c, channel = i % c;
        Expect(y.GetValue(i), static_cast<T>((image * c * plane + channel * plane + place) % 125), i);
    }
    Duplicate(x.template ReinterpretCast<int16_t>(), int16_t(-1), all * sizeof(T) / 2);
    TransposeParamsExt back;
    back.nSize = n;
    back.cSize = c;
    back.hSize = h;
    back.wSize = w;
    back.transposeType = TransposeType::TRANSPOSE_NHWC2NCHW;
    Transpose(x, y, work, back);
    for (uint32_t i = 0; i < all; ++i) {
        Expect(x.GetValue(i), static_cast<T>(i % 125), i);
    }
}

extern "C" __global__ __aicore__ void k()
{
    TPipe pipe;
    ThereAndBack<int8_t, 8>(pipe);
    ThereAndBack<half, 8>(pipe);
    ThereAndBack<float, 4>(pipe);
    TBuf<TPosition::VECCALC> buf;
    pipe.InitBuffer(buf, 512);
    LocalTensor<uint16_t> square = buf.Get<uint16_t>();
    for (uint32_t i = 0; i < 256; ++i) {
        square.SetValue(i, i);
    }
    Transpose(square, square, LocalTensor<uint8_t>(), {0, 0, 16, 16, TransposeType::TRANSPOSE_ND2ND_B16});
    Expect(square.GetValue(17), uint16_t(17));
    Expect(square.GetValue(18), uint16_t(33));
    // One channel is a copy, which takes no temporary space.
    TBuf<TPosition::VECCALC> copyBuf;
    pipe.InitBuffer(copyBuf, 512);
    LocalTensor<uint16_t> copy = copyBuf.Get<uint16_t>();
    Transpose(copy, square, LocalTensor<uint8_t>(), {4, 1, 3, 4, TransposeType::TRANSPOSE_NCHW2NHWC});
    Expect(copy.GetValue(17), uint16_t(17));
}
