#include "errors.h"

#include "context.h"

#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <map>
#include <memory>

namespace standin {
namespace {
// Texts are arrays, which no thread ends: calls may come from whatever the thread still has to end.
constexpr size_t TEXT_BYTES = 2048;
thread_local char message[TEXT_BYTES];
thread_local int last = ACL_SUCCESS;

std::mutex &ApisLock()
{
    static auto &lock = *new std::mutex;
    return lock;
}
std::map<std::string, std::unique_ptr<Api>> &Apis()
{
    static auto &apis = *new std::map<std::string, std::unique_ptr<Api>>;
    return apis;
}
std::string Formatted(const char *format, va_list args)
{
    char text[TEXT_BYTES];
    std::vsnprintf(text, sizeof text, format, args);
    return text;
}
} // namespace

std::string Text(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    std::string text = Formatted(format, args);
    va_end(args);
    return text;
}

int Fail(int code, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    std::vsnprintf(message, sizeof message, format, args);
    va_end(args);
    last = code;
    return code;
}

int LastError()
{
    return last;
}
void ForgetLastError()
{
    last = ACL_SUCCESS;
}

Api &Api::Of(const std::string &name)
{
    const std::lock_guard<std::mutex> guard(ApisLock());
    std::unique_ptr<Api> &api = Apis()[name];
    if (api == nullptr) {
        api = std::make_unique<Api>(name.c_str());
    }
    return *api;
}

void Api::ResetAll()
{
    const std::lock_guard<std::mutex> guard(ApisLock());
    for (const auto &[name, api] : Apis()) {
        const std::lock_guard<std::mutex> own(api->lock_);
        api->calls_ = 0;
        api->planned_ = false;
    }
}

void Api::FailAt(uint32_t nth, int code)
{
    const std::lock_guard<std::mutex> guard(lock_);
    left_ = nth;
    code_ = code;
    planned_ = nth > 0;
}

int Api::Planned()
{
    const std::lock_guard<std::mutex> guard(lock_);
    if (!planned_ || --left_ > 0) {
        return 0;
    }
    planned_ = false;
    return code_;
}

int Api::Enter(Needs needs)
{
    calls_.fetch_add(1, std::memory_order_relaxed);
    if (planned_) {
        if (const int code = Planned()) {
            return Fail(code, "%s: fails because a test asked for it (standin_fail)", name());
        }
    }
    if (needs != Needs::NOTHING && !IsInitialised()) {
        return Fail(ACL_ERROR_UNINITIALIZE, "%s: aclInit was not called, or aclFinalize was", name());
    }
    if (needs == Needs::CONTEXT && CurrentContext() == nullptr) {
        return Fail(ACL_ERROR_RT_CONTEXT_NULL, "%s: this thread has no context; call aclrtSetDevice or aclrtSetCurrentContext first", name());
    }
    return 0;
}
} // namespace standin

// The text belongs to the runtime and is given once.
extern "C" const char *aclGetRecentErrMsg(void)
{
    static standin::Api &api = standin::Api::Of("aclGetRecentErrMsg");
    static_cast<void>(api.Enter(standin::Needs::NOTHING));
    thread_local char given[standin::TEXT_BYTES];
    if (standin::message[0] == '\0') {
        return nullptr;
    }
    std::memcpy(given, standin::message, sizeof given);
    standin::message[0] = '\0';
    return given;
}
extern "C" aclError aclrtPeekAtLastError(aclrtLastErrLevel level)
{
    STANDIN_ENTER(aclrtPeekAtLastError, NOTHING)
    if (level != ACL_RT_THREAD_LEVEL) {
        return standin::Fail(ACL_ERROR_RT_PARAM_INVALID, "aclrtPeekAtLastError: there is no level %d, only 0", static_cast<int>(level));
    }
    return standin::LastError();
}
extern "C" aclError aclrtGetLastError(aclrtLastErrLevel level)
{
    STANDIN_ENTER(aclrtGetLastError, NOTHING)
    if (level != ACL_RT_THREAD_LEVEL) {
        return standin::Fail(ACL_ERROR_RT_PARAM_INVALID, "aclrtGetLastError: there is no level %d, only 0", static_cast<int>(level));
    }
    const int error = standin::LastError();
    standin::ForgetLastError();
    return error;
}
