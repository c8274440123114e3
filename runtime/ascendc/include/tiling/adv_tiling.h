// What host code asks of the advanced API (asc-devkit, include/adv_api/*/*_tiling.h; the pages Get*MaxMinTmpSize, Get*TmpBufferFactorSize
// and SoftMax-SimpleSoftMax-Tiling).
#ifndef ASCENDC_CPU_ADV_TILING_H
#define ASCENDC_CPU_ADV_TILING_H

#include <algorithm>

#include "ascendc/adv_space.h"
#include "ascendc/norm_tiling.h"
#include "ascendc/softmax_tiling.h"
#include "graph/tensor.h"
#include "tiling/platform/platform_ascendc.h"

namespace AscendC {
using TensorShape = ge::Shape;
using TensorDataType = ge::DataType;
} // namespace AscendC

namespace ascendc_cpu {
inline bool IsInferenceProduct(const platform_ascendc::PlatformAscendC &platform)
{
    return platform.GetSocVersion() == platform_ascendc::SocVersion::ASCEND310P;
}
inline void TellSpace(const TmpSpace &space, const ge::Shape &shape, uint32_t size, uint32_t extra, uint32_t &most, uint32_t &least)
{
    most = space.Most(static_cast<uint64_t>(shape.GetShapeSize()) * size) + extra;
    least = space.least + extra;
}
inline TmpSpace MathSpaceOf(MathOp op, uint32_t size, bool reuses)
{
    return MathSpace(op, size == sizeof(float), reuses, IsInferenceProduct(*platform_ascendc::PlatformAscendCManager::GetInstance()));
}
// One number, as the operand of a call.
inline bool IsNumber(const ge::Shape &shape)
{
    return shape.GetDimNum() == 0 || shape.GetShapeSize() == 1;
}
} // namespace ascendc_cpu

namespace AscendC {
#define ASCENDC_CPU_SIZE_AS(Type, Name, OP, result)                                                                      \
    inline Type Get##Name##MaxMinTmpSize(const TensorShape &srcShape, const uint32_t typeSize, const bool isReuseSource, \
        uint32_t &maxValue, uint32_t &minValue)                                                                          \
    {                                                                                                                    \
        ascendc_cpu::TellSpace(ascendc_cpu::MathSpaceOf(ascendc_cpu::MathOp::OP, typeSize, isReuseSource), srcShape,     \
            typeSize, 0, maxValue, minValue);                                                                            \
        return result;                                                                                                   \
    }
#define ASCENDC_CPU_SIZE_ACTIVATION(Name, OP) ASCENDC_CPU_SIZE_AS(void, Name, OP, )
// How many tensors of the source's size the space holds, and what it has besides.
#define ASCENDC_CPU_SIZE_FACTOR(Name, OP)                                                                                \
    inline void Get##Name##TmpBufferFactorSize(const uint32_t typeSize, uint32_t &maxLiveNodeCount, uint32_t &extraBuffer) \
    {                                                                                                                    \
        maxLiveNodeCount = ascendc_cpu::MathSpaceOf(ascendc_cpu::MathOp::OP, typeSize, false).factor;                    \
        extraBuffer = 0;                                                                                                 \
    }
#define ASCENDC_CPU_SIZE_ALL(Name, OP) ASCENDC_CPU_SIZE_AS(void, Name, OP, ) ASCENDC_CPU_SIZE_FACTOR(Name, OP)
#define ASCENDC_CPU_SIZE_BARE(Name, OP) ASCENDC_CPU_SIZE_ALL(Name, OP)
#define ASCENDC_CPU_SIZE_COUNTED(Name, OP) ASCENDC_CPU_SIZE_ALL(Name, OP)
#define ASCENDC_CPU_SIZE_TERMS(Name, OP) ASCENDC_CPU_SIZE_AS(bool, Name, OP, true) ASCENDC_CPU_SIZE_FACTOR(Name, OP)
// The chip is an operand.
#define ASCENDC_CPU_SIZE_PLATFORM(Name, OP)                                                                              \
    inline void Get##Name##MaxMinTmpSize(const platform_ascendc::PlatformAscendC &ascendcPlatform,                       \
        const TensorShape &srcShape, const uint32_t typeSize, const bool isReuseSource, uint32_t &maxValue,              \
        uint32_t &minValue)                                                                                              \
    {                                                                                                                    \
        const bool v200 = ascendc_cpu::IsInferenceProduct(ascendcPlatform);                                              \
        ascendc_cpu::TellSpace(ascendc_cpu::MathSpace(ascendc_cpu::MathOp::OP, typeSize == sizeof(float), isReuseSource, v200), \
            srcShape, typeSize, 0, maxValue, minValue);                                                                  \
    }                                                                                                                    \
    inline void Get##Name##TmpBufferFactorSize(const platform_ascendc::PlatformAscendC &ascendcPlatform,                 \
        const uint32_t typeSize, uint32_t &maxLiveNodeCount, uint32_t &extraBuffer)                                      \
    {                                                                                                                    \
        const bool v200 = ascendc_cpu::IsInferenceProduct(ascendcPlatform);                                              \
        maxLiveNodeCount = ascendc_cpu::MathSpace(ascendc_cpu::MathOp::OP, typeSize == sizeof(float), false, v200).factor; \
        extraBuffer = 0;                                                                                                 \
    }
