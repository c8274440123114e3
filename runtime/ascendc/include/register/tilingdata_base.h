// The definition of tiling data in an operator project (asc-devkit, docs: TilingData结构定义), in two readings.
//
// For the host each field has a setter, and the data saves itself into the buffer of the launch. For the device (where
// kernel_operator.h came before) the same text is a plain structure of the same layout; GET_TILING_DATA reads the one that the
// build names: REGISTER_TILING_DEFAULT(optiling::AddTilingData).
#ifndef ASCENDC_CPU_TILINGDATA_BASE_H
#define ASCENDC_CPU_TILINGDATA_BASE_H

#include <cstddef>
#include <cstdint>
#include <cstring>

#ifdef ASCENDC_CPU_KERNEL_OPERATOR_H
#define BEGIN_TILING_DATA_DEF(class_name) struct class_name {
#define TILING_DATA_FIELD_DEF(data_type, field_name) data_type field_name
#define TILING_DATA_FIELD_DEF_ARR(data_type, arr_size, field_name) data_type field_name[arr_size]
#define TILING_DATA_FIELD_DEF_STRUCT(struct_type, field_name) struct_type field_name
#define END_TILING_DATA_DEF }
#define REGISTER_TILING_DATA_CLASS(op_type, class_name) static_assert(sizeof(class_name) % 8 == 0, "a whole number of 8 bytes");
#else
#define BEGIN_TILING_DATA_DEF(class_name)                                                                                \
    class class_name {                                                                                                   \
    public:                                                                                                              \
        void SaveToBuffer(void *data, size_t capacity) const                                                             \
        {                                                                                                                \
            std::memcpy(data, this, capacity < sizeof(class_name) ? capacity : sizeof(class_name));                      \
        }                                                                                                                \
        size_t GetDataSize() const                                                                                       \
        {                                                                                                                \
            return sizeof(class_name);                                                                                   \
        }
#define TILING_DATA_FIELD_DEF(data_type, field_name)                                                                     \
    data_type field_name = {};                                                                                           \
    void set_##field_name(data_type value)                                                                               \
    {                                                                                                                    \
        field_name = value;                                                                                              \
    }                                                                                                                    \
    data_type get_##field_name() const                                                                                   \
    {                                                                                                                    \
        return field_name;                                                                                               \
    }                                                                                                                    \
    static_assert(true, "")
#define TILING_DATA_FIELD_DEF_ARR(data_type, arr_size, field_name)                                                       \
    data_type field_name[arr_size] = {};                                                                                 \
    void set_##field_name(const data_type *value)                                                                        \
    {                                                                                                                    \
        std::memcpy(field_name, value, sizeof field_name);                                                               \
    }                                                                                                                    \
    const data_type *get_##field_name() const                                                                            \
    {                                                                                                                    \
        return field_name;                                                                                               \
    }                                                                                                                    \
    static_assert(true, "")
#define TILING_DATA_FIELD_DEF_STRUCT(struct_type, field_name)                                                            \
    struct_type field_name;                                                                                              \
    static_assert(true, "")
#define END_TILING_DATA_DEF }
#define REGISTER_TILING_DATA_CLASS(op_type, class_name) static_assert(sizeof(class_name) % 8 == 0, "a whole number of 8 bytes");
#endif

#endif
