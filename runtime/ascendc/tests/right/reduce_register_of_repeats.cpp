// The registers that WholeReduceMax and WholeReduceMin leave tell of all repeats of the instruction.
#include "check.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k()
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> xBuf, rBuf;
    pipe.InitBuffer(xBuf, 256 * sizeof(float));
    pipe.InitBuffer(rBuf, 64);
    LocalTensor<float> x = xBuf.Get<float>();
    LocalTensor<float> r = rBuf.Get<float>();
    Duplicate(x, 5.0f, 256);
    x.SetValue(6, 7.0f);
    x.SetValue(70, 9.0f);
    x.SetValue(140, 9.0f);
    x.SetValue(200, -1.0f);
    WholeReduceMax(r, x, 64, 4, 1, 1, 8);
    float value = 0, index = 0;
    GetReduceRepeatMaxMinSpr<float>(value, index);
    Expect(value, 9.0f);
    uint32_t bits = 0;
    std::memcpy(&bits, &index, sizeof bits);
    Expect(bits, 70u);
    WholeReduceMin(r, x, 64, 4, 1, 1, 8);
    GetReduceRepeatMaxMinSpr<float>(value, index);
    Expect(value, -1.0f);
    std::memcpy(&bits, &index, sizeof bits);
    Expect(bits, 200u);
    // Each repeat still has its own result: value and index inside of it.
    Expect(r.GetValue(0), 5.0f);
    Expect(r.GetValue(6), -1.0f);
    Expect(r.ReinterpretCast<uint32_t>().GetValue(7), 8u);
}
