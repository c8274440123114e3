// (grad - sum) * src with grad 1, 2, 3, .. and src 0.5, 0.25, 0.25: the sum of a row is 1.75. Padding is computed, but not added up; with
// isFront there is a data block of the sum for each row.
#include "check.h"
using namespace AscendC;

template <typename T>
__aicore__ inline void Rows()
{
    constexpr uint32_t M = 3, K = 16, block = 32 / sizeof(T);
    TPipe pipe;
    TBuf<TPosition::VECCALC> gBuf, xBuf, yBuf, tmpBuf;
    pipe.InitBuffer(gBuf, M * K * sizeof(T));
    pipe.InitBuffer(xBuf, M * K * sizeof(T));
    pipe.InitBuffer(yBuf, M * K * sizeof(T));
    pipe.InitBuffer(tmpBuf, 2048);
    LocalTensor<T> g = gBuf.Get<T>(), x = xBuf.Get<T>(), y = yBuf.Get<T>();
    LocalTensor<uint8_t> tmp = tmpBuf.Get<uint8_t>();
    SoftMaxTiling tiling;
    tiling.srcM = M;
    tiling.srcK = K;
    const SoftMaxShapeInfo shape{M, K, M, 3};
    const auto fill = [&] {
        for (uint32_t i = 0; i < M * K; ++i) {
            g.SetValue(i, T(float(i % K + 1)));
            x.SetValue(i, T(i % K == 0 ? 0.5f : i % K < 3 ? 0.25f : i % K == 3 ? 2.0f : 0.0f));
        }
    };
    const auto check = [&](const LocalTensor<T> &of) {
        for (uint32_t r = 0; r < M; ++r) {
            Expect(of.GetValue(r * K), -0.375f, r);
            Expect(of.GetValue(r * K + 2), 0.3125f, r);
            Expect(of.GetValue(r * K + 3), 4.5f, r);
        }
    };
    fill();
    SoftmaxGrad<T>(y, g, x, tmp, tiling, false, shape);
    check(y);
    SoftmaxGrad<T>(x, g, x, tiling, false, shape);
    check(x);
    fill();
    SoftmaxGrad<T>(g, g, x, tiling, false, shape);
    check(g);
    fill();
    const auto front = [&] {
        for (uint32_t i = 0; i < M * block; ++i) {
            Expect(y.GetValue(i), 1.75f, i);
        }
    };
    SoftmaxGrad<T>(y, g, x, tiling, true, shape);
    front();
    SoftmaxGradFront<T>(y, g, x, tmp, tiling, shape);
    front();
    SoftmaxGradFront<T>(y, g, x, tiling, shape);
    front();
    // Without one it is that of srcTensor, and all of a row is added up: 1.75 and 4 * 2.
    const uint32_t sides[2] = {M, K};
    x.SetShapeInfo(ShapeInfo(2, sides));
    SoftmaxGradFront<T>(y, g, x, tiling);
    Expect(y.GetValue(0), 9.75f);
}

extern "C" __global__ __aicore__ void k()
{
    Rows<float>();
    Rows<half>();
}
