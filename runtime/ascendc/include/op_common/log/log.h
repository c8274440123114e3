// What operators log and check (opbase, op_common/log/log.h). Errors are kept, what is said below errors is looked at by the compiler and
// dropped, its arguments unread.
#ifndef ASCENDC_CPU_OP_COMMON_LOG_H
#define ASCENDC_CPU_OP_COMMON_LOG_H

#include <cinttypes>
#include <sstream>
#include <string>
#include <type_traits>
#include <vector>

#include "base/err_msg.h"
#include "exe_graph/runtime/shape.h"
#include "graph/ge_error_codes.h"
#include "graph/types.h"
#include "op_common/op_host/util/opbase_export.h"

#ifndef DLOG_DEBUG
#define DLOG_DEBUG 0
#endif
#ifndef DLOG_INFO
#define DLOG_INFO 1
#endif
#ifndef DLOG_WARN
#define DLOG_WARN 2
#endif
#ifndef DLOG_ERROR
#define DLOG_ERROR 3
#endif

constexpr int32_t OP_MODULE_ID = 63;

namespace Ops {
namespace Base {
// Who logs: a name, or the operator of a context.
inline const std::string &GetOpInfo(const std::string &str)
{
    return str;
}
inline const char *GetOpInfo(const char *str)
{
    return str == nullptr ? "nil" : str;
}
template <class T>
constexpr bool IsContextType()
{
    return !std::is_same_v<std::decay_t<T>, const char *> && !std::is_same_v<std::decay_t<T>, char *> &&
        !std::is_same_v<std::decay_t<T>, std::string>;
}
template <class T>
std::enable_if_t<IsContextType<T>(), std::string> GetOpInfo(T context)
{
    if (context == nullptr) {
        return "nil:nil";
    }
    const auto known = [](const char *text) { return std::string(text != nullptr ? text : "nil"); };
    return known(context->GetNodeType()) + ":" + known(context->GetNodeName());
}
// The text of a name, for a format.
inline const char *GetSafeStr(const char *name)
{
    return name;
}
inline const char *GetSafeStr(const std::string &name)
{
    return name.c_str();
}

OPBASE_API inline std::string ToString(ge::DataType type)
{
#define ASCENDC_CPU_NAME(Name, number)                                                                                   \
    case ge::DT_##Name: return "DT_" #Name;
    switch (type) {
        ASCENDC_CPU_DATA_TYPES(ASCENDC_CPU_NAME)
        default: return "UNDEFINED";
    }
#undef ASCENDC_CPU_NAME
}
OPBASE_API inline std::string ToString(ge::Format format)
{
#define ASCENDC_CPU_NAME(Name, number)                                                                                   \
    case ge::FORMAT_##Name: return #Name;
    switch (format) {
        ASCENDC_CPU_FORMATS(ASCENDC_CPU_NAME)
        default: return "RESERVED";
    }
#undef ASCENDC_CPU_NAME
}
OPBASE_API inline std::string ToString(const gert::Shape &shape)
{
    std::string axes;
    for (size_t i = 0; i < shape.GetDimNum(); ++i) {
        axes += (i > 0 ? ", " : "") + std::to_string(shape.GetDim(i));
    }
    return "[" + axes + "]";
}
OPBASE_API inline std::string ToString(const std::vector<const gert::Shape *> &v)
{
    std::string shapes;
    for (const gert::Shape *const shape : v) {
        shapes += (shapes.empty() ? "" : ", ") + (shape == nullptr ? std::string("nil") : ToString(*shape));
    }
    return "[" + shapes + "]";
}
} // namespace Base
} // namespace Ops

#define unlikely(x) __builtin_expect((x), 0)
#define likely(x) __builtin_expect((x), 1)

#define ASCENDC_CPU_LOG_NOTHING(opName, ...)                                                                             \
    do {                                                                                                                 \
        if (false) {                                                                                                     \
            static_cast<void>(Ops::Base::GetOpInfo(opName));                                                             \
            ascendc_cpu::CheckFormat("" __VA_ARGS__);                                                                    \
        }                                                                                                                \
    } while (false)
