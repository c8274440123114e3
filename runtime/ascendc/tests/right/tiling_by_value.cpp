// Tiling data as a structure by value.
// value tiling: int64_t float int32_t = 7 0.5 3
#include "check.h"
using namespace AscendC;

struct Tiling {
    int64_t rows;
    float scale;
    int32_t flag;
};

extern "C" __global__ __aicore__ void k(Tiling tiling)
{
    Expect(tiling.rows, 7);
    Expect(tiling.scale, 0.5f);
    Expect(tiling.flag, 3);
}
