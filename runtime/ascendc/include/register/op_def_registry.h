// The host side of an operator: contexts of the tiling and inference functions, and the definition that registers them
// (asc-devkit, docs of op_def and of the gert contexts). What a framework would ask of an operator, a program can ask here:
// `ascendc_cpu::Operators()` holds every operator that OP_ADD names.
#ifndef ASCENDC_CPU_OP_DEF_REGISTRY_H
#define ASCENDC_CPU_OP_DEF_REGISTRY_H

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "register/tilingdata_base.h"

namespace ge {
using graphStatus = uint32_t;
constexpr graphStatus GRAPH_SUCCESS = 0;
constexpr graphStatus GRAPH_FAILED = 0xffffffff;
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
    DT_UNDEFINED = 28
};
enum Format { FORMAT_NCHW = 0, FORMAT_NHWC = 1, FORMAT_ND = 2, FORMAT_NC1HWC0 = 3, FORMAT_FRACTAL_NZ = 29 };
} // namespace ge

namespace gert {
class Shape {
public:
    Shape() = default;
    Shape(const std::vector<int64_t> &dims) : dims_(dims) {}
    size_t GetDimNum() const { return dims_.size(); }
    int64_t GetDim(size_t i) const { return i < dims_.size() ? dims_[i] : 0; }
    int64_t GetShapeSize() const
    {
        int64_t size = 1;
        for (const int64_t dim : dims_) {
            size *= dim;
        }
        return size;
    }
    void SetDimNum(size_t n) { dims_.resize(n); }
    void SetDim(size_t i, int64_t value) { dims_.at(i) = value; }
    Shape &AppendDim(int64_t value)
    {
        dims_.push_back(value);
        return *this;
    }
    bool operator==(const Shape &other) const { return dims_ == other.dims_; }

private:
    std::vector<int64_t> dims_;
};
class StorageShape {
public:
    StorageShape() = default;
    explicit StorageShape(const Shape &shape) : shape_(shape) {}
    const Shape &GetStorageShape() const { return shape_; }
    const Shape &GetOriginShape() const { return shape_; }

private:
    Shape shape_;
};
class RuntimeAttrs {
public:
    const float *GetFloat(size_t i) const { return i < floats.size() ? &floats[i] : nullptr; }
    const int64_t *GetInt(size_t i) const { return i < ints.size() ? &ints[i] : nullptr; }
    const bool *GetBool(size_t i) const { return i < bools.size() ? &bools[i] : nullptr; }
    size_t GetAttrNum() const { return ints.size(); }

