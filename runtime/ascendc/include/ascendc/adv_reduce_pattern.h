// Reductions of one axis of a matrix (asc-devkit, include/adv_api/reduce/reduce.h, reduce_common.h; 归约操作 pages): each letter of a pattern
// is an axis, R goes and A stays. Sums, means and products are computed in double and rounded once.
#ifndef ASCENDC_CPU_ADV_REDUCE_PATTERN_H
#define ASCENDC_CPU_ADV_REDUCE_PATTERN_H

#include "ascendc/adv_space.h"
#include "ascendc/element_types.h"
#include "ascendc/tensor.h"

namespace AscendC {
namespace Pattern {
namespace Reduce {
struct R {};
struct RA {};
struct AR {};
struct ARA {};
struct ARAR {};
struct ARARA {};
struct ARARAR {};
struct ARARARA {};
struct ARARARAR {};
struct ARARARARA {};
struct RAR {};
struct RARA {};
struct RARAR {};
struct RARARA {};
struct RARARAR {};
struct RARARARA {};
} // namespace Reduce
} // namespace Pattern
} // namespace AscendC

namespace ascendc_cpu {
// `rows`: the last axis goes. Without `tmp` the space is what TPipe has left of UB.
void ReduceAxis(Reduction op, bool rows, bool reuses, const Local &dst, const Local &src, const Local *tmp, uint32_t first, uint32_t last,
    bool padded);
} // namespace ascendc_cpu

namespace AscendC {
#define ASCENDC_CPU_REDUCE_AXIS(Name, OP, words, ...)                                                                    \
    template <class T, class pattern, bool isReuseSource = false>                                                        \
    ASCENDC_API void Name(const LocalTensor<T> &dstTensor, const LocalTensor<T> &srcTensor,                              \
        const LocalTensor<uint8_t> &sharedTmpBuffer, const uint32_t srcShape[], bool srcInnerPad)                        \
    {                                                                                                                    \
        ASCENDC_CPU_REDUCE_AXIS_TAKES(Name, words, __VA_ARGS__);                                                         \
        const ascendc_cpu::Local tmp = sharedTmpBuffer.View();                                                           \
        ascendc_cpu::ReduceAxis(ascendc_cpu::Reduction::OP, std::is_same<pattern, Pattern::Reduce::AR>::value,           \
            isReuseSource, dstTensor.View(), srcTensor.View(), &tmp, srcShape[0], srcShape[1], srcInnerPad);             \
    }                                                                                                                    \
    template <class T, class pattern, bool isReuseSource = false>                                                        \
    ASCENDC_API void Name(const LocalTensor<T> &dstTensor, const LocalTensor<T> &srcTensor, const uint32_t srcShape[],   \
        bool srcInnerPad)                                                                                                \
    {                                                                                                                    \
        ASCENDC_CPU_REDUCE_AXIS_TAKES(Name, words, __VA_ARGS__);                                                         \
        ascendc_cpu::ReduceAxis(ascendc_cpu::Reduction::OP, std::is_same<pattern, Pattern::Reduce::AR>::value,           \
            isReuseSource, dstTensor.View(), srcTensor.View(), nullptr, srcShape[0], srcShape[1], srcInnerPad);          \
    }
#define ASCENDC_CPU_REDUCE_AXIS_TAKES(Name, words, ...)                                                                  \
    static_assert(!std::is_void<T>::value && __NPU_ARCH__ == 2201, #Name " of a pattern is not on this chip");            \
    static_assert(ascendc_cpu::OneOf<T, __VA_ARGS__>, #Name " of a pattern takes " words " on this chip");               \
    static_assert(ascendc_cpu::OneOf<pattern, Pattern::Reduce::AR, Pattern::Reduce::RA>,                                 \
        #Name " takes the patterns AR and RA on this chip")
ASCENDC_CPU_REDUCE_AXIS(ReduceSum, SUM, "float", float)
ASCENDC_CPU_REDUCE_AXIS(ReduceMean, MEAN, "float", float)
ASCENDC_CPU_REDUCE_AXIS(ReduceMax, MAX, "half and float", half, float)
ASCENDC_CPU_REDUCE_AXIS(ReduceMin, MIN, "half and float", half, float)
ASCENDC_CPU_REDUCE_AXIS(ReduceProd, PROD, "float", float)
ASCENDC_CPU_REDUCE_AXIS(ReduceAny, ANY, "uint8_t and float", uint8_t, float)
ASCENDC_CPU_REDUCE_AXIS(ReduceAll, ALL, "uint8_t and float", uint8_t, float)
#undef ASCENDC_CPU_REDUCE_AXIS_TAKES
#undef ASCENDC_CPU_REDUCE_AXIS
} // namespace AscendC

#endif
