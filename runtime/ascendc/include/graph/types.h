// Status, element types and formats of the graph engine, on the host side (asc-devkit, docs: ge namespace).
#ifndef ASCENDC_CPU_GRAPH_TYPES_H
#define ASCENDC_CPU_GRAPH_TYPES_H

#include <cstdint>
#include <limits>

#include "graph/c_types.h"

namespace ge {
using char_t = char;
using graphStatus = uint32_t;
constexpr graphStatus GRAPH_SUCCESS = 0;
constexpr graphStatus GRAPH_FAILED = 0xffffffff;
constexpr graphStatus GRAPH_PARAM_INVALID = 50331649;

constexpr uint32_t SUCCESS = 0;
constexpr uint32_t FAILED = 0xffffffff;
// An axis of a graph whose length nobody knows before it runs, and a shape whose number of axes nobody knows. In a launch all are known.
constexpr int64_t UNKNOWN_DIM = -1;
constexpr int64_t UNKNOWN_DIM_NUM = -2;

// Element types and formats have the numbers of graph/c_types.h.
#define ASCENDC_CPU_CONSTANT(Name, number) DT_##Name = number,
enum DataType { ASCENDC_CPU_DATA_TYPES(ASCENDC_CPU_CONSTANT) };
#undef ASCENDC_CPU_CONSTANT
// Where elements take no whole number of bytes, their size is this and a number of bits.
constexpr int32_t kDataTypeSizeBitOffset = 1000;
constexpr uint32_t kBitNumOfOneByte = 8;

// Bytes of an element; -1 where it has none.
inline int GetSizeByDataType(DataType type)
{
    switch (type) {
        case DT_INT8:
        case DT_UINT8:
        case DT_QINT8:
        case DT_QUINT8:
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
        case DT_DOUBLE:
        case DT_INT64:
        case DT_COMPLEX64:
        case DT_UINT64: return 8;
        case DT_COMPLEX128: return 16;
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

#define ASCENDC_CPU_CONSTANT(Name, number) FORMAT_##Name = number,
enum Format { ASCENDC_CPU_FORMATS(ASCENDC_CPU_CONSTANT) };
#undef ASCENDC_CPU_CONSTANT
// A format may hold a part of its own above the lowest 8 bits.
inline int32_t GetPrimaryFormat(int32_t format)
{
    return format & 0xff;
}
} // namespace ge

#endif
