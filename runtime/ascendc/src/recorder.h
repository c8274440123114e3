// Events of a launch as they pass the gates of the pipes, for a model of their time (cost/event/file.rs has the form of a record).
#ifndef ASCENDC_CPU_RECORDER_H
#define ASCENDC_CPU_RECORDER_H

#include "ascendc/enums.h"
#include "races.h"

#include <string>

namespace ascendc_cpu {
class Core;

struct EventRecord {
    uint8_t bytes[64];
};

void RecordWork(Core &core, Pipe pipe, const char *op, const Accesses &accesses);
void RecordScalar(Core &core, const char *op, const Accesses &accesses);
void RecordFlag(Core &core, bool waits, Pipe from, Pipe to, int32_t id);
// Of all pipes at once, too: PIPE_ALL.
void RecordBarrier(Core &core, pipe_t pipe);
void RecordSyncAll(Core &core);
void RecordCrossSet(Core &core, Pipe pipe, uint32_t mode, uint32_t id);
void RecordCrossWait(Core &core, uint32_t id);

// Writes the events of a block to a file of the folder that the launch names; at its end what is common to all.
void WriteEvents(const Core &core);
void WriteNames();
} // namespace ascendc_cpu

#endif
