// Sizes of element types (asc-devkit examples; header of the graph engine).
#ifndef ASCENDC_CPU_TYPE_UTILS_H
#define ASCENDC_CPU_TYPE_UTILS_H

#include "graph/types.h"

namespace ge {
class TypeUtils {
public:
    // What GetSizeByDataType says; false where an element has no size.
    static bool GetDataTypeLength(DataType data_type, uint32_t &length)
    {
        const int size = GetSizeByDataType(data_type);
        length = size > 0 ? static_cast<uint32_t>(size) : length;
        return size > 0;
    }
};
} // namespace ge

#endif
