// Status, element types and formats of the graph engine, on the host side (asc-devkit, docs: ge namespace).
#ifndef ASCENDC_CPU_GRAPH_TYPES_H
#define ASCENDC_CPU_GRAPH_TYPES_H

#include <cstdint>
#include <limits>

namespace ge {
using char_t = char;
using graphStatus = uint32_t;
constexpr graphStatus GRAPH_SUCCESS = 0;
constexpr graphStatus GRAPH_FAILED = 0xffffffff;
constexpr graphStatus GRAPH_PARAM_INVALID = 50331649;

// Numbers of the graph engine (kernel_type.h has the same).
enum DataType {
    DT_FLOAT = 0,
    DT_FLOAT16 = 1,
    DT_INT8 = 2,
    DT_INT32 = 3,
    DT_UINT8 = 4,
    DT_INT16 = 6,
    DT_UINT16 = 7,
    DT_UINT32 = 8,
    DT_INT64 = 9,
    DT_UINT64 = 10,
    DT_DOUBLE = 11,
    DT_BOOL = 12,
    DT_BF16 = 27,
    DT_UNDEFINED = 28,
    DT_INT4 = 29
};
// Where elements take no whole number of bytes, their size is this and a number of bits.
constexpr int32_t kDataTypeSizeBitOffset = 1000;
constexpr uint32_t kBitNumOfOneByte = 8;

// Bytes of an element; -1 where it has none.
inline int GetSizeByDataType(DataType type)
{
    switch (type) {
        case DT_INT8:
        case DT_UINT8:
        case DT_BOOL: return 1;
        case DT_FLOAT16:
        case DT_BF16:
        case DT_INT16:
        case DT_UINT16: return 2;
        case DT_FLOAT:
        case DT_INT32:
        case DT_UINT32: return 4;
        case DT_DOUBLE:
        case DT_INT64:
        case DT_UINT64: return 8;
        case DT_INT4: return kDataTypeSizeBitOffset + 4;
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

enum Format { FORMAT_NCHW = 0, FORMAT_NHWC = 1, FORMAT_ND = 2, FORMAT_NC1HWC0 = 3, FORMAT_FRACTAL_NZ = 29 };
} // namespace ge

#endif
