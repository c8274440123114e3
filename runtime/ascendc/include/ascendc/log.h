// The log that host code of operators writes, beneath toolchain/slog.h, base/err_msg.h and op_common/log/log.h. Errors are kept: whoever
// asks an operator takes them by `onErrorLogged`, and a program without such a caller has them on stderr. What lies below errors, and
// events, are not written.
#ifndef ASCENDC_CPU_LOG_H
#define ASCENDC_CPU_LOG_H

#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <initializer_list>
#include <string>
#include <type_traits>

namespace ascendc_cpu {
inline void (*onErrorLogged)(const std::string &) = nullptr;

inline void LogError(const std::string &line)
{
    if (onErrorLogged != nullptr) {
        onErrorLogged(line);
    } else {
        std::fprintf(stderr, "[ERROR] %s\n", line.c_str());
    }
}

// One conversion of a format with a value that has its type.
template <typename T>
std::string Converted(std::string conversion, T value)
{
    char text[512];
    std::snprintf(text, sizeof text, conversion.c_str(), value);
    return text;
}

// An argument of a log call; its own type says how it is written, so that a conversion of another type does no harm.
struct LogArgument {
    enum Kind { SIGNED, UNSIGNED, REAL, TEXT, ADDRESS };
    template <typename T>
    LogArgument(T value)
    {
        if constexpr (std::is_floating_point_v<T>) {
            kind = REAL;
            real = static_cast<double>(value);
        } else if constexpr (std::is_same_v<std::remove_cv_t<std::remove_pointer_t<T>>, char> && std::is_pointer_v<T>) {
            kind = TEXT;
            address = value;
        } else if constexpr (std::is_pointer_v<T> || std::is_null_pointer_v<T>) {
            kind = ADDRESS;
            address = value;
        } else {
            kind = std::is_unsigned_v<T> ? UNSIGNED : SIGNED;
            number = static_cast<int64_t>(value);
        }
    }
    // `flags` begins with %, and has width and precision.
    std::string As(const std::string &flags, char wanted) const
    {
        const std::string letter(1, wanted);
        switch (kind) {
            case TEXT: return address == nullptr ? "(null)" : Text(flags);
            case ADDRESS: return Converted("%p", address);
            case REAL: return Converted(flags + (std::string("aAeEfFgG").find(wanted) != std::string::npos ? letter : "g"), real);
            default: break;
        }
        if (wanted == 'c') {
            return std::string(1, static_cast<char>(number));
        }
        const bool is_bits = std::string("xXou").find(wanted) != std::string::npos;
        return Converted(flags + "ll" + (is_bits ? letter : kind == UNSIGNED ? "u" : "d"), static_cast<long long>(number));
    }

    Kind kind;
    double real = 0;
    const void *address = nullptr;
    int64_t number = 0;

private:
    // As long as it is, and padded where the format asks for it.
    std::string Text(const std::string &flags) const
    {
        const std::string whole = static_cast<const char *>(address);
        return flags == "%" ? whole : Converted(flags + "s", whole.c_str());
    }
};

inline std::string Formatted(const char *format, const LogArgument *arguments, size_t count)
{
    std::string text;
    size_t next = 0;
    for (const char *at = format; *at != '\0'; ++at) {
        if (*at != '%' || *++at == '%') {
            text += *at;
            continue;
        }
        std::string flags = "%";
        for (; *at != '\0' && std::string("-+ #0123456789.*").find(*at) != std::string::npos; ++at) {
            const bool is_star = *at == '*';
            flags += is_star ? next < count ? std::to_string(arguments[next].number) : "0" : std::string(1, *at);
            next += is_star ? 1 : 0;
        }
        while (*at != '\0' && std::string("hlLqjzt").find(*at) != std::string::npos) {
            ++at;
        }
        if (*at == '\0') {
            break;
        }
        text += next < count ? arguments[next].As(flags, *at) : "(missing)";
        ++next;
    }
    return text;
}

// For the compiler, which looks at the format; it is never called.
__attribute__((format(printf, 1, 2))) inline void CheckFormat(const char *, ...) {}

// The place of a call, by the name of its file.
inline std::string Place(const char *file, int line)
{
    const std::string path = file;
    return " (" + path.substr(path.find_last_of('/') + 1) + ":" + std::to_string(line) + ")";
}

template <typename... T>
void LogFormatted(const char *file, int line, const std::string &who, const char *format, T... values)
{
    const LogArgument arguments[] = {LogArgument(0), LogArgument(values)...};
    LogError((who.empty() ? who : who + ": ") + Formatted(format, arguments + 1, sizeof...(T)) + Place(file, line));
}

// A word of a sentence; a null pointer does no harm.
struct LogWord {
    LogWord(const char *word) : text(word != nullptr ? word : "(null)") {}
    LogWord(const std::string &word) : text(word) {}
    std::string text;
};

inline void LogWords(const char *file, int line, std::initializer_list<LogWord> words)
{
    std::string sentence;
    for (const LogWord &word : words) {
        sentence += word.text;
    }
    LogError(sentence + Place(file, line));
}
} // namespace ascendc_cpu

// An error of a format, which is a literal as in the toolkit, and its arguments.
#define ASCENDC_CPU_LOG_ERROR(who, ...)                                                                                  \
    do {                                                                                                                 \
        if (false) {                                                                                                     \
            ascendc_cpu::CheckFormat("" __VA_ARGS__);                                                                    \
        }                                                                                                                \
        ascendc_cpu::LogFormatted(__FILE__, __LINE__, who, "" __VA_ARGS__);                                              \
    } while (false)

// The two functions of the toolkit's library. Host files may declare them by themselves.
extern "C" {
inline int32_t CheckLogLevel(int32_t, int32_t logLevel)
{
    return logLevel == 3 ? 1 : 0;
}
__attribute__((format(printf, 3, 4))) inline void DlogRecord(int32_t moduleId, int32_t level, const char *fmt, ...)
{
    if (CheckLogLevel(moduleId, level) == 0 || fmt == nullptr) {
        return;
    }
    char text[2048];
    va_list arguments;
    va_start(arguments, fmt);
    std::vsnprintf(text, sizeof text, fmt, arguments);
    va_end(arguments);
    ascendc_cpu::LogError(text);
}
}

#endif
