// Blocks that poll each other past the scalar cache, each one before the other.
// blocks: 2
// gm flags: int32_t[16] inout
// gm z: int32_t[16] inout
// expect z: 14
#include "check.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k(GM_ADDR flags, GM_ADDR z)
{
    __gm__ int32_t *flag = reinterpret_cast<__gm__ int32_t *>(flags);
    if (GetBlockIdx() == 0) {
        while (ReadGmByPassDCache<int32_t>(flag) != 1) {
        }
        WriteGmByPassDCache<int32_t>(flag + 1, 7);
    } else {
        WriteGmByPassDCache<int32_t>(flag, 1);
        while (ReadGmByPassDCache<int32_t>(flag + 1) != 7) {
        }
        WriteGmByPassDCache<int32_t>(reinterpret_cast<__gm__ int32_t *>(z), 2 * ReadGmByPassDCache<int32_t>(flag + 1));
    }
}
