// The log by type and level (base/alog_pub.h of CANN 8.1). Errors are kept, what lies below them is not written.
#ifndef ASCENDC_CPU_ALOG_PUB_H
#define ASCENDC_CPU_ALOG_PUB_H

#include <stdint.h>

#include "ascendc/log.h"
#include "base/log_types.h"

extern "C" {
inline int32_t AlogCheckDebugLevel(uint32_t moduleId, int32_t level)
{
    return CheckLogLevel(static_cast<int32_t>(moduleId), level);
}
}
// A macro, so that an argument of another type than its conversion does no harm.
#define AlogRecord(moduleId, logType, level, ...)                                                                        \
    do {                                                                                                                 \
        static_cast<void>(logType);                                                                                      \
        if (AlogCheckDebugLevel((moduleId), (level)) == 1) {                                                             \
            ASCENDC_CPU_LOG_ERROR("", __VA_ARGS__);                                                                      \
        }                                                                                                                \
    } while (false)

#endif
