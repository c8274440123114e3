// Inference products have no DataCopyPad.
// expect: compile: DataCopyPad
// chip: ascend310p3
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k()
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> aBuf;
    pipe.InitBuffer(aBuf, 64 * sizeof(float));
    LocalTensor<float> a = aBuf.Get<float>();
    TBuf<TPosition::VECCALC> bBuf;
    pipe.InitBuffer(bBuf, 64 * sizeof(half));
    LocalTensor<half> b = bBuf.Get<half>();
    TBuf<TPosition::VECCALC> nBuf;
    pipe.InitBuffer(nBuf, 64 * sizeof(int32_t));
    LocalTensor<int32_t> n = nBuf.Get<int32_t>();
    TBuf<TPosition::VECCALC> uBuf;
    pipe.InitBuffer(uBuf, 64 * sizeof(uint8_t));
    LocalTensor<uint8_t> u = uBuf.Get<uint8_t>();
    TBuf<TPosition::VECCALC> i8Buf;
    pipe.InitBuffer(i8Buf, 64 * sizeof(int8_t));
    LocalTensor<int8_t> i8 = i8Buf.Get<int8_t>();
    TBuf<TPosition::VECCALC> oBuf;
    pipe.InitBuffer(oBuf, 64 * sizeof(uint32_t));
    LocalTensor<uint32_t> o = oBuf.Get<uint32_t>();
    GlobalTensor<float> g;
    DataCopyPad(a, g, DataCopyExtParams(1, 4, 0, 0, 0), DataCopyPadExtParams<float>(false, 0, 0, 0)); // <-- here
    (void)a, (void)b, (void)n, (void)u, (void)i8, (void)o;
}
