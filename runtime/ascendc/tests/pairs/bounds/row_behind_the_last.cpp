// A launch asks for a row that there is not.
// gm x: float[64] = ones
// gm w: float[128] = iota
// gm y: float[64] out
// value k: uint32_t = 2 //-
//+ // value k: uint32_t = 1
// expect: fault bounds: DataCopy: src of 256 bytes begins at byte 512 of `w` (512 bytes)
// expect y: 65 66 67
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void add_row(GM_ADDR x, GM_ADDR w, GM_ADDR y, uint32_t k)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> inX, inRow;
    TQue<TPosition::VECOUT, 1> outY;
    pipe.InitBuffer(inX, 1, 64 * sizeof(float));
    pipe.InitBuffer(inRow, 1, 64 * sizeof(float));
    pipe.InitBuffer(outY, 1, 64 * sizeof(float));
    GlobalTensor<float> gx, gw, gy;
    gx.SetGlobalBuffer((__gm__ float *)x, 64);
    gw.SetGlobalBuffer((__gm__ float *)w, 2 * 64);
    gy.SetGlobalBuffer((__gm__ float *)y, 64);
    LocalTensor<float> a = inX.AllocTensor<float>(), row = inRow.AllocTensor<float>();
    DataCopy(a, gx, 64);
    DataCopy(row, gw[k * 64], 64); // <-- here
    inX.EnQue(a);
    inRow.EnQue(row);
    a = inX.DeQue<float>();
    row = inRow.DeQue<float>();
    LocalTensor<float> b = outY.AllocTensor<float>();
    Add(b, a, row, 64);
    inX.FreeTensor(a);
    inRow.FreeTensor(row);
    outY.EnQue(b);
    b = outY.DeQue<float>();
    DataCopy(gy, b, 64);
    outY.FreeTensor(b);
}
