// GlobalTensor, LocalTensor and LocalMemAllocator (asc-devkit, include/basic_api/kernel_tensor.h).
#ifndef ASCENDC_CPU_TENSOR_H
#define ASCENDC_CPU_TENSOR_H

#include "ascendc/enums.h"

namespace ascendc_cpu {
// One element of a core's memory, read by the scalar unit; poison stops here.
uint64_t ReadScalar(const Local &tensor, uint32_t index);
void WriteScalar(const Local &tensor, uint32_t index, Scalar value);
// One element of GM through the scalar cache.
uint64_t ReadGlobal(uint64_t at, Type type);
void WriteGlobal(uint64_t at, Type type, Scalar value);
// An element for direct use by reference; counts as read and written.
void *LocalElement(const Local &tensor, uint32_t index);
void *GlobalElement(uint64_t at, Type type);
// Host address of a byte of a core's memory.
void *LocalAddress(Space space, uint32_t at);
// The rest of UB from an address on that LocalTensor::GetPhyAddr gave.
Local LocalOf(const void *address, Type type);
template <typename T>
ASCENDC_API Local LocalAt(const void *address)
{
    return LocalOf(address, TypeOf<T>::value);
}
// The part of `tensor` behind `offset` bytes; stops where that lies outside.
Local SubView(const Local &tensor, uint64_t offset);
// Bytes of so many elements of half a byte; tells where they end in the middle of one.
uint64_t HalfBytes(uint64_t elements);
// A tensor placed by hand (static tensor programming).
Local Place(Space space, uint32_t at, uint64_t bytes, Type type);

template <typename T>
inline constexpr bool IsInt4 = std::is_same<T, AscendC::int4b_t>::value;
template <typename T>
ASCENDC_API uint64_t BytesOf(uint64_t elements)
{
    if constexpr (IsInt4<T>) {
        return HalfBytes(elements);
    } else {
        return elements * sizeof(T);
    }
}
template <typename T>
constexpr uint64_t ElementsIn(uint64_t bytes)
{
    return IsInt4<T> ? bytes * 2 : bytes / sizeof(T);
}
// Of a byte the half that an element is.
constexpr AscendC::int4b_t HalfOf(uint64_t byte, uint64_t index)
{
    return AscendC::int4b_t(byte >> (index % 2 * 4));
}

template <typename T>
inline T FromBits(uint64_t bits)
{
    T v;
    std::memcpy(&v, &bits, sizeof v);
    return v;
}
} // namespace ascendc_cpu

namespace AscendC {
struct ShapeInfo {
    ShapeInfo() = default;
    ShapeInfo(uint8_t inputShapeDim, const uint32_t inputShape[], uint8_t inputOriginalShapeDim,
        const uint32_t inputOriginalShape[], DataFormat inputFormat)
        : shapeDim(inputShapeDim), originalShapeDim(inputOriginalShapeDim), dataFormat(inputFormat)
    {
        for (int i = 0; i < shapeDim && i < K_MAX_SHAPE_DIM; ++i) {
            shape[i] = inputShape[i];
        }
        for (int i = 0; i < originalShapeDim && i < K_MAX_SHAPE_DIM; ++i) {
            originalShape[i] = inputOriginalShape[i];
        }
    }
    ShapeInfo(uint8_t inputShapeDim, const uint32_t inputShape[], DataFormat inputFormat)
        : ShapeInfo(inputShapeDim, inputShape, inputShapeDim, inputShape, inputFormat)
    {}
    ShapeInfo(uint8_t inputShapeDim, const uint32_t inputShape[])
        : ShapeInfo(inputShapeDim, inputShape, DataFormat::ND)
    {}
    uint8_t shapeDim = 0;
    uint8_t originalShapeDim = 0;
    uint32_t shape[K_MAX_SHAPE_DIM] = {};
    uint32_t originalShape[K_MAX_SHAPE_DIM] = {};
    DataFormat dataFormat = DataFormat::ND;
};

// Whole-tensor expressions: `dst = a + b` is one instruction over all of dst (vec_binary.h, vec_compare.h).
template <typename T, typename Op>
struct BinaryExpression;
struct OpAdd;
struct OpSub;
struct OpMul;
struct OpDiv;
struct OpAnd;
struct OpOr;
template <typename T>
struct CompareExpression;

template <typename T>
class LocalTensor {
public:
    using PrimType = T;

