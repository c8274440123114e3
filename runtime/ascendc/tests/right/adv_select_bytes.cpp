// A mask of whole elements chooses between a tensor and a number, in both orders; its rows may be longer, and dst may be the source.
#include "check.h"
using namespace AscendC;

template <typename T, typename U>
__aicore__ inline void Rows(uint32_t maskLast)
{
    constexpr uint32_t M = 2, K = 32;
    TPipe pipe;
    TBuf<TPosition::VECCALC> xBuf, yBuf, maskBuf, tmpBuf;
    pipe.InitBuffer(xBuf, M * K * sizeof(T));
    pipe.InitBuffer(yBuf, M * K * sizeof(T));
    pipe.InitBuffer(maskBuf, M * maskLast * sizeof(U));
    pipe.InitBuffer(tmpBuf, 2048);
    LocalTensor<T> x = xBuf.Get<T>(), y = yBuf.Get<T>();
    LocalTensor<U> mask = maskBuf.Get<U>();
    LocalTensor<uint8_t> tmp = tmpBuf.Get<uint8_t>();
    for (uint32_t i = 0; i < M * K; ++i) {
        x.SetValue(i, T(float(i)));
    }
    for (uint32_t i = 0; i < M * maskLast; ++i) {
        mask.SetValue(i, U(i % maskLast < K ? i % maskLast % 3 : 1));
    }
    SelectWithBytesMaskShapeInfo info;
    info.firstAxis = M;
    info.srcLastAxis = K;
    info.maskLastAxis = maskLast;
    SelectWithBytesMask<T, U, false>(y, x, T(-1.0f), mask, tmp, info);
    for (uint32_t i = 0; i < M * K; ++i) {
        Expect(y.GetValue(i), i % K % 3 == 0 ? float(i) : -1.0f, i);
    }
    Select<T, U, false>(x, T(-1.0f), x, mask, tmp, info);
    for (uint32_t i = 0; i < M * K; ++i) {
        Expect(x.GetValue(i), i % K % 3 == 0 ? -1.0f : float(i), i);
    }
}

extern "C" __global__ __aicore__ void k()
{
    Rows<float, uint8_t>(32);
    Rows<half, uint8_t>(64);
    Rows<half, bool>(32);
    Rows<float, int16_t>(48);
    Rows<half, int32_t>(32);
}
