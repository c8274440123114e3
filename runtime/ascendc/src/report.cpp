#include "report.h"

#include <cstdarg>
#include <cstdio>
#include <mutex>

namespace ascendc_cpu {
namespace {
std::FILE *file = stderr;
std::mutex lock;

std::string Escaped(const std::string &text)
{
    std::string out;
    for (const char c : text) {
        switch (c) {
            case '\\': out += "\\\\"; break;
            case '\t': out += "\\t"; break;
            case '\n': out += "\\n"; break;
            case '\r': break;
            default: out += c;
        }
    }
    return out;
}
} // namespace

std::string Format(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char text[1024];
    std::vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return text;
}

void OpenReport(const std::string &path)
{
    if (std::FILE *opened = std::fopen(path.c_str(), "w")) {
        file = opened;
    }
}

void WriteReport(const char *event, const char *kind, const std::string &message, int64_t block, const void *const *sites,
    int count)
{
    std::string line = Format("%s\t%s\t%lld\t", event, kind, static_cast<long long>(block));
    for (int i = 0; i < count; ++i) {
        line += Format("%s%llu", i > 0 ? "," : "", static_cast<unsigned long long>(reinterpret_cast<uintptr_t>(sites[i])));
    }
    line += "\t" + Escaped(message) + "\n";
    const std::lock_guard<std::mutex> guard(lock);
    std::fputs(line.c_str(), file);
    std::fflush(file);
}
} // namespace ascendc_cpu
