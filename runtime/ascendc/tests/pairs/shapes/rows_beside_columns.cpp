// A value a row and a value a column are added as if they were equally long.
// gm x: float[8] = 100 200
// gm y: float[64] = iota
// gm z: float[512] out
// expect: fault bounds: Add: src0 is touched up to byte 256, the tensor has 32
// expect z: 100 101 102 103
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void outer(GM_ADDR x, GM_ADDR y, GM_ADDR z)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> rowQueue, columnQueue;
    TQue<TPosition::VECOUT, 1> outQueue;
    pipe.InitBuffer(rowQueue, 1, 8 * sizeof(float));
    pipe.InitBuffer(columnQueue, 1, 64 * sizeof(float));
    pipe.InitBuffer(outQueue, 2, 64 * sizeof(float));
    GlobalTensor<float> gx, gy, gz;
    gx.SetGlobalBuffer((__gm__ float *)x, 8);
    gy.SetGlobalBuffer((__gm__ float *)y, 64);
    gz.SetGlobalBuffer((__gm__ float *)z, 512);
    LocalTensor<float> rows = rowQueue.AllocTensor<float>();
    LocalTensor<float> columns = columnQueue.AllocTensor<float>();
    DataCopy(rows, gx, 8);
    DataCopy(columns, gy, 64);
    rowQueue.EnQue(rows);
    columnQueue.EnQue(columns);
    rows = rowQueue.DeQue<float>();
    columns = columnQueue.DeQue<float>();
    for (int row = 0; row < 8; ++row) {
        LocalTensor<float> b = outQueue.AllocTensor<float>();
        Add(b, rows, columns, 64); //- <-- here
        //+ Adds(b, columns, rows.GetValue(row), 64);
        outQueue.EnQue(b);
        b = outQueue.DeQue<float>();
        DataCopy(gz[row * 64], b, 64);
        outQueue.FreeTensor(b);
    }
    rowQueue.FreeTensor(rows);
    columnQueue.FreeTensor(columns);
}
