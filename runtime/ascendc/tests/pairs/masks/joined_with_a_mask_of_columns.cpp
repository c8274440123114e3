// A mask a row and a mask a column are joined: an attention mask that was never expanded.
// gm q: float[8] = 1 0
// gm k: float[64] = 1 1 0
// gm y: float[512] out
// expect: fault poison: has no value at element 8
// expect y: 1 1 0 1 1 0 1 1 0 1
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void joined(GM_ADDR q, GM_ADDR k, GM_ADDR y)
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> rowBuf, columnBuf, oneBuf, maskBuf;
    pipe.InitBuffer(rowBuf, 64 * sizeof(float));
    pipe.InitBuffer(columnBuf, 64 * sizeof(float));
    pipe.InitBuffer(oneBuf, 8 * 64 * sizeof(float));
    pipe.InitBuffer(maskBuf, 64);
    LocalTensor<float> rows = rowBuf.Get<float>(), columns = columnBuf.Get<float>(), z = oneBuf.Get<float>();
    LocalTensor<uint8_t> rowMask = maskBuf.Get<uint8_t>(), columnMask = rowMask[32];
    GlobalTensor<float> gq, gk, gy;
    gq.SetGlobalBuffer((__gm__ float *)q, 8);
    gk.SetGlobalBuffer((__gm__ float *)k, 64);
    gy.SetGlobalBuffer((__gm__ float *)y, 512);
    DataCopy(rows, gq, 8);
    DataCopy(columns, gk, 64);
    PipeBarrier<PIPE_ALL>();
    CompareScalar(rowMask, rows, 0.0f, CMPMODE::NE, 64); //-
    CompareScalar(columnMask, columns, 0.0f, CMPMODE::NE, 64);
    And(columnMask.ReinterpretCast<uint16_t>(), rowMask.ReinterpretCast<uint16_t>(), columnMask.ReinterpretCast<uint16_t>(), 4); //-
    for (int32_t row = 0; row < 8; ++row) {
        //+ const float kept = rows.GetValue(row);
        const float kept = 1.0f; //-
        Duplicate(z[row * 64], kept, 64);
        Select(z[row * 64], columnMask, z[row * 64], 0.0f, SELMODE::VSEL_TENSOR_SCALAR_MODE, 64);
    }
    PipeBarrier<PIPE_ALL>();
    DataCopy(gy, z, 512); // <-- here
}
