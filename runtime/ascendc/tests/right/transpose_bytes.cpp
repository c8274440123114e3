// TransDataTo5HD of 8-bit elements works on halves of data blocks; with one repeat its strides move the start.
#include "check.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k()
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> fromBuf, toBuf, dstBuf, srcBuf;
    pipe.InitBuffer(fromBuf, 17 * 32);
    pipe.InitBuffer(toBuf, 18 * 32);
    pipe.InitBuffer(dstBuf, 16 * sizeof(uint64_t));
    pipe.InitBuffer(srcBuf, 16 * sizeof(uint64_t));
    LocalTensor<int8_t> from = fromBuf.Get<int8_t>();
    LocalTensor<int8_t> to = toBuf.Get<int8_t>();
    LocalTensor<uint64_t> dst = dstBuf.Get<uint64_t>();
    LocalTensor<uint64_t> src = srcBuf.Get<uint64_t>();
    Duplicate(to.ReinterpretCast<int16_t>(), int16_t(0), 18 * 16);
    for (uint32_t i = 0; i < 17 * 32; ++i) {
        from.SetValue(i, static_cast<int8_t>(i % 128));
    }
    for (uint32_t i = 0; i < 16; ++i) {
        dst.SetValue(i, reinterpret_cast<uint64_t>(to[i * 32].GetPhyAddr()));
        src.SetValue(i, reinterpret_cast<uint64_t>(from[i * 32].GetPhyAddr()));
    }
    TransDataTo5HD<int8_t>(dst, src, {true, true, 1, 2, 1});
    for (int32_t row = 0; row < 18; ++row) {
        for (int32_t i = 0; i < 32; ++i) {
            const bool written = row >= 2 && i >= 16;
            Expect(to.GetValue(row * 32 + i), int8_t(written ? ((i - 16 + 1) * 32 + 16 + row - 2) % 128 : 0), row * 32 + i);
        }
    }
}
