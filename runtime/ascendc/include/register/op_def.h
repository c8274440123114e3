// The definition of an operator (asc-devkit, docs: OpDef, OpParamDef, OpAttrDef, OpAICoreDef, OpAICoreConfig).
#ifndef ASCENDC_CPU_OP_DEF_H
#define ASCENDC_CPU_OP_DEF_H

#include <deque>
#include <functional>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "exe_graph/runtime/infer_datatype_context.h"
#include "exe_graph/runtime/infer_shape_context.h"
#include "exe_graph/runtime/infer_shape_range_context.h"
#include "exe_graph/runtime/tiling_context.h"
#include "graph/operator_reg.h"

namespace optiling {
// Functions that tell a graph whether it may have the operator. A launch has no graph, and none of them is called.
using OP_CHECK_FUNC = ge::graphStatus (*)(const ge::Operator &op, ge::AscendString &result);
using PARAM_GENERALIZE_FUNC = ge::graphStatus (*)(const ge::Operator &op, const ge::AscendString &generalize_config,
    ge::AscendString &generalized_op_params);
} // namespace optiling

namespace ops {
enum Option { IGNORE = 0, OPTIONAL = 1, REQUIRED = 2, DYNAMIC = 3, VIRTUAL = 4 };
// Which functions read the values of an input.
enum class DependScope : uint32_t { ALL = 0, TILING = 1, INVALID_SCOPE };
// What a parameter has in common with the one that it follows.
enum class FollowType : uint32_t { ALL = 0, DTYPE = 1, FORMAT = 2, SHAPE = 3, INVALID_TYPE };
enum class FormatCheckOption : uint32_t { DEFAULT = 0, STRICT = 1, MAX };
enum class CommentSection : uint32_t {
    CATEGORY = 0,
    BRIEF = 1,
    CONSTRAINTS = 2,
    RESTRICTIONS = 3,
    SEE = 4,
    THIRDPARTYFWKCOMPAT = 5,
    SECTION_MAX
};
enum class ScalarType : uint32_t {
    UINT64 = 0,
    INT64 = 1,
    UINT32 = 2,
    INT32 = 3,
    UINT16 = 4,
    INT16 = 5,
    UINT8 = 6,
    INT8 = 7,
    FLOAT32 = 8,
    FLOAT16 = 9,
    INVALID_DTYPE = static_cast<uint32_t>(-1)
};
// A number that a kernel finds in an output before it runs.
struct ScalarVar {
    ScalarVar() = default;
    ScalarVar(ScalarType type, uint64_t num) : scalar_type(type), value(static_cast<double>(num)) {}
    ScalarVar(ScalarType type, int64_t num) : scalar_type(type), value(static_cast<double>(num)) {}
    ScalarVar(ScalarType type, int num) : scalar_type(type), value(num) {}
    ScalarVar(ScalarType type, unsigned int num) : scalar_type(type), value(num) {}
    ScalarVar(ScalarType type, float num) : scalar_type(type), value(num) {}
    ScalarVar(ScalarType type, double num) : scalar_type(type), value(num) {}
    bool operator==(const ScalarVar &other) const { return scalar_type == other.scalar_type && value == other.value; }
    ScalarType scalar_type = ScalarType::INVALID_DTYPE;
    double value = 0;
};

class OpParamDef {
public:
    explicit OpParamDef(const char *name) : name(name) {}
    OpParamDef &ParamType(Option param_type)
    {
        option = param_type;
        return *this;
    }
    // The k-th entries of all parameters are one combination.
    OpParamDef &DataType(std::vector<ge::DataType> data_types)
    {
        types = std::move(data_types);
        return *this;
    }
    // Free of the other parameters.
    OpParamDef &DataTypeList(std::vector<ge::DataType> data_types)
    {
        free_types = std::move(data_types);
        return *this;
    }
    OpParamDef &Format(std::vector<ge::Format> data_formats)
    {
        formats = std::move(data_formats);
        return *this;
    }
    OpParamDef &FormatList(std::vector<ge::Format>) { return *this; }
    OpParamDef &UnknownShapeFormat(std::vector<ge::Format>) { return *this; }
    OpParamDef &AutoContiguous() { return *this; }
    OpParamDef &IgnoreContiguous() { return *this; }
    OpParamDef &DataTypeForBinQuery(std::vector<ge::DataType>) { return *this; }
    OpParamDef &FormatForBinQuery(std::vector<ge::Format>) { return *this; }
    OpParamDef &InitValue(uint64_t) { return *this; }
    OpParamDef &InitValue(const ScalarVar &) { return *this; }
    OpParamDef &InitValue(const std::vector<ScalarVar> &) { return *this; }
    OpParamDef &Version(uint32_t) { return *this; }
    OpParamDef &Comment(const char *) { return *this; }
    OpParamDef &Follow(const char *paramName) { return Follow(paramName, FollowType::ALL); }
    OpParamDef &Follow(const char *paramName, FollowType ftype)
    {
        follows = paramName;
        follow_type = ftype;
        return *this;
    }
    // What the kernel computes says how much of the output there is; in a launch --out says how much there can be.
    // The kernel writes the shape to one more argument.
    OpParamDef &OutputShapeDependOnCompute()
    {
        computes_shape = true;
        return *this;
    }
    // Host functions read the input's values. What tells REQUIRED from OPTIONAL is whether a graph may leave them open until it runs;
    // in a launch they are known.
    OpParamDef &ValueDepend(Option value_depend) { return ValueDepend(value_depend, DependScope::ALL); }
    OpParamDef &ValueDepend(Option value_depend, DependScope scope)
    {
        depend = value_depend;
        depend_scope = scope;
        return *this;
    }
    // A number of the caller that aclnn makes a tensor.
    OpParamDef &Scalar() { return *this; }
    OpParamDef &ScalarList() { return *this; }
    // The element type that aclnn gives to it.
    OpParamDef &To(const ge::DataType) { return *this; }
    OpParamDef &To(const char *) { return *this; }

