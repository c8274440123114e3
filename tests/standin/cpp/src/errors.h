// How a call begins and how it fails.
#ifndef JUMAR_STANDIN_ERRORS_H
#define JUMAR_STANDIN_ERRORS_H

#include "acl/acl.h"

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>

namespace standin {
std::string Text(const char *format, ...) __attribute__((format(printf, 1, 2)));
// Notes code and text for this thread and gives the code back.
int Fail(int code, const char *format, ...) __attribute__((format(printf, 2, 3)));
// The code of this thread's last failure.
int LastError();
void ForgetLastError();

// What must be so before a function may be called.
enum class Needs : uint8_t { NOTHING, INIT, CONTEXT };

// One function of the interface: how often it was called, and whether it is to fail.
class Api {
public:
    explicit Api(const char *name) : name_(name) {}
    static Api &Of(const std::string &name);
    static void ResetAll();

    // 0, or the code that the call fails with: asked for by a control function, or what it needs is not there.
    int Enter(Needs needs);
    void FailAt(uint32_t nth, int code);
    uint64_t calls() const { return calls_.load(); }
    const char *name() const { return name_.c_str(); }

private:
    int Planned();

    const std::string name_;
    std::atomic<uint64_t> calls_{0};
    std::atomic<bool> planned_{false};
    std::mutex lock_;
    uint32_t left_ = 0; // calls until the one that fails
    int code_ = 0;
};
} // namespace standin

// Begins a function that returns a code.
#define STANDIN_ENTER(function, needs)                              \
    static standin::Api &api = standin::Api::Of(#function);         \
    if (const int entered = api.Enter(standin::Needs::needs)) {     \
        return entered;                                             \
    }
// Begins one that returns a pointer.
#define STANDIN_ENTER_POINTER(function, needs)                      \
    static standin::Api &api = standin::Api::Of(#function);         \
    if (api.Enter(standin::Needs::needs) != ACL_SUCCESS) {          \
        return nullptr;                                             \
    }
// Refuses a null pointer among the arguments.
#define STANDIN_NOT_NULL(argument)                                                                     \
    if ((argument) == nullptr) {                                                                       \
        return standin::Fail(ACL_ERROR_RT_PARAM_INVALID, "%s: %s is null", api.name(), #argument);     \
    }

#endif
