// Binaries, their functions, and running one.
#ifndef JUMAR_STANDIN_KERNEL_H
#define JUMAR_STANDIN_KERNEL_H

#include "standin/kernel_table.h"
#include "stream.h"

#include <functional>
#include <string>
#include <vector>

namespace standin {
// An image in memory as the caller gave it (aclrtCreateBinary).
struct Image {
    const void *data;
    size_t bytes;
};

// A loaded binary: a shared object of its own in an anonymous file.
class Binary {
public:
    Binary() = default;
    Binary(const Binary &) = delete;
    Binary &operator=(const Binary &) = delete;
    ~Binary();

    // Loads a copy of the image; empty where all went well, else what is wrong.
    // A magic is that of the cores which its kernels were compiled for; 0: none was told.
    std::string Load(const void *data, size_t bytes, uint32_t magic);
    const KernelEntry *Find(const std::string &name) const;
    // Of its shared object; nullptr where it has none.
    void *Symbol(const char *name) const;
    const KernelTable *table = nullptr;
    const void *context = nullptr;

private:
    std::string Open(const void *data, size_t bytes);
    std::string CheckTable(uint32_t magic) const;
    int file_ = -1;
    void *library_ = nullptr;
};

struct Function {
    std::shared_ptr<Binary> binary;
    const KernelEntry *entry;
    std::vector<uint32_t> offsets; // of each parameter in the block
    uint32_t end;                  // of the last one
    uint64_t tiling_key = 0;       // of a kernel of an operator, which has one function for each
};
// The handle of a function; the same one each time.
void *FunctionHandle(const std::shared_ptr<Binary> &binary, void *binary_handle, const KernelEntry *entry);

// What a launch runs.
struct Job {
    std::string name;
    CoreKind kind = CoreKind::VECTOR;
    uint32_t arch = 2201;
    bool auto_sync = true;
    uint32_t blocks = 1;
    uint64_t tiling_key = 0;
    std::function<void()> kernel; // empty: there is nothing to run
};
// Runs it and waits. The machine runs one at a time.
Result RunJob(const Job &job);
// How kernels are run: true counts them only.
void CountOnly(bool count_only);
// A seed: pipes run in a legal order that it chooses. 0: in the order of the text.
void LookForRaces(uint64_t seed);
uint64_t KernelsRun();

// Called on a failure of queued work.
struct Exception {
    uint32_t task;
    uint32_t stream;
    uint32_t device;
    uint32_t code;
};
void CallBack(const Exception &exception);
// Queues a job; tells the callback where it fails.
void Queue(const std::shared_ptr<Stream> &stream, std::function<Job()> job);
// 0, or the code where the number of blocks is none.
int CheckBlocks(const char *call, uint32_t blocks);
// Functions that were given out; forgotten with their binary.
uint64_t Functions();
void ForgetFunctions(const void *binary_handle);
uint64_t LowerBinaries();
// For control.
void ForgetBinaries();
void ForgetLowerBinaries();
void ForgetRuns();
} // namespace standin

#endif
