// A row is not repeated where it lies.
// expect: fault overlap: Broadcast: dstLocal and srcLocal share memory
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k()
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> xBuf, yBuf, tmpBuf;
    pipe.InitBuffer(xBuf, 256);
    pipe.InitBuffer(yBuf, 512);
    pipe.InitBuffer(tmpBuf, 128);
    LocalTensor<float> x = xBuf.Get<float>(), y = yBuf.Get<float>();
    LocalTensor<uint8_t> tmp = tmpBuf.Get<uint8_t>();
    Duplicate(x, 1.0f, 64);
    const uint32_t whole[] = {8, 16}, column[] = {8, 1}, row[] = {1, 16}, odd[] = {8, 9}, nine[] = {1, 9};
    Duplicate(y, 1.0f, 128);
    Broadcast<float, 2, 0>(y, y, whole, row); // <-- here
    (void)y, (void)tmp, (void)whole, (void)column, (void)row, (void)odd, (void)nine;
}
