#include "launch.h"
#include "report.h"

#include "tikicpulib.h"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <thread>

namespace ascendc_cpu {
namespace {
bool Is(const char *name, const char *value)
{
    const char *const set = std::getenv(name);
    return set != nullptr && std::strcmp(set, value) == 0;
}

void ReadEnvironment()
{
    Config &config = MutableConfig();
    for (int check = 0; check < CHECKS; ++check) {
        std::string name = std::string("ASCENDC_CPU_") + CHECK_NAMES[check];
        std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::toupper(c); });
        config.noted[check] = Is(name.c_str(), "report");
    }
    config.auto_sync = !Is("ASCENDC_CPU_AUTO_SYNC", "off");
    config.saturate = Is("ASCENDC_CPU_SATURATE", "on");
    const char *const seed = std::getenv("ASCENDC_CPU_REPLAY");
    config.replay = seed != nullptr;
    config.seed = seed != nullptr ? std::strtoull(seed, nullptr, 10) : 1;
    if (const char *const chip = std::getenv("ASCENDC_CPU_CHIP")) {
        std::istringstream in(chip);
        in >> config.cores;
        for (uint32_t &bytes : config.bytes) {
            in >> bytes;
        }
    }
    if (const char *const report = std::getenv("ASCENDC_CPU_REPORT")) {
        OpenReport(report);
    }
}

[[noreturn]] void Refuse(const std::string &message)
{
    WriteReport("refused", "launch", message, -1, nullptr, 0);
    std::exit(1);
}
} // namespace

void SetTilingKey(uint64_t key)
{
    MutableConfig().tiling_key = key;
}

void RunKernel(const char *name, uint32_t block_dim, const std::function<void()> &kernel, uint32_t arch)
{
    if (block_dim == 0) {
        Refuse(Format("%s: the number of blocks is 0; a launch has at least one", name));
    }
    static const bool once = (ReadEnvironment(), true);
    static_cast<void>(once);
    MutableConfig().arch = arch;
    MutableConfig().block_dim = block_dim;
    const uint32_t processors = std::thread::hardware_concurrency();
    RunBlocks(processors > 0 ? processors : 1, kernel);
    if (AnyMistake()) {
        std::exit(1);
    }
}
} // namespace ascendc_cpu

namespace AscendC {
void *GmAlloc(size_t size)
{
    static int count = 0;
    void *const at = ascendc_cpu::AddGlobal(ascendc_cpu::Format("GM %d", ++count), size, -1, true);
    if (at == nullptr) {
        ascendc_cpu::Refuse(ascendc_cpu::Format("GmAlloc: no memory for %zu bytes", size));
    }
    return at;
}

void GmFree(void *pointer)
{
    if (pointer != nullptr && !ascendc_cpu::RemoveGlobal(pointer)) {
        ascendc_cpu::Refuse("GmFree: the pointer is none that GmAlloc gave, or was freed before");
    }
}

void SetKernelMode(KernelMode mode)
{
    if (mode == KernelMode::AIC_MODE) {
        ascendc_cpu::Refuse("SetKernelMode: AIC_MODE asks for cube cores, which this build does not have");
    }
}
} // namespace AscendC
