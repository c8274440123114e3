// Each kernel of a file may say its own tiling data, with a semicolon behind the macros or without; the type that the pipe is asked for
// lies in no namespace.
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
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY)
    REGISTER_NONE_TILING
    REGISTER_TILING_DEFAULT(Second);
    GET_TILING_DATA(tiling, t)
    Expect(tiling.b, 8);
    GET_TILING_DATA_WITH_STRUCT(First, one, t)
    GET_TILING_DATA_MEMBER(Second, b, member, t)
    GET_TILING_DATA_PTR_WITH_STRUCT(Second, pointer, t)
    Expect(one.a + member + pointer->a, 22);
    __tiling_data_ptr__ Second *again = pointer;
    COPY_TILING_WITH_STRUCT(First, &again->b, copy)
    COPY_TILING_WITH_ARRAY(int32_t, 3, &again->b, numbers)
    Expect(copy->a, 8);
    Expect((*numbers)[2], 10);
    AscendC::TPipe pipe;
    Expect(GetTPipePtr() == &pipe, true);
    Expect(AscendC::GetTPipePtr() == &pipe, true);
}
