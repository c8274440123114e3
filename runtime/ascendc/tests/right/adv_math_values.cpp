// Every function of one tensor in half and float, in each of its forms, against values that Python's math computed in double.
#include "check.h"
using namespace AscendC;

struct Four {
    float at[4];
};

template <typename T>
__aicore__ inline void Compare(LocalTensor<T> y, const Four &want)
{
    const float part = sizeof(T) == 2 ? 1.0f / 1024 : 1.0f / (1 << 22);
    for (int i = 0; i < 64; ++i) {
        Near(y.GetValue(i), want.at[i % 4], part, i);
    }
}

template <typename T>
__aicore__ inline void All()
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> xBuf, yBuf, tmpBuf;
    pipe.InitBuffer(xBuf, 64 * sizeof(T));
    pipe.InitBuffer(yBuf, 64 * sizeof(T));
    pipe.InitBuffer(tmpBuf, 8192);
    LocalTensor<T> x = xBuf.Get<T>(), y = yBuf.Get<T>();
    LocalTensor<uint8_t> tmp = tmpBuf.Get<uint8_t>();
    const auto fill = [&](const Four &values) {
        Duplicate(y, T(77.0f), 64);
        for (int i = 0; i < 64; ++i) {
            x.SetValue(i, T(values.at[i % 4]));
        }
    };
#define FORM(values, want, ...)                                                                                          \
    fill(values);                                                                                                        \
    __VA_ARGS__;                                                                                                         \
    Compare<T>(y, want);
#define UNPACK(...) __VA_ARGS__
#define BARE(Name, values, want) EACH_BARE(Name, (Four{UNPACK values}), (Four{UNPACK want}))
#define COUNTED(Name, values, want) EACH_COUNTED(Name, (Four{UNPACK values}), (Four{UNPACK want}))
#define ALL(Name, values, want) BARE(Name, values, want) COUNTED(Name, values, want) EACH_TMP(Name, (Four{UNPACK values}), (Four{UNPACK want}))
#define EACH_BARE(Name, values, want) FORM(values, want, Name(y, x, 64)) FORM(values, want, Name(y, x))
#define EACH_COUNTED(Name, values, want) FORM(values, want, Name(y, x, 64)) FORM(values, want, Name(y, x, tmp, 64))
#define EACH_TMP(Name, values, want) FORM(values, want, Name(y, x, tmp))
    BARE(Log, ({0.25f, 1.5f, 10.0f, 1000.0f}), ({-1.38629436f, 0.405465108f, 2.30258509f, 6.90775528f}))
    BARE(Log10, ({0.25f, 1.5f, 10.0f, 1000.0f}), ({-0.602059991f, 0.176091259f, 1.0f, 3.0f}))
    ALL(Log2, ({0.25f, 1.5f, 10.0f, 1000.0f}), ({-2.0f, 0.584962501f, 3.32192809f, 9.96578428f}))
    ALL(Sin, ({0.5f, -2.0f, 100.0f, -3000.0f}), ({0.479425539f, -0.909297427f, -0.506365641f, -0.219189974f}))
    ALL(Cos, ({0.5f, -2.0f, 100.0f, -3000.0f}), ({0.877582562f, -0.416146837f, 0.862318872f, -0.9756822f}))
    ALL(Tan, ({0.5f, -2.0f, 100.0f, 1.25f}), ({0.54630249f, 2.18503986f, -0.587213915f, 3.00956967f}))
    ALL(Sinh, ({0.5f, -2.0f, 0.03125f, 8.0f}), ({0.521095305f, -3.62686041f, 0.0312550865f, 1490.47883f}))
    ALL(Cosh, ({0.5f, -2.0f, 0.0f, 8.0f}), ({1.12762597f, 3.76219569f, 1.0f, 1490.47916f}))
    ALL(Tanh, ({0.5f, -2.0f, 0.03125f, 12.0f}), ({0.462117157f, -0.96402758f, 0.0312398314f, 1.0f}))
    ALL(Asin, ({0.5f, -1.0f, 0.03125f, 1.0f}), ({0.523598776f, -1.57079633f, 0.0312550885f, 1.57079633f}))
    ALL(Acos, ({0.5f, -1.0f, 0.03125f, -0.75f}), ({1.04719755f, 3.14159265f, 1.53954124f, 2.41885841f}))
    ALL(Atan, ({0.5f, -2.0f, 100.0f, -3000.0f}), ({0.463647609f, -1.10714872f, 1.56079666f, -1.57046299f}))
    ALL(Asinh, ({0.5f, -2.0f, 100.0f, -3000.0f}), ({0.481211825f, -1.44363548f, 5.29834237f, -8.69951478f}))
    ALL(Acosh, ({1.5f, 2.0f, 100.0f, 3000.0f}), ({0.96242365f, 1.3169579f, 5.29829237f, 8.69951472f}))
    ALL(Atanh, ({0.5f, -0.25f, 0.03125f, -0.875f}), ({0.549306144f, -0.255412812f, 0.0312601785f, -1.3540251f}))
    ALL(Erf, ({0.5f, -2.0f, 0.03125f, 4.0f}), ({0.520499878f, -0.995322265f, 0.0352503739f, 0.999999985f}))
    ALL(Erfc, ({0.5f, -2.0f, 0.03125f, 2.0f}), ({0.479500122f, 1.99532227f, 0.964749626f, 0.00467773498f}))
    ALL(Sigmoid, ({0.5f, -2.0f, 6.0f, -6.0f}), ({0.622459331f, 0.119202922f, 0.997527377f, 0.00247262316f}))
    ALL(Sign, ({0.5f, -2.0f, 0.0f, -0.03125f}), ({1.0f, -1.0f, 0.0f, -1.0f}))
    ALL(Frac, ({0.5f, -2.75f, 100.0f, -1000.5f}), ({0.5f, -0.75f, 0.0f, -0.5f}))
    ALL(Trunc, ({0.5f, -2.75f, 3.0f, -1000.5f}), ({0.0f, -2.0f, 3.0f, -1000.0f}))
    COUNTED(Ceil, ({0.5f, -2.75f, 3.0f, -1000.5f}), ({1.0f, -2.0f, 3.0f, -1000.0f}))
    COUNTED(Floor, ({0.5f, -2.75f, 3.0f, -1000.5f}), ({0.0f, -3.0f, 3.0f, -1001.0f}))
    COUNTED(Round, ({0.5f, -2.75f, 1.5f, -1000.5f}), ({0.0f, -3.0f, 2.0f, -1000.0f}))
    const Four e{{-2.0f, 0.5f, 0.0f, 3.0f}}, powers{{0.135335283f, 1.64872127f, 1.0f, 20.0855369f}};
    FORM(e, powers, Exp<T, 15>(y, x, 64))
    FORM(e, powers, Exp<T, 15>(y, x, tmp, 64))
}

extern "C" __global__ __aicore__ void k()
{
    All<float>();
    All<half>();
}
