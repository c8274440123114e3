#include "report.h"

#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <link.h>
#include <mutex>

namespace ascendc_cpu {
namespace {
std::FILE *file = nullptr;
std::mutex lock;
ReportSink the_sink = nullptr;

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

std::string ForPrograms(const char *event, const char *kind, const std::string &message, int64_t block, const void *const *sites,
    int count)
{
    std::string line = Format("%s\t%s\t%lld\t", event, kind, static_cast<long long>(block));
    for (int i = 0; i < count; ++i) {
        line += Format("%s%llu", i > 0 ? "," : "", static_cast<unsigned long long>(reinterpret_cast<uintptr_t>(sites[i])));
    }
    return line + "\t" + Escaped(message) + "\n";
}

// `FILE:LINE` of a return address, by the addr2line that comes with the compiler; else the address.
std::string PlaceOf(const void *site)
{
    Dl_info info = {};
    if (dladdr(site, &info) == 0 || info.dli_fname == nullptr) {
        return Format("%p", site);
    }
    const auto *const head = static_cast<const ElfW(Ehdr) *>(info.dli_fbase);
    const uintptr_t base = head->e_type == ET_DYN ? reinterpret_cast<uintptr_t>(head) : 0;
    // The call stands before the address that it returns to.
    const auto at = static_cast<unsigned long long>(reinterpret_cast<uintptr_t>(site) - base - 1);
    const std::string command = Format("addr2line -i -e '%s' 0x%llx 2>/dev/null", info.dli_fname, at);
    // From the innermost function that was inlined outwards: the first place that is not in the API's headers.
    std::string place;
    if (std::FILE *const out = popen(command.c_str(), "r")) {
        char text[512];
        while (std::fgets(text, sizeof text, out) != nullptr) {
            const std::string line(text, std::strcspn(text, " \n"));
            if (line[0] != '?' && line.find("/include/ascendc/") == std::string::npos) {
                place = line;
                break;
            }
        }
        pclose(out);
    }
    return place.empty() ? Format("%s(0x%llx)", info.dli_fname, at) : place;
}

std::string ForReaders(const char *event, const char *kind, const std::string &message, int64_t block, const void *const *sites,
    int count)
{
    std::string line = block >= 0 ? Format("[block %lld] ", static_cast<long long>(block)) : "";
    const std::string of = kind;
    if (of == "print") {
        return line + message + "\n";
    }
    line = (count > 0 ? PlaceOf(sites[0]) + ": " : "") + line + (std::string(event) == "note" ? "note: " : "error: ") + message + "\n";
    for (int i = 1; i < count; ++i) {
        line += PlaceOf(sites[i]) + ": the other one\n";
    }
    return line;
}
} // namespace

std::string Format(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const std::string text = FormatList(format, args);
    va_end(args);
    return text;
}

std::string FormatList(const char *format, va_list args)
{
    char text[1024];
    std::vsnprintf(text, sizeof text, format, args);
    return text;
}

void OpenReport(const std::string &path)
{
    if (std::FILE *opened = std::fopen(path.c_str(), "w")) {
        file = opened;
    }
}

void SetReportSink(ReportSink sink)
{
    const std::lock_guard<std::mutex> guard(lock);
    the_sink = sink;
}

void WriteReport(const char *event, const char *kind, const std::string &message, int64_t block, const void *const *sites,
    int count)
{
    const std::string line = (file != nullptr ? ForPrograms : ForReaders)(event, kind, message, block, sites, count);
    const std::lock_guard<std::mutex> guard(lock);
    if (file == nullptr && the_sink != nullptr) {
        the_sink(event, line);
        return;
    }
    std::FILE *const to = file != nullptr ? file : stderr;
    std::fputs(line.c_str(), to);
    std::fflush(to);
}
} // namespace ascendc_cpu