#define OP_LOGD(opName, ...) ASCENDC_CPU_LOG_NOTHING(opName, __VA_ARGS__)
#define OP_LOGI(opName, ...) ASCENDC_CPU_LOG_NOTHING(opName, __VA_ARGS__)
#define OP_LOGW(opName, ...) ASCENDC_CPU_LOG_NOTHING(opName, __VA_ARGS__)
#define OP_LOGE(opName, ...) ASCENDC_CPU_LOG_ERROR(Ops::Base::GetOpInfo(opName), __VA_ARGS__)
// By module and level, for names that GetOpInfo gave.
#define OpLogSub(moduleId, level, opInfo, ...)                                                                           \
    do {                                                                                                                 \
        if (CheckLogLevel(static_cast<int32_t>(moduleId), (level)) == 1) {                                               \
            ASCENDC_CPU_LOG_ERROR(opInfo, __VA_ARGS__);                                                                  \
        }                                                                                                                \
    } while (false)
// The same for names that GetOpInfo gave.
#define D_OP_LOGD(opName, ...) ASCENDC_CPU_LOG_NOTHING(opName, __VA_ARGS__)
#define D_OP_LOGI(opName, ...) ASCENDC_CPU_LOG_NOTHING(opName, __VA_ARGS__)
#define D_OP_LOGW(opName, ...) ASCENDC_CPU_LOG_NOTHING(opName, __VA_ARGS__)
#define D_OP_LOGE(opName, ...) ASCENDC_CPU_LOG_ERROR(opName, __VA_ARGS__)
#define OP_LOGE_WITHOUT_REPORT(opName, ...) OP_LOGE(opName, __VA_ARGS__)

#define OP_CHECK_IF(condition, log, return_expr)                                                                         \
    do {                                                                                                                 \
        if (unlikely(condition)) {                                                                                       \
            log;                                                                                                         \
            return_expr;                                                                                                 \
        }                                                                                                                \
    } while (false)
