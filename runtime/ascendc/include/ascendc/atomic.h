// Atomic copies to GM (asc-devkit, include/basic_api/kernel_operator_set_atomic_intf.h). The mode holds for every copy from UB
// to GM until it is taken back.
#ifndef ASCENDC_CPU_ATOMIC_H
#define ASCENDC_CPU_ATOMIC_H

#include "ascendc/tensor.h"

namespace ascendc_cpu {
enum class AtomicOp : uint8_t { NONE, ADD, MAX, MIN };
void SetAtomic(AtomicOp op, Type type);
void SetAtomicElement(Type type);
// The mode in force, and its element type where there is one.
AtomicOp AtomicMode(Type *type);

#if __NPU_ARCH__ == 2201
template <typename T>
inline constexpr bool IsAtomic = OneOf<T, float, half, int16_t, int32_t, int8_t, bfloat16_t>;
#else
template <typename T>
inline constexpr bool IsAtomic = OneOf<T, float, half, int16_t>;
#endif
} // namespace ascendc_cpu

namespace AscendC {
template <typename T>
ASCENDC_API void SetAtomicAdd()
{
    static_assert(ascendc_cpu::IsAtomic<T>, "no atomic sum of this element type on this chip");
    ascendc_cpu::SetAtomic(ascendc_cpu::AtomicOp::ADD, ascendc_cpu::TypeOf<T>::value);
}
#if __NPU_ARCH__ == 2201
template <typename T>
ASCENDC_API void SetAtomicMax()
{
    static_assert(ascendc_cpu::IsAtomic<T>, "no atomic maximum of this element type on this chip");
    ascendc_cpu::SetAtomic(ascendc_cpu::AtomicOp::MAX, ascendc_cpu::TypeOf<T>::value);
}
template <typename T>
ASCENDC_API void SetAtomicMin()
{
    static_assert(ascendc_cpu::IsAtomic<T>, "no atomic minimum of this element type on this chip");
    ascendc_cpu::SetAtomic(ascendc_cpu::AtomicOp::MIN, ascendc_cpu::TypeOf<T>::value);
}
// The element type of the mode in force.
template <typename T>
ASCENDC_API void SetAtomicType()
{
    static_assert(ascendc_cpu::IsAtomic<T>, "no atomic copy of this element type on this chip");
    ascendc_cpu::SetAtomicElement(ascendc_cpu::TypeOf<T>::value);
}
#endif
ASCENDC_API void SetAtomicNone()
{
    ascendc_cpu::SetAtomic(ascendc_cpu::AtomicOp::NONE, ascendc_cpu::Type::F32);
}
#if __NPU_ARCH__ == 2201
// The mode as numbers (asc-devkit, SetStoreAtomicConfig and GetStoreAtomicConfig): sums only.
enum AtomicDtype { ATOMIC_NONE = 0, ATOMIC_F32, ATOMIC_F16, ATOMIC_S16, ATOMIC_S32, ATOMIC_S8, ATOMIC_BF16 };
enum AtomicOp { ATOMIC_SUM = 0 };
} // namespace AscendC
namespace ascendc_cpu {
// By AtomicDtype; the first is that of no mode.
inline constexpr Type ATOMIC_TYPES[] = {Type::F32, Type::F32, Type::F16, Type::I16, Type::I32, Type::I8, Type::BF16};
} // namespace ascendc_cpu
namespace AscendC {
template <AtomicDtype type, AtomicOp op>
ASCENDC_API void SetStoreAtomicConfig()
{
    static_assert(op == ATOMIC_SUM, "the only operation is ATOMIC_SUM");
    ascendc_cpu::SetAtomic(type == ATOMIC_NONE ? ascendc_cpu::AtomicOp::NONE : ascendc_cpu::AtomicOp::ADD, ascendc_cpu::ATOMIC_TYPES[type]);
}
ASCENDC_API void GetStoreAtomicConfig(uint16_t &atomicType, uint16_t &atomicOp)
{
    ascendc_cpu::Type type;
    const ascendc_cpu::AtomicOp mode = ascendc_cpu::AtomicMode(&type);
    atomicType = ATOMIC_NONE;
    for (uint16_t i = ATOMIC_F32; mode != ascendc_cpu::AtomicOp::NONE && i <= ATOMIC_BF16; ++i) {
        atomicType = ascendc_cpu::ATOMIC_TYPES[i] == type ? i : atomicType;
    }
    atomicOp = ATOMIC_SUM;
}
#endif
// Its name in CANN 9.
ASCENDC_API void DisableDmaAtomic()
{
    SetAtomicNone();
}
} // namespace AscendC

#endif
