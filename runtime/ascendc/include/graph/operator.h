// A node of a graph as the graph engine has it (graph/operator.h). Functions of a definition that decide whether a node is supported
// compile against it; a launch has no graph, so that no node is ever made and none of them is called.
#ifndef ASCENDC_CPU_GRAPH_OPERATOR_H
#define ASCENDC_CPU_GRAPH_OPERATOR_H

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "graph/ascend_string.h"
#include "graph/tensor.h"
#include "graph/types.h"

namespace ge {
class Operator {
public:
    Operator() = delete;
    graphStatus GetName(AscendString &) const { return GRAPH_FAILED; }
    graphStatus GetOpType(AscendString &) const { return GRAPH_FAILED; }
    TensorDesc GetInputDesc(uint32_t) const { return {}; }
    TensorDesc GetInputDescByName(const char_t *) const { return {}; }
    TensorDesc GetOutputDesc(uint32_t) const { return {}; }
    TensorDesc GetOutputDescByName(const char_t *) const { return {}; }
    size_t GetInputsSize() const { return 0; }
    size_t GetOutputsSize() const { return 0; }
    graphStatus GetAttr(const char_t *, int64_t &) const { return GRAPH_FAILED; }
    graphStatus GetAttr(const char_t *, int32_t &) const { return GRAPH_FAILED; }
    graphStatus GetAttr(const char_t *, uint32_t &) const { return GRAPH_FAILED; }
    graphStatus GetAttr(const char_t *, std::vector<int64_t> &) const { return GRAPH_FAILED; }
    graphStatus GetAttr(const char_t *, float32_t &) const { return GRAPH_FAILED; }
    graphStatus GetAttr(const char_t *, std::vector<float32_t> &) const { return GRAPH_FAILED; }
    graphStatus GetAttr(const char_t *, bool &) const { return GRAPH_FAILED; }
    graphStatus GetAttr(const char_t *, AscendString &) const { return GRAPH_FAILED; }
};
} // namespace ge

#endif
