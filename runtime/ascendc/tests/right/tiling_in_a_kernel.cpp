// Each kernel of a file may say its own tiling data; the type that the pipe is asked for lies in no namespace.
// kernel: second
// gm t: int32_t[4] = 7 8 9 10
#include "check.h"

struct First {
    int32_t a;
};
struct Second {
    int32_t a;
    int32_t b;
};

extern "C" __global__ __aicore__ void first(GM_ADDR t)
{
    REGISTER_TILING_DEFAULT(First);
    GET_TILING_DATA(tiling, t);
    Expect(tiling.a, 7);
}

extern "C" __global__ __aicore__ void second(GM_ADDR t)
{
    REGISTER_TILING_DEFAULT(Second);
    GET_TILING_DATA(tiling, t);
    Expect(tiling.b, 8);
    AscendC::TPipe pipe;
    Expect(GetTPipePtr() == &pipe, true);
    Expect(AscendC::GetTPipePtr() == &pipe, true);
}