#define ASCENDC_CPU_SIZE(Name, OP, FORMS, ...) ASCENDC_CPU_SIZE_##FORMS(Name, OP)
ASCENDC_CPU_MATH_TABLE(ASCENDC_CPU_SIZE)
#undef ASCENDC_CPU_SIZE
#undef ASCENDC_CPU_SIZE_PLATFORM
#undef ASCENDC_CPU_SIZE_TERMS
#undef ASCENDC_CPU_SIZE_COUNTED
#undef ASCENDC_CPU_SIZE_BARE
#undef ASCENDC_CPU_SIZE_ALL
#undef ASCENDC_CPU_SIZE_FACTOR
#undef ASCENDC_CPU_SIZE_ACTIVATION
#undef ASCENDC_CPU_SIZE_AS

inline void GetSiluTmpSize(const TensorShape &, const uint32_t, const bool, uint32_t &maxValue, uint32_t &minValue)
{
    maxValue = minValue = 0;
}
inline void GetSwishTmpSize(const TensorShape &, const uint32_t, const bool, uint32_t &maxValue, uint32_t &minValue)
{
    maxValue = minValue = 0;
}
inline void GetGeluMaxMinTmpSize(const TensorShape &srcShape, const uint32_t typeSize, uint32_t &maxValue, uint32_t &minValue)
{
    ascendc_cpu::TellSpace(ascendc_cpu::ActivationSpace(ascendc_cpu::Activation::GELU, typeSize), srcShape, typeSize, 0, maxValue, minValue);
}
inline uint32_t GetGeluMaxTmpSize(const TensorShape &srcShape, const uint32_t typeSize)
{
    return ascendc_cpu::ActivationSpace(ascendc_cpu::Activation::GELU, typeSize).Most(static_cast<uint64_t>(srcShape.GetShapeSize()) * typeSize);
}
inline uint32_t GetGeluMinTmpSize(const TensorShape &, const uint32_t typeSize)
{
    return ascendc_cpu::ActivationSpace(ascendc_cpu::Activation::GELU, typeSize).least;
}
inline void GetGeGLUMaxMinTmpSize(const TensorShape &srcShape, const uint32_t typeSize, const bool, uint32_t &maxValue, uint32_t &minValue)
{
    ascendc_cpu::TellSpace(ascendc_cpu::GateSpace(ascendc_cpu::Gate::GEGLU, typeSize), srcShape, typeSize, 0, maxValue, minValue);
}
inline void GetGeGLUTmpBufferFactorSize(const uint32_t typeSize, uint32_t &maxLiveNodeCount, uint32_t &extraBuf)
{
    maxLiveNodeCount = ascendc_cpu::GateSpace(ascendc_cpu::Gate::GEGLU, typeSize).factor;
    extraBuf = 0;
}
inline void GetReGluMaxMinTmpSize(const TensorShape &srcShape, const uint32_t typeSize, const bool, uint32_t &maxValue, uint32_t &minValue)
{
    ascendc_cpu::TellSpace(ascendc_cpu::GateSpace(ascendc_cpu::Gate::REGLU, typeSize), srcShape, typeSize, 0, maxValue, minValue);
}
// Here the last parameter is that of the source.
inline void GetSwiGLUMaxMinTmpSize(const TensorShape &srcShape, const uint32_t typeSize, uint32_t &maxValue, uint32_t &minValue, const bool)
{
    ascendc_cpu::TellSpace(ascendc_cpu::GateSpace(ascendc_cpu::Gate::SWIGLU, typeSize), srcShape, typeSize, 0, maxValue, minValue);
}
inline void GetSwiGLUTmpBufferFactorSize(const uint32_t typeSize, uint32_t &maxLiveNodeCount, uint32_t &extraBuffer)
{
    maxLiveNodeCount = ascendc_cpu::GateSpace(ascendc_cpu::Gate::SWIGLU, typeSize).factor;
    extraBuffer = 0;
}

