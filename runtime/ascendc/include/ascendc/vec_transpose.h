// Transposition of 16 x 16 elements, of data blocks, and between NCHW and NHWC (asc-devkit,
// include/basic_api/kernel_operator_vec_transpose_intf.h, kernel_struct_transpose.h; 数据排布转换 pages).
#ifndef ASCENDC_CPU_VEC_TRANSPOSE_H
#define ASCENDC_CPU_VEC_TRANSPOSE_H

#include "ascendc/tensor.h"

namespace AscendC {
constexpr int32_t NCHW_CONV_ADDR_LIST_SIZE = 16;
// With one repeat the strides are added to the addresses of the lists; with more they lie between repeats (TransDataTo5HD page).
// The halves are those of a data block of 8-bit elements.
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
enum class TransposeType : uint8_t {
    TRANSPOSE_TYPE_NONE,
    TRANSPOSE_NZ2ND_0213,
    TRANSPOSE_NZ2NZ_0213,
    TRANSPOSE_NZ2NZ_012_WITH_N,
    TRANSPOSE_NZ2ND_012_WITH_N,
    TRANSPOSE_NZ2ND_012_WITHOUT_N,
    TRANSPOSE_NZ2NZ_012_WITHOUT_N,
    TRANSPOSE_ND2ND_ONLY,
    TRANSPOSE_ND_UB_GM,
    TRANSPOSE_GRAD_ND_UB_GM,
    TRANSPOSE_ND2ND_B16,
    TRANSPOSE_NCHW2NHWC,
    TRANSPOSE_NHWC2NCHW,
};
struct TransposeParamsExt {
    TransposeParamsExt() = default;
    TransposeParamsExt(const uint16_t nSizeIn, const uint16_t cSizeIn, const uint16_t hSizeIn, const uint16_t wSizeIn,
        const TransposeType transposeTypeIn)
        : nSize(nSizeIn), cSize(cSizeIn), hSize(hSizeIn), wSize(wSizeIn), transposeType(transposeTypeIn)
    {}
    uint16_t nSize = 0;
    uint16_t cSize = 0;
    uint16_t hSize = 0;
    uint16_t wSize = 0;
    TransposeType transposeType = TransposeType::TRANSPOSE_ND2ND_B16;
};
} // namespace AscendC

namespace ascendc_cpu {
void Transpose16(const Local &dst, const Local &src);
void TransposeAxes(const Local &dst, const Local &src, const Local &work, const AscendC::TransposeParamsExt &params);
void TransposeRows(const Local (&dst)[16], const Local (&src)[16], const AscendC::TransDataTo5HDParams &params);

template <typename T>
inline constexpr bool IsTransposed = OneOf<T, int8_t, uint8_t, int16_t, uint16_t, half, int32_t, uint32_t, float>;
} // namespace ascendc_cpu

namespace AscendC {
template <typename T>
ASCENDC_API void Transpose(const LocalTensor<T> &dst, const LocalTensor<T> &src)
{
    static_assert(ascendc_cpu::OneOf<T, int16_t, uint16_t, half>, "Transpose takes int16_t, uint16_t and half");
    ascendc_cpu::Transpose16(dst.View(), src.View());
}
template <typename T>
ASCENDC_API void Transpose(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint8_t> &sharedTmpBuffer,
    const TransposeParamsExt &transposeParams)
{
    static_assert(ascendc_cpu::IsTransposed<T>, "Transpose does not take this element type");
    ascendc_cpu::TransposeAxes(dst.View(), src.View(), sharedTmpBuffer.View(), transposeParams);
}

// 16 data blocks in, their columns out: 16 of 16-bit elements; of 32-bit ones 8 columns, each in two data blocks; of half a block of
// 8-bit ones 16 columns, each in half a block.
template <typename T>
ASCENDC_API void TransDataTo5HD(const LocalTensor<T> (&dstList)[NCHW_CONV_ADDR_LIST_SIZE],
    const LocalTensor<T> (&srcList)[NCHW_CONV_ADDR_LIST_SIZE], const TransDataTo5HDParams &nchwconvParams)
{
    static_assert(ascendc_cpu::IsTransposed<T>, "TransDataTo5HD does not take this element type");
    ascendc_cpu::Local dst[16];
    ascendc_cpu::Local src[16];
    for (int i = 0; i < NCHW_CONV_ADDR_LIST_SIZE; ++i) {
        dst[i] = dstList[i].View();
        src[i] = srcList[i].View();
    }
    ascendc_cpu::TransposeRows(dst, src, nchwconvParams);
}
template <typename T>
ASCENDC_API void TransDataTo5HD(LocalTensor<T> (&dstList)[NCHW_CONV_ADDR_LIST_SIZE],
    LocalTensor<T> (&srcList)[NCHW_CONV_ADDR_LIST_SIZE], const TransDataTo5HDParams &nchwconvParams)
{
    TransDataTo5HD<T>(const_cast<const LocalTensor<T>(&)[16]>(dstList), const_cast<const LocalTensor<T>(&)[16]>(srcList),
        nchwconvParams);
}
// The same by addresses (LocalTensor::GetPhyAddr): in arrays, or in tensors.
template <typename T>
ASCENDC_API void TransDataTo5HD(uint64_t dstList[NCHW_CONV_ADDR_LIST_SIZE], uint64_t srcList[NCHW_CONV_ADDR_LIST_SIZE],
    const TransDataTo5HDParams &nchwconvParams)
{
    static_assert(ascendc_cpu::IsTransposed<T>, "TransDataTo5HD does not take this element type");
    ascendc_cpu::Local dst[16];
    ascendc_cpu::Local src[16];
    for (int i = 0; i < NCHW_CONV_ADDR_LIST_SIZE; ++i) {
        dst[i] = ascendc_cpu::LocalAt<T>(reinterpret_cast<const void *>(dstList[i]));
        src[i] = ascendc_cpu::LocalAt<T>(reinterpret_cast<const void *>(srcList[i]));
    }
    ascendc_cpu::TransposeRows(dst, src, nchwconvParams);
}
template <typename T>
ASCENDC_API void TransDataTo5HD(const LocalTensor<uint64_t> &dst, const LocalTensor<uint64_t> &src,
    const TransDataTo5HDParams &nchwconvParams)
{
    uint64_t dstList[NCHW_CONV_ADDR_LIST_SIZE];
    uint64_t srcList[NCHW_CONV_ADDR_LIST_SIZE];
    for (uint32_t i = 0; i < NCHW_CONV_ADDR_LIST_SIZE; ++i) {
        dstList[i] = dst.GetValue(i);
        srcList[i] = src.GetValue(i);
    }
    TransDataTo5HD<T>(dstList, srcList, nchwconvParams);
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
