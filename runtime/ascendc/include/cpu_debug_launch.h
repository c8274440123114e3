// Included by sources that the toolkit builds for CPU debugging: launches by `<<<>>>` in host code.
#ifndef ASCENDC_CPU_DEBUG_LAUNCH_H
#define ASCENDC_CPU_DEBUG_LAUNCH_H

#include "tikicpulib.h"

#endif
