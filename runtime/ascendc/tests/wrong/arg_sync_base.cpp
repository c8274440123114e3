// Flags of several cores have an address, which is not 0.
// expect: fault arg: set_ffts_base_addr: no flags lie at 0
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
    set_ffts_base_addr(0x1000);
    AscendC::SetSyncBaseAddr(0); // <-- here
    (void)y, (void)tmp, (void)whole, (void)column, (void)row, (void)odd, (void)nine;
}
