// Copies between GM, UB and L1 (asc-devkit, include/basic_api/kernel_operator_data_copy_intf.h, kernel_struct_data_copy.h;
// 数据搬运 pages).
//
// DataCopy moves whole data blocks: by count what does not fill one is left out, silently; by DataCopyParams lengths and gaps
// are in data blocks, gaps from the end of a block to the start of the next. DataCopyPad moves any number of bytes; in UB every
// block starts at a data block, and what is missing to one is filled.
#ifndef ASCENDC_CPU_DATA_COPY_H
#define ASCENDC_CPU_DATA_COPY_H

#include "ascendc/vec_unary.h"

namespace AscendC {
struct DataCopyParams {
    DataCopyParams() = default;
    DataCopyParams(const uint16_t count, const uint16_t len, const uint16_t srcStrideIn, const uint16_t dstStrideIn)
        : blockCount(count), blockLen(len), srcStride(srcStrideIn), dstStride(dstStrideIn)
    {}
    uint16_t blockCount = 1;
    uint16_t blockLen = 0;
    union {
        uint16_t srcGap;
        uint16_t srcStride = 0;
    };
    union {
        uint16_t dstGap;
        uint16_t dstStride = 0;
    };
};
struct DataCopyExtParams {
    DataCopyExtParams() = default;
    DataCopyExtParams(const uint16_t count, const uint32_t len, const uint32_t srcStrideIn, const uint32_t dstStrideIn,
        const uint32_t rsvIn)
        : blockCount(count), blockLen(len), srcStride(srcStrideIn), dstStride(dstStrideIn), rsv(rsvIn)
    {}
    uint16_t blockCount = 1;
    uint32_t blockLen = 0;
    uint32_t srcStride = 0;
    uint32_t dstStride = 0;
    uint32_t rsv = 0;
};
struct DataCopyPadParams {
    DataCopyPadParams() = default;
    DataCopyPadParams(const bool isPadValue, const uint8_t leftPadValue, const uint8_t rightPadValue, const uint64_t padValue)
        : isPad(isPadValue), leftPadding(leftPadValue), rightPadding(rightPadValue), paddingValue(padValue)
    {}
    bool isPad = false;
    uint8_t leftPadding = 0;
    uint8_t rightPadding = 0;
    uint64_t paddingValue = 0;
};
template <typename T>
struct DataCopyPadExtParams {
    using TYPE = T;
    DataCopyPadExtParams() = default;
    DataCopyPadExtParams(const bool isPadValue, const uint8_t leftPadValue, const uint8_t rightPadValue, T padValue)
        : isPad(isPadValue), leftPadding(leftPadValue), rightPadding(rightPadValue), paddingValue(padValue)
    {}
    bool isPad = false;
    uint8_t leftPadding = 0;
    uint8_t rightPadding = 0;
    TYPE paddingValue = T(0);
};
// Rows of ND matrices become columns of data blocks: the NZ layout of 32 bytes a row of a fractal. Matrix strides and srcDValue in
// elements, dstNzC0Stride and dstNzNStride in data blocks; what is missing to a data block becomes 0 (ND2NZ pages).
struct Nd2NzParams {
    Nd2NzParams() = default;
    Nd2NzParams(const uint16_t ndNumIn, const uint16_t nValueIn, const uint16_t dValueIn, const uint16_t srcNdMatrixStrideIn,
        const uint16_t srcDValueIn, const uint16_t dstNzC0StrideIn, const uint16_t dstNzNStrideIn, const uint16_t dstNzMatrixStrideIn)
        : ndNum(ndNumIn), nValue(nValueIn), dValue(dValueIn), srcNdMatrixStride(srcNdMatrixStrideIn), srcDValue(srcDValueIn),
          dstNzC0Stride(dstNzC0StrideIn), dstNzNStride(dstNzNStrideIn), dstNzMatrixStride(dstNzMatrixStrideIn)
    {}
    uint16_t ndNum = 0;
    uint16_t nValue = 0;
    uint16_t dValue = 0;
    uint16_t srcNdMatrixStride = 0;
    uint16_t srcDValue = 0;
    uint16_t dstNzC0Stride = 0;
    uint16_t dstNzNStride = 0;
    uint16_t dstNzMatrixStride = 0;
};
// The way back, in rows of 16 elements: srcNdMatrixStride in fractals of 16 * 16, srcNStride in 16 elements, the others in elements
// (NZ2ND page).
struct Nz2NdParamsFull {
    Nz2NdParamsFull() = default;
    Nz2NdParamsFull(const uint16_t ndNumIn, const uint16_t nValueIn, const uint16_t dValueIn, const uint16_t srcNdMatrixStrideIn,
        const uint16_t srcNStrideIn, const uint16_t dstDStrideIn, const uint16_t dstNdMatrixStrideIn)
        : ndNum(ndNumIn), nValue(nValueIn), dValue(dValueIn), srcNdMatrixStride(srcNdMatrixStrideIn), srcNStride(srcNStrideIn),
          dstDStride(dstDStrideIn), dstNdMatrixStride(dstNdMatrixStrideIn)
    {}
    uint16_t ndNum = 1;
    uint16_t nValue = 0;
    uint16_t dValue = 0;
    uint16_t srcNdMatrixStride = 1;
    uint16_t srcNStride = 0;
    uint16_t dstDStride = 0;
    uint16_t dstNdMatrixStride = 1;
};
struct SliceInfo {
    SliceInfo() = default;
    SliceInfo(const uint32_t start, const uint32_t end, const uint32_t strideIn, const uint32_t burstLenIn, const uint32_t shape = 0)
        : startIndex(start), endIndex(end), stride(strideIn), burstLen(burstLenIn), shapeValue(shape)
    {}
    uint32_t startIndex = 0;
    uint32_t endIndex = ONE_BLK_SIZE - 1;
    uint32_t stride = 0;
    uint32_t burstLen = ONE_BLK_SIZE;
    uint32_t shapeValue = 0;
};
struct CopyRepeatParams {
    CopyRepeatParams() = default;
    CopyRepeatParams(const uint16_t dstStrideIn, const uint16_t srcStrideIn, uint16_t dstRepeatSizeIn, uint16_t srcRepeatSizeIn)
        : dstStride(dstStrideIn), srcStride(srcStrideIn), dstRepeatSize(dstRepeatSizeIn), srcRepeatSize(srcRepeatSizeIn)
    {}
    uint16_t dstStride = 0;
    uint16_t srcStride = 0;
    uint16_t dstRepeatSize = DEFAULT_REPEAT_STRIDE;
    uint16_t srcRepeatSize = DEFAULT_REPEAT_STRIDE;
};
} // namespace AscendC

