// Copies between memories (asc-devkit, include/basic_api/kernel_operator_data_copy_intf.h, kernel_struct_data_copy.h).
#ifndef ASCENDC_CPU_DATA_COPY_H
#define ASCENDC_CPU_DATA_COPY_H

#include "ascendc/tensor.h"

namespace ascendc_cpu {
void CopyIn(const Local &dst, const Global &src, uint64_t bytes);
void CopyOut(const Global &dst, const Local &src, uint64_t bytes);
} // namespace ascendc_cpu

namespace AscendC {
template <typename T>
ASCENDC_API void DataCopy(const LocalTensor<T> &dst, const GlobalTensor<T> &src, const uint32_t count)
{
    ascendc_cpu::CopyIn(dst.View(), src.View(), uint64_t(count) * sizeof(T));
}
template <typename T>
ASCENDC_API void DataCopy(const GlobalTensor<T> &dst, const LocalTensor<T> &src, const uint32_t count)
{
    ascendc_cpu::CopyOut(dst.View(), src.View(), uint64_t(count) * sizeof(T));
}
} // namespace AscendC

#endif