// A shape of one axis of one element is a number.
inline void GetPowerMaxMinTmpSize(const TensorShape &srcShape1, const TensorShape &srcShape2, const bool typeIsInt,
    const uint32_t typeSize, const bool, uint32_t &maxValue, uint32_t &minValue)
{
    const auto is_tensor = [](const TensorShape &shape) { return shape.GetDimNum() != 1 || shape.GetDim(0) != 1; };
    const auto type = typeIsInt ? ascendc_cpu::PowerType::INT32
        : typeSize == sizeof(float) ? ascendc_cpu::PowerType::FLOAT
                                    : ascendc_cpu::PowerType::HALF;
    const bool v200 = ascendc_cpu::IsInferenceProduct(*platform_ascendc::PlatformAscendCManager::GetInstance());
    ascendc_cpu::TellSpace(ascendc_cpu::PowerSpace(type, is_tensor(srcShape1) && is_tensor(srcShape2), v200),
        is_tensor(srcShape1) ? srcShape1 : srcShape2, typeSize, typeIsInt ? 0 : ascendc_cpu::POWER_EXTRA, maxValue, minValue);
}

inline void GetSumMaxMinTmpSize(const uint32_t n, const uint32_t typeSize, const bool, uint32_t &maxValue, uint32_t &minValue)
{
    maxValue = minValue = ascendc_cpu::SumSpace(n, typeSize);
}
inline void GetCumSumMaxMinTmpSize(const TensorShape &srcShape, const uint32_t typeSize, const bool isLastAxis, const bool, uint32_t &maxValue,
    uint32_t &minValue)
{
    const uint32_t rows = static_cast<uint32_t>(srcShape.GetDim(0)), inner = static_cast<uint32_t>(srcShape.GetDim(1));
    maxValue = ascendc_cpu::CumSumSpace(isLastAxis, isLastAxis ? ascendc_cpu::AlignedTo(rows, 16) : rows, inner, typeSize);
    minValue = ascendc_cpu::CumSumSpace(isLastAxis, isLastAxis ? 16 : rows, inner, typeSize);
}
inline void GetMeanMaxMinTmpSize(const uint32_t n, const uint32_t typeSize, const uint32_t accTypeSize, const bool, uint32_t &maxValue,
    uint32_t &minValue)
{
    maxValue = minValue = ascendc_cpu::MeanSpace(n, typeSize, accTypeSize > typeSize);
}

enum class ReducePattern : uint32_t {
    AR = 0,
    RA = 1,
    R,
    ARA,
    ARAR,
    ARARA,
    ARARAR,
    ARARARA,
    ARARARAR,
    ARARARARA,
    RAR,
    RARA,
    RARAR,
    RARARA,
    RARARAR,
    RARARARA,
};
} // namespace AscendC

namespace ascendc_cpu {
// As the toolkit's: shapes and patterns that it does not know leave the sizes as they are.
inline void TellReductionSpace(Reduction op, const ge::Shape &shape, ge::DataType type, AscendC::ReducePattern pattern, bool padded,
    bool reuses, uint32_t &most, uint32_t &least)
{
    const bool rows = pattern == AscendC::ReducePattern::AR;
    if (shape.GetDimNum() != 2 || shape.GetDim(0) <= 0 || shape.GetDim(1) <= 0 || !padded ||
        (!rows && pattern != AscendC::ReducePattern::RA)) {
        return;
    }
    most = least = ReductionSpace(op, rows, static_cast<uint32_t>(shape.GetDim(0)), static_cast<uint32_t>(shape.GetDim(1)),
        static_cast<uint32_t>(ge::GetSizeByDataType(type)), reuses);
}
} // namespace ascendc_cpu