namespace ascendc_cpu {
// `count` blocks of `len` bytes; from the start of one to the start of the next `src_step` and `dst_step` bytes. `rest` bytes were asked
// for and are not copied.
struct Burst {
    uint32_t count;
    uint64_t len;
    uint64_t src_step;
    uint64_t dst_step;
    uint32_t rest = 0;
};
// What stands around the blocks of DataCopyPad in UB.
struct Padding {
    bool is_pad = false;
    uint32_t left = 0;  // elements
    uint32_t right = 0; // elements
    uint64_t value = 0; // bits of an element
};
void CopyIn(const Local &dst, const Global &src, const Burst &burst);
void CopyOut(const Global &dst, const Local &src, const Burst &burst);
void CopyLocal(const Local &dst, const Local &src, const Burst &burst);
void CopyNdToNz(const Local &dst, const Global &src, const AscendC::Nd2NzParams &params);
void CopyNzToNd(const Global &dst, const Local &src, const AscendC::Nz2NdParamsFull &params);
void PadIn(const Local &dst, const Global &src, const Burst &burst, const Padding &padding);
void PadOut(const Global &dst, const Local &src, const Burst &burst);
void CopyMasked(const Local &dst, const Local &src, const Extent &extent, const Stride (&strides)[2]);
void SetPadding(uint64_t value);

// Whole data blocks of `count` elements.
ASCENDC_API Burst CountBurst(uint64_t bytes)
{
    return {1, bytes / 32 * 32, 0, 0, static_cast<uint32_t>(bytes % 32)};
}
ASCENDC_API Burst BlockBurst(const AscendC::DataCopyParams &p)
{
    return {p.blockCount, uint64_t(p.blockLen) * 32, (uint64_t(p.blockLen) + p.srcStride) * 32, (uint64_t(p.blockLen) + p.dstStride) * 32};
}
ASCENDC_API uint64_t Aligned(uint64_t bytes)
{
    return (bytes + 31) / 32 * 32;
}
// GM gaps in bytes, UB gaps in data blocks behind the block that was filled up.
ASCENDC_API Burst PadBurstIn(uint32_t count, uint64_t len, uint64_t src, uint64_t dst, uint64_t pads)
{
    return {count, len, len + src, Aligned(len + pads) + dst * 32};
}
ASCENDC_API Burst PadBurstOut(uint32_t count, uint64_t len, uint64_t src, uint64_t dst)
{
    return {count, len, Aligned(len) + src * 32, len + dst};
}

// Of int4b_t a count of elements moves so many bytes on this chip, since its size is one (DataCopyCheck of
// kernel_operator_data_copy_intf_impl.h); lengths of blocks say what they say.
template <typename T>
inline constexpr bool IsCopied = OneOf<T, AscendC::int4b_t, bool, int8_t, uint8_t, int16_t, uint16_t, half, bfloat16_t, int32_t, uint32_t, float, int64_t, uint64_t, double>;
template <typename T>
inline constexpr bool IsToNz = OneOf<T, int8_t, uint8_t, int16_t, uint16_t, half, bfloat16_t, int32_t, uint32_t, float>;
template <typename T>
inline constexpr bool IsMaskCopied = OneOf<T, int16_t, uint16_t, half, bfloat16_t, int32_t, uint32_t, float>;
} // namespace ascendc_cpu

