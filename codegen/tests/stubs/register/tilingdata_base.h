// Declarations of the tiling data macros of an operator project: a class with a member and a setter for each field.
#ifndef TILINGDATA_BASE_H
#define TILINGDATA_BASE_H
#include <cstddef>
#include <cstdint>
#define BEGIN_TILING_DATA_DEF(name)                                                                                  \
    class name {                                                                                                     \
    public:                                                                                                          \
        void SaveToBuffer(void *, size_t);                                                                           \
        size_t GetDataSize() const;
#define TILING_DATA_FIELD_DEF(type, name)                                                                            \
    type name;                                                                                                       \
    void set_##name(type value)                                                                                      \
    {                                                                                                                \
        name = value;                                                                                                \
    }                                                                                                                \
    static_assert(true, "")
#define END_TILING_DATA_DEF }
#define REGISTER_TILING_DATA_CLASS(op, name) static_assert(sizeof(name) % 8 == 0, "a whole number of 8 bytes");
#endif
