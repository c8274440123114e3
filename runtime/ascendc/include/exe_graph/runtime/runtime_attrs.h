// Attributes of an operator, by position in its definition (asc-devkit, docs: gert::RuntimeAttrs).
#ifndef ASCENDC_CPU_EXE_GRAPH_RUNTIME_ATTRS_H
#define ASCENDC_CPU_EXE_GRAPH_RUNTIME_ATTRS_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

namespace gert {
template <typename T>
class TypedContinuousVector {
public:
    explicit TypedContinuousVector(std::vector<T> values = {}) : values_(std::move(values)) {}
    size_t GetSize() const { return values_.size(); }
    const T *GetData() const { return values_.data(); }

private:
    std::vector<T> values_;
};

class RuntimeAttrs {
public:
    using Value = std::variant<float, int64_t, bool, std::string, TypedContinuousVector<float>, TypedContinuousVector<int64_t>>;

    // Null where there is no such attribute or it has another type.
    const float *GetFloat(size_t i) const { return Get<float>(i); }
    const int64_t *GetInt(size_t i) const { return Get<int64_t>(i); }
    const bool *GetBool(size_t i) const { return Get<bool>(i); }
    const char *GetStr(size_t i) const
    {
        const std::string *const text = Get<std::string>(i);
        return text == nullptr ? nullptr : text->c_str();
    }
    const TypedContinuousVector<int64_t> *GetListInt(size_t i) const { return Get<TypedContinuousVector<int64_t>>(i); }
    const TypedContinuousVector<float> *GetListFloat(size_t i) const { return Get<TypedContinuousVector<float>>(i); }
    // A whole number is kept in 64 bits whatever T says, as in the toolkit.
    template <typename T>
    const T *GetAttrPointer(size_t i) const
    {
        if constexpr (std::is_same_v<T, char>) {
            return GetStr(i);
        } else if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
            return reinterpret_cast<const T *>(Get<int64_t>(i));
        } else {
            return Get<T>(i);
        }
    }
    size_t GetAttrNum() const { return values.size(); }

    std::vector<Value> values;

private:
    template <typename T>
    const T *Get(size_t i) const
    {
        return i < values.size() ? std::get_if<T>(&values[i]) : nullptr;
    }
};
} // namespace gert

#endif
