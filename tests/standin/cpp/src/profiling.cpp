// Profiling: the order of calls is held to, nothing is measured.
#include "context.h"
#include "errors.h"
#include "operators.h"

#include <sys/stat.h>

namespace standin {
namespace {
struct Config {
    uint64_t switches;
};
std::mutex lock;
bool started = false;
const void *running = nullptr;
} // namespace

uint64_t ProfilingConfigs()
{
    return TableOf<Config>().size();
}

void ForgetProfiling()
{
    const std::lock_guard<std::mutex> guard(lock);
    started = false;
    running = nullptr;
    for (const auto &[handle, config] : TableOf<Config>().All()) {
        TableOf<Config>().Remove(handle);
    }
}
} // namespace standin

using namespace standin;

extern "C" {
aclError aclprofInit(const char *profilerResultPath, size_t length)
{
    STANDIN_ENTER(aclprofInit, INIT)
    STANDIN_NOT_NULL(profilerResultPath)
    const std::string path(profilerResultPath, length);
    struct stat found = {};
    if (stat(path.c_str(), &found) != 0 || !S_ISDIR(found.st_mode)) {
        return Fail(ACL_ERROR_INVALID_PARAM, "%s: `%s` is no folder", api.name(), path.c_str());
    }
    const std::lock_guard<std::mutex> guard(lock);
    if (started) {
        return Fail(ACL_ERROR_PROF_ALREADY_RUN, "%s: called before", api.name());
    }
    started = true;
    return ACL_SUCCESS;
}
aclprofConfig *aclprofCreateConfig(uint32_t *deviceIdList, uint32_t deviceNums, aclprofAicoreMetrics, const aclprofAicoreEvents *aicoreEvents,
    uint64_t dataTypeConfig)
{
    STANDIN_ENTER_POINTER(aclprofCreateConfig, INIT)
    bool wrong = aicoreEvents != nullptr || (deviceIdList == nullptr && deviceNums > 0);
    for (uint32_t i = 0; !wrong && i < deviceNums; ++i) {
        wrong = deviceIdList[i] >= static_cast<uint32_t>(DEVICES);
    }
    if (wrong) {
        Fail(ACL_ERROR_INVALID_PARAM, "%s: aicoreEvents must be null, and the devices are 0 to %d", api.name(), DEVICES - 1);
        return nullptr;
    }
    return static_cast<aclprofConfig *>(TableOf<Config>().Add(std::make_shared<Config>(Config{dataTypeConfig})));
}
aclError aclprofStart(const aclprofConfig *profilerConfig)
{
    STANDIN_ENTER(aclprofStart, INIT)
    const std::lock_guard<std::mutex> guard(lock);
    if (TableOf<Config>().Get(profilerConfig) == nullptr) {
        return Fail(ACL_ERROR_INVALID_PARAM, "%s: this is no configuration that lives", api.name());
    }
    if (!started || running != nullptr) {
        return Fail(started ? ACL_ERROR_PROF_ALREADY_RUN : ACL_ERROR_PROF_NOT_RUN, "%s: aclprofInit comes before, and one runs at a time", api.name());
    }
    running = profilerConfig;
    return ACL_SUCCESS;
}
aclError aclprofStop(const aclprofConfig *profilerConfig)
{
    STANDIN_ENTER(aclprofStop, INIT)
    const std::lock_guard<std::mutex> guard(lock);
    if (running == nullptr || running != profilerConfig) {
        return Fail(ACL_ERROR_PROF_NOT_RUN, "%s: this configuration was not started", api.name());
    }
    running = nullptr;
    return ACL_SUCCESS;
}
aclError aclprofDestroyConfig(const aclprofConfig *profilerConfig)
{
    STANDIN_ENTER(aclprofDestroyConfig, NOTHING)
    const std::lock_guard<std::mutex> guard(lock);
    if (running == profilerConfig || TableOf<Config>().Remove(profilerConfig) == nullptr) {
        return Fail(ACL_ERROR_INVALID_PARAM, "%s: this is no configuration that lives, or it runs", api.name());
    }
    return ACL_SUCCESS;
}
aclError aclprofFinalize(void)
{
    STANDIN_ENTER(aclprofFinalize, NOTHING)
    const std::lock_guard<std::mutex> guard(lock);
    if (!started || running != nullptr) {
        return Fail(ACL_ERROR_PROF_NOT_RUN, "%s: aclprofInit comes before, and aclprofStop for what was started", api.name());
    }
    started = false;
    return ACL_SUCCESS;
}
aclError aclprofMarkEx(const char *msg, size_t, aclrtStream handle)
{
    STANDIN_ENTER(aclprofMarkEx, CONTEXT)
    STANDIN_NOT_NULL(msg)
    const std::shared_ptr<Stream> stream = StreamOf(api.name(), handle);
    if (stream == nullptr) {
        return LastError();
    }
    stream->Push([] { return Result{}; });
    return ACL_SUCCESS;
}
}
