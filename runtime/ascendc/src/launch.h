// A launch: reads what to run, runs the blocks, ends the program.
#ifndef ASCENDC_CPU_LAUNCH_H
#define ASCENDC_CPU_LAUNCH_H

#include "ascendc/entry.h"
#include "core.h"

namespace ascendc_cpu {
Config &MutableConfig();
void SetThisCore(Core *core);
void RecordFault(uint32_t block);

// After the kernel returned: waits for the pipes, then checks that nothing is left over.
void FinishCore(Core &core);
} // namespace ascendc_cpu

#endif