namespace AscendC {
#define ASCENDC_CPU_REDUCTION_SIZE(Name, OP, takes)                                                                      \
    inline void Get##Name##MaxMinTmpSize(const TensorShape &srcShape, const TensorDataType dataType, ReducePattern pattern, \
        bool isSrcInnerPad, bool isReuseSource, uint32_t &maxValue, uint32_t &minValue)                                  \
    {                                                                                                                    \
        if (dataType == ge::DT_FLOAT || dataType == takes) {                                                             \
            ascendc_cpu::TellReductionSpace(ascendc_cpu::Reduction::OP, srcShape, dataType, pattern, isSrcInnerPad,      \
                isReuseSource, maxValue, minValue);                                                                      \
        }                                                                                                                \
    }
ASCENDC_CPU_REDUCTION_SIZE(ReduceSum, SUM, ge::DT_FLOAT)
ASCENDC_CPU_REDUCTION_SIZE(ReduceMean, MEAN, ge::DT_FLOAT)
ASCENDC_CPU_REDUCTION_SIZE(ReduceProd, PROD, ge::DT_FLOAT)
ASCENDC_CPU_REDUCTION_SIZE(ReduceMax, MAX, ge::DT_FLOAT16)
ASCENDC_CPU_REDUCTION_SIZE(ReduceMin, MIN, ge::DT_FLOAT16)
ASCENDC_CPU_REDUCTION_SIZE(ReduceAny, ANY, ge::DT_UINT8)
ASCENDC_CPU_REDUCTION_SIZE(ReduceAll, ALL, ge::DT_UINT8)
#undef ASCENDC_CPU_REDUCTION_SIZE

inline uint32_t GetConcatTmpSize(const platform_ascendc::PlatformAscendC &ascendcPlatform, const uint32_t elemCount,
    const uint32_t dataTypeSize)
{
    return ascendc_cpu::IsInferenceProduct(ascendcPlatform) ? elemCount * 8 * dataTypeSize : 0;
}
inline uint32_t GetSortTmpSize(const platform_ascendc::PlatformAscendC &ascendcPlatform, const uint32_t elemCount,
    const uint32_t dataTypeSize)
{
    return elemCount * 8 * (ascendc_cpu::IsInferenceProduct(ascendcPlatform) ? dataTypeSize : 1);
}

// Shapes that do not go together, as the toolkit checks them, leave the sizes as they are.
inline void GetBroadCastMaxMinTmpSize(const platform_ascendc::PlatformAscendC &ascendcPlatform, const TensorShape &srcShape,
    const TensorShape &dstShape, uint32_t typeSize, const bool, uint32_t &maxValue, uint32_t &minValue)
{
    const size_t dims = dstShape.GetDimNum();
    if ((dims != 1 && dims != 2) || srcShape.GetDimNum() != dims || typeSize == 0 || srcShape.GetShapeSize() <= 0) {
        return;
    }
    uint32_t dst[2] = {1, 1};
    uint32_t src[2] = {1, 1};
    for (size_t i = 0; i < dims; ++i) {
        dst[i] = static_cast<uint32_t>(dstShape.GetDim(i));
        src[i] = static_cast<uint32_t>(srcShape.GetDim(i));
        if (src[i] != dst[i] && src[i] != 1) {
            return;
        }
    }
    const ascendc_cpu::BroadcastNeeds needs =
        ascendc_cpu::BroadcastSpace(dst, src, typeSize, ascendc_cpu::IsInferenceProduct(ascendcPlatform));
    maxValue = needs.most;
    minValue = needs.least;
}

// One of the sources is a number.
inline void GetSelectMaxMinTmpSize(const TensorShape &src0Shape, const TensorShape &src1Shape, const uint32_t, const TensorShape &maskShape,
    const uint32_t maskTypeSize, const bool isReuseMask, uint32_t &maxValue, uint32_t &minValue)
{
    const TensorShape &source = ascendc_cpu::IsNumber(src0Shape) ? src1Shape : src0Shape;
    const auto elements = static_cast<uint32_t>(source.GetShapeSize());
    const auto last = [](const TensorShape &shape) { return shape.GetDim(shape.GetDimNum() - 1); };
    const bool copies = last(maskShape) != last(source) && !isReuseMask && last(maskShape) > 1;
    maxValue = ascendc_cpu::SelectSpace(elements, maskTypeSize, copies, false);
    minValue = ascendc_cpu::SelectSpace(elements, maskTypeSize, copies, true);
}
inline void GetSelectWithBytesMaskMaxMinTmpSize(const TensorShape &src0Shape, const TensorShape &src1Shape, const uint32_t srcTypeSize,
    const TensorShape &maskShape, const uint32_t maskTypeSize, const bool isReuseMask, uint32_t &maxValue, uint32_t &minValue)
{
    GetSelectMaxMinTmpSize(src0Shape, src1Shape, srcTypeSize, maskShape, maskTypeSize, isReuseMask, maxValue, minValue);
}
} // namespace AscendC

