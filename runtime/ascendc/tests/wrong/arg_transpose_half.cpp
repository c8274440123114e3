// Halves of a data block are for 8-bit elements.
// expect: fault arg: TransDataTo5HD: dstHighHalf and srcHighHalf are of int8_t and uint8_t; of half whole data blocks are taken
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
    LocalTensor<half> list[16];
    for (int i = 0; i < 16; ++i) {
        list[i] = x.ReinterpretCast<half>();
    }
    TransDataTo5HD<half>(list, list, TransDataTo5HDParams(true, false, 1, 0, 0)); // <-- here
    (void)y, (void)tmp, (void)whole, (void)column, (void)row, (void)odd, (void)nine;
}
