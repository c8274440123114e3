// Runs kernels on the machine of runtime/ascendc, which is there once in a process.
#include "kernel.h"

#include "context.h"
#include "errors.h"

#include "launch.h"
#include "report.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>

extern "C" const char standin_machine = 1;

namespace standin {
namespace {
std::mutex machine_lock;
std::atomic<bool> count_only{false};
std::atomic<uint64_t> kernels_run{0};
// A program of its own is asked by its environment.
uint64_t SeedOfEnvironment()
{
    const char *const seed = std::getenv("STANDIN_RACES");
    return seed != nullptr ? std::strtoull(seed, nullptr, 10) : 0;
}
std::atomic<uint64_t> race_seed{SeedOfEnvironment()};
std::string fault; // under the machine's lock while a kernel runs; the first line of a fault

// What the machine has to say: faults become the result, the rest is printed.
void Report(const char *event, const std::string &line)
{
    if (std::strcmp(event, "fault") == 0 || std::strcmp(event, "mistake") == 0 || std::strcmp(event, "refused") == 0) {
        if (fault.empty()) {
            fault = line.substr(0, line.find_last_not_of('\n') + 1);
        }
        return;
    }
    std::fputs(line.c_str(), std::strcmp(event, "print") == 0 ? stdout : stderr);
}

void Configure(const Job &job)
{
    ascendc_cpu::Config &config = ascendc_cpu::MutableConfig();
    config.arch = job.arch;
    config.block_dim = job.blocks;
    config.auto_sync = job.auto_sync;
    config.tiling_key = job.tiling_key;
    config.saturate = SaturatesOverflow();
    const uint64_t seed = race_seed;
    config.replay = seed != 0;
    config.seed = seed != 0 ? seed : 1;
}
} // namespace

void CountOnly(bool count)
{
    count_only = count;
}
void LookForRaces(uint64_t seed)
{
    race_seed = seed;
}
void ForgetRuns()
{
    kernels_run = 0;
}
uint64_t KernelsRun()
{
    return kernels_run;
}

Result RunJob(const Job &job)
{
    ++kernels_run;
    if (count_only || !job.kernel) {
        return {};
    }
    const std::lock_guard<std::mutex> guard(machine_lock);
    ascendc_cpu::SetReportSink(Report);
    fault.clear();
    Configure(job);
    static const uint32_t processors = std::max(1u, std::thread::hardware_concurrency());
    ascendc_cpu::RunBlocks(processors, job.kernel);
    if (!ascendc_cpu::AnyMistake()) {
        return {};
    }
    const int code = job.kind == CoreKind::VECTOR ? ACL_ERROR_RT_VECTOR_CORE_EXCEPTION : ACL_ERROR_RT_AICORE_EXCEPTION;
    return {code, Text("kernel %s: %s", job.name.c_str(), fault.c_str())};
}

int CheckBlocks(const char *call, uint32_t blocks)
{
    return blocks >= 1 && blocks <= 65535
        ? ACL_SUCCESS
        : Fail(ACL_ERROR_RT_PARAM_INVALID, "%s: the number of blocks is %u; a launch has 1 to 65535", call, blocks);
}

void Queue(const std::shared_ptr<Stream> &stream, std::function<Job()> job)
{
    static std::atomic<uint32_t> next_task{1};
    const uint32_t task = next_task++;
    const auto id = static_cast<uint32_t>(stream->id);
    const auto device = static_cast<uint32_t>(stream->device);
    stream->Push([=] {
        Result result = RunJob(job());
        if (result.code != 0) {
            CallBack({task, id, device, static_cast<uint32_t>(result.code)});
        }
        return result;
    });
}
} // namespace standin