    LocalTensor() = default;
#if ASCENDC_CPU_CANN >= 805
    // A tensor at an address of its own, without TPipe.
    ASCENDC_API LocalTensor(TPosition pos, uint32_t addr, uint32_t tileSize)
        : view_(ascendc_cpu::Place(ascendc_cpu::SpaceOf(pos), addr, ascendc_cpu::BytesOf<T>(tileSize), ascendc_cpu::TypeOf<T>::value)),
          position_(pos)
    {}
#endif

    ASCENDC_API __ubuf__ T *GetPhyAddr() const { return GetPhyAddr(0); }
    ASCENDC_API __ubuf__ T *GetPhyAddr(uint32_t offset) const
    {
        return static_cast<T *>(ascendc_cpu::LocalAddress(view_.space, view_.at)) + ascendc_cpu::BytesOf<T>(offset) / sizeof(T);
    }
    ASCENDC_API T GetValue(uint32_t index) const
    {
        if constexpr (ascendc_cpu::IsInt4<T>) {
            return ascendc_cpu::HalfOf(ascendc_cpu::ReadScalar(view_, index / 2), index);
        } else {
            return ascendc_cpu::FromBits<T>(ascendc_cpu::ReadScalar(view_, index));
        }
    }
    template <typename S>
    ASCENDC_API void SetValue(uint32_t index, S value) const
    {
        if constexpr (ascendc_cpu::IsInt4<T>) {
            // The byte is read for its other half.
            const uint64_t other = ascendc_cpu::ReadScalar(view_, index / 2) & (index % 2 == 0 ? 0xf0 : 0xf);
            ascendc_cpu::WriteScalar(view_, index / 2, {other + (uint64_t(value.storage) << (index % 2 * 4))});
        } else {
            ascendc_cpu::WriteScalar(view_, index, ascendc_cpu::Scalar::Of(static_cast<T>(value)));
        }
    }
    ASCENDC_API __ubuf__ T &operator()(uint32_t offset) const
    {
        static_assert(!ascendc_cpu::IsInt4<T>, "an element of int4b_t has no address; use GetValue and SetValue");
        return *static_cast<T *>(ascendc_cpu::LocalElement(view_, offset));
    }
    ASCENDC_API LocalTensor operator[](uint32_t offset) const
    {
        LocalTensor sub = *this;
        sub.view_ = ascendc_cpu::SubView(view_, ascendc_cpu::BytesOf<T>(offset));
        return sub;
    }
    template <typename U>
    ASCENDC_API LocalTensor<U> ReinterpretCast() const
    {
        ascendc_cpu::Local view = view_;
        view.type = ascendc_cpu::TypeOf<U>::value;
        return LocalTensor<U>::Of(view, position_);
    }
    template <typename S>
    ASCENDC_API void SetAddrWithOffset(LocalTensor<S> &src, uint32_t offset)
    {
        view_ = ascendc_cpu::SubView(src.View(), ascendc_cpu::BytesOf<S>(offset));
        view_.type = ascendc_cpu::TypeOf<T>::value;
        position_ = static_cast<TPosition>(src.GetPosition());
    }
    ASCENDC_API int32_t GetPosition() const { return static_cast<int32_t>(position_); }
    ASCENDC_API void SetSize(uint32_t size) { view_.bytes = static_cast<uint32_t>(ascendc_cpu::BytesOf<T>(size)); }
    ASCENDC_API uint32_t GetSize() const { return static_cast<uint32_t>(ascendc_cpu::ElementsIn<T>(view_.bytes)); }
    ASCENDC_API uint32_t GetLength() const { return view_.bytes; }
    ASCENDC_API void SetBufferLen(uint32_t dataLen) { view_.bytes = dataLen; }
    ASCENDC_API void SetUserTag(int32_t tag) { tag_ = tag; }
    ASCENDC_API int32_t GetUserTag() const { return tag_; }
    ASCENDC_API void SetShapeInfo(const ShapeInfo &shapeInfo) { shapeInfo_ = shapeInfo; }
    ASCENDC_API ShapeInfo GetShapeInfo() const { return shapeInfo_; }

