// What a run has to say: one line an event, for a program in the file that the launch names, else for a reader.
#ifndef ASCENDC_CPU_REPORT_H
#define ASCENDC_CPU_REPORT_H

#include <cstdarg>
#include <cstdint>
#include <string>
#include <vector>

namespace ascendc_cpu {
// Opens the file that the launch names. Without it, lines go to standard error, with places in place of addresses.
void OpenReport(const std::string &path);
// One line, with tabs between: event, kind, block, addresses with commas between, message. In the message a tab is \t, the
// end of a line \n and a backslash two of them. `sites` are addresses in the program, which the reader of the file turns into
// places in the kernel.
void WriteReport(const char *event, const char *kind, const std::string &message, int64_t block, const void *const *sites,
    int count);
// `FILE:LINE` of return addresses, by the addr2line that comes with the compiler: of one place that the compiler has copied several
// times, too. Empty where nothing is known.
std::vector<std::string> PlacesOf(const std::vector<const void *> &sites);
// Takes what would go to standard error: the event ("fault", "note", "print" ..) and the line for a reader. nullptr: as before.
using ReportSink = void (*)(const char *event, const std::string &line);
void SetReportSink(ReportSink sink);
std::string Format(const char *format, ...) __attribute__((format(printf, 1, 2)));
std::string FormatList(const char *format, va_list args);
} // namespace ascendc_cpu

#endif
