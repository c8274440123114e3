// Registration of operators: the macros make functions that nobody calls.
#ifndef JUMAR_TESTS_TORCH_LIBRARY_H
#define JUMAR_TESTS_TORCH_LIBRARY_H

namespace torch {
class Library {
public:
    void def(const char *schema);
    template <typename Function>
    void impl(const char *name, Function function);
};
} // namespace torch

#define TORCH_LIBRARY(ns, m) void library_##ns(torch::Library &m)
#define TORCH_LIBRARY_IMPL(ns, key, m) void library_##ns##_##key(torch::Library &m)
#define TORCH_FN(function) &function

#endif // JUMAR_TESTS_TORCH_LIBRARY_H
