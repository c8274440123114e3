#include "launch.h"

#include "blocks.h"
#include "report.h"

#include <atomic>
#include <chrono>
#include <csignal>
#include <thread>
#include <unistd.h>

namespace ascendc_cpu {
namespace {
std::atomic<uint32_t> first_faulted{UINT32_MAX};
std::unique_ptr<Blocks> blocks;

void RunBlock(uint32_t block, const std::function<void()> &kernel)
{
    Core core(block);
    SetThisCore(&core);
    try {
        kernel();
        FinishCore(core);
    } catch (const Stop &) {
    }
    SetThisCore(nullptr);
}

// A pointer that the kernel followed itself, without the API.
void OnSegfault(int, siginfo_t *info, void *)
{
    Core *const core = CoreOrNull();
    if (core == nullptr) { // not a kernel: the program ends as it would
        signal(SIGSEGV, SIG_DFL);
        signal(SIGBUS, SIG_DFL);
        return;
    }
    const auto at = reinterpret_cast<uint64_t>(info->si_addr);
    const std::string where = DescribeGlobal(at);
    WriteReport("fault", "bounds",
        Format("a pointer of the kernel was followed to %s; the place is the last call of the API before it", where.c_str()),
        core->block, &core->site, 1);
    _exit(1);
}
void WatchPointers()
{
    struct sigaction action = {};
    action.sa_sigaction = OnSegfault;
    action.sa_flags = SA_SIGINFO;
    sigaction(SIGSEGV, &action, nullptr);
    sigaction(SIGBUS, &action, nullptr);
}
} // namespace

uint32_t FirstFailed()
{
    return first_faulted.load(std::memory_order_relaxed);
}

void RecordFault(uint32_t block)
{
    uint32_t seen = first_faulted.load();
    while (block < seen && !first_faulted.compare_exchange_weak(seen, block)) {
    }
}

Blocks &TheBlocks()
{
    return *blocks;
}

uint64_t RunBlocks(uint32_t permits, const std::function<void()> &kernel)
{
    ForgetMeetings();
    ForgetAccesses();
    ForgetDirtyLines();
    first_faulted = UINT32_MAX;
    WatchPointers();
    const uint32_t cores = config().cores < config().block_dim ? config().cores : config().block_dim;
    blocks = std::make_unique<Blocks>(config().block_dim, cores, config().replay ? 1 : permits);
    const auto start = std::chrono::steady_clock::now();
    std::vector<std::thread> threads;
    for (uint32_t i = 0; i < cores; ++i) {
        threads.emplace_back([&kernel] {
            for (uint32_t block = blocks->Begin(); block < blocks->count(); block = blocks->Begin()) {
                if (block < FirstFailed()) {
                    RunBlock(block, kernel);
                }
                blocks->End(block);
            }
        });
    }
    for (std::thread &thread : threads) {
        thread.join();
    }
    const auto took = std::chrono::steady_clock::now() - start;
    return static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::microseconds>(took).count());
}
} // namespace ascendc_cpu
