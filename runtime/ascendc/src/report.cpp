#include "report.h"

#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <link.h>
#include <map>
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

// The file that a return address belongs to, and where in it the call stands; false where there is none.
bool FindCall(const void *site, std::string *file_name, unsigned long long *at)
{
    Dl_info info = {};
    if (dladdr(site, &info) == 0 || info.dli_fname == nullptr) {
        return false;
    }
    const auto *const head = static_cast<const ElfW(Ehdr) *>(info.dli_fbase);
    const uintptr_t base = head->e_type == ET_DYN ? reinterpret_cast<uintptr_t>(head) : 0;
    *file_name = info.dli_fname;
    // The call stands before the address that it returns to.
    *at = static_cast<unsigned long long>(reinterpret_cast<uintptr_t>(site) - base - 1);
    return true;
}

// The place of a return address; else the address.
std::string PlaceOf(const void *site)
{
    const std::string place = PlacesOf({site})[0];
    std::string file_name;
    unsigned long long at = 0;
    if (!place.empty() || !FindCall(site, &file_name, &at)) {
        return place.empty() ? Format("%p", site) : place;
    }
    return Format("%s(0x%llx)", file_name.c_str(), at);
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

std::vector<std::string> PlacesOf(const std::vector<const void *> &sites)
{
    std::vector<std::string> places(sites.size());
    std::map<std::string, std::vector<size_t>> of_file;
    std::vector<unsigned long long> at(sites.size());
    for (size_t i = 0; i < sites.size(); ++i) {
        std::string file_name;
        if (FindCall(sites[i], &file_name, &at[i])) {
            of_file[file_name].push_back(i);
        }
    }
    for (const auto &[file_name, wanted] : of_file) {
        std::string command = "addr2line -a -i -e '" + file_name + "'";
        for (const size_t i : wanted) {
            command += Format(" 0x%llx", at[i]);
        }
        std::FILE *const out = popen((command + " 2>/dev/null").c_str(), "r");
        if (out == nullptr) {
            continue;
        }
        // Behind each address: from the innermost function that was inlined outwards. The first place that is not in the API's headers.
        char text[512];
        size_t next = 0;
        while (std::fgets(text, sizeof text, out) != nullptr) {
            const std::string line(text, std::strcspn(text, " \n"));
            if (line.compare(0, 2, "0x") == 0) {
                ++next;
            } else if (next > 0 && next <= wanted.size() && line[0] != '?' && line.find("/include/ascendc/") == std::string::npos) {
                std::string &place = places[wanted[next - 1]];
                place = place.empty() ? line : place;
            }
        }
        pclose(out);
    }
    return places;
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