#define OP_CHECK_NULL_WITH_CONTEXT(context, ptr)                                                                         \
    do {                                                                                                                 \
        if (unlikely((ptr) == nullptr)) {                                                                                \
            OP_LOGE((context) == nullptr ? nullptr : (context)->GetNodeName(), "%s is nullptr!", #ptr);                  \
            return ge::GRAPH_FAILED;                                                                                     \
        }                                                                                                                \
    } while (false)

// Sentences about one parameter, or several, and what is wrong with it.
#define ASCENDC_CPU_LOG_WORDS(...) ascendc_cpu::LogWords(__FILE__, __LINE__, {__VA_ARGS__})
#define OP_LOGE_WITH_INVALID_INPUT_SHAPE(entityName, index, incorrectShape, correctShape)                                \
    ASCENDC_CPU_LOG_WORDS("The ", std::to_string(index), "th input of ", entityName, " has incorrect shape [",           \
                          incorrectShape, "]. It should be [", correctShape, "].")
#define OP_LOGE_WITH_INVALID_INPUT_SHAPESIZE(entityName, index, incorrectSize, correctSize)                              \
    ASCENDC_CPU_LOG_WORDS("The ", std::to_string(index), "th input of ", entityName, " has incorrect shape size ",       \
                          incorrectSize, ". It should be ", correctSize, ".")
#define OP_LOGE_WITH_INVALID_ATTR(entityName, attrName, incorrect, correct)                                              \
    ASCENDC_CPU_LOG_WORDS("Attribute ", attrName, " of ", entityName, " has incorrect value ", incorrect, ". It should be ", correct, ".")
#define OP_LOGE_WITH_INVALID_ATTR_SIZE(entityName, attrName, incorrect, correct)                                         \
    ASCENDC_CPU_LOG_WORDS("Attribute ", attrName, " of ", entityName, " has incorrect size ", incorrect, ". It should be ", correct, ".")
#define OP_LOGE_WITH_INVALID_INPUT(entityName, paramName)                                                                \
    ASCENDC_CPU_LOG_WORDS("Parameter ", paramName, " of ", entityName, " is required, but it is empty.")
#define OP_LOGE_WITH_INVALID_INPUT_FORMAT(entityName, paramName, incorrect, correct)                                     \
    ASCENDC_CPU_LOG_WORDS("Input parameter ", paramName, " of ", entityName, " has incorrect format ", incorrect, ". It should be ", correct, ".")
#define OP_LOGE_WITH_INVALID_INPUT_DTYPE(entityName, paramName, incorrect, correct)                                      \
    ASCENDC_CPU_LOG_WORDS("Input parameter ", paramName, " of ", entityName, " has incorrect dtype ", incorrect, ". It should be ", correct, ".")
#define OP_LOGE_FOR_INVALID_SHAPE(entityName, paramName, incorrect, correct)                                             \
    ASCENDC_CPU_LOG_WORDS("Parameter ", paramName, " of ", entityName, " has incorrect shape ", incorrect, ". It should be ", correct, ".")
#define OP_LOGE_FOR_INVALID_SHAPE_WITH_REASON(entityName, paramName, incorrect, reason)                                  \
    ASCENDC_CPU_LOG_WORDS("Parameter ", paramName, " of ", entityName, " has incorrect shape ", incorrect, ". Reason: ", reason, ".")
#define OP_LOGE_FOR_INVALID_SHAPES_WITH_REASON(entityName, paramNames, incorrect, reason)                                \
    ASCENDC_CPU_LOG_WORDS("Parameters ", paramNames, " of ", entityName, " have incorrect shapes ", incorrect, ". Reason: ", reason, ".")
#define OP_LOGE_FOR_INVALID_SHAPEDIM(entityName, paramName, incorrect, correct)                                          \
    ASCENDC_CPU_LOG_WORDS("Parameter ", paramName, " of ", entityName, " has incorrect shape dim ", incorrect, ". It should be ", correct, ".")
#define OP_LOGE_FOR_INVALID_SHAPEDIM_WITH_REASON(entityName, paramName, incorrect, reason)                               \
    ASCENDC_CPU_LOG_WORDS("Parameter ", paramName, " of ", entityName, " has incorrect shape dim ", incorrect, ". Reason: ", reason, ".")
#define OP_LOGE_FOR_INVALID_SHAPEDIMS_WITH_REASON(entityName, paramNames, incorrect, reason)                             \
    ASCENDC_CPU_LOG_WORDS("Parameters ", paramNames, " of ", entityName, " have incorrect shape dims ", incorrect, ". Reason: ", reason, ".")
#define OP_LOGE_FOR_INVALID_SHAPESIZE(entityName, paramName, incorrect, correct)                                         \
    ASCENDC_CPU_LOG_WORDS("Parameter ", paramName, " of ", entityName, " has incorrect shape size ", incorrect, ". It should be ", correct, ".")
#define OP_LOGE_FOR_INVALID_SHAPESIZE_WITH_REASON(entityName, paramName, incorrect, reason)                              \
    ASCENDC_CPU_LOG_WORDS("Parameter ", paramName, " of ", entityName, " has incorrect shape size ", incorrect, ". Reason: ", reason, ".")
#define OP_LOGE_FOR_INVALID_SHAPESIZES_WITH_REASON(entityName, paramNames, incorrect, reason)                            \
    ASCENDC_CPU_LOG_WORDS("Parameters ", paramNames, " of ", entityName, " have incorrect shape sizes ", incorrect, ". Reason: ", reason, ".")
#define OP_LOGE_FOR_INVALID_FORMAT(entityName, paramName, incorrect, correct)                                            \
    ASCENDC_CPU_LOG_WORDS("Parameter ", paramName, " of ", entityName, " has incorrect format ", incorrect, ". It should be ", correct, ".")
#define OP_LOGE_FOR_INVALID_FORMAT_WITH_REASON(entityName, paramName, incorrect, reason)                                 \
    ASCENDC_CPU_LOG_WORDS("Parameter ", paramName, " of ", entityName, " has incorrect format ", incorrect, ". Reason: ", reason, ".")
#define OP_LOGE_FOR_INVALID_FORMATS_WITH_REASON(entityName, paramNames, incorrect, reason)                               \
    ASCENDC_CPU_LOG_WORDS("Parameters ", paramNames, " of ", entityName, " have incorrect formats ", incorrect, ". Reason: ", reason, ".")
#define OP_LOGE_FOR_INVALID_DTYPE(entityName, paramName, incorrect, correct)                                             \
    ASCENDC_CPU_LOG_WORDS("Parameter ", paramName, " of ", entityName, " has incorrect dtype ", incorrect, ". It should be ", correct, ".")
#define OP_LOGE_FOR_INVALID_DTYPE_WITH_REASON(entityName, paramName, incorrect, reason)                                  \
    ASCENDC_CPU_LOG_WORDS("Parameter ", paramName, " of ", entityName, " has incorrect dtype ", incorrect, ". Reason: ", reason, ".")
#define OP_LOGE_FOR_INVALID_DTYPES_WITH_REASON(entityName, paramNames, incorrect, reason)                                \
    ASCENDC_CPU_LOG_WORDS("Parameters ", paramNames, " of ", entityName, " have incorrect dtypes ", incorrect, ". Reason: ", reason, ".")
#define OP_LOGE_FOR_INVALID_VALUE(entityName, paramName, incorrect, correct)                                             \
    ASCENDC_CPU_LOG_WORDS("Parameter ", paramName, " of ", entityName, " has incorrect value ", incorrect, ". It should be ", correct, ".")
#define OP_LOGE_FOR_INVALID_VALUE_WITH_REASON(entityName, paramName, incorrect, reason)                                  \
    ASCENDC_CPU_LOG_WORDS("Parameter ", paramName, " of ", entityName, " has incorrect value ", incorrect, ". Reason: ", reason, ".")
#define OP_LOGE_FOR_INVALID_VALUES_WITH_REASON(entityName, paramNames, incorrect, reason)                                \
    ASCENDC_CPU_LOG_WORDS("Parameters ", paramNames, " of ", entityName, " have incorrect values ", incorrect, ". Reason: ", reason, ".")
#define OP_LOGE_FOR_INVALID_TENSORNUM(entityName, paramName, incorrect, correct)                                         \
    ASCENDC_CPU_LOG_WORDS("Parameter ", paramName, " of ", entityName, " has invalid tensor num ",                       \
                          std::to_string(incorrect), ". It should be ", correct, ".")
#define OP_LOGE_FOR_INVALID_TENSORNUMS_WITH_REASON(entityName, paramNames, incorrect, reason)                            \
    ASCENDC_CPU_LOG_WORDS("Parameters ", paramNames, " of ", entityName, " have invalid tensor nums ", incorrect, ". Reason: ", reason, ".")
#define OP_LOGE_FOR_INVALID_LISTSIZE(entityName, paramName, incorrect, correct)                                          \
    ASCENDC_CPU_LOG_WORDS("Parameter ", paramName, " of ", entityName, " has incorrect element nums ", incorrect, ". It should be ", correct, ".")
#define OP_LOGE_FOR_INVALID_STRIDE(entityName, paramName, incorrect, correct)                                            \
    ASCENDC_CPU_LOG_WORDS("Parameter ", paramName, " of ", entityName, " has incorrect stride ", incorrect, ", it should be ", correct, ".")
#define OP_LOGE_FOR_INVALID_ARGUMENT_WITH_REASON(entityName, paramName, reason)                                          \
    ASCENDC_CPU_LOG_WORDS("Parameter ", paramName, " of ", entityName, " is invalid. Reason: ", reason, ".")
#define OP_LOGE_FOR_FILE_PATH(opName, filePath, reason)                                                                  \
    ASCENDC_CPU_LOG_WORDS(opName, ": Input path ", filePath, " is invalid. Reason: ", reason, ".")
#define OP_LOGE_FOR_FILE_OPEN(opName, filePath, reason)                                                                  \
    ASCENDC_CPU_LOG_WORDS(opName, ": Failed to open file ", filePath, ". Reason: ", reason, ".")
#define OP_LOGE_FOR_FILE_PARSE(opName, filePath, reason)                                                                 \
    ASCENDC_CPU_LOG_WORDS(opName, ": Failed to parse file ", filePath, ". Reason: ", reason, ".")

#endif
