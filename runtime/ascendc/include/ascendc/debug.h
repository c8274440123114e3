// printf, assert, DumpTensor, trap (asc-devkit, 算子调测API pages). Output goes into the report of the run, with its block.
#ifndef ASCENDC_CPU_DEBUG_H
#define ASCENDC_CPU_DEBUG_H

#include "ascendc/print.h"
#include "ascendc/tensor.h"

#include <cassert>
#include <cstdio>

namespace ascendc_cpu {
[[noreturn]] void AssertionFailed(const char *text, const char *format, ...);
[[noreturn]] void TrapHere();
void DumpLocal(const Local &tensor, uint32_t desc, uint32_t count);
void DumpGlobal(const Global &tensor, uint32_t desc, uint32_t count);
} // namespace ascendc_cpu

namespace AscendC {
template <typename T>
ASCENDC_API void DumpTensor(const LocalTensor<T> &input, uint32_t desc, uint32_t dumpSize)
{
    static_assert(!ascendc_cpu::IsInt4<T>, "DumpTensor does not take int4b_t");
    ascendc_cpu::DumpLocal(input.View(), desc, dumpSize);
}
template <typename T>
ASCENDC_API void DumpTensor(const GlobalTensor<T> &input, uint32_t desc, uint32_t dumpSize)
{
    static_assert(!ascendc_cpu::IsInt4<T>, "DumpTensor does not take int4b_t");
    ascendc_cpu::DumpGlobal(input.View(), desc, dumpSize);
}
ASCENDC_API void Trap()
{
    ascendc_cpu::TrapHere();
}
} // namespace AscendC

ASCENDC_API void trap()
{
    ascendc_cpu::TrapHere();
}

namespace ascendc_cpu {
// What ASSERT is: alone `-Asserted` is nothing, behind a value `value - Asserted` is the value.
struct Asserted {};
constexpr void operator-(Asserted)
{}
template <typename T>
constexpr T operator-(T value, Asserted)
{
    return value;
}
} // namespace ascendc_cpu

// An assertion of the kernel stops the run like every other fault. The toolchain drops ASSERT unread, so kernels have names of
// AscendC in it that are not visible there otherwise, and no semicolon behind it, or none before it.
#undef assert
#define assert(...) ASCENDC_CPU_ASSERT(__VA_ARGS__, "")
#if ASCENDC_CPU_CANN >= 805
#define ascendc_assert(...) ASCENDC_CPU_ASSERT(__VA_ARGS__, "")
#endif
#define ASSERT(expression)                                                                                                \
    -(ASCENDC_CPU_CHECK(([&] { using namespace AscendC; return static_cast<bool>(expression); }()), #expression, ""),     \
        ascendc_cpu::Asserted{});
#define ASCENDC_ASSERT(expression, ...) ASCENDC_CPU_ASSERT(expression, "")
#define ASCENDC_CPU_ASSERT(expression, ...) ASCENDC_CPU_CHECK(expression, #expression, __VA_ARGS__)
#define ASCENDC_CPU_CHECK(value, text, ...)                                                                               \
    ((value) ? static_cast<void>(0) : ascendc_cpu::AssertionFailed(text, __VA_ARGS__))

#endif
