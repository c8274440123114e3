// Activations and gates in each of their forms, in half and float, against values that Python's math computed in double from their formulas.
#include "check.h"
using namespace AscendC;

struct Four {
    float at[4];
};

template <typename T>
__aicore__ inline void All()
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> xBuf, aBuf, yBuf, tmpBuf;
    pipe.InitBuffer(xBuf, 64 * sizeof(T));
    pipe.InitBuffer(aBuf, 64 * sizeof(T));
    pipe.InitBuffer(yBuf, 64 * sizeof(T));
    pipe.InitBuffer(tmpBuf, 4096);
    LocalTensor<T> x = xBuf.Get<T>(), a = aBuf.Get<T>(), y = yBuf.Get<T>();
    LocalTensor<uint8_t> tmp = tmpBuf.Get<uint8_t>();
    const Four xs{{0.5f, -2.0f, 6.0f, -3.0f}};
    Duplicate(a, T(3.0f), 64);
    const auto fill = [&] {
        Duplicate(y, T(77.0f), 64);
        for (int i = 0; i < 64; ++i) {
            x.SetValue(i, T(xs.at[i % 4]));
        }
    };
    const auto compare = [&](const LocalTensor<T> &got, const Four &want) {
        const float part = sizeof(T) == 2 ? 1.0f / 1024 : 1.0f / (1 << 22);
        for (int i = 0; i < 64; ++i) {
            Near(got.GetValue(i), want.at[i % 4], part, i);
        }
    };
#define UNPACK(...) __VA_ARGS__
#define EACH(want, ...)                                                                                                  \
    fill();                                                                                                              \
    __VA_ARGS__;                                                                                                         \
    compare(y, Four{UNPACK want});
#define GELU(Name, want)                                                                                                 \
    EACH(want, Name(y, x, 64))                                                                                           \
    EACH(want, Name(y, x, tmp, 64))                                                                                      \
    EACH(want, (Name<T, true, false>(y, x, 64)))                                                                         \
    EACH(want, (Name<T, false, true>(y, x, tmp, 64)))                                                                    \
    fill();                                                                                                              \
    Name(x, x, 64);                                                                                                      \
    compare(x, Four{UNPACK want});
    EACH(({0.311229666f, -0.238405844f, 5.98516426f, -0.14227762f}), Silu(y, x, 64))
    EACH(({0.28108825f, -0.537882843f, 5.71544476f, -0.547276571f}), Swish(y, x, 64, T(0.5f)))
    GELU(Gelu, ({0.345714009f, -0.0454023082f, 6.0f, -0.00363739241f}))
    GELU(FasterGelu, ({0.350388437f, -0.0643413769f, 5.99977965f, -0.0180713097f}))
    GELU(FasterGeluV2, ({0.355347394f, -0.036355022f, 6.0f, -0.0f}))
    EACH(({1.03714203f, -0.136206918f, 18.0f, -0.0109121762f}), GeGLU(y, a, x, tmp, 64))
    EACH(({1.03714203f, -0.136206918f, 18.0f, -0.0109121762f}), GeGLU(y, a, x, 64))
    EACH(({1.03714203f, -0.136206918f, 18.0f, -0.0109121762f}), GeGLU(y, a, x, tmp))
    EACH(({1.03714203f, -0.136206918f, 18.0f, -0.0109121762f}), GeGLU(y, a, x))
    EACH(({0.843264751f, -1.61364853f, 17.1463343f, -1.64182971f}), SwiGLU(y, a, x, 0.5f, tmp, 64))
    EACH(({0.843264751f, -1.61364853f, 17.1463343f, -1.64182971f}), SwiGLU(y, a, x, 0.5f, 64))
    EACH(({0.843264751f, -1.61364853f, 17.1463343f, -1.64182971f}), SwiGLU(y, a, x, 0.5f, tmp))
    EACH(({0.843264751f, -1.61364853f, 17.1463343f, -1.64182971f}), SwiGLU(y, a, x, 0.5f))
    EACH(({1.5f, 0.0f, 18.0f, 0.0f}), ReGlu(y, a, x, tmp, 64))
    EACH(({1.5f, 0.0f, 18.0f, 0.0f}), ReGlu(y, a, x, 64))
}

extern "C" __global__ __aicore__ void k()
{
    All<float>();
    All<half>();
    TPipe pipe;
    TBuf<TPosition::VECCALC> xBuf, yBuf;
    pipe.InitBuffer(xBuf, 64);
    pipe.InitBuffer(yBuf, 64);
    LocalTensor<bfloat16_t> x = xBuf.Get<bfloat16_t>(), y = yBuf.Get<bfloat16_t>();
    x.SetValue(0, bfloat16_t(1.5f));
    x.SetValue(1, bfloat16_t(-1.5f));
    ReGlu(y, x, x, 2);
    Expect(y.GetValue(0), 2.25f);
    Expect(y.GetValue(1), 0.0f);
    // In half the number that FasterGeluV2 adds to 0 is lost, so that it divides 0 by 0, unless it computes in float.
    LocalTensor<half> zero = x.ReinterpretCast<half>(), result = y.ReinterpretCast<half>();
    Duplicate(zero, half(0.0f), 16);
    FasterGeluV2<half, true>(result, zero, 16);
    Expect(result.GetValue(0), 0.0f);
    FasterGeluV2(result, zero, 16);
    Expect(float(result.GetValue(0)) != float(result.GetValue(0)), true);
}
