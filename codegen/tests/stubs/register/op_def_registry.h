// Declarations of the registration classes that emitted operators use.
#ifndef OP_DEF_REGISTRY_H
#define OP_DEF_REGISTRY_H
#include <cstddef>
#include <cstdint>
#include <vector>
namespace ge {
using graphStatus = uint32_t;
constexpr graphStatus GRAPH_SUCCESS = 0;
constexpr graphStatus GRAPH_FAILED = 1;
enum DataType { DT_FLOAT16, DT_BF16, DT_FLOAT, DT_INT32, DT_UINT8 };
enum Format { FORMAT_ND };
} // namespace ge
namespace gert {
class Shape {
public:
    size_t GetDimNum() const;
    int64_t GetDim(size_t) const;
    void SetDimNum(size_t);
    Shape &AppendDim(int64_t);
};
class StorageShape {
public:
    const Shape &GetStorageShape() const;
};
class RuntimeAttrs {
public:
    const float *GetFloat(size_t) const;
    const int64_t *GetInt(size_t) const;
    const bool *GetBool(size_t) const;
};
class CompileTimeTensorDesc {
public:
    ge::DataType GetDataType() const;
};
class TilingData {
public:
    void *GetData();
    size_t GetCapacity() const;
    void SetDataSize(size_t);
};
class TilingContext {
public:
    const StorageShape *GetInputShape(size_t) const;
    const StorageShape *GetOutputShape(size_t) const;
    const CompileTimeTensorDesc *GetInputDesc(size_t) const;
    const CompileTimeTensorDesc *GetOutputDesc(size_t) const;
    const RuntimeAttrs *GetAttrs() const;
    TilingData *GetRawTilingData();
    ge::graphStatus SetTilingKey(uint64_t);
    ge::graphStatus SetBlockDim(uint32_t);
    size_t *GetWorkspaceSizes(size_t);
};
class InferShapeContext {
public:
    const Shape *GetInputShape(size_t) const;
    Shape *GetOutputShape(size_t);
    const RuntimeAttrs *GetAttrs() const;
};
class InferDataTypeContext {
public:
    ge::DataType GetInputDataType(size_t) const;
    ge::graphStatus SetOutputDataType(size_t, ge::DataType);
};
} // namespace gert
namespace ops {
enum Option { OPTIONAL, REQUIRED, DYNAMIC };
class OpParamDef {
public:
    OpParamDef &ParamType(Option);
    OpParamDef &DataType(std::vector<ge::DataType>);
    OpParamDef &Format(std::vector<ge::Format>);
    OpParamDef &UnknownShapeFormat(std::vector<ge::Format>);
};
class OpAttrDef {
public:
    OpAttrDef &AttrType(Option);
    OpAttrDef &Float(float);
    OpAttrDef &Float();
    OpAttrDef &Int(int64_t);
    OpAttrDef &Int();
    OpAttrDef &Bool(bool);
    OpAttrDef &Bool();
};
class OpAICoreDef {
public:
    OpAICoreDef &SetTiling(ge::graphStatus (*)(gert::TilingContext *));
    OpAICoreDef &AddConfig(const char *);
};
class OpDef {
public:
    explicit OpDef(const char *);
    OpParamDef &Input(const char *);
    OpParamDef &Output(const char *);
    OpAttrDef &Attr(const char *);
    OpDef &SetInferShape(ge::graphStatus (*)(gert::InferShapeContext *));
    OpDef &SetInferDataType(ge::graphStatus (*)(gert::InferDataTypeContext *));
    OpAICoreDef &AICore();
};
} // namespace ops
#define OP_ADD(Class) static_assert(sizeof(Class) > 0, "")
#endif
