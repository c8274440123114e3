// Blocks of arguments: the values of a kernel's parameters as a launch hands them over.
#ifndef JUMAR_STANDIN_BLOCK_H
#define JUMAR_STANDIN_BLOCK_H

#include "acl/acl.h"
#include "kernel.h"

namespace standin {
// The values, and the device memory of what travels with them.
class Block {
public:
    explicit Block(std::vector<uint8_t> bytes) : bytes(std::move(bytes)) {}
    ~Block();
    Block(const Block &) = delete;
    Block &operator=(const Block &) = delete;
    // Copies data into device memory of the launch and writes its address into the block. False where there is no memory.
    bool Carry(uint32_t at, const void *data, size_t size);

    std::vector<uint8_t> bytes;

private:
    std::vector<void *> carried_;
};

// Whether a block of so many bytes holds the parameters: to the end of the last one, or filled up to 8.
int CheckSize(const char *call, const Function &function, uint64_t bytes);
// Checks blocks, attributes and the stream, then queues the function with the block.
int Launch(const char *call, const std::shared_ptr<Function> &function, uint32_t blocks, aclrtStream stream, const aclrtLaunchKernelCfg *cfg,
    const std::shared_ptr<Block> &block);
// The same where the values lie in device memory, which is read when the kernel runs.
int LaunchFromDevice(const char *call, const std::shared_ptr<Function> &function, uint32_t blocks, aclrtStream stream,
    const aclrtLaunchKernelCfg *cfg, const void *args, size_t bytes);

// Lists of arguments (aclrtKernelArgsInit) that live; those of a function end with its binary.
uint64_t ArgumentLists();
void ForgetArgumentLists(const Function *function);
} // namespace standin

#endif
