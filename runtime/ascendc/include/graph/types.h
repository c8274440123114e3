// Element types and formats of the graph engine, on the host side (asc-devkit, docs: ge namespace).
#ifndef ASCENDC_CPU_GRAPH_TYPES_H
#define ASCENDC_CPU_GRAPH_TYPES_H

#include <atomic>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "graph/c_types.h"
#include "graph/ge_error_codes.h"


namespace ge {
using char_t = char;
using float32_t = float;
using float64_t = double;

constexpr uint32_t SUCCESS = 0;
constexpr uint32_t FAILED = 0xffffffff;
// An axis of a graph whose length nobody knows before it runs, and a shape whose number of axes nobody knows. In a launch all are known.
constexpr int64_t UNKNOWN_DIM = -1;
constexpr int64_t UNKNOWN_DIM_NUM = -2;
inline const std::vector<int64_t> UNKNOWN_SHAPE = {UNKNOWN_DIM};
inline const std::vector<int64_t> UNKNOWN_RANK = {UNKNOWN_DIM_NUM};

#define ASCENDC_CPU_CONSTANT(Name, number) DT_##Name = C_DT_##Name,
enum DataType { ASCENDC_CPU_DATA_TYPES(ASCENDC_CPU_CONSTANT) DT_MAX = C_DT_MAX };
#undef ASCENDC_CPU_CONSTANT
// Where elements take no whole number of bytes, their size is this and a number of bits.
constexpr int32_t kDataTypeSizeBitOffset = 1000;
constexpr uint32_t kBitNumOfOneByte = 8;
constexpr uint32_t kBitThreeBytes = 24;

// Bytes of an element; -1 where it has none.
inline int GetSizeByDataType(DataType type)
{
    switch (type) {
        case DT_INT8:
        case DT_UINT8:
        case DT_QINT8:
        case DT_QUINT8:
        case DT_DUAL_SUB_INT8:
        case DT_DUAL_SUB_UINT8:
        case DT_HIFLOAT8:
        case DT_FLOAT8_E5M2:
        case DT_FLOAT8_E4M3FN:
        case DT_FLOAT8_E8M0:
        case DT_BOOL: return 1;
        case DT_FLOAT16:
        case DT_BF16:
        case DT_INT16:
        case DT_QINT16:
        case DT_QUINT16:
        case DT_UINT16: return 2;
        case DT_FLOAT:
        case DT_INT32:
        case DT_QINT32:
        case DT_COMPLEX32:
        case DT_UINT32: return 4;
        case DT_DUAL: return 5; // a float and an int8
        case DT_DOUBLE:
        case DT_INT64:
        case DT_COMPLEX64:
        case DT_RESOURCE:
        case DT_VARIANT:
        case DT_UINT64: return 8;
        case DT_COMPLEX128: return 16;
        case DT_FLOAT6_E3M2:
        case DT_FLOAT6_E2M3: return kDataTypeSizeBitOffset + 6;
        case DT_FLOAT4_E2M1:
        case DT_FLOAT4_E1M2:
        case DT_HIFLOAT4:
        case DT_INT4: return kDataTypeSizeBitOffset + 4;
        case DT_INT2:
        case DT_UINT2: return kDataTypeSizeBitOffset + 2;
        case DT_UINT1: return kDataTypeSizeBitOffset + 1;
        default: return -1;
    }
}

// Bytes of so many elements, the last one whole; -1 for a number below zero, a type without a size, and more than there is.
inline int64_t GetSizeInBytes(int64_t element_count, DataType data_type)
{
    const int64_t size = GetSizeByDataType(data_type);
    const bool is_bits = size > kDataTypeSizeBitOffset;
    const int64_t unit = is_bits ? size - kDataTypeSizeBitOffset : size;
    if (element_count < 0 || unit < 0 || element_count > std::numeric_limits<int64_t>::max() / unit) {
        return -1;
    }
    const int64_t bits = kBitNumOfOneByte;
    const int64_t product = element_count * unit;
    return is_bits ? product / bits + (product % bits != 0 ? 1 : 0) : product;
}

#define ASCENDC_CPU_CONSTANT(Name, number) FORMAT_##Name = C_FORMAT_##Name,
enum Format {
    ASCENDC_CPU_FORMATS(ASCENDC_CPU_CONSTANT) FORMAT_END = C_FORMAT_END,
    FORMAT_RESERVED = C_FORMAT_RESERVED,
    FORMAT_ALL = C_FORMAT_ALL,
    FORMAT_NULL = C_FORMAT_NULL,
    FORMAT_MAX = C_FORMAT_MAX
};
#undef ASCENDC_CPU_CONSTANT
// A format holds a part of its own in two bytes above the lowest one, and the logarithm of its C0, plus one, in four bits above these.
inline int32_t GetPrimaryFormat(int32_t format)
{
    return format & 0xff;
}
inline int32_t GetSubFormat(int32_t format)
{
    return (format >> kBitNumOfOneByte) & 0xffff;
}
inline bool HasSubFormat(int32_t format)
{
    return GetSubFormat(format) > 0;
}
inline int32_t GetC0Format(int32_t format)
{
    return (format >> kBitThreeBytes) & 0xf;
}
inline bool HasC0Format(int32_t format)
{
    return GetC0Format(format) > 0;
}
// -1 where the format has none.
inline int64_t GetC0Value(int32_t format)
{
    return HasC0Format(format) ? int64_t{1} << (GetC0Format(format) - 1) : -1;
}
inline int32_t GetFormatFromSub(int32_t primary_format, int32_t sub_format)
{
    return (primary_format & 0xff) | ((sub_format & 0xffff) << kBitNumOfOneByte);
}
} // namespace ge

#endif
