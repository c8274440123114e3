// The definition of tiling data in an operator project (asc-devkit, docs: TilingData结构定义), in two readings.
//
// For the host each field has a setter (of an array: from a pointer that is not const, as in the toolkit), the data saves itself into
// the buffer of the launch, and a program can ask what a structure for the kernel looks like (`ascendc_cpu::TilingClasses`), which the
// toolkit's build asks as well. Where kernel_operator.h came before, the same text is a structure of the same layout whose fields are
// seen, as kernels read it; its setters are for files that hold host and kernel. GET_TILING_DATA reads the structure that the build
// names: REGISTER_TILING_DEFAULT(optiling::AddTilingData). Fields lie at their natural alignment, structures at 8 bytes. Every macro
// ends its declaration itself, as those of the toolkit do, so that a semicolon behind it may be left out.
#ifndef ASCENDC_CPU_TILINGDATA_BASE_H
#define ASCENDC_CPU_TILINGDATA_BASE_H

#include <cstddef>
#include <cstdint>
#include <cstring>

#ifdef ASCENDC_CPU_KERNEL_OPERATOR_H
#define BEGIN_TILING_DATA_DEF(class_name)                                                                                \
    struct alignas(8) class_name {                                                                                       \
        void SaveToBuffer(void *data, size_t capacity) const                                                             \
        {                                                                                                                \
            std::memcpy(data, this, capacity < sizeof(class_name) ? capacity : sizeof(class_name));                      \
        }                                                                                                                \
        size_t GetDataSize() const                                                                                       \
        {                                                                                                                \
            return sizeof(class_name);                                                                                   \
        }
#define TILING_DATA_FIELD_DEF(data_type, field_name)                                                                     \
    void set_##field_name(data_type value)                                                                               \
    {                                                                                                                    \
        this->field_name = value;                                                                                        \
    }                                                                                                                    \
    data_type get_##field_name() const                                                                                   \
    {                                                                                                                    \
        return this->field_name;                                                                                         \
    }                                                                                                                    \
    data_type field_name;
#define TILING_DATA_FIELD_DEF_ARR(data_type, arr_size, field_name)                                                       \
    void set_##field_name(data_type *value)                                                                              \
    {                                                                                                                    \
        std::memcpy(this->field_name, value, sizeof this->field_name);                                                   \
    }                                                                                                                    \
    data_type *get_##field_name()                                                                                        \
    {                                                                                                                    \
        return this->field_name;                                                                                         \
    }                                                                                                                    \
    data_type field_name[arr_size];
#define TILING_DATA_FIELD_DEF_STRUCT(struct_type, field_name) struct_type field_name;
#define END_TILING_DATA_DEF };
#define REGISTER_TILING_DATA_CLASS(op_type, class_name) static_assert(sizeof(class_name) > 0, "a structure");
#else
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "graph/ascend_string.h"
#include "graph/types.h"
#include "securec.h"

namespace ascendc_cpu {
// The definitions that a host file holds, in order.
struct TilingClass {
    std::string name;
    std::string fields; // as C++
    size_t bytes;
};
inline std::vector<TilingClass> &TilingClasses()
{
    static std::vector<TilingClass> all;
    return all;
}
// Operator, or operator with a tiling key (Add_1), and the class that it is registered with.
inline std::vector<std::pair<std::string, std::string>> &TilingRegistrations()
{
    static std::vector<std::pair<std::string, std::string>> all;
    return all;
}
inline bool AddTilingClass(const char *name)
{
    TilingClasses().push_back({name, "", 0});
    return true;
}
inline bool AddTilingField(const std::string &declaration)
{
    TilingClasses().back().fields += "    " + declaration + ";\n";
    return true;
}
inline bool RegisterTiling(const char *op_type, const char *name, size_t bytes)
{
    TilingRegistrations().emplace_back(op_type, name);
    for (TilingClass &known : TilingClasses()) {
        known.bytes = known.name == name ? bytes : known.bytes;
    }
    return true;
}
} // namespace ascendc_cpu

#define BEGIN_TILING_DATA_DEF(class_name)                                                                                \
    class alignas(8) class_name {                                                                                        \
        static inline const bool ascendcCpuAdded_ = ascendc_cpu::AddTilingClass(#class_name);                            \
                                                                                                                         \
    public:                                                                                                              \
        /* Bytes between fields are zero, too. */                                                                        \
        class_name()                                                                                                     \
        {                                                                                                                \
            std::memset(static_cast<void *>(this), 0, sizeof(class_name));                                               \
        }                                                                                                                \
        void SaveToBuffer(void *data, size_t capacity) const                                                             \
        {                                                                                                                \
            std::memcpy(data, this, capacity < sizeof(class_name) ? capacity : sizeof(class_name));                      \
        }                                                                                                                \
        size_t GetDataSize() const                                                                                       \
        {                                                                                                                \
            return sizeof(class_name);                                                                                   \
        }
#define TILING_DATA_FIELD_DEF(data_type, field_name)                                                                     \
private:                                                                                                                 \
    data_type field_name##_ = {};                                                                                        \
                                                                                                                         \
public:                                                                                                                  \
    void set_##field_name(data_type value)                                                                               \
    {                                                                                                                    \
        field_name##_ = value;                                                                                           \
    }                                                                                                                    \
    data_type get_##field_name() const                                                                                   \
    {                                                                                                                    \
        return field_name##_;                                                                                            \
    }                                                                                                                    \
    static inline const bool ascendcCpuAdded_##field_name = ascendc_cpu::AddTilingField(#data_type " " #field_name);
#define TILING_DATA_FIELD_DEF_ARR(data_type, arr_size, field_name)                                                       \
private:                                                                                                                 \
    data_type field_name##_[arr_size] = {};                                                                              \
                                                                                                                         \
public:                                                                                                                  \
    void set_##field_name(data_type *value)                                                                              \
    {                                                                                                                    \
        std::memcpy(field_name##_, value, sizeof field_name##_);                                                         \
    }                                                                                                                    \
    data_type *get_##field_name()                                                                                        \
    {                                                                                                                    \
        return field_name##_;                                                                                            \
    }                                                                                                                    \
    static inline const bool ascendcCpuAdded_##field_name =                                                              \
        ascendc_cpu::AddTilingField(#data_type " " #field_name "[" + std::to_string(arr_size) + "]");
#define TILING_DATA_FIELD_DEF_STRUCT(struct_type, field_name)                                                            \
    struct_type field_name;                                                                                              \
    static inline const bool ascendcCpuAdded_##field_name = ascendc_cpu::AddTilingField(#struct_type " " #field_name);
#define END_TILING_DATA_DEF };
#define REGISTER_TILING_DATA_CLASS(op_type, class_name)                                                                  \
    static const bool ascendcCpuRegistered##op_type##class_name =                                                        \
        ascendc_cpu::RegisterTiling(#op_type, #class_name, sizeof(class_name));
#endif

#endif
