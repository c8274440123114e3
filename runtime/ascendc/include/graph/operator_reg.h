// The definition of an operator for a graph (graph/operator_reg.h). It registers nothing, since a launch has no graph. The compiler looks
// at defaults of attributes; element types are no more than text, as in the toolkit.
#ifndef ASCENDC_CPU_GRAPH_OPERATOR_REG_H
#define ASCENDC_CPU_GRAPH_OPERATOR_REG_H

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "graph/operator.h"

namespace ge {
using std::function;
using std::string;
using std::vector;
} // namespace ge

namespace ascendc_cpu {
struct GraphDefinition {
    // Types of attributes by their names in a definition.
    using Int = int64_t;
    using Float = float;
    using Bool = bool;
    using String = std::string;
    using Type = ge::DataType;
    using ListInt = std::vector<int64_t>;
    using ListFloat = std::vector<float>;
    using ListBool = std::vector<bool>;
    using ListString = std::vector<std::string>;
    using ListType = std::vector<ge::DataType>;
    using ListListInt = std::vector<std::vector<int64_t>>;

    GraphDefinition &Parameter(const char *, const char *) { return *this; }
    template <typename T>
    GraphDefinition &Attribute(const char *, const T &)
    {
        return *this;
    }
    template <typename T>
    GraphDefinition &Attribute(const char *)
    {
        return *this;
    }
    bool End() const { return true; }
};
} // namespace ascendc_cpu

#define REG_OP(x) [[maybe_unused]] static const bool ascendcCpuGraph##x = ascendc_cpu::GraphDefinition()
#define INPUT(x, ...) Parameter(#x, #__VA_ARGS__)
#define OPTIONAL_INPUT(x, ...) Parameter(#x, #__VA_ARGS__)
#define DYNAMIC_INPUT(x, ...) Parameter(#x, #__VA_ARGS__)
#define OUTPUT(x, ...) Parameter(#x, #__VA_ARGS__)
#define DYNAMIC_OUTPUT(x, ...) Parameter(#x, #__VA_ARGS__)
#define DATATYPE(x, ...) Parameter(#x, #__VA_ARGS__)
#define ATTR(x, Type, ...) Attribute<ascendc_cpu::GraphDefinition::Type>(#x, __VA_ARGS__)
#define REQUIRED_ATTR(x, Type) Attribute<ascendc_cpu::GraphDefinition::Type>(#x)
#define OP_END_FACTORY_REG(x) End();

#endif
