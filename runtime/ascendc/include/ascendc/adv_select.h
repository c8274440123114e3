// Selection by a mask of whole elements (asc-devkit, include/adv_api/select/selectwithbytesmask.h; 数据过滤/Select page).
#ifndef ASCENDC_CPU_ADV_SELECT_H
#define ASCENDC_CPU_ADV_SELECT_H

#include "ascendc/element_types.h"
#include "ascendc/tensor.h"

namespace AscendC {
// Rows of source and mask are as many, those of the mask may be longer.
struct SelectWithBytesMaskShapeInfo {
    uint32_t firstAxis = 0;
    uint32_t srcLastAxis = 0;
    uint32_t maskLastAxis = 0;
};
} // namespace AscendC

namespace ascendc_cpu {
// Where the mask is 0, dst is the tensor (`tensor_at_0`), else the number; or the other way around.
void SelectByBytes(const Local &dst, const Local &src, Scalar number, bool tensor_at_0, const Local &mask, const Local &tmp,
    const AscendC::SelectWithBytesMaskShapeInfo &info, bool reuses_mask);
template <typename U>
inline constexpr bool IsByteMask = OneOf<U, bool, int8_t, uint8_t, int16_t, uint16_t, int32_t, uint32_t>;
} // namespace ascendc_cpu

namespace AscendC {
// Its name in CANN 9 is Select.
#define ASCENDC_CPU_SELECT_BYTES(Name)                                                                                   \
    template <typename T, typename U, bool isReuseMask = true>                                                           \
    ASCENDC_API void Name(const LocalTensor<T> &dst, const LocalTensor<T> &src0, T src1, const LocalTensor<U> &mask,     \
        const LocalTensor<uint8_t> &sharedTmpBuffer, const SelectWithBytesMaskShapeInfo &info)                           \
    {                                                                                                                    \
        static_assert(ascendc_cpu::IsFloat<T> && ascendc_cpu::IsByteMask<U>, #Name " takes half and float, and masks of bool and integers"); \
        ascendc_cpu::SelectByBytes(dst.View(), src0.View(), ascendc_cpu::Scalar::Of(src1), true, mask.View(),            \
            sharedTmpBuffer.View(), info, isReuseMask);                                                                  \
    }                                                                                                                    \
    template <typename T, typename U, bool isReuseMask = true>                                                           \
    ASCENDC_API void Name(const LocalTensor<T> &dst, T src0, const LocalTensor<T> &src1, const LocalTensor<U> &mask,     \
        const LocalTensor<uint8_t> &sharedTmpBuffer, const SelectWithBytesMaskShapeInfo &info)                           \
    {                                                                                                                    \
        static_assert(ascendc_cpu::IsFloat<T> && ascendc_cpu::IsByteMask<U>, #Name " takes half and float, and masks of bool and integers"); \
        ascendc_cpu::SelectByBytes(dst.View(), src1.View(), ascendc_cpu::Scalar::Of(src0), false, mask.View(),           \
            sharedTmpBuffer.View(), info, isReuseMask);                                                                  \
    }
ASCENDC_CPU_SELECT_BYTES(SelectWithBytesMask)
ASCENDC_CPU_SELECT_BYTES(Select)
#undef ASCENDC_CPU_SELECT_BYTES
} // namespace AscendC

#endif