    // One place for each attribute in each list; the one of its type holds it.
    std::deque<float> floats;
    std::deque<int64_t> ints;
    std::deque<bool> bools;
};
class CompileTimeTensorDesc {
public:
    explicit CompileTimeTensorDesc(ge::DataType type = ge::DT_UNDEFINED) : type_(type) {}
    ge::DataType GetDataType() const { return type_; }
    ge::Format GetStorageFormat() const { return ge::FORMAT_ND; }

private:
    ge::DataType type_;
};
class TilingData {
public:
    void *GetData() { return bytes_.data(); }
    size_t GetCapacity() const { return bytes_.size(); }
    void SetDataSize(size_t size) { size_ = size; }
    size_t GetDataSize() const { return size_; }

private:
    std::vector<uint8_t> bytes_ = std::vector<uint8_t>(4096);
    size_t size_ = 0;
};

// What the functions of an operator ask for; whoever calls them fills it.
struct Launch {
    std::deque<StorageShape> inputs;
    std::deque<StorageShape> outputs;
    std::deque<CompileTimeTensorDesc> input_descs;
    std::deque<CompileTimeTensorDesc> output_descs;
    RuntimeAttrs attrs;
};
class TilingContext {
public:
    explicit TilingContext(const Launch &launch) : launch_(launch) {}
    const StorageShape *GetInputShape(size_t i) const { return At(launch_.inputs, i); }
    const StorageShape *GetOutputShape(size_t i) const { return At(launch_.outputs, i); }
    const CompileTimeTensorDesc *GetInputDesc(size_t i) const { return At(launch_.input_descs, i); }
    const CompileTimeTensorDesc *GetOutputDesc(size_t i) const { return At(launch_.output_descs, i); }
    const RuntimeAttrs *GetAttrs() const { return &launch_.attrs; }
    TilingData *GetRawTilingData() { return &data_; }
    ge::graphStatus SetTilingKey(uint64_t key)
    {
        key_ = key;
        return ge::GRAPH_SUCCESS;
    }
    ge::graphStatus SetBlockDim(uint32_t blockDim)
    {
        block_dim_ = blockDim;
        return ge::GRAPH_SUCCESS;
    }
    size_t *GetWorkspaceSizes(size_t count)
    {
        workspaces_.resize(count);
        return workspaces_.data();
    }
    uint64_t GetTilingKey() const { return key_; }
    uint32_t GetBlockDim() const { return block_dim_; }
    size_t GetWorkspaceNum() const { return workspaces_.size(); }

private:
    template <typename T>
    static const T *At(const std::deque<T> &list, size_t i)
    {
        return i < list.size() ? &list[i] : nullptr;
    }
    const Launch &launch_;
    TilingData data_;
    uint64_t key_ = 0;
    uint32_t block_dim_ = 0;
    std::vector<size_t> workspaces_;
};
class InferShapeContext {
public:
    explicit InferShapeContext(const Launch &launch) : launch_(launch), outputs_(launch.outputs.size()) {}
    const Shape *GetInputShape(size_t i) const
    {
        return i < launch_.inputs.size() ? &launch_.inputs[i].GetStorageShape() : nullptr;
    }
    Shape *GetOutputShape(size_t i) { return i < outputs_.size() ? &outputs_[i] : nullptr; }
    const RuntimeAttrs *GetAttrs() const { return &launch_.attrs; }

private:
    const Launch &launch_;
    std::deque<Shape> outputs_;
};
class InferDataTypeContext {
public:
    explicit InferDataTypeContext(const Launch &launch) : launch_(launch) {}
    ge::DataType GetInputDataType(size_t i) const
    {
        return i < launch_.input_descs.size() ? launch_.input_descs[i].GetDataType() : ge::DT_UNDEFINED;
    }
    ge::graphStatus SetOutputDataType(size_t i, ge::DataType type)
    {
        outputs.resize(outputs.size() > i ? outputs.size() : i + 1, ge::DT_UNDEFINED);
        outputs[i] = type;
        return ge::GRAPH_SUCCESS;
    }
    std::vector<ge::DataType> outputs;

private:
    const Launch &launch_;
};
} // namespace gert

namespace ops {
enum Option { IGNORE = 0, OPTIONAL = 1, REQUIRED = 2, DYNAMIC = 3, VIRTUAL = 4 };
class OpParamDef {
public:
    explicit OpParamDef(const char *name) : name(name) {}
    OpParamDef &ParamType(Option value)
    {
        option = value;
        return *this;
    }
    OpParamDef &DataType(std::vector<ge::DataType> values)
    {
        types = std::move(values);
        return *this;
    }
    OpParamDef &Format(std::vector<ge::Format> values)
    {
        formats = std::move(values);
        return *this;
    }
    OpParamDef &UnknownShapeFormat(std::vector<ge::Format>) { return *this; }
    std::string name;
    Option option = REQUIRED;
    std::vector<ge::DataType> types;
    std::vector<ge::Format> formats;
};
class OpAttrDef {
public:
    explicit OpAttrDef(const char *name) : name(name) {}
    OpAttrDef &AttrType(Option value)
    {
        option = value;
        return *this;
    }
    OpAttrDef &Float(float = 0) { return *this; }
    OpAttrDef &Int(int64_t = 0) { return *this; }
    OpAttrDef &Bool(bool = false) { return *this; }
    OpAttrDef &String(const char * = "") { return *this; }
    std::string name;
    Option option = REQUIRED;
};
class OpAICoreDef {
public:
    using Tiling = ge::graphStatus (*)(gert::TilingContext *);
    OpAICoreDef &SetTiling(Tiling function)
    {
        tiling = function;
        return *this;
    }
    OpAICoreDef &AddConfig(const char *soc)
    {
        configs.emplace_back(soc);
        return *this;
    }
    Tiling tiling = nullptr;
    std::vector<std::string> configs;
};
class OpDef {
public:
    using InferShape = ge::graphStatus (*)(gert::InferShapeContext *);
    using InferDataType = ge::graphStatus (*)(gert::InferDataTypeContext *);
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

namespace ascendc_cpu {
inline std::deque<ops::OpDef> &Operators()
{
    static std::deque<ops::OpDef> all;
    return all;
}
} // namespace ascendc_cpu

#define OP_ADD(op_type) static const bool ascendcCpuAdded##op_type = (ascendc_cpu::Operators().push_back(op_type(#op_type)), true)

#endif
