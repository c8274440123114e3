// printf (asc-devkit, 算子调测API pages). Output goes into the report of the run, with its block.
#ifndef ASCENDC_CPU_PRINT_H
#define ASCENDC_CPU_PRINT_H

#include "ascendc/types.h"

#include <cstdio>

namespace ascendc_cpu {
void Print(const char *format, ...);

// What the device prints: half and bfloat16_t as floats.
template <typename T>
ASCENDC_API T Printed(T v)
{
    return v;
}
ASCENDC_API double Printed(half v)
{
    return float(v);
}
ASCENDC_API double Printed(bfloat16_t v)
{
    return float(v);
}
} // namespace ascendc_cpu

namespace AscendC {
template <typename... Args>
ASCENDC_API void printf(const char *fmt, Args... args)
{
    ascendc_cpu::Print(fmt, ascendc_cpu::Printed(args)...);
}
template <typename... Args>
ASCENDC_API void PRINTF(const char *fmt, Args... args)
{
    ascendc_cpu::Print(fmt, ascendc_cpu::Printed(args)...);
}
} // namespace AscendC

#endif
