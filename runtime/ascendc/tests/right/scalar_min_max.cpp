// min and max of scalars need no namespace; what a kernel has of that name comes first.
#include "check.h"

#include <algorithm>
using namespace AscendC;

namespace own {
template <typename T>
T min(T a, T)
{
    return a;
}
} // namespace own

ASCENDC_API void OfTheStandardLibrary()
{
    using namespace std;
    const int64_t a = 3, b = 2;
    Expect(min(a, b), int64_t(2));
}
ASCENDC_API void OfItsOwn()
{
    using namespace own;
    Expect(min(3, 2), 3);
}

extern "C" __global__ __aicore__ void k()
{
    const uint32_t tail = 5;
    Expect(min(tail, 7u), 5u);
    Expect(min(int64_t(9), 7), int64_t(7));
    Expect(max(half(1.0f), half(2.0f)), 2.0f);
    Expect(max(2.5f, 1), 2.5f);
    Expect(Std::min(3, 4), 3);
    OfTheStandardLibrary();
    OfItsOwn();
}
