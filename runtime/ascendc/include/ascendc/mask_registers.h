// The registers behind masks and modes, which calls of several families set.
#ifndef ASCENDC_CPU_MASK_REGISTERS_H
#define ASCENDC_CPU_MASK_REGISTERS_H

#include "ascendc/enums.h"

namespace ascendc_cpu {
void SetCounterMode(bool counter);
void SetMask(uint64_t high, uint64_t low);
// The first `n` lanes of a repeat.
ASCENDC_API void SetLanes(uint64_t n)
{
    const uint64_t low = n >= 64 ? ~0ull : (1ull << n) - 1;
    const uint64_t high = n >= 128 ? ~0ull : n > 64 ? (1ull << (n - 64)) - 1 : 0;
    SetMask(high, low);
}
} // namespace ascendc_cpu

#endif
