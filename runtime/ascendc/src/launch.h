// A launch: GM that it may touch, and its blocks.
#ifndef ASCENDC_CPU_LAUNCH_H
#define ASCENDC_CPU_LAUNCH_H

#include "core.h"

#include <functional>

namespace ascendc_cpu {
Config &MutableConfig();
void SetThisCore(Core *core);
// A block has ended early.
void RecordFault(uint32_t block);
// A block has made a mistake and goes on.
void RecordMistake();
// A block has left an instruction out: what lacks in GM may be its results.
void RecordLeftOut();
bool AnyLeftOut();

// Memory of its own for `bytes` of GM, known by a name, between pages that may not be touched; it holds what the file does,
// or zeros where `file` is -1. nullptr where there is none.
uint8_t *AddGlobal(const std::string &name, uint64_t bytes, int file, bool writable);
// The same for a workspace, or for an output where a file is to hold it: bytes have no value until they are written.
uint8_t *AddEmpty(const std::string &name, uint64_t bytes, int file);
// What blocks have told each other by words that are polled begins anew.
void ForgetPolled();
// What nobody has written of an output: how many of its bytes, and the first of them.
struct Gap {
    const std::string &name;
    uint64_t bytes;
    uint64_t first;
    uint64_t missing;
};
void EachUnwritten(const std::function<void(const Gap &)> &f);
// An output has no value in part, at no place: a mistake where the launch says that outputs are written wholly.
void TellGap(const char *kind, const std::string &message);
// Makes memory of the host, which stays the caller's, a region of GM. RemoveGlobal ends it.
void AddForeign(const std::string &name, void *at, uint64_t bytes);
// Writes of the same bytes to the region of this name need no order.
void MarkAlike(const std::string &name);
// False where no region begins there.
bool RemoveGlobal(const void *at);

// Runs `kernel` once for each block, `permits` at a time. Returns the microseconds that it took; FirstFailed() says how it ended.
uint64_t RunBlocks(uint32_t permits, const std::function<void()> &kernel);
// What blocks of an earlier launch left: meetings (cross_core.cpp), accesses to GM (pipes.cpp), lines of caches (scalar_cache.cpp).
void ForgetMeetings();
void ForgetAccesses();
// Calls `f(address, bytes)` for what was written in GM where others may write the same, as far as races were looked for.
void EachAlike(const std::function<void(uint64_t, uint64_t)> &f);
// The name of what an address of GM lies in, and which byte of it that is; an empty name for none.
std::string PlaceInGlobal(uint64_t at, uint64_t *byte);
void ForgetDirtyLines();

// After the kernel returned: waits for the pipes, then checks that nothing is left over.
void FinishCore(Core &core);
} // namespace ascendc_cpu

#endif