namespace optiling {
// The same with setters, for tiling data (TILING_DATA_FIELD_DEF_STRUCT). The kernel's build knows it under its own name.
class SoftMaxTiling : public AscendC::tiling::SoftMaxTiling {
public:
#define ASCENDC_CPU_SETTER(name)                                                                                         \
    void set_##name(uint32_t value) { name = value; }                                                                    \
    uint32_t get_##name() const { return name; }
    ASCENDC_CPU_SOFTMAX_FIELDS(ASCENDC_CPU_SETTER)
#undef ASCENDC_CPU_SETTER
};
class RmsNormTiling : public AscendC::tiling::RmsNormTiling {
public:
#define ASCENDC_CPU_SETTER(type, name)                                                                                   \
    void set_##name(type value) { name = value; }                                                                        \
    type get_##name() const { return name; }
    ASCENDC_CPU_RMS_NORM_FIELDS(ASCENDC_CPU_SETTER)
};
class LayerNormSeparateTiling : public AscendC::tiling::LayerNormSeparateTiling {
public:
    ASCENDC_CPU_LAYER_NORM_FIELDS(ASCENDC_CPU_SETTER)
#undef ASCENDC_CPU_SETTER
};
} // namespace optiling

namespace AscendC {
// Shapes are batch, sequence and row.
inline bool GetRmsNormMaxMinTmpSize(const TensorShape &srcShape, const uint32_t typeSize, uint32_t &maxValue, uint32_t &minValue,
    const bool isBasicBlock = false)
{
    const auto rows = static_cast<uint32_t>(srcShape.GetDim(0) * srcShape.GetDim(1));
    const auto h = static_cast<uint32_t>(srcShape.GetDim(2));
    if (isBasicBlock && !ascendc_cpu::IsRmsNormBlock(rows, h)) {
        return false;
    }
    // The numbers of the rows are filled up to whole data blocks of the source's type.
    const uint32_t numbers = ascendc_cpu::AlignedTo(rows, 32 / typeSize);
    maxValue = (numbers + rows * h * (typeSize == 2 ? 2 : 1)) * 4;
    minValue = ascendc_cpu::RmsNormSpace(1, h, typeSize);
    return true;
}
inline bool GetRmsNormTilingInfo(const TensorShape &srcShape, const TensorShape &originSrcShape, const uint32_t stackBufferByteSize,
    const uint32_t typeSize, tiling::RmsNormTiling &tiling, const bool isBasicBlock = false)
{
    if (srcShape.GetDimNum() != 3 || originSrcShape.GetDimNum() != 3) {
        return false;
    }
    const auto b = static_cast<uint32_t>(srcShape.GetDim(0));
    const auto s = static_cast<uint32_t>(srcShape.GetDim(1));
    const auto h = static_cast<uint32_t>(srcShape.GetDim(2));
    const auto real = static_cast<uint32_t>(originSrcShape.GetDim(2));
    if (srcShape.GetDim(0) != originSrcShape.GetDim(0) || srcShape.GetDim(1) != originSrcShape.GetDim(1) || h < real || real == 0 ||
        h * typeSize % 32 != 0 || (isBasicBlock && !ascendc_cpu::IsRmsNormBlock(b * s, h)) ||
        stackBufferByteSize < ascendc_cpu::RmsNormSpace(1, h, typeSize)) {
        return false;
    }
    uint32_t at_once = 1;
    while (at_once < b * s && ascendc_cpu::RmsNormSpace(at_once + 1, h, typeSize) <= stackBufferByteSize) {
        ++at_once;
    }
    if (isBasicBlock) {
        at_once = at_once < 8 ? at_once : at_once / 8 * 8;
    } else if (at_once > 255) {
        at_once = 255; // repeats of an instruction
    }
    tiling.bLength = b;
    tiling.sLength = s;
    tiling.hLength = h;
    tiling.originalHLength = real;
    tiling.reciprocalOfHLength = static_cast<float>(1.0 / static_cast<double>(static_cast<float>(real)));
    tiling.mainBshLength = at_once * h;
    tiling.mainBsLength = at_once;
    tiling.mainBsLengthAlign = ascendc_cpu::AlignedTo(at_once, 8);
    tiling.loopRound = b * s / at_once;
    tiling.tailBsLength = b * s % at_once;
    tiling.tailBshLength = tiling.tailBsLength * h;
    tiling.inputTailPos = b * s * h - tiling.tailBshLength;
    return true;
}
inline bool GetRmsNormTilingInfo(const TensorShape &srcShape, const TensorShape &originSrcShape, const uint32_t stackBufferByteSize,
    const uint32_t typeSize, optiling::RmsNormTiling &tiling, const bool isBasicBlock = false)
{
    return GetRmsNormTilingInfo(srcShape, originSrcShape, stackBufferByteSize, typeSize, static_cast<tiling::RmsNormTiling &>(tiling),
        isBasicBlock);
}

// Of LayerNorm by rows and of its parts. Rows are filled up to whole data blocks, and counted in floats.
inline void GetNormalizeMaxMinTmpSize(const TensorShape &srcShape, const uint32_t typeSizeU, const uint32_t typeSizeT, const bool,
    const bool isComputeRstd, const bool isOnlyOutput, uint32_t &maxValue, uint32_t &minValue)
{
    if (!isComputeRstd || isOnlyOutput || typeSizeU == 0 || typeSizeT == 0) {
        return; // as the toolkit's: the sizes stay
    }
    const auto a = static_cast<uint32_t>(srcShape.GetDim(0));
    const uint32_t row = ascendc_cpu::AlignedTo(ascendc_cpu::AlignedTo(static_cast<uint32_t>(srcShape.GetDim(1)), 32 / typeSizeT) * 4, 32);
    const uint32_t numbers = ascendc_cpu::AlignedTo(a * 4, 32);
    const uint32_t rows = row * (typeSizeU == 4 ? 2 : 4);
    maxValue = 2 * row + 2 * ascendc_cpu::AlignedTo(a, 8) * row;
    minValue = numbers > rows ? numbers : rows;
}
inline void GetLayerNormMaxMinTmpSize(const TensorShape &srcShape, const uint32_t typeSize, const bool isReuseSource,
    const bool isComputeRstd, const bool isOnlyOutput, uint32_t &maxValue, uint32_t &minValue)
{
    if (typeSize == 0 || isOnlyOutput) {
        return;
    }
    const auto a = static_cast<uint32_t>(srcShape.GetDim(0));
    const uint32_t row = ascendc_cpu::AlignedTo(static_cast<uint32_t>(srcShape.GetDim(1)), 32 / typeSize) * 4;
    const uint32_t numbers = ascendc_cpu::AlignedTo(a * 4, 32);
    uint32_t most = 0;
    uint32_t least = 0;
    GetNormalizeMaxMinTmpSize(srcShape, typeSize, typeSize, isReuseSource, isComputeRstd, isOnlyOutput, most, least);
    maxValue = std::max(2 * ascendc_cpu::AlignedTo(a * row, 32), most) + numbers;
    minValue = std::max(2 * ascendc_cpu::AlignedTo(row, 32), least) + numbers;
}
inline void GetLayerNormNDTilingInfo(const TensorShape &srcShape, const uint32_t stackBufferSize, const uint32_t typeSize, const bool,
    const bool, tiling::LayerNormSeparateTiling &tiling)
{
    if (typeSize == 0) {
        return;
    }
    const auto a = static_cast<uint32_t>(srcShape.GetDim(0));
    const auto r = static_cast<uint32_t>(srcShape.GetDim(1));
    const uint32_t row = ascendc_cpu::AlignedTo(r, 32 / typeSize);
    const uint32_t numbers = ascendc_cpu::AlignedTo(a, 8);
    const uint32_t space = stackBufferSize / 4;
    const uint32_t fitting = row == 0 || space < numbers ? 0 : (space - numbers) / 2 / row;
    const uint32_t at_once = std::min(fitting, a);
    if (at_once == 0) {
        return;
    }
    const uint32_t tail = a % at_once;
    tiling.aLength = a;
    tiling.rLength = r;
    tiling.inputXSize = a * row;
    tiling.meanVarSize = a;
    tiling.numberOfTmpBuf = 2;
    tiling.varianceTmpTensorPos = 0;
    tiling.varianceTmpTensorSize = numbers;
    tiling.tmpBufSize = space;
    tiling.oneTmpSize = at_once * row;
    tiling.firstTmpStartPos = numbers;
    tiling.secondTmpStartPos = numbers + at_once * row;
    tiling.loopRound = a / at_once;
    tiling.inputRoundSize = at_once * row;
    tiling.inputTailSize = tail * row;
    tiling.inputTailPos = (a - tail) * row;
    tiling.meanVarRoundSize = at_once;
    tiling.meanVarTailSize = tail;
    tiling.meanVarTailPos = a - tail;
    tiling.arCurLength = at_once * row;
    tiling.aCurLength = at_once;
    tiling.rValueBack = 1.0f / static_cast<float>(r);
}
inline void GetLayerNormNDTilingInfo(const TensorShape &srcShape, const uint32_t stackBufferSize, const uint32_t typeSize,
    const bool isReuseSource, const bool isComputeRstd, optiling::LayerNormSeparateTiling &tiling)
{
    GetLayerNormNDTilingInfo(srcShape, stackBufferSize, typeSize, isReuseSource, isComputeRstd,
        static_cast<tiling::LayerNormSeparateTiling &>(tiling));
}
inline void GetWelfordUpdateMaxMinTmpSize(const TensorShape &srcShape, const uint32_t typeSizeT, const uint32_t, const bool isReuseSource,
    const bool, uint32_t &maxValue, uint32_t &minValue)
{
    if (srcShape.GetDimNum() != 2) {
        return;
    }
    minValue = (typeSizeT == 2 ? 3 : isReuseSource ? 1 : 2) * 256;
    maxValue = (static_cast<uint32_t>(srcShape.GetShapeSize()) + 63) / 64 * minValue;
}
inline void GetWelfordFinalizeMaxMinTmpSize(const TensorShape &srcShape, const uint32_t, const bool, uint32_t &maxValue, uint32_t &minValue)
{
    const int64_t length = srcShape.GetShapeSize();
    if (srcShape.GetDimNum() != 1 || length <= 0 || length % 8 != 0) {
        return;
    }
    minValue = 4 * 64 * 4;
    maxValue = length <= 64 ? minValue : (64 * 2 + static_cast<uint32_t>(length) * 2) * 4;
}

inline uint32_t GetSoftMaxMaxTmpSize(const TensorShape &srcShape, const uint32_t dataTypeSize, const bool)
{
    const uint32_t k = static_cast<uint32_t>(srcShape.GetDim(srcShape.GetDimNum() - 1));
    return k == 0 ? 0 : ascendc_cpu::SoftMaxSpace(static_cast<uint32_t>(srcShape.GetShapeSize()) / k, k, dataTypeSize);
}
inline uint32_t GetSoftMaxMinTmpSize(const TensorShape &srcShape, const uint32_t dataTypeSize, const bool)
{
    const uint32_t k = static_cast<uint32_t>(srcShape.GetDim(srcShape.GetDimNum() - 1));
    return k == 0 ? 0 : ascendc_cpu::SoftMaxSpace(1, k, dataTypeSize);
}
// As many rows at once as there is space for: of eight where they go on, and where rows are of 64 elements as many that they are all of
// the parts and one instruction takes a part.
inline uint32_t SoftMaxRowsAtOnce(uint32_t rows, uint32_t k, uint32_t fitting)
{
    constexpr uint32_t unit = 8;
    uint32_t at_once = fitting < rows ? fitting : rows;
    if (at_once < rows && at_once > unit) {
        at_once = at_once / unit * unit;
    }
    if (at_once > unit && rows % unit == 0 && k % 64 == 0) {
        at_once = at_once / unit * unit;
        while (rows % at_once != 0) {
            at_once -= unit;
        }
        while (at_once * k >= 64 * 256) {
            at_once /= 2;
        }
    }
    return at_once;
}
inline uint32_t SoftMaxRow(const TensorShape &srcShape)
{
    return static_cast<uint32_t>(srcShape.GetDim(srcShape.GetDimNum() - 1));
}
// `space` is the temporary space of one row.
inline void FillSoftMaxTiling(const TensorShape &srcShape, const uint32_t dataTypeSize, const uint32_t localWorkSpaceSize,
    const uint32_t space, tiling::SoftMaxTiling &softmaxTiling)
{
    const uint32_t k = SoftMaxRow(srcShape);
    const auto rows = static_cast<uint32_t>(srcShape.GetShapeSize()) / k;
    const uint32_t block = 32 / dataTypeSize;
    const uint32_t at_once = SoftMaxRowsAtOnce(rows, k, localWorkSpaceSize / space);
    const uint32_t tail = at_once == 0 ? 0 : rows % at_once;
    softmaxTiling.srcM = rows;
    softmaxTiling.srcK = k;
    softmaxTiling.srcSize = rows * k;
    softmaxTiling.outMaxM = rows;
    softmaxTiling.outMaxK = block;
    softmaxTiling.outMaxSize = rows * block;
    softmaxTiling.splitM = at_once;
    softmaxTiling.splitK = k;
    softmaxTiling.splitSize = at_once * k;
    softmaxTiling.reduceM = at_once;
    softmaxTiling.reduceK = block;
    softmaxTiling.reduceSize = at_once * block;
    softmaxTiling.rangeM = at_once == 0 ? 0 : rows / at_once;
    softmaxTiling.tailM = tail;
    softmaxTiling.tailSplitSize = tail * k;
    softmaxTiling.tailReduceSize = tail * block;
}
inline void SoftMaxTilingFunc(const TensorShape &srcShape, const uint32_t dataTypeSize, const uint32_t localWorkSpaceSize,
    tiling::SoftMaxTiling &softmaxTiling)
{
    const uint32_t k = SoftMaxRow(srcShape);
    if (k != 0 && dataTypeSize != 0) {
        FillSoftMaxTiling(srcShape, dataTypeSize, localWorkSpaceSize, ascendc_cpu::SoftMaxSpace(1, k, dataTypeSize), softmaxTiling);
    }
}
inline void SoftMaxTilingFunc(const TensorShape &srcShape, const uint32_t dataTypeSize, const uint32_t localWorkSpaceSize,
    optiling::SoftMaxTiling &softmaxTiling)
{
    SoftMaxTilingFunc(srcShape, dataTypeSize, localWorkSpaceSize, static_cast<tiling::SoftMaxTiling &>(softmaxTiling));
}

inline uint32_t GetSoftMaxGradMaxTmpSize(const TensorShape &srcShape, const uint32_t dataTypeSize, const bool isFront, const bool)
{
    const uint32_t k = SoftMaxRow(srcShape);
    return k == 0 ? 0 : ascendc_cpu::SoftMaxGradSpace(static_cast<uint32_t>(srcShape.GetShapeSize()) / k, k, dataTypeSize, isFront);
}
inline uint32_t GetSoftMaxGradMinTmpSize(const TensorShape &srcShape, const uint32_t dataTypeSize, const bool isFront, const bool)
{
    const uint32_t k = SoftMaxRow(srcShape);
    return k == 0 ? 0 : ascendc_cpu::SoftMaxGradSpace(1, k, dataTypeSize, isFront);
}
inline void SoftMaxGradTilingFunc(const TensorShape &srcShape, const uint32_t dataTypeSize, const uint32_t localWorkSpaceSize,
    tiling::SoftMaxTiling &softmaxGradTiling, const bool isFront = false)
{
    const uint32_t k = SoftMaxRow(srcShape);
    if (k != 0 && dataTypeSize != 0) {
        FillSoftMaxTiling(srcShape, dataTypeSize, localWorkSpaceSize, ascendc_cpu::SoftMaxGradSpace(1, k, dataTypeSize, isFront),
            softmaxGradTiling);
    }
}
inline void SoftMaxGradTilingFunc(const TensorShape &srcShape, const uint32_t dataTypeSize, const uint32_t localWorkSpaceSize,
    optiling::SoftMaxTiling &softmaxGradTiling, const bool isFront = false)
{
    SoftMaxGradTilingFunc(srcShape, dataTypeSize, localWorkSpaceSize, static_cast<tiling::SoftMaxTiling &>(softmaxGradTiling), isFront);
}
} // namespace AscendC

#endif