    template <typename Op>
    ASCENDC_API void operator=(const BinaryExpression<T, Op> &expression);
    template <typename U>
    ASCENDC_API void operator=(const CompareExpression<U> &expression);
    ASCENDC_API BinaryExpression<T, OpAdd> operator+(const LocalTensor &src1) const;
    ASCENDC_API BinaryExpression<T, OpSub> operator-(const LocalTensor &src1) const;
    ASCENDC_API BinaryExpression<T, OpMul> operator*(const LocalTensor &src1) const;
    ASCENDC_API BinaryExpression<T, OpDiv> operator/(const LocalTensor &src1) const;
    ASCENDC_API BinaryExpression<T, OpAnd> operator&(const LocalTensor &src1) const;
    ASCENDC_API BinaryExpression<T, OpOr> operator|(const LocalTensor &src1) const;
    ASCENDC_API CompareExpression<T> operator<(const LocalTensor &src1) const;
    ASCENDC_API CompareExpression<T> operator>(const LocalTensor &src1) const;
    ASCENDC_API CompareExpression<T> operator!=(const LocalTensor &src1) const;
    ASCENDC_API CompareExpression<T> operator==(const LocalTensor &src1) const;
    ASCENDC_API CompareExpression<T> operator<=(const LocalTensor &src1) const;
    ASCENDC_API CompareExpression<T> operator>=(const LocalTensor &src1) const;

    // Not part of the API: the machine's side of the tensor.
    ASCENDC_API const ascendc_cpu::Local &View() const { return view_; }
    ASCENDC_API static LocalTensor Of(const ascendc_cpu::Local &view, TPosition position)
    {
        LocalTensor tensor;
        tensor.view_ = view;
        tensor.position_ = position;
        return tensor;
    }

private:
    ascendc_cpu::Local view_{0, 0, ascendc_cpu::NO_BUFFER, ascendc_cpu::Space::UB, ascendc_cpu::TypeOf<T>::value};
    TPosition position_ = TPosition::MAX;
    int32_t tag_ = 0;
    ShapeInfo shapeInfo_;
};

template <typename T>
class GlobalTensor {
public:
    using PrimType = T;

    GlobalTensor() = default;
    ASCENDC_API void SetGlobalBuffer(__gm__ T *buffer, uint64_t bufferSize)
    {
        address_ = buffer;
        bufferSize_ = bufferSize;
    }
    ASCENDC_API void SetGlobalBuffer(__gm__ T *buffer)
    {
        address_ = buffer;
        bufferSize_ = 0;
    }
    ASCENDC_API const __gm__ T *GetPhyAddr() const { return address_; }
    ASCENDC_API __gm__ T *GetPhyAddr(uint64_t offset) const { return address_ + ascendc_cpu::BytesOf<T>(offset) / sizeof(T); }
    ASCENDC_API T GetValue(uint64_t offset) const
    {
        if constexpr (ascendc_cpu::IsInt4<T>) {
            return ascendc_cpu::HalfOf(ascendc_cpu::ReadGlobal(At(offset / 2 * 2), ascendc_cpu::Type::U8), offset);
        } else {
            return ascendc_cpu::FromBits<T>(ascendc_cpu::ReadGlobal(At(offset), ascendc_cpu::TypeOf<T>::value));
        }
    }
    ASCENDC_API __gm__ T &operator()(uint64_t offset) const
    {
        static_assert(!ascendc_cpu::IsInt4<T>, "an element of int4b_t has no address; use GetValue and SetValue");
        return *static_cast<T *>(ascendc_cpu::GlobalElement(At(offset), ascendc_cpu::TypeOf<T>::value));
    }
    ASCENDC_API void SetValue(uint64_t offset, T value)
    {
        if constexpr (ascendc_cpu::IsInt4<T>) {
            const uint64_t at = At(offset / 2 * 2);
            const uint64_t other = ascendc_cpu::ReadGlobal(at, ascendc_cpu::Type::U8) & (offset % 2 == 0 ? 0xf0 : 0xf);
            ascendc_cpu::WriteGlobal(at, ascendc_cpu::Type::U8, {other + (uint64_t(value.storage) << (offset % 2 * 4))});
        } else {
            ascendc_cpu::WriteGlobal(At(offset), ascendc_cpu::TypeOf<T>::value, ascendc_cpu::Scalar::Of(value));
        }
    }
    ASCENDC_API uint64_t GetSize() const { return bufferSize_; }
    ASCENDC_API GlobalTensor operator[](uint64_t offset) const
    {
        GlobalTensor sub = *this;
        sub.address_ = reinterpret_cast<T *>(At(offset));
        return sub;
    }
    ASCENDC_API void SetShapeInfo(const ShapeInfo &shapeInfo) { shapeInfo_ = shapeInfo; }
    ASCENDC_API ShapeInfo GetShapeInfo() const { return shapeInfo_; }
    // A hint for L2 only: it does not change a value.
    template <CacheRwMode rwMode = CacheRwMode::RW>
    ASCENDC_API void SetL2CacheHint(CacheMode mode)
    {
        cacheMode_ = mode;
    }

