// Integers before a Relu end at their type, whatever the mode is.
// option: saturate 0
#include "check.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k()
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> buf;
    pipe.InitBuffer(buf, 96);
    LocalTensor<int16_t> a = buf.Get<int16_t>(), b = a[16], c = a[32];
    for (int i = 0; i < 16; ++i) {
        a.SetValue(i, i % 2 == 0 ? 32767 : -32768);
        b.SetValue(i, i % 4 < 2 ? 32767 : -32768);
    }
    AddRelu(c, a, b, 16);
    for (int i = 0; i < 16; ++i) {
        Expect(c.GetValue(i), int16_t(i % 4 == 0 ? 32767 : 0), i);
    }
    SubRelu(c, a, b, 16);
    for (int i = 0; i < 16; ++i) {
        Expect(c.GetValue(i), int16_t(i % 4 == 2 ? 32767 : 0), i);
    }
}
