// TransDataTo5HD by addresses: 16 data blocks of half become their columns.
// gm x: half[256] = iota
// gm z: half[256] out
// expect z: 0 16 32 48 64 80 96 112 128 144 160 176 192 208 224 240 1 17 33
#include "check.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k(GM_ADDR x, GM_ADDR z)
{
    TPipe pipe;
    TBuf<> buffer;
    pipe.InitBuffer(buffer, 768 * sizeof(half));
    GlobalTensor<half> gx, gz;
    gx.SetGlobalBuffer((__gm__ half *)x);
    gz.SetGlobalBuffer((__gm__ half *)z);
    LocalTensor<half> a = buffer.Get<half>();
    DataCopy(a, gx, 256);
    PipeBarrier<PIPE_ALL>();
    uint64_t dst[NCHW_CONV_ADDR_LIST_SIZE];
    uint64_t src[NCHW_CONV_ADDR_LIST_SIZE];
    __ubuf__ half *back[NCHW_CONV_ADDR_LIST_SIZE];
    __ubuf__ half *there[NCHW_CONV_ADDR_LIST_SIZE];
    for (int i = 0; i < NCHW_CONV_ADDR_LIST_SIZE; ++i) {
        src[i] = (uint64_t)a[16 * i].GetPhyAddr();
        dst[i] = (uint64_t)a[256 + 16 * i].GetPhyAddr();
        there[i] = (__ubuf__ half *)a.GetPhyAddr() + 256 + 16 * i;
        back[i] = (__ubuf__ half *)a.GetPhyAddr() + 512 + 16 * i;
    }
    TransDataTo5HDParams params;
    TransDataTo5HD<half>(dst, src, params);
    TransDataTo5HDImpl(back, there, params);
    PipeBarrier<PIPE_ALL>();
    assert((float)a.GetValue(512 + 17) == 17.0f);
    DataCopy(gz, a[256], 256);
}
