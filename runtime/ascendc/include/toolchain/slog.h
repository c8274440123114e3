// The log of the toolkit (toolchain/slog.h, log_types.h), on the host side. Errors go to stderr, so that what an operator says of a
// launch that it refuses is seen; what lies below them, and events, are not written.
#ifndef ASCENDC_CPU_SLOG_H
#define ASCENDC_CPU_SLOG_H

#include <cstdarg>
#include <cstdint>
#include <cstdio>

#define DLOG_DEBUG 0
#define DLOG_INFO 1
#define DLOG_WARN 2
#define DLOG_ERROR 3
#define DLOG_NULL 4
#define DLOG_EVENT 16
#define MSG_LENGTH 1024

// Who writes; operators are OP.
enum { GE = 45, OP = 63 };

inline int32_t CheckLogLevel(int32_t, int32_t logLevel)
{
    return logLevel == DLOG_ERROR ? 1 : 0;
}

__attribute__((format(printf, 3, 4))) inline void DlogRecord(int32_t moduleId, int32_t level, const char *fmt, ...)
{
    if (CheckLogLevel(moduleId, level) == 0) {
        return;
    }
    va_list arguments;
    va_start(arguments, fmt);
    std::fputs("[ERROR] ", stderr);
    std::vfprintf(stderr, fmt, arguments);
    std::fputc('\n', stderr);
    va_end(arguments);
}

#define DlogSub(moduleId, submodule, level, fmt, ...)                                                                    \
    DlogRecord((moduleId), (level), "[%s] " fmt, (submodule), ##__VA_ARGS__)
#define dlog_error(moduleId, fmt, ...) DlogRecord((moduleId), DLOG_ERROR, fmt, ##__VA_ARGS__)
#define dlog_warn(moduleId, fmt, ...) DlogRecord((moduleId), DLOG_WARN, fmt, ##__VA_ARGS__)
#define dlog_info(moduleId, fmt, ...) DlogRecord((moduleId), DLOG_INFO, fmt, ##__VA_ARGS__)
#define dlog_debug(moduleId, fmt, ...) DlogRecord((moduleId), DLOG_DEBUG, fmt, ##__VA_ARGS__)
#define dlog_event(moduleId, fmt, ...) DlogRecord((moduleId), DLOG_EVENT, fmt, ##__VA_ARGS__)

#endif
