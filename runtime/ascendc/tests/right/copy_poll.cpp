// A block that copies a flag again and again until another one has written it ends.
// blocks: 2
// gm flags: int32_t[8] inout
// gm z: int32_t[8] inout
// expect z: 5
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k(GM_ADDR flags, GM_ADDR z)
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> buf;
    pipe.InitBuffer(buf, 32);
    LocalTensor<int32_t> word = buf.Get<int32_t>();
    GlobalTensor<int32_t> flag, result;
    flag.SetGlobalBuffer((__gm__ int32_t *)flags, 8);
    result.SetGlobalBuffer((__gm__ int32_t *)z, 8);
    if (GetBlockIdx() == 1) {
        Duplicate(word, 5, 8);
        SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
        WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
        DataCopy(flag, word, 8);
        return;
    }
    do {
        DataCopy(word, flag, 8);
        SetFlag<HardEvent::MTE2_S>(EVENT_ID0);
        WaitFlag<HardEvent::MTE2_S>(EVENT_ID0);
    } while (word.GetValue(0) != 5);
    SetFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
    DataCopy(result, word, 8);
}
