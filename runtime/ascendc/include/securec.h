// The bounded copies of the toolkit's library (securec.h): what does not fit is not copied, and the caller hears of it. Codes and what
// becomes of the destination are those of its manual.
#ifndef ASCENDC_CPU_SECUREC_H
#define ASCENDC_CPU_SECUREC_H

#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstring>

#ifndef EOK
#define EOK 0
#endif
#define EINVAL_AND_RESET (EINVAL | 128)
#define ERANGE_AND_RESET (ERANGE | 128)
using errno_t = int;

inline errno_t memset_s(void *dest, size_t destMax, int c, size_t count)
{
    if (dest == nullptr) {
        return EINVAL;
    }
    std::memset(dest, c, count < destMax ? count : destMax);
    return count <= destMax ? EOK : ERANGE_AND_RESET;
}
inline errno_t memmove_s(void *dest, size_t destMax, const void *src, size_t count)
{
    if (dest == nullptr || destMax == 0) {
        return dest == nullptr ? EINVAL : ERANGE;
    }
    if (src == nullptr || count > destMax) {
        std::memset(dest, 0, destMax);
        return src == nullptr ? EINVAL_AND_RESET : ERANGE_AND_RESET;
    }
    std::memmove(dest, src, count);
    return EOK;
}
// Memory that overlaps is moved, too; the library refuses it.
inline errno_t memcpy_s(void *dest, size_t destMax, const void *src, size_t count)
{
    return memmove_s(dest, destMax, src, count);
}
inline errno_t strcpy_s(char *dest, size_t destMax, const char *src)
{
    const size_t length = src != nullptr ? std::strlen(src) : 0;
    if (dest != nullptr && destMax > 0 && (src == nullptr || length >= destMax)) {
        dest[0] = '\0';
        return src == nullptr ? EINVAL_AND_RESET : ERANGE_AND_RESET;
    }
    return memmove_s(dest, destMax, src, length + 1);
}
inline errno_t strcat_s(char *dest, size_t destMax, const char *src)
{
    if (dest == nullptr || destMax == 0) {
        return dest == nullptr ? EINVAL : ERANGE;
    }
    const void *const end = std::memchr(dest, '\0', destMax);
    const size_t length = end != nullptr ? static_cast<const char *>(end) - dest : destMax;
    if (src == nullptr || length + std::strlen(src) >= destMax) {
        dest[0] = '\0';
        return src == nullptr ? EINVAL_AND_RESET : ERANGE_AND_RESET;
    }
    return memmove_s(dest + length, destMax - length, src, std::strlen(src) + 1);
}
// The length of the text; -1 where it does not fit, and the text is cut off.
inline int vsnprintf_s(char *dest, size_t destMax, size_t count, const char *format, va_list arguments)
{
    if (dest == nullptr || format == nullptr || destMax == 0) {
        return -1;
    }
    const size_t room = count < destMax ? count + 1 : destMax;
    const int length = std::vsnprintf(dest, room, format, arguments);
    return length >= 0 && static_cast<size_t>(length) < room ? length : -1;
}
__attribute__((format(printf, 4, 5))) inline int snprintf_s(char *dest, size_t destMax, size_t count, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf_s(dest, destMax, count, format, arguments);
    va_end(arguments);
    return length;
}
__attribute__((format(printf, 3, 4))) inline int sprintf_s(char *dest, size_t destMax, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf_s(dest, destMax, destMax, format, arguments);
    va_end(arguments);
    return length;
}

#endif
