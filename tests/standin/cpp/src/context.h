// Contexts, and the one that is current in a thread.
#ifndef JUMAR_STANDIN_CONTEXT_H
#define JUMAR_STANDIN_CONTEXT_H

#include "stream.h"

namespace standin {
// Devices of this machine, so that programs can meet more than one; all are the same processor and share its memory.
constexpr int DEVICES = 2;

struct Context {
    const void *handle = nullptr;
    int device = 0;
    bool is_primary = false; // made by aclrtSetDevice
    std::shared_ptr<Stream> stream; // the default one
};

bool IsInitialised();
uint64_t Inits();
uint64_t DeviceReferences();
// The current context of this thread; nullptr where there is none that lives.
std::shared_ptr<Context> CurrentContext();
// Ends contexts and what the library holds of devices.
void EndDevices();
// For control: as if nobody had called anything.
void ForgetInits();
bool SaturatesOverflow();
// The architecture of every device, and another chip for all of them; false for a name that there is not.
uint32_t ArchOfDevice();
bool BecomeChip(const std::string &name);
} // namespace standin

#endif
