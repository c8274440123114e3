// Transposition of 16 x 16 elements and of data blocks (asc-devkit, include/basic_api/kernel_operator_vec_transpose_intf.h,
// kernel_struct_transpose.h; 数据排布转换 pages). Element types of 8 bits and the extended form are left out.
#ifndef ASCENDC_CPU_VEC_TRANSPOSE_H
#define ASCENDC_CPU_VEC_TRANSPOSE_H

#include "ascendc/tensor.h"

namespace AscendC {
constexpr int32_t NCHW_CONV_ADDR_LIST_SIZE = 16;
struct TransDataTo5HDParams {
    TransDataTo5HDParams() = default;
    TransDataTo5HDParams(const bool dstHighHalfIn, const bool srcHighHalfIn, const uint8_t repeatTimesIn, const uint16_t dstRepStrideIn,
        const uint16_t srcRepStrideIn)
        : dstHighHalf(dstHighHalfIn), srcHighHalf(srcHighHalfIn), repeatTimes(repeatTimesIn), dstRepStride(dstRepStrideIn),
          srcRepStride(srcRepStrideIn)
    {}
    bool dstHighHalf = false;
    bool srcHighHalf = false;
    uint8_t repeatTimes = 1;
    uint16_t dstRepStride = 0;
    uint16_t srcRepStride = 0;
};
} // namespace AscendC

namespace ascendc_cpu {
void Transpose16(const Local &dst, const Local &src);
void TransposeRows(const Local (&dst)[16], const Local (&src)[16], uint32_t repeat, uint32_t dst_step, uint32_t src_step);
} // namespace ascendc_cpu

namespace AscendC {
template <typename T>
ASCENDC_API void Transpose(const LocalTensor<T> &dst, const LocalTensor<T> &src)
{
    static_assert(ascendc_cpu::OneOf<T, int16_t, uint16_t, half>, "Transpose takes int16_t, uint16_t and half");
    ascendc_cpu::Transpose16(dst.View(), src.View());
}
// 16 data blocks in, their columns out: 16 of 16-bit elements; of 32-bit ones 8 columns, each in two data blocks.
template <typename T>
ASCENDC_API void TransDataTo5HD(const LocalTensor<T> (&dstList)[NCHW_CONV_ADDR_LIST_SIZE],
    const LocalTensor<T> (&srcList)[NCHW_CONV_ADDR_LIST_SIZE], const TransDataTo5HDParams &params)
{
    static_assert(sizeof(T) == 2 || sizeof(T) == 4, "this build transposes 16- and 32-bit elements");
    ascendc_cpu::Local dst[16];
    ascendc_cpu::Local src[16];
    for (int i = 0; i < 16; ++i) {
        dst[i] = dstList[i].View();
        src[i] = srcList[i].View();
    }
    ascendc_cpu::TransposeRows(dst, src, params.repeatTimes, params.dstRepStride, params.srcRepStride);
}
template <typename T>
ASCENDC_API void TransDataTo5HD(LocalTensor<T> (&dstList)[NCHW_CONV_ADDR_LIST_SIZE],
    LocalTensor<T> (&srcList)[NCHW_CONV_ADDR_LIST_SIZE], const TransDataTo5HDParams &params)
{
    TransDataTo5HD<T>(const_cast<const LocalTensor<T>(&)[16]>(dstList), const_cast<const LocalTensor<T>(&)[16]>(srcList), params);
}
// The same by addresses (LocalTensor::GetPhyAddr).
template <typename T>
ASCENDC_API void TransDataTo5HD(uint64_t dstList[NCHW_CONV_ADDR_LIST_SIZE], uint64_t srcList[NCHW_CONV_ADDR_LIST_SIZE],
    const TransDataTo5HDParams &params)
{
    static_assert(sizeof(T) == 2 || sizeof(T) == 4, "this build transposes 16- and 32-bit elements");
    ascendc_cpu::Local dst[16];
    ascendc_cpu::Local src[16];
    for (int i = 0; i < 16; ++i) {
        dst[i] = ascendc_cpu::LocalAt<T>(reinterpret_cast<const void *>(dstList[i]));
        src[i] = ascendc_cpu::LocalAt<T>(reinterpret_cast<const void *>(srcList[i]));
    }
    ascendc_cpu::TransposeRows(dst, src, params.repeatTimes, params.dstRepStride, params.srcRepStride);
}
// What it calls in the toolkit, which kernels in the wild call, too.
template <typename T>
ASCENDC_API void TransDataTo5HDImpl(__ubuf__ T *dstList[NCHW_CONV_ADDR_LIST_SIZE], __ubuf__ T *srcList[NCHW_CONV_ADDR_LIST_SIZE],
    const TransDataTo5HDParams &nchwconvParams)
{
    uint64_t dst[NCHW_CONV_ADDR_LIST_SIZE];
    uint64_t src[NCHW_CONV_ADDR_LIST_SIZE];
    for (int i = 0; i < NCHW_CONV_ADDR_LIST_SIZE; ++i) {
        dst[i] = reinterpret_cast<uint64_t>(dstList[i]);
        src[i] = reinterpret_cast<uint64_t>(srcList[i]);
    }
    TransDataTo5HD<T>(dst, src, nchwconvParams);
}
} // namespace AscendC

#endif
