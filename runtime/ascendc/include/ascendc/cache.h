// The scalar unit's cache (asc-devkit, include/basic_api/kernel_operator_cache_intf.h; 缓存控制 pages).
//
// GlobalTensor::GetValue and SetValue go through lines of 64 bytes that belong to the core. A copy by MTE2 or MTE3 and the other
// cores do not see a line, and a line does not see them: DataCacheCleanAndInvalid writes it back, from an address to its end, and drops that.
#ifndef ASCENDC_CPU_CACHE_H
#define ASCENDC_CPU_CACHE_H

#include "ascendc/tensor.h"

namespace AscendC {
enum class CacheLine : uint64_t { SINGLE_CACHE_LINE, ENTIRE_DATA_CACHE };
enum class DcciDst : uint64_t { CACHELINE_ALL, CACHELINE_UB, CACHELINE_OUT, CACHELINE_ATOMIC };
} // namespace AscendC

namespace ascendc_cpu {
void CleanAndInvalidate(uint64_t at, bool all);
uint64_t ReadPastCache(uint64_t at, Type type);
void WritePastCache(uint64_t at, Type type, Scalar value);
} // namespace ascendc_cpu

namespace AscendC {
template <typename T, CacheLine entireType, DcciDst dcciDst>
ASCENDC_API void DataCacheCleanAndInvalid(const GlobalTensor<T> &dst)
{
    ascendc_cpu::CleanAndInvalidate(dst.View().at, entireType == CacheLine::ENTIRE_DATA_CACHE);
}
template <typename T, CacheLine entireType>
ASCENDC_API void DataCacheCleanAndInvalid(const GlobalTensor<T> &dst)
{
    ascendc_cpu::CleanAndInvalidate(dst.View().at, entireType == CacheLine::ENTIRE_DATA_CACHE);
}
// Tensors in UB are not cached in this model: nothing to do.
template <typename T, CacheLine entireType, DcciDst dcciDst>
ASCENDC_API void DataCacheCleanAndInvalid(const LocalTensor<T> &)
{}
#if __NPU_ARCH__ == 2201
// GM itself, past the cache: for blocks that poll what another one writes.
template <typename T>
ASCENDC_API T ReadGmByPassDCache(__gm__ T *addr)
{
    static_assert(std::is_integral<T>::value, "ReadGmByPassDCache takes integers");
    const uint64_t bits = ascendc_cpu::ReadPastCache(reinterpret_cast<uint64_t>(addr), ascendc_cpu::TypeOf<T>::value);
    T value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
}
template <typename T>
ASCENDC_API void WriteGmByPassDCache(__gm__ T *addr, T value)
{
    static_assert(std::is_integral<T>::value, "WriteGmByPassDCache takes integers");
    ascendc_cpu::WritePastCache(reinterpret_cast<uint64_t>(addr), ascendc_cpu::TypeOf<T>::value, ascendc_cpu::Scalar::Of(value));
}
#endif
// Hints: they change no value.
template <typename T>
ASCENDC_API void DataCachePreload(const GlobalTensor<uint64_t> &, const T)
{}
ASCENDC_API void ICachePreLoad(const int64_t)
{}
} // namespace AscendC

#endif
