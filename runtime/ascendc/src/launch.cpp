#include "launch.h"

#include "blocks.h"
#include "report.h"

#include <atomic>
#include <chrono>
#include <csetjmp>
#include <csignal>
#include <thread>

namespace ascendc_cpu {
namespace {
std::atomic<uint32_t> first_faulted{UINT32_MAX};
std::atomic<bool> any_mistake{false};
std::atomic<bool> any_left_out{false};
std::unique_ptr<Blocks> blocks;

thread_local sigjmp_buf *way_out = nullptr; // of the block that runs on this thread
thread_local uint64_t followed = 0;         // where its own pointer led

void RunBlock(uint32_t block, const std::function<void()> &kernel)
{
    Core core(block);
    sigjmp_buf out;
    // A block that followed a wrong pointer is left where it stands; what it had on its stack stays behind.
    if (sigsetjmp(out, 1) != 0) {
        way_out = nullptr;
        RecordFault(block);
        const std::string where = DescribeGlobal(followed);
        WriteReport("fault", "bounds",
            Format("a pointer of the kernel was followed to %s; the place is the last call of the API before it", where.c_str()),
            block, &core.site, 1);
        SetThisCore(nullptr);
        return;
    }
    way_out = &out;
    SetThisCore(&core);
    try {
        kernel();
        FinishCore(core);
        if (!config().events.empty()) {
            WriteEvents(core);
        }
    } catch (const Stop &) {
    }
    SetThisCore(nullptr);
    way_out = nullptr;
}

// A pointer that the kernel followed itself, without the API.
void OnSegfault(int, siginfo_t *info, void *)
{
    if (way_out == nullptr) { // not a kernel: the program ends as it would
        signal(SIGSEGV, SIG_DFL);
        signal(SIGBUS, SIG_DFL);
        return;
    }
    followed = reinterpret_cast<uint64_t>(info->si_addr);
    siglongjmp(*way_out, 1);
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

void RecordMistake()
{
    any_mistake = true;
}

void RecordLeftOut()
{
    any_left_out = true;
}

bool AnyLeftOut()
{
    return any_left_out;
}

bool AnyMistake()
{
    return any_mistake || FirstFailed() != UINT32_MAX;
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
    ForgetPolled();
    ForgetUnread();
    first_faulted = UINT32_MAX;
    any_mistake = false;
    any_left_out = false;
    WatchPointers();
    const uint32_t cores = config().cores < config().block_dim ? config().cores : config().block_dim;
    blocks = std::make_unique<Blocks>(config().block_dim, cores, config().replay ? 1 : permits);
    const auto start = std::chrono::steady_clock::now();
    const auto work = [&kernel] {
        for (uint32_t block = blocks->Begin(); block < blocks->count(); block = blocks->Begin()) {
            if (block < FirstFailed()) {
                RunBlock(block, kernel);
            }
            blocks->End(block);
        }
    };
    // This thread is one of the cores: a launch of one block makes no thread.
    std::vector<std::thread> threads;
    for (uint32_t i = 1; i < cores; ++i) {
        threads.emplace_back(work);
    }
    work();
    for (std::thread &thread : threads) {
        thread.join();
    }
    if (!config().events.empty()) {
        WriteNames();
    }
    const auto took = std::chrono::steady_clock::now() - start;
    if (FirstFailed() == UINT32_MAX) {
        TellSuspects();
    }
    if (!AnyMistake()) {
        TellUnread();
    }
    return static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::microseconds>(took).count());
}
} // namespace ascendc_cpu
