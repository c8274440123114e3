// The log of the toolkit (toolchain/slog.h, log_types.h), on the host side.
#ifndef ASCENDC_CPU_SLOG_H
#define ASCENDC_CPU_SLOG_H

#include "ascendc/log.h"

#define DLOG_DEBUG 0
#define DLOG_INFO 1
#define DLOG_WARN 2
#define DLOG_ERROR 3
#define DLOG_NULL 4
#define DLOG_EVENT 16
#define MSG_LENGTH 1024

// Who writes; operators are OP.
enum { GE = 45, OP = 63 };

#define DlogSub(moduleId, submodule, level, fmt, ...)                                                                    \
    DlogRecord((moduleId), (level), "[%s] " fmt, (submodule), ##__VA_ARGS__)
#define dlog_error(moduleId, fmt, ...) DlogRecord((moduleId), DLOG_ERROR, fmt, ##__VA_ARGS__)
#define dlog_warn(moduleId, fmt, ...) DlogRecord((moduleId), DLOG_WARN, fmt, ##__VA_ARGS__)
#define dlog_info(moduleId, fmt, ...) DlogRecord((moduleId), DLOG_INFO, fmt, ##__VA_ARGS__)
#define dlog_debug(moduleId, fmt, ...) DlogRecord((moduleId), DLOG_DEBUG, fmt, ##__VA_ARGS__)
#define dlog_event(moduleId, fmt, ...) DlogRecord((moduleId), DLOG_EVENT, fmt, ##__VA_ARGS__)

#endif
