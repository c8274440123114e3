// The mode of atomic copies as numbers.
// gm z: int32_t[8] = 1 2 3
#include "check.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k(GM_ADDR z)
{
    uint16_t type = 9, op = 9;
    GetStoreAtomicConfig(type, op);
    Expect(type, uint16_t(ATOMIC_NONE));
    SetAtomicAdd<int32_t>();
    GetStoreAtomicConfig(type, op);
    Expect(type, uint16_t(ATOMIC_S32));
    Expect(op, uint16_t(ATOMIC_SUM));
    SetStoreAtomicConfig<ATOMIC_BF16, ATOMIC_SUM>();
    GetStoreAtomicConfig(type, op);
    Expect(type, uint16_t(ATOMIC_BF16));
    SetStoreAtomicConfig<ATOMIC_NONE, ATOMIC_SUM>();
    GetStoreAtomicConfig(type, op);
    Expect(type, uint16_t(ATOMIC_NONE));
    GlobalTensor<int32_t> gz;
    gz.SetGlobalBuffer((__gm__ int32_t *)z, 8);
    Expect(gz.GetValue(1), 2);
}
