// What operators log (op_common/log/log.h, base/err_msg.h, toolchain/slog.h): errors are kept as text, and no call does harm.
#include "base/alog_pub.h"
#include "op_common/log/error_code.h"
#include "op_common/log/log.h"
#include "register/op_def_registry.h"
#include "toolchain/slog.h"

#include "check.h"

namespace {
std::string last;
int count = 0;

void Expect(int line, const std::string &text)
{
    const std::string place = " (logs.cpp:" + std::to_string(line) + ")";
    if (last != text + place) {
        std::fprintf(stderr, "`%s` is not `%s%s`\n", last.c_str(), text.c_str(), place.c_str());
        std::exit(1);
    }
}

void Formats()
{
    const gert::Tensor x({{2, 3}, {2, 3}}, gert::StorageFormat(), ge::DT_FLOAT);
    const ascendc_cpu::OpLaunch launch{"Sums", {{x}}, {{x}}, {}, {}};
    gert::TilingContext context(launch);
    OP_LOGE(&context, "%d of %u, %s|%-4s|%5.2f|%#llx|%c|%%|%*d", -1, 7u, "text", "ab", 1.5, 255ULL, 'c', 4, 12);
    Expect(__LINE__ - 1, "Sums:Sums: -1 of 7, text|ab  | 1.50|0xff|c|%|  12");
    OP_LOGE(context.GetNodeName(), "%s", Ops::Base::ToString(x.GetStorageShape()).c_str());
    Expect(__LINE__ - 1, "Sums: [2, 3]");
    OP_LOGE(static_cast<gert::TilingContext *>(nullptr), "no context");
    Expect(__LINE__ - 1, "nil:nil: no context");
    OP_LOGE(std::string("who"), "%ld %zu %lu", 1L, sizeof(int), static_cast<unsigned long>(-1));
    Expect(__LINE__ - 1, "who: 1 4 18446744073709551615");
    // What a compiler warns of, the log takes all the same.
    using ascendc_cpu::LogArgument;
    const LogArgument arguments[] = {LogArgument(7), LogArgument(static_cast<const char *>(nullptr)), LogArgument("text"), LogArgument(2.5)};
    HostExpect(ascendc_cpu::Formatted("%s %s %d %d %s %", arguments, 4) == "7 (null) text 2.5 (missing) ", true);
    REPORT_INNER_ERR_MSG("EZ9999", "%s fails", "it");
    Expect(__LINE__ - 1, "EZ9999: it fails");
}

void Sentences()
{
    const char *const nothing = nullptr;
    OP_LOGE_FOR_INVALID_SHAPE_WITH_REASON("Sums", "x", Ops::Base::ToString(gert::Shape{2}), "It is short");
    Expect(__LINE__ - 1, "Parameter x of Sums has incorrect shape [2]. Reason: It is short.");
    OP_LOGE_FOR_INVALID_DTYPE(nothing, "x", Ops::Base::ToString(ge::DT_INT8), "DT_FLOAT");
    Expect(__LINE__ - 1, "Parameter x of (null) has incorrect dtype DT_INT8. It should be DT_FLOAT.");
    OP_LOGE_FOR_INVALID_VALUES_WITH_REASON("Sums", "a, b", "1, 2", "They differ");
    Expect(__LINE__ - 1, "Parameters a, b of Sums have incorrect values 1, 2. Reason: They differ.");
    OP_LOGE_FOR_INVALID_TENSORNUM("Sums", "x", 3, "2");
    Expect(__LINE__ - 1, "Parameter x of Sums has invalid tensor num 3. It should be 2.");
    OP_LOGE_WITH_INVALID_INPUT_SHAPE("Sums", 1, "2", "3");
    Expect(__LINE__ - 1, "The 1th input of Sums has incorrect shape [2]. It should be [3].");
}

void ByLevel()
{
    AlogRecord(OP, DLOG_TYPE_DEBUG, DLOG_ERROR, "%d fails", 3);
    Expect(__LINE__ - 1, "3 fails");
    OpLogSub(OP, DLOG_ERROR, "Sums", "%s", "wrong");
    Expect(__LINE__ - 1, "Sums: wrong");
    const std::string before = last;
    AlogRecord(SLOG, DLOG_TYPE_RUN, DLOG_WARN, "%d warns", 3);
    OpLogSub(OP, DLOG_INFO, "Sums", "told");
    HostExpect(last == before, true);
}

// The arguments of what is not written stay unread.
void Dropped()
{
    int read = 0;
    const auto reads = [&read] { return ++read; };
    OP_LOGD("Sums", "%d", reads());
    OP_LOGI("Sums", "%d", reads());
    OP_LOGW("Sums", "%d", reads());
    HostExpect(read, 0);
}

ge::graphStatus Checks(const gert::TilingContext *context, const int *pointer)
{
    OP_CHECK_NULL_WITH_CONTEXT(context, pointer);
    OP_CHECK_IF(*pointer > 1, OP_LOGE("Sums", "%d is too many", *pointer), return ge::GRAPH_PARAM_INVALID);
    return ge::GRAPH_SUCCESS;
}
} // namespace

int main()
{
    DlogSub(OP, "TEST", DLOG_ERROR, "without a reader it goes to stderr: %d", 1);
    ascendc_cpu::onErrorLogged = [](const std::string &line) {
        last = line;
        ++count;
    };
    Formats();
    Sentences();
    ByLevel();
    Dropped();
    const int two = 2;
    HostExpect(Checks(nullptr, nullptr), ge::GRAPH_FAILED);
    HostExpect(last.find("nil: pointer is nullptr!") == 0, true);
    HostExpect(Checks(nullptr, &two), ge::GRAPH_PARAM_INVALID);
    HostExpect(last.find("Sums: 2 is too many") == 0, true);
    DlogSub(OP, "TEST", DLOG_ERROR, "%d", 3);
    HostExpect(last == "[TEST] 3", true);
    DlogSub(OP, "TEST", DLOG_INFO, "%d", 4);
    HostExpect(count, 15);
    HostExpect(Ops::Base::VECTOR_INNER_ERROR, 89999);
    return 0;
}
