// Sizes and names of element types and formats (asc-devkit examples; header of the graph engine).
#ifndef ASCENDC_CPU_TYPE_UTILS_H
#define ASCENDC_CPU_TYPE_UTILS_H

#include <string>

#include "graph/ascend_string.h"
#include "graph/types.h"

namespace ge {
class TypeUtils {
public:
    // `DT_FLOAT` of DT_FLOAT.
    static std::string DataTypeToSerialString(const DataType data_type)
    {
#define ASCENDC_CPU_NAME(Name, number)                                                                                   \
    case DT_##Name: return "DT_" #Name;
        switch (data_type) {
            ASCENDC_CPU_DATA_TYPES(ASCENDC_CPU_NAME)
            default: return "UNDEFINED";
        }
#undef ASCENDC_CPU_NAME
    }
    static AscendString DataTypeToAscendString(const DataType &data_type) { return DataTypeToSerialString(data_type).c_str(); }
    // `ND` of FORMAT_ND; what is none has the graph engine's word for it.
    static std::string FormatToSerialString(const Format format)
    {
#define ASCENDC_CPU_NAME(Name, number)                                                                                   \
    case FORMAT_##Name: return #Name;
        switch (format) {
            ASCENDC_CPU_FORMATS(ASCENDC_CPU_NAME)
            default: return "RESERVED";
        }
#undef ASCENDC_CPU_NAME
    }
    static AscendString FormatToAscendString(const Format &format) { return FormatToSerialString(format).c_str(); }
    // What GetSizeByDataType says; false where an element has no size.
    static bool GetDataTypeLength(const ge::DataType data_type, uint32_t &length)
    {
        const int size = GetSizeByDataType(data_type);
        length = size > 0 ? static_cast<uint32_t>(size) : length;
        return size > 0;
    }
};
} // namespace ge

#endif
