// Levels, types and writers of the toolkit's log (base/log_types.h of CANN 8.1).
#ifndef ASCENDC_CPU_LOG_TYPES_H
#define ASCENDC_CPU_LOG_TYPES_H

// Host files ask by this name whether the header was included.
#define LOG_TYPES_H_

#define DLOG_DEBUG 0
#define DLOG_INFO 1
#define DLOG_WARN 2
#define DLOG_ERROR 3
#define DLOG_NULL 4
#define MSG_LENGTH 1024

enum { DLOG_TYPE_DEBUG = 0, DLOG_TYPE_RUN = 1, DLOG_TYPE_MAX };

// Who writes; operators are OP.
enum { SLOG = 0, HCCL = 3, RUNTIME = 7, AICPU = 36, FE = 39, GE = 45, ASCENDCL = 48, TBE = 57, OP = 63, ASCENDCKERNEL = 69 };

#endif
