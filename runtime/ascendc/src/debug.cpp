#include "ascendc/debug.h"

#include "core.h"
#include "report.h"

#include <cstdarg>
#include <cstdlib>

namespace ascendc_cpu {
namespace {
std::string Formatted(const char *format, va_list args)
{
    char text[2048];
    std::vsnprintf(text, sizeof text, format, args);
    return text;
}

std::string Shown(const uint8_t *at, Type type)
{
    const auto value = [at](auto v) {
        std::memcpy(&v, at, sizeof v);
        return v;
    };
    switch (type) {
        case Type::I8: return Format("%d", value(int8_t()));
        case Type::U8: return Format("%u", value(uint8_t()));
        case Type::I16: return Format("%d", value(int16_t()));
        case Type::U16: return Format("%u", value(uint16_t()));
        case Type::F16: return Format("%g", static_cast<double>(HalfToFloat(value(uint16_t()))));
        case Type::BF16: return Format("%g", static_cast<double>(Bfloat16ToFloat(value(uint16_t()))));
        case Type::I32: return Format("%d", value(int32_t()));
        case Type::U32: return Format("%u", value(uint32_t()));
        case Type::F32: return Format("%g", static_cast<double>(value(float())));
        case Type::I64: return Format("%lld", static_cast<long long>(value(int64_t())));
        case Type::U64: return Format("%llu", static_cast<unsigned long long>(value(uint64_t())));
        case Type::F64: return Format("%g", value(double()));
        case Type::I4: break; // the header refuses it
    }
    return "";
}
} // namespace

void Print(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const std::string text = Formatted(format, args);
    va_end(args);
    if (CoreOrNull() == nullptr) { // host code of the same file
        std::fputs(text.c_str(), stdout);
        return;
    }
    Enter();
    Note("print", "%s", text.c_str());
}

void AssertionFailed(const char *text, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const std::string message = Formatted(format, args);
    va_end(args);
    if (CoreOrNull() == nullptr) {
        std::fprintf(stderr, "assertion `%s` failed%s%s\n", text, message.empty() ? "" : ": ", message.c_str());
        std::abort();
    }
    Enter();
    Fault("assert", "assertion `%s` failed%s%s", text, message.empty() ? "" : ": ", message.c_str());
}

void TrapHere()
{
    Enter();
    Fault("assert", "the kernel called trap");
}

void DumpLocal(const Local &tensor, uint32_t desc, uint32_t count)
{
    Core &core = Enter();
    const uint32_t size = SizeOf(tensor.type);
    CheckLocal(core, "DumpTensor", "the tensor", tensor, uint64_t(count) * size, size);
    core.pipes.Drain(core);
    std::string text;
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t at = tensor.at + i * size;
        Memory &memory = core.memory(tensor.space);
        text += (i > 0 ? " " : "") + (memory.IsValid(at, size) ? Shown(memory.data(at), tensor.type) : std::string("?"));
    }
    Note("print", "DumpTensor %u: %s[%u] in %s: %s", desc, NameOf(tensor.type), count, NameOf(tensor.space), text.c_str());
}

void DumpGlobal(const Global &tensor, uint32_t desc, uint32_t count)
{
    Core &core = Enter();
    const uint32_t size = SizeOf(tensor.type);
    const uint8_t *const at = CheckGlobal(core, "DumpTensor", "the tensor", tensor.at, uint64_t(count) * size, false);
    core.pipes.Drain(core);
    std::string text;
    for (uint32_t i = 0; i < count && at != nullptr; ++i) {
        text += (i > 0 ? " " : "") + Shown(at + i * size, tensor.type);
    }
    Note("print", "DumpTensor %u: %s[%u] in GM: %s", desc, NameOf(tensor.type), count, text.c_str());
}
} // namespace ascendc_cpu
