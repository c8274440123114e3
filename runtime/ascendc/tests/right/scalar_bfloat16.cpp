// bfloat16_t as templates use it that are written for other types, too: both branches of a plain `if` compile.
// gm s: half[16] = 0.333251953125
#include "check.h"
using namespace AscendC;

constexpr half ONE = 1.0;
static_assert(float(ONE) == 1.0f && float(half(0.5f)) == 0.5f, "half is known while compiling");

template <typename T, typename S>
__aicore__ inline T Read(GlobalTensor<S> s)
{
    float number;
    if (std::is_same<T, bfloat16_t>::value) {
        number = s.GetValue(0);
    } else {
        number = T(s.GetValue(0));
    }
    return T(number);
}

extern "C" __global__ __aicore__ void k(GM_ADDR s)
{
    GlobalTensor<half> scalar;
    scalar.SetGlobalBuffer((__gm__ half *)s, 16);
    Expect(Read<bfloat16_t>(scalar), 0.333984375f);
    Expect(Read<half>(scalar), 0.333251953125f);
    Expect(Read<float>(scalar), 0.333251953125f);
    const bfloat16_t b = bfloat16_t(scalar.GetValue(0));
    Expect(float(b), 0.333984375f);
    Expect(float(half(b)), 0.333984375f);
    Expect(int(bfloat16_t(7.9f)), 7);
    Expect(b == 0 || 0.5f == b || b != b, false);
    const bfloat16_t three = 3.0;
    Expect(three == 3 && three != 4.0f, true);
}
