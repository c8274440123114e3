// A column takes a data block for each of eight elements; a row is whole data blocks; the shapes differ on the axis alone.
// expect: fault arg: Broadcast: sharedTmpBuffer has 128 bytes, which is fewer than the 256 that the temporary space takes at least (GetBroadCastMaxMinTmpSize)
// expect: fault arg: Broadcast: a row that is repeated has 9 elements, which are no whole data blocks; a multiple of 8 is allowed
// expect: fault arg: BroadCast: srcShape is 1, 16 and dstShape 8, 16: they are equal but on axis 1, where the source has 1
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
    Broadcast<float, 2, 1>(y, x, whole, column, tmp); // <-- here
    Broadcast<float, 2, 0>(y, x, odd, nine); // <-- here
    BroadCast<float, 2, 1>(y, x, whole, row); // <-- here
    (void)y, (void)tmp, (void)whole, (void)column, (void)row, (void)odd, (void)nine;
}
