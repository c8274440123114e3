// What a kernel without TPipe calls first: no atomic copies, normal mode, every element; and bit 48 of CTRL.
// gm z: float[64] out
// expect z: 3 3 3
#include "check.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k(GM_ADDR z)
{
    SetAtomicAdd<float>();
    SetMaskCount();
    SetVectorMask<float, MaskMode::COUNTER>(0, 1);
    InitSocState();
    GlobalTensor<float> gz;
    gz.SetGlobalBuffer((__gm__ float *)z, 64);
    LocalTensor<float> a(TPosition::VECCALC, 0, 64);
    Duplicate<float, false>(a, 3.0f, MASK_PLACEHOLDER, 1, 1, 8);
    Expect(a.GetValue(63), 3.0f);
    for (int i = 0; i < 2; ++i) {
        SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
        WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
        DataCopy(gz, a, 64);
        PipeBarrier<PIPE_ALL>();
    }
    SetCtrlSpr<48, 48>(0);
    Expect(GetSaturationFlag(), true);
    Expect(GetCtrlSpr<48, 48>(), 0);
    SetCtrlSpr<48, 48>(1);
    Expect(GetSaturationFlag(), false);
    Expect(GetCtrlSpr<48, 48>(), 1);
    Expect(block_idx, 0);
    Expect(block_num, 1);
}
