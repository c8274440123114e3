// Errors that an operator reports with a code of the toolkit (metadef, error_manager.h): as the log writes them.
#ifndef ASCENDC_CPU_ERROR_MANAGER_H
#define ASCENDC_CPU_ERROR_MANAGER_H

#include "toolchain/slog.h"

#define REPORT_INNER_ERROR(code, fmt, ...) DlogRecord(OP, DLOG_ERROR, "%s: " fmt, (code), ##__VA_ARGS__)
#define REPORT_CALL_ERROR(code, fmt, ...) DlogRecord(OP, DLOG_ERROR, "%s: " fmt, (code), ##__VA_ARGS__)

#endif
