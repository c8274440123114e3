// Text as it passes between libraries of the toolkit (metadef, graph/ascend_string.h).
#ifndef ASCENDC_CPU_GRAPH_ASCEND_STRING_H
#define ASCENDC_CPU_GRAPH_ASCEND_STRING_H

#include <functional>
#include <memory>
#include <string>

#include "graph/types.h"

namespace ge {
class AscendString {
public:
    AscendString() = default;
    AscendString(const char_t *const name) : name_(name != nullptr ? name : "") {}
    AscendString(const char_t *const name, size_t length) : name_(name != nullptr ? std::string(name, length) : std::string()) {}
    const char_t *GetString() const { return name_.c_str(); }
    size_t GetLength() const { return name_.size(); }
    size_t Find(const AscendString &ascend_string) const { return name_.find(ascend_string.name_); }
    size_t Hash() const { return std::hash<std::string>()(name_); }
    bool operator<(const AscendString &d) const { return name_ < d.name_; }
    bool operator>(const AscendString &d) const { return name_ > d.name_; }
    bool operator<=(const AscendString &d) const { return name_ <= d.name_; }
    bool operator>=(const AscendString &d) const { return name_ >= d.name_; }
    bool operator==(const AscendString &d) const { return name_ == d.name_; }
    bool operator!=(const AscendString &d) const { return name_ != d.name_; }
    bool operator==(const char_t *const d) const { return d != nullptr && name_ == d; }
    bool operator!=(const char_t *const d) const { return !(*this == d); }

private:
    std::string name_;
};
} // namespace ge

namespace std {
template <>
struct hash<ge::AscendString> {
    size_t operator()(const ge::AscendString &name) const { return name.Hash(); }
};
} // namespace std

#endif
