// vcadd with mode 1 adds up all repeats under the mask into the register that GetAccVal reads, and leaves dst, which may be null.
#include "check.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k()
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> xBuf, dBuf;
    pipe.InitBuffer(xBuf, 1024);
    pipe.InitBuffer(dBuf, 512);
    LocalTensor<float> x = xBuf.Get<float>(), d = dBuf.Get<float>();
    for (int i = 0; i < 256; ++i) {
        x.SetValue(i, float(i));
    }
    Duplicate(d, 1.0f, 128);
    SetVectorMask<float>(64);
    vcadd(nullptr, (__ubuf__ float *)x.GetPhyAddr(), 4, 1, 1, 8, true);
    Expect(GetAccVal<float>(), 32640.0f);
    SetVectorMask<float>(3);
    vcadd((__ubuf__ float *)d.GetPhyAddr(), (__ubuf__ float *)x[64].GetPhyAddr(), 1, 1, 1, 8, true);
    Expect(GetAccVal<float>(), 195.0f);
    Expect(GetAccVal(), int64_t(0x43430000)); // the bits of 195
    Expect(d.GetValue(0), 1.0f);
    vcadd((__ubuf__ float *)d.GetPhyAddr(), (__ubuf__ float *)x.GetPhyAddr(), 2, 1, 1, 8);
    Expect(d.GetValue(0), 3.0f);
    Expect(d.GetValue(1), 195.0f);
}
