// Errors that an operator reports with a code of the toolkit (base/err_msg.h): as the log writes them. What is reported by a code and
// the values of its text was logged before, as words.
#ifndef ASCENDC_CPU_BASE_ERR_MSG_H
#define ASCENDC_CPU_BASE_ERR_MSG_H

#include <cstdint>
#include <memory>
#include <vector>

#include "ascendc/log.h"

namespace error_message {
inline int32_t ReportPredefinedErrMsg(const char *)
{
    return 0;
}
inline int32_t ReportPredefinedErrMsg(const char *, const std::vector<const char *> &, const std::vector<const char *> &)
{
    return 0;
}
} // namespace error_message

#define REPORT_INNER_ERR_MSG(error_code, ...) ASCENDC_CPU_LOG_ERROR(error_code, __VA_ARGS__)
#define REPORT_USER_DEFINED_ERR_MSG(error_code, ...) ASCENDC_CPU_LOG_ERROR(error_code, __VA_ARGS__)
#define REPORT_PREDEFINED_ERR_MSG(...) static_cast<void>(error_message::ReportPredefinedErrMsg(__VA_ARGS__))

#endif
