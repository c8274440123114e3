// Blocks of memory that live.
#ifndef JUMAR_STANDIN_MEMORY_H
#define JUMAR_STANDIN_MEMORY_H

#include <cstddef>
#include <cstdint>

namespace standin {
struct DeviceBlock {
    size_t bytes;
};
uint64_t DeviceBytes();
uint64_t HostBlocks();
uint64_t RegisteredBlocks();
// For control.
void FreeEverything();
} // namespace standin

#endif
