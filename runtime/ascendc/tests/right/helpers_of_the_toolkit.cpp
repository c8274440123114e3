// What normalisation kernels take from the toolkit besides the API: AscendCUtils, AlignUp, likely, vcadd by addresses.
// gm x: float[128] = iota
// gm z: float[8] out
// expect z: 8128
#include "check.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k(GM_ADDR x, GM_ADDR z)
{
    TPipe pipe;
    TBuf<> buffer;
    pipe.InitBuffer(buffer, 256 * sizeof(float));
    GlobalTensor<float> gx, gz;
    gx.SetGlobalBuffer((__gm__ float *)x);
    gz.SetGlobalBuffer((__gm__ float *)z);
    LocalTensor<float> a = buffer.Get<float>();
    LocalTensor<float> sum = a[128];
    DataCopy(a, gx, AlignUp(127, ONE_BLK_SIZE / sizeof(float)));
    Duplicate(sum, 0.0f, 72);
    PipeBarrier<PIPE_ALL>();
    if (g_coreType == AIV) {
        BinaryRepeatParams params;
        params.dstRepStride = 0;
        params.src1RepStride = 0;
        const int32_t repeats = CeilDivision(128, ONE_REPEAT_BYTE_SIZE / static_cast<int32_t>(sizeof(float)));
        if (likely(repeats > 0)) {
            Add(sum, a, sum, 64, repeats, params);
        }
        if (unlikely(DivCeil(128, 64) != 2)) {
            return;
        }
        AscendCUtils::SetMask<float>(64);
        vcadd((__ubuf__ float *)sum[64].GetPhyAddr(), (__ubuf__ float *)sum.GetPhyAddr(), 1, 0, 1, 0, false);
        AscendCUtils::ResetMask();
    }
    PipeBarrier<PIPE_ALL>();
    DataCopy(gz, sum[64], 8);
    Expect(Ceil(9, 4), 3u);
    static_assert(ConstCeil(8, 4) == 2);
    set_ffts_base_addr(4096); // a mixed kernel's, which nothing here needs
    Expect(AscendCUtils::GetC0Count(sizeof(half)), 16);
    Expect(int(ONE_BLK_FLOAT_NUM), 8);
    Expect(MAX_REPEAT_TIMES, 255);
}