    std::string name;
    Option option = IGNORE;
    Option depend = IGNORE;
    DependScope depend_scope = DependScope::ALL;
    bool computes_shape = false;
    std::vector<ge::DataType> types;
    std::vector<ge::DataType> free_types;
    std::vector<ge::Format> formats; // as `types`
    std::string follows; // the name of another parameter
    FollowType follow_type = FollowType::ALL;
};

class OpAttrDef {
public:
    explicit OpAttrDef(const char *name) : name(name) {}
    OpAttrDef &AttrType(Option attr_type)
    {
        option = attr_type;
        return *this;
    }
    OpAttrDef &Float(float value = 0) { return Of(value); }
    OpAttrDef &Int(int64_t value = 0) { return Of(value); }
    OpAttrDef &Bool(bool value = false) { return Of(value); }
    OpAttrDef &String(const char *value = "") { return Of(std::string(value)); }
    OpAttrDef &ListBool(std::vector<bool> value = {}) { return Of(gert::RuntimeAttrs::ListOf(value)); }
    OpAttrDef &ListFloat(std::vector<float> value = {}) { return Of(gert::RuntimeAttrs::ListOf(value)); }
    OpAttrDef &ListInt(std::vector<int64_t> value = {}) { return Of(gert::RuntimeAttrs::ListOf(value)); }

    OpAttrDef &Version(uint32_t) { return *this; }
    OpAttrDef &Comment(const char *) { return *this; }

    std::string name;
    Option option = REQUIRED;
    gert::RuntimeAttrs::Value value; // its type, and what an optional one is when nobody gives it

private:
    OpAttrDef &Of(gert::RuntimeAttrs::Value of)
    {
        value = std::move(of);
        return *this;
    }
};

// What is different on one chip: parameters. The other choices are the toolkit's build's, and change nothing here.
class OpAICoreConfig {
public:
    OpAICoreConfig() = default;
    OpAICoreConfig(const char *) {}
    OpParamDef &Input(const char *name) { return params.emplace_back(name); }
    OpParamDef &Output(const char *name) { return params.emplace_back(name); }
    OpAICoreConfig &DynamicCompileStaticFlag(bool) { return *this; }
    OpAICoreConfig &DynamicFormatFlag(bool) { return *this; }
    OpAICoreConfig &DynamicRankSupportFlag(bool) { return *this; }
    OpAICoreConfig &DynamicShapeSupportFlag(bool) { return *this; }
    OpAICoreConfig &NeedCheckSupportFlag(bool) { return *this; }
    OpAICoreConfig &PrecisionReduceFlag(bool) { return *this; }
    OpAICoreConfig &ExtendCfgInfo(const char *, const char *) { return *this; }

    std::deque<OpParamDef> params;
};

class OpAICoreDef {
public:
    using Tiling = ge::graphStatus (*)(gert::TilingContext *);
    OpAICoreDef &SetTiling(Tiling function)
    {
        tiling = function;
        return *this;
    }
    OpAICoreDef &SetCheckSupport(optiling::OP_CHECK_FUNC) { return *this; }
    OpAICoreDef &SetOpSelectFormat(optiling::OP_CHECK_FUNC) { return *this; }
    OpAICoreDef &SetOpSupportInfo(optiling::OP_CHECK_FUNC) { return *this; }
    OpAICoreDef &SetOpSpecInfo(optiling::OP_CHECK_FUNC) { return *this; }
    OpAICoreDef &SetParamGeneralize(optiling::PARAM_GENERALIZE_FUNC) { return *this; }
    OpAICoreDef &LaunchWithZeroEleOutputTensors(bool) { return *this; }
    OpAICoreDef &AddConfig(const char *soc)
    {
        OpAICoreConfig config;
        return AddConfig(soc, config);
    }
    OpAICoreDef &AddConfig(const char *soc, OpAICoreConfig &aicore_config)
    {
        configs.emplace_back(soc, aicore_config);
        return *this;
    }
    Tiling tiling = nullptr;
    std::vector<std::pair<std::string, OpAICoreConfig>> configs;
};

class OpDef {
public:
    using InferShape = ge::graphStatus (*)(gert::InferShapeContext *);
    using InferDataType = ge::graphStatus (*)(gert::InferDataTypeContext *);
    using InferShapeRange = ge::graphStatus (*)(gert::InferShapeRangeContext *);
    explicit OpDef(const char *type) : type(type) {}
    OpParamDef &Input(const char *name) { return inputs.emplace_back(name); }
    OpParamDef &Output(const char *name) { return outputs.emplace_back(name); }
    OpAttrDef &Attr(const char *name) { return attrs.emplace_back(name); }
    OpDef &SetInferShape(InferShape function)
    {
        infer_shape = function;
        return *this;
    }
    OpDef &SetInferDataType(InferDataType function)
    {
        infer_data_type = function;
        return *this;
    }
    OpDef &SetInferShapeRange(InferShapeRange) { return *this; } // of a launch all shapes are known
    OpDef &Comment(CommentSection, const char *) { return *this; }
    OpDef &FormatMatchMode(FormatCheckOption) { return *this; }
    OpDef &EnableFallBack() { return *this; }
    OpAICoreDef &AICore() { return core; }
    std::string type;
    std::deque<OpParamDef> inputs;
    std::deque<OpParamDef> outputs;
    std::deque<OpAttrDef> attrs;
    InferShape infer_shape = nullptr;
    InferDataType infer_data_type = nullptr;
    OpAICoreDef core;
};
} // namespace ops

#endif
