// The element types that families of instructions take (type lists: impl/basic_api/dav_c220 and dav_m200).
#ifndef ASCENDC_CPU_ELEMENT_TYPES_H
#define ASCENDC_CPU_ELEMENT_TYPES_H

#include "ascendc/machine.h"

namespace ascendc_cpu {
// Types of the arithmetic: 16- and 32-bit signed integers and floats; bfloat16_t not before 950.
template <typename T>
inline constexpr bool IsArithmetic = OneOf<T, half, float, int16_t, int32_t>;
template <typename T>
inline constexpr bool IsFloat = OneOf<T, half, float>;
template <typename T>
inline constexpr bool IsInteger16 = OneOf<T, int16_t, uint16_t>;
template <typename T>
inline constexpr bool IsFloatOrInt16 = OneOf<T, half, float, int16_t>;
template <typename T>
inline constexpr bool IsFloatOrInt32 = OneOf<T, half, float, int32_t>;
} // namespace ascendc_cpu

#endif
