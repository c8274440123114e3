// Powers of tensors and numbers, in every type; integers wrap, and a negative exponent leaves the whole part.
#include "check.h"
using namespace AscendC;

template <typename T>
__aicore__ inline void All(const T (&bases)[4], const T (&exponents)[4], const float (&want)[4])
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> xBuf, yBuf, zBuf, tmpBuf;
    pipe.InitBuffer(xBuf, 64 * sizeof(T));
    pipe.InitBuffer(yBuf, 64 * sizeof(T));
    pipe.InitBuffer(zBuf, 64 * sizeof(T));
    pipe.InitBuffer(tmpBuf, 8192);
    LocalTensor<T> x = xBuf.Get<T>(), y = yBuf.Get<T>(), z = zBuf.Get<T>();
    LocalTensor<uint8_t> tmp = tmpBuf.Get<uint8_t>();
    for (int i = 0; i < 64; ++i) {
        x.SetValue(i, bases[i % 4]);
        y.SetValue(i, exponents[i % 4]);
    }
    const auto check = [&](int each) {
        for (int i = 0; i < 64; ++i) {
            const int at = each < 0 ? i % 4 : each;
            if (each < 0 || i % 4 == each) {
                Near(z.GetValue(i), want[at], 1.0f / 1024, i);
            }
        }
    };
    Power(z, x, y, tmp, 64);
    check(-1);
    Power(z, x, y, tmp);
    check(-1);
    Power(z, x, y, 64);
    check(-1);
    Power(z, x, y);
    check(-1);
    for (int i = 0; i < 4; ++i) {
        Power<T>(z, x, exponents[i], tmp, 64);
        check(i);
        Power<T>(z, x, exponents[i]);
        check(i);
        Power<T>(z, bases[i], y, tmp);
        check(i);
        Power<T>(z, bases[i], y, 64);
        check(i);
    }
}

extern "C" __global__ __aicore__ void k()
{
    All<float>({2.0f, 0.5f, -3.0f, 9.0f}, {10.0f, -3.0f, 3.0f, 0.5f}, {1024.0f, 8.0f, -27.0f, 3.0f});
    All<half>({2.0f, 0.5f, -3.0f, 9.0f}, {10.0f, -3.0f, 3.0f, 0.5f}, {1024.0f, 8.0f, -27.0f, 3.0f});
    All<int32_t>({2, -1, 2, 0}, {10, -3, -1, 0}, {1024.0f, -1.0f, 0.0f, 1.0f});
    All<int32_t>({3, 65536, -2, 0}, {21, 2, 31, -1}, {1870418611.0f, 0.0f, -2147483648.0f, 0.0f});
}