namespace AscendC {
template <typename T>
ASCENDC_API void DataCopy(const LocalTensor<T> &dst, const GlobalTensor<T> &src, const uint32_t count)
{
    static_assert(ascendc_cpu::IsCopied<T>, "DataCopy does not take this element type");
    ascendc_cpu::CopyIn(dst.View(), src.View(), ascendc_cpu::CountBurst(uint64_t(count) * sizeof(T)));
}
template <typename T>
ASCENDC_API void DataCopy(const GlobalTensor<T> &dst, const LocalTensor<T> &src, const uint32_t count)
{
    static_assert(ascendc_cpu::IsCopied<T>, "DataCopy does not take this element type");
    ascendc_cpu::CopyOut(dst.View(), src.View(), ascendc_cpu::CountBurst(uint64_t(count) * sizeof(T)));
}
template <typename T>
ASCENDC_API void DataCopy(const LocalTensor<T> &dst, const LocalTensor<T> &src, const uint32_t count)
{
    static_assert(ascendc_cpu::IsCopied<T>, "DataCopy does not take this element type");
    ascendc_cpu::CopyLocal(dst.View(), src.View(), ascendc_cpu::CountBurst(uint64_t(count) * sizeof(T)));
}
template <typename T>
ASCENDC_API void DataCopy(const LocalTensor<T> &dst, const GlobalTensor<T> &src, const DataCopyParams &repeatParams)
{
    static_assert(ascendc_cpu::IsCopied<T>, "DataCopy does not take this element type");
    ascendc_cpu::CopyIn(dst.View(), src.View(), ascendc_cpu::BlockBurst(repeatParams));
}
template <typename T>
ASCENDC_API void DataCopy(const GlobalTensor<T> &dst, const LocalTensor<T> &src, const DataCopyParams &repeatParams)
{
    static_assert(ascendc_cpu::IsCopied<T>, "DataCopy does not take this element type");
    ascendc_cpu::CopyOut(dst.View(), src.View(), ascendc_cpu::BlockBurst(repeatParams));
}
template <typename T>
ASCENDC_API void DataCopy(const LocalTensor<T> &dst, const LocalTensor<T> &src, const DataCopyParams &repeatParams)
{
    static_assert(ascendc_cpu::IsCopied<T>, "DataCopy does not take this element type");
    ascendc_cpu::CopyLocal(dst.View(), src.View(), ascendc_cpu::BlockBurst(repeatParams));
}
template <typename T>
ASCENDC_API void DataCopy(const LocalTensor<T> &dst, const GlobalTensor<T> &src, const Nd2NzParams &intriParams)
{
    static_assert(ascendc_cpu::IsToNz<T>, "DataCopy from ND to NZ does not take this element type");
    ascendc_cpu::CopyNdToNz(dst.View(), src.View(), intriParams);
}
template <typename T>
ASCENDC_API void DataCopy(const GlobalTensor<T> &dst, const LocalTensor<T> &src, const Nz2NdParamsFull &intriParams)
{
    static_assert(ascendc_cpu::IsMaskCopied<T>, "DataCopy from NZ to ND takes 16- and 32-bit element types");
    ascendc_cpu::CopyNzToNd(dst.View(), src.View(), intriParams);
}
// Slices of up to eight axes: `copy(to, from, burst)` moves one run of the innermost axis, offsets in elements. That axis is taken in
// bursts of burstLen data blocks, `stride` elements apart; of the others every (1 + stride)-th index from startIndex to endIndex.
// shapeValue is the whole size of an axis. Gaps in GM may be any number of elements, gaps in UB are whole data blocks (DataCopy,
// slice form; DataCopyGetOffsetList).
template <typename T, bool out, typename F>
ASCENDC_API void CopySlices(const SliceInfo *dst, const SliceInfo *src, uint32_t dims, F copy)
{
    const auto taken = [](const SliceInfo &s, uint32_t each) { return (s.endIndex - s.startIndex + 1 + s.stride) / (each + s.stride); };
    const uint64_t len = uint64_t(src[0].burstLen) * ONE_BLK_SIZE;
    const auto gap = [](const SliceInfo &s, bool local) {
        const uint64_t bytes = uint64_t(s.stride) * sizeof(T);
        return local ? bytes / ONE_BLK_SIZE * ONE_BLK_SIZE : bytes;
    };
    const uint32_t count = len == 0 ? 0 : taken(src[0], static_cast<uint32_t>(len / sizeof(T)));
    const ascendc_cpu::Burst burst{count, len, len + gap(src[0], out), len + gap(dst[0], !out)};
    const auto offset = [dims](const SliceInfo *slices, const uint32_t *at) {
        uint64_t flat = 0;
        for (uint32_t d = dims; d-- > 0;) {
            flat = flat * slices[d].shapeValue + slices[d].startIndex + (d == 0 ? 0 : at[d] * (1 + slices[d].stride));
        }
        return flat;
    };
    uint32_t at[K_MAX_SHAPE_DIM] = {};
    for (;;) {
        copy(offset(dst, at), offset(src, at), burst);
        uint32_t d = 1;
        while (d < dims && ++at[d] >= taken(src[d], 1)) {
            at[d++] = 0;
        }
        if (d >= dims) {
            return;
        }
    }
}
template <typename T>
ASCENDC_API void DataCopy(const LocalTensor<T> &dst, const GlobalTensor<T> &src, const SliceInfo dstSliceInfo[],
    const SliceInfo srcSliceInfo[], const uint32_t dimValue = 1)
{
    static_assert(ascendc_cpu::IsCopied<T>, "DataCopy does not take this element type");
    CopySlices<T, false>(dstSliceInfo, srcSliceInfo, dimValue, [&](uint64_t to, uint64_t from, const ascendc_cpu::Burst &burst) __attribute__((always_inline)) {
        ascendc_cpu::CopyIn(dst[static_cast<uint32_t>(to)].View(), src[from].View(), burst);
    });
}
template <typename T>
ASCENDC_API void DataCopy(const GlobalTensor<T> &dst, const LocalTensor<T> &src, const SliceInfo dstSliceInfo[],
    const SliceInfo srcSliceInfo[], const uint32_t dimValue = 1)
{
    static_assert(ascendc_cpu::IsCopied<T>, "DataCopy does not take this element type");
    CopySlices<T, true>(dstSliceInfo, srcSliceInfo, dimValue, [&](uint64_t to, uint64_t from, const ascendc_cpu::Burst &burst) __attribute__((always_inline)) {
        ascendc_cpu::CopyOut(dst[to].View(), src[static_cast<uint32_t>(from)].View(), burst);
    });
}

#if __NPU_ARCH__ == 2201
template <typename T>
ASCENDC_API void DataCopyPad(const LocalTensor<T> &dst, const GlobalTensor<T> &src, const DataCopyExtParams &dataCopyParams,
    const DataCopyPadExtParams<T> &padParams)
{
    static_assert(ascendc_cpu::IsCopied<T>, "DataCopyPad does not take this element type");
    ascendc_cpu::PadIn(dst.View(), src.View(), ascendc_cpu::PadBurstIn(dataCopyParams.blockCount, dataCopyParams.blockLen,
        dataCopyParams.srcStride, dataCopyParams.dstStride, (padParams.leftPadding + padParams.rightPadding) * sizeof(T)),
        {padParams.isPad, padParams.leftPadding, padParams.rightPadding, ascendc_cpu::Scalar::Of(padParams.paddingValue).bits});
}
template <typename T>
ASCENDC_API void DataCopyPad(const LocalTensor<T> &dst, const GlobalTensor<T> &src, const DataCopyParams &dataCopyParams,
    const DataCopyPadParams &padParams)
{
    static_assert(ascendc_cpu::IsCopied<T>, "DataCopyPad does not take this element type");
    ascendc_cpu::PadIn(dst.View(), src.View(), ascendc_cpu::PadBurstIn(dataCopyParams.blockCount, dataCopyParams.blockLen,
        dataCopyParams.srcStride, dataCopyParams.dstStride, (padParams.leftPadding + padParams.rightPadding) * sizeof(T)),
        {padParams.isPad, padParams.leftPadding, padParams.rightPadding, padParams.paddingValue});
}
template <typename T>
ASCENDC_API void DataCopyPad(const GlobalTensor<T> &dst, const LocalTensor<T> &src, const DataCopyExtParams &dataCopyParams)
{
    static_assert(ascendc_cpu::IsCopied<T>, "DataCopyPad does not take this element type");
    ascendc_cpu::PadOut(dst.View(), src.View(), ascendc_cpu::PadBurstOut(dataCopyParams.blockCount, dataCopyParams.blockLen,
        dataCopyParams.srcStride, dataCopyParams.dstStride));
}
template <typename T>
ASCENDC_API void DataCopyPad(const GlobalTensor<T> &dst, const LocalTensor<T> &src, const DataCopyParams &dataCopyParams)
{
    static_assert(ascendc_cpu::IsCopied<T>, "DataCopyPad does not take this element type");
    ascendc_cpu::PadOut(dst.View(), src.View(), ascendc_cpu::PadBurstOut(dataCopyParams.blockCount, dataCopyParams.blockLen,
        dataCopyParams.srcStride, dataCopyParams.dstStride));
}
// The pads of DataCopyPad where isPad is false.
template <typename T, TPosition pos = TPosition::MAX>
ASCENDC_API void SetPadValue(T paddingValue)
{
    ascendc_cpu::SetPadding(ascendc_cpu::Scalar::Of(paddingValue).bits);
}

template <typename T, bool isSetMask = true>
ASCENDC_API void Copy(const LocalTensor<T> &dst, const LocalTensor<T> &src, const uint64_t mask[], const uint8_t repeatTime,
    const CopyRepeatParams &p)
{
    static_assert(ascendc_cpu::IsMaskCopied<T>, "Copy takes 16- and 32-bit element types");
    ascendc_cpu::CopyMasked(dst.View(), src.View(), ascendc_cpu::Extent::Bits<isSetMask, T>(mask, repeatTime),
        {{p.dstStride, p.dstRepeatSize}, {p.srcStride, p.srcRepeatSize}});
}
template <typename T, bool isSetMask = true>
ASCENDC_API void Copy(const LocalTensor<T> &dst, const LocalTensor<T> &src, const uint64_t mask, const uint8_t repeatTime,
    const CopyRepeatParams &p)
{
    static_assert(ascendc_cpu::IsMaskCopied<T>, "Copy takes 16- and 32-bit element types");
    ascendc_cpu::CopyMasked(dst.View(), src.View(), ascendc_cpu::Extent::Lanes<isSetMask>(mask, repeatTime),
        {{p.dstStride, p.dstRepeatSize}, {p.srcStride, p.srcRepeatSize}});
}
#endif
} // namespace AscendC

#endif
