// Functions of the API as template arguments, as foreach operators pass them: the signatures are those of the toolkit.
// gm x: float[64] = iota
// gm z: float[64] out
// expect z: 2 4 6 8 10
#include "check.h"
using namespace AscendC;

template <typename T>
using UnaryOp = void(const LocalTensor<T> &, const LocalTensor<T> &, const int32_t &);
template <typename T>
using BinaryOp = void(const LocalTensor<T> &, const LocalTensor<T> &, const LocalTensor<T> &, const int32_t &);
template <typename T>
using ScalarOp = void(const LocalTensor<T> &, const LocalTensor<T> &, const T &, const int32_t &);

template <typename T, UnaryOp<T> *op>
__aicore__ inline void Unary(const LocalTensor<T> &a)
{
    op(a, a, 64);
}
template <typename T, BinaryOp<T> *op>
__aicore__ inline void Binary(const LocalTensor<T> &a, const LocalTensor<T> &b)
{
    op(a, a, b, 64);
}
template <typename T, ScalarOp<T> *op>
__aicore__ inline void Scalar(const LocalTensor<T> &a, T value)
{
    op(a, a, value, 64);
}

extern "C" __global__ __aicore__ void k(GM_ADDR x, GM_ADDR z)
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> buffer;
    pipe.InitBuffer(buffer, 128 * sizeof(float));
    GlobalTensor<float> gx, gz;
    gx.SetGlobalBuffer((__gm__ float *)x);
    gz.SetGlobalBuffer((__gm__ float *)z);
    LocalTensor<float> a = buffer.GetWithOffset<float>(64, 0);
    LocalTensor<float> b = buffer.GetWithOffset<float>(64, 256);
    DataCopy(a, gx, 64);
    PipeBarrier<PIPE_ALL>();
    Scalar<float, Adds>(a, 1.0f);
    Scalar<float, Muls>(a, 1.0f);
    Scalar<float, Maxs>(a, -1.0f);
    Scalar<float, Mins>(a, 1000.0f);
    Duplicate(b, 1.0f, 64);
    Unary<float, Abs>(b);
    Unary<float, Sqrt>(b);
    Unary<float, Reciprocal>(b);
    Unary<float, Rsqrt>(b);
    Unary<float, Relu>(b);
    Unary<float, Ln>(b);
    Unary<float, Exp>(b);
    Binary<float, Div>(a, b);
    Binary<float, Mul>(a, b);
    Binary<float, Max>(b, a);
    Binary<float, Min>(b, a);
    Binary<float, Sub>(b, a);
    Binary<float, Add>(b, a);
    Binary<float, Add>(a, b);
    PipeBarrier<PIPE_ALL>();
    DataCopy(gz, a, 64);
}
