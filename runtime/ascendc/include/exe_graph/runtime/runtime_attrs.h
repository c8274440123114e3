// Attributes of an operator, by position in its definition (asc-devkit, docs: gert::RuntimeAttrs).
#ifndef ASCENDC_CPU_EXE_GRAPH_RUNTIME_ATTRS_H
#define ASCENDC_CPU_EXE_GRAPH_RUNTIME_ATTRS_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include "exe_graph/runtime/continuous_vector.h"
#include "exe_graph/runtime/tensor.h"

namespace gert {
class RuntimeAttrs {
public:
    template <typename T>
    using List = TypedContinuousVector<T>;
    using Value = std::variant<float, int64_t, bool, std::string, List<float>, List<int64_t>, List<bool>>;

    // Null where there is no such attribute or it has another type.
    const float *GetFloat(const size_t index) const { return Get<float>(index); }
    const int64_t *GetInt(const size_t index) const { return Get<int64_t>(index); }
    const bool *GetBool(const size_t index) const { return Get<bool>(index); }
    const char *GetStr(const size_t index) const
    {
        const std::string *const text = Get<std::string>(index);
        return text == nullptr ? nullptr : text->c_str();
    }
    const TypedContinuousVector<int64_t> *GetListInt(const size_t index) const { return Get<List<int64_t>>(index); }
    const TypedContinuousVector<float> *GetListFloat(const size_t index) const { return Get<List<float>>(index); }
    // A whole number is kept in 64 bits whatever T says, as in the toolkit.
    template <typename T>
    const T *GetAttrPointer(size_t index) const
    {
        if constexpr (std::is_same_v<T, char>) {
            return GetStr(index);
        } else if constexpr (std::is_same_v<T, ContinuousVector>) {
            return ListAt(index);
        } else if constexpr ((std::is_integral_v<T> || std::is_enum_v<T>) && !std::is_same_v<T, bool>) {
            // A truth value has one byte.
            if (sizeof(T) == 1 && Get<bool>(index) != nullptr) {
                return reinterpret_cast<const T *>(Get<bool>(index));
            }
            return reinterpret_cast<const T *>(Get<int64_t>(index));
        } else {
            return Get<T>(index);
        }
    }
    size_t GetAttrNum() const { return values.size(); }

    // For whoever fills a launch.
    template <typename T>
    static Value ListOf(const std::vector<T> &elements)
    {
        List<T> list;
        static_cast<ContinuousVector &>(list).Hold(elements);
        return list;
    }

    std::vector<Value> values;

private:
    template <typename T>
    const T *Get(size_t i) const
    {
        return i < values.size() ? std::get_if<T>(&values[i]) : nullptr;
    }
    // A list of any type.
    const ContinuousVector *ListAt(size_t i) const
    {
        const ContinuousVector *const lists[] = {Get<List<int64_t>>(i), Get<List<float>>(i), Get<List<bool>>(i)};
        for (const ContinuousVector *const list : lists) {
            if (list != nullptr) {
                return list;
            }
        }
        return nullptr;
    }
};
} // namespace gert

#endif