    // Not part of the API: the machine's side of the tensor.
    ASCENDC_API ascendc_cpu::Global View() const { return {At(0), ascendc_cpu::TypeOf<T>::value, cacheMode_ == CacheMode::CACHE_MODE_DISABLE}; }

private:
    ASCENDC_API uint64_t At(uint64_t offset) const { return reinterpret_cast<uint64_t>(address_) + ascendc_cpu::BytesOf<T>(offset); }

    __gm__ T *address_ = nullptr;
    uint64_t bufferSize_ = 0;
    ShapeInfo shapeInfo_;
    CacheMode cacheMode_ = CacheMode::CACHE_MODE_NORMAL;
};

// Hands out a memory from its start on; the static tensor style, which has no TPipe.
template <Hardware hard = Hardware::UB>
class LocalMemAllocator {
public:
    LocalMemAllocator() = default;
    ASCENDC_API uint32_t GetCurAddr() const { return head_; }
    template <TPosition pos, class DataType, uint32_t tileSize>
    ASCENDC_API LocalTensor<DataType> Alloc()
    {
        return Alloc<pos, DataType>(tileSize);
    }
    template <TPosition pos, class DataType>
    ASCENDC_API LocalTensor<DataType> Alloc(uint32_t tileSize)
    {
        static_assert(GetPhyType(pos) == hard, "the position lies in another memory than the allocator's");
        LocalTensor<DataType> tensor(pos, head_, tileSize);
        head_ += (static_cast<uint32_t>(ascendc_cpu::BytesOf<DataType>(tileSize)) + ONE_BLK_SIZE - 1) / ONE_BLK_SIZE * ONE_BLK_SIZE;
        return tensor;
    }
    template <class DataType, uint32_t tileSize>
    ASCENDC_API LocalTensor<DataType> Alloc()
    {
        return Alloc<DataType>(tileSize);
    }
    template <class DataType>
    ASCENDC_API LocalTensor<DataType> Alloc(uint32_t tileSize)
    {
        constexpr TPosition pos = hard == Hardware::UB ? TPosition::VECCALC
            : hard == Hardware::L1                     ? TPosition::A1
            : hard == Hardware::L0A                    ? TPosition::A2
            : hard == Hardware::L0B                    ? TPosition::B2
            : hard == Hardware::L0C                    ? TPosition::CO1
            : hard == Hardware::BIAS                   ? TPosition::C2
                                                       : TPosition::C2PIPE2GM;
        return Alloc<pos, DataType>(tileSize);
    }

private:
    uint32_t head_ = 0;
};
} // namespace AscendC

#endif
