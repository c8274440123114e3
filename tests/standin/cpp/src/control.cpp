#include "standin/control.h"

#include "block.h"
#include "context.h"
#include "errors.h"
#include "event.h"
#include "memory.h"
#include "operators.h"

#include <dlfcn.h>

namespace standin {
namespace {
// Whether this release has the function: the library's own table of symbols says so.
bool HasFunction(const char *name)
{
    Dl_info info = {};
    if (dladdr(&standin_machine, &info) == 0) {
        return false;
    }
    void *const self = dlopen(info.dli_fname, RTLD_NOW | RTLD_NOLOAD);
    const bool found = self != nullptr && dlsym(self, name) != nullptr;
    if (self != nullptr) {
        dlclose(self);
    }
    return found;
}

uint64_t MadeContexts()
{
    uint64_t count = 0;
    for (const auto &[handle, context] : TableOf<Context>().All()) {
        count += context->is_primary ? 0 : 1;
    }
    return count;
}

template <typename T>
void End()
{
    for (const auto &[handle, object] : TableOf<T>().All()) {
        TableOf<T>().Remove(handle);
    }
}
} // namespace
} // namespace standin

using namespace standin;

extern "C" {
int32_t standin_fail(const char *function, uint32_t nth, int32_t code)
{
    if (function == nullptr || !HasFunction(function)) {
        return -1;
    }
    Api::Of(function).FailAt(nth, code);
    return 0;
}
void standin_fail_late(int32_t code)
{
    FailNextWork(code);
}
void standin_latency(uint64_t nanoseconds)
{
    SetLatency(nanoseconds);
}
int32_t standin_chip(const char *name)
{
    return name != nullptr && BecomeChip(name) ? 0 : -1;
}
void standin_races(uint64_t seed)
{
    LookForRaces(seed);
}
void standin_count_only(int32_t on)
{
    CountOnly(on != 0);
}
uint64_t standin_calls(const char *function)
{
    return function == nullptr ? 0 : Api::Of(function).calls();
}
void standin_counts(struct standin_counts *counts)
{
    *counts = {MadeContexts(), TableOf<Stream>().size(), TableOf<Event>().size(), TableOf<DeviceBlock>().size(), DeviceBytes(), HostBlocks(),
        RegisteredBlocks(), TableOf<Image>().size(), TableOf<Binary>().size() + LowerBinaries(), Functions(), ArgumentLists(), Tensors(),
        OtherObjects(), Executors(), ProfilingConfigs(), DeviceReferences(), Inits(), KernelsRun()};
}
void standin_reset(void)
{
    SetLatency(0);
    CountOnly(false);
    LookForRaces(0);
    BecomeChip("Ascend910B2");
    for (const auto &[handle, stream] : TableOf<Stream>().All()) {
        stream->Close();
    }
    End<Stream>();
    EndDevices();
    for (const auto &[handle, context] : TableOf<Context>().All()) {
        context->stream->Close();
    }
    End<Context>();
    End<Event>();
    ForgetArgumentLists(nullptr);
    ForgetBinaries();
    End<Image>();
    ForgetObjects();
    ForgetProfiling();
    FreeEverything();
    FailNextWork(0);
    ForgetInits();
    ForgetRuns();
    Api::ResetAll();
}
}
