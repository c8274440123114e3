// Status, element types and formats of the graph engine, on the host side (asc-devkit, docs: ge namespace).
#ifndef ASCENDC_CPU_GRAPH_TYPES_H
#define ASCENDC_CPU_GRAPH_TYPES_H

#include <cstdint>

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
// Bytes of an element; -1 where there is no whole number.
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
        default: return -1;
    }
}

enum Format { FORMAT_NCHW = 0, FORMAT_NHWC = 1, FORMAT_ND = 2, FORMAT_NC1HWC0 = 3, FORMAT_FRACTAL_NZ = 29 };
} // namespace ge

#endif
