// The log of the toolkit (toolchain/slog.h), on the host side.
#ifndef ASCENDC_CPU_SLOG_H
#define ASCENDC_CPU_SLOG_H

#include "ascendc/log.h"
#include "base/log_types.h"

#define DLOG_EVENT 16

#define DlogSub(moduleId, submodule, level, fmt, ...)                                                                    \
    DlogRecord((moduleId), (level), "[%s] " fmt, (submodule), ##__VA_ARGS__)
#define dlog_error(moduleId, fmt, ...) DlogRecord((moduleId), DLOG_ERROR, fmt, ##__VA_ARGS__)
#define dlog_warn(moduleId, fmt, ...) DlogRecord((moduleId), DLOG_WARN, fmt, ##__VA_ARGS__)
#define dlog_info(moduleId, fmt, ...) DlogRecord((moduleId), DLOG_INFO, fmt, ##__VA_ARGS__)
#define dlog_debug(moduleId, fmt, ...) DlogRecord((moduleId), DLOG_DEBUG, fmt, ##__VA_ARGS__)
#define dlog_event(moduleId, fmt, ...) DlogRecord((moduleId), DLOG_EVENT, fmt, ##__VA_ARGS__)

#endif
