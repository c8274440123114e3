// What the two phases of an operator take, by its definition: inputs, attributes, outputs, each in its order. An output of the name of an input is
// updated in place and is that input's argument.
#ifndef JUMAR_STANDIN_SIGNATURE_H
#define JUMAR_STANDIN_SIGNATURE_H

#include "register/op_def_registry.h"

#include <algorithm>
#include <cctype>

namespace standin {
// The input of an output's name; -1 where there is none.
inline int InputOf(const ops::OpDef &op, const ops::OpParamDef &output)
{
    for (size_t i = 0; i < op.inputs.size(); ++i) {
        if (op.inputs[i].name == output.name) {
            return static_cast<int>(i);
        }
    }
    return -1;
}

// The combinations of element types that it lists.
inline size_t ColumnsOf(const ops::OpDef &op)
{
    size_t columns = 1;
    for (const auto *params : {&op.inputs, &op.outputs}) {
        for (const ops::OpParamDef &param : *params) {
            columns = std::max(columns, param.types.size());
        }
    }
    return columns;
}

// AddCustom -> add_custom: an underscore before each capital that starts a word.
inline std::string SnakeCase(const std::string &type)
{
    const auto is_upper = [&type](size_t at) { return std::isupper(static_cast<unsigned char>(type[at])) != 0; };
    std::string name;
    for (size_t i = 0; i < type.size(); ++i) {
        const bool before_small = i + 1 < type.size() && std::islower(static_cast<unsigned char>(type[i + 1])) != 0;
        const bool starts = i > 0 && is_upper(i) && (!is_upper(i - 1) || before_small);
        name += starts ? "_" : "";
        name += static_cast<char>(std::tolower(static_cast<unsigned char>(type[i])));
    }
    return name;
}
} // namespace standin

#endif
