#include "block.h"

#include "context.h"
#include "errors.h"
#include "launch.h"

#include <cstring>

namespace standin {
Block::~Block()
{
    for (const void *at : carried_) {
        ascendc_cpu::RemoveGlobal(at);
    }
}

bool Block::Carry(uint32_t at, const void *data, size_t size)
{
    uint8_t *const memory = ascendc_cpu::AddGlobal("data of the launch", size, -1, true);
    if (memory == nullptr) {
        return false;
    }
    carried_.push_back(memory);
    std::memcpy(memory, data, size);
    const auto address = reinterpret_cast<uint64_t>(memory);
    std::memcpy(bytes.data() + at, &address, sizeof address);
    return true;
}

int CheckSize(const char *call, const Function &function, uint64_t bytes)
{
    const uint64_t filled = (function.end + 7) / 8 * 8;
    return bytes >= function.end && bytes <= filled
        ? ACL_SUCCESS
        : Fail(ACL_ERROR_RT_PARAM_INVALID, "%s: the arguments have %llu bytes; the %d parameters of `%s` take %u", call,
              static_cast<unsigned long long>(bytes), function.entry->count, function.entry->name, function.end);
}

namespace {
int CheckAttributes(const char *call, const aclrtLaunchKernelCfg *cfg)
{
    if (cfg == nullptr) {
        return ACL_SUCCESS;
    }
    if (cfg->numAttrs > 0 && cfg->attrs == nullptr) {
        return Fail(ACL_ERROR_RT_PARAM_INVALID, "%s: %zu attributes and no list of them", call, cfg->numAttrs);
    }
    bool seconds = false;
    bool microseconds = false;
    for (size_t i = 0; i < cfg->numAttrs; ++i) {
        const int id = cfg->attrs[i].id;
        if (id < ACL_RT_LAUNCH_KERNEL_ATTR_SCHEM_MODE || id > ACL_RT_LAUNCH_KERNEL_ATTR_TIMEOUT_US) {
            return Fail(ACL_ERROR_RT_PARAM_INVALID, "%s: there is no launch attribute %d, only 1 to 8", call, id);
        }
        if (id == ACL_RT_LAUNCH_KERNEL_ATTR_SCHEM_MODE && cfg->attrs[i].value.schemMode > 1) {
            return Fail(ACL_ERROR_RT_PARAM_INVALID, "%s: schemMode is %u, not 0 or 1", call, cfg->attrs[i].value.schemMode);
        }
        seconds = seconds || id == ACL_RT_LAUNCH_KERNEL_ATTR_TIMEOUT;
        microseconds = microseconds || id == ACL_RT_LAUNCH_KERNEL_ATTR_TIMEOUT_US;
    }
    return seconds && microseconds
        ? Fail(ACL_ERROR_RT_PARAM_INVALID, "%s: a time limit in seconds (7) and one in microseconds (8); give one", call)
        : ACL_SUCCESS;
}

Job JobOf(const std::shared_ptr<Function> &function, uint32_t blocks, const std::shared_ptr<Block> &block)
{
    Job job;
    job.name = function->entry->name;
    job.kind = function->entry->kind;
    job.arch = function->binary->table->arch;
    job.auto_sync = function->binary->table->auto_sync;
    job.blocks = blocks;
    job.tiling_key = function->tiling_key;
    if (!function->entry->empty) {
        job.kernel = [function, block] {
            std::vector<void *> values;
            for (const uint32_t at : function->offsets) {
                values.push_back(block->bytes.data() + at);
            }
            function->entry->call(values.data());
        };
    }
    return job;
}

// What every launch checks; nullptr where it is refused.
std::shared_ptr<Stream> Allowed(const char *call, uint32_t blocks, aclrtStream handle, const aclrtLaunchKernelCfg *cfg)
{
    if (CheckBlocks(call, blocks) != ACL_SUCCESS || CheckAttributes(call, cfg) != ACL_SUCCESS) {
        return nullptr;
    }
    return StreamOf(call, handle);
}
} // namespace

int Launch(const char *call, const std::shared_ptr<Function> &function, uint32_t blocks, aclrtStream handle, const aclrtLaunchKernelCfg *cfg,
    const std::shared_ptr<Block> &block)
{
    const std::shared_ptr<Stream> stream = Allowed(call, blocks, handle, cfg);
    if (stream == nullptr) {
        return LastError();
    }
    Queue(stream, [=] { return JobOf(function, blocks, block); });
    return ACL_SUCCESS;
}

int LaunchFromDevice(const char *call, const std::shared_ptr<Function> &function, uint32_t blocks, aclrtStream handle,
    const aclrtLaunchKernelCfg *cfg, const void *args, size_t bytes)
{
    const std::shared_ptr<Stream> stream = Allowed(call, blocks, handle, cfg);
    if (stream == nullptr || CheckSize(call, *function, bytes) != ACL_SUCCESS) {
        return LastError();
    }
    const auto address = reinterpret_cast<uint64_t>(args);
    if (bytes > 0 && ascendc_cpu::BytesBehind(address) < bytes) {
        return Fail(ACL_ERROR_RT_PARAM_INVALID, "%s: the arguments are to have %zu bytes of device memory and begin at %s", call, bytes,
            ascendc_cpu::DescribeGlobal(address).c_str());
    }
    const auto values = static_cast<const uint8_t *>(args);
    stream->Push([=] {
        if (bytes > 0 && ascendc_cpu::BytesBehind(address) < bytes) {
            return Result{ACL_ERROR_RT_AICORE_EXCEPTION, "the arguments of a queued launch were freed before it ran"};
        }
        return RunJob(JobOf(function, blocks, std::make_shared<Block>(std::vector<uint8_t>(values, values + bytes))));
    });
    return ACL_SUCCESS;
}
} // namespace standin
