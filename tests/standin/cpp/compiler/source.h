// What the device compiler reads of a source: its kernel functions, and the brackets of launches, which C++ does not know.
#ifndef JUMAR_STANDIN_SOURCE_H
#define JUMAR_STANDIN_SOURCE_H

#include <string>
#include <vector>

namespace standin {
struct Kernel {
    std::string name;
    std::string cores; // what stands between `__global__` and the type: `__vector__`, `__cube__`, `__mix__`, `__aicore__`
    bool has_body;
    bool is_empty; // its body has no statement
};
// The functions under `__global__` outside of comments, strings and macros. Throws a Refusal for a kernel that returns something.
std::vector<Kernel> KernelsOf(const std::string &text);
// The text with `k<<<a, b, c>>>` as `standin::LaunchOf("k", [](auto... a) { k(a...); }, a, b, c)`, each on the line where it stood.
std::string WithLaunches(const std::string &text);
} // namespace standin

#endif
