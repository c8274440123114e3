// The scalar unit's side of tensors: single elements, sub-tensors, tensors placed by hand.
#include "core.h"

#include "ascendc/tensor.h"

namespace ascendc_cpu {
[[noreturn]] void Unexpected(double got, double want, int64_t index);

namespace {
Local ElementOf(Core &core, const char *op, const Local &tensor, uint32_t index)
{
    const uint32_t size = SizeOf(tensor.type);
    const uint64_t offset = uint64_t(index) * size;
    if (offset + size > tensor.bytes) {
        if (tensor.at + offset + size > core.memory(tensor.space).size()) {
            Fault("bounds", "%s: element %u of a tensor of %u", op, index, tensor.bytes / size);
        }
        Mistake("bounds", "%s: element %u of a tensor of %u", op, index, tensor.bytes / size);
    }
    Local element = tensor;
    element.at += static_cast<uint32_t>(offset);
    element.bytes = size;
    CheckLocal(core, op, "the tensor", element, size, size);
    return element;
}
} // namespace

uint64_t ReadScalar(const Local &tensor, uint32_t index)
{
    Core &core = Enter();
    const Local element = ElementOf(core, "GetValue", tensor, index);
    return core.pipes.Scalar(
        core, "GetValue", [&](Accesses &accesses) { accesses.Read(element, 0, element.bytes); },
        [&] {
            Memory &memory = core.memory(element.space);
            const bool beyond = element.at + element.bytes > tensor.at + tensor.bytes; // which has been told
            if (!beyond && !memory.IsFilled(element.at, element.bytes)) {
                PoisonIn(core, element, 0, element.bytes, "GetValue: element %u has no value", index);
            }
            uint64_t bits = 0;
            std::memcpy(&bits, memory.data(element.at), element.bytes);
            return bits;
        });
}

void WriteScalar(const Local &tensor, uint32_t index, Scalar value)
{
    Core &core = Enter();
    const Local element = ElementOf(core, "SetValue", tensor, index);
    core.pipes.Scalar(
        core, "SetValue", [&](Accesses &accesses) { accesses.Write(element, 0, element.bytes); },
        [&] {
            Memory &memory = core.memory(element.space);
            std::memcpy(memory.data(element.at), &value.bits, element.bytes);
            memory.MarkValid(element.at, element.bytes);
        });
}

void *LocalElement(const Local &tensor, uint32_t index)
{
    Core &core = Enter();
    const Local element = ElementOf(core, "operator()", tensor, index);
    return core.pipes.Scalar(
        core, "operator()", [&](Accesses &accesses) { accesses.Write(element, 0, element.bytes); },
        [&]() -> void * {
            // The kernel may write through the reference; nothing tells whether it does.
            core.memory(element.space).MarkValid(element.at, element.bytes);
            return core.memory(element.space).data(element.at);
        });
}

void *LocalAddress(Space space, uint32_t at)
{
    return Enter().memory(space).data(at);
}

Local LocalOf(const void *address, Type type)
{
    Core &core = Enter();
    Memory &ub = core.memory(Space::UB);
    const auto *const at = static_cast<const uint8_t *>(address);
    if (at < ub.data(0) || at >= ub.data(0) + ub.size()) {
        Fault("bounds", "an address lies outside of UB; LocalTensor::GetPhyAddr gives those inside");
    }
    const uint32_t offset = static_cast<uint32_t>(at - ub.data(0));
    return {offset, ub.size() - offset, NO_BUFFER, Space::UB, type};
}

Local SubView(const Local &tensor, uint64_t offset)
{
    Enter();
    if (offset > tensor.bytes) {
        Fault("bounds", "operator[]: byte %llu of a tensor of %u", static_cast<unsigned long long>(offset), tensor.bytes);
    }
    Local sub = tensor;
    sub.at += static_cast<uint32_t>(offset);
    sub.bytes -= static_cast<uint32_t>(offset);
    return sub;
}

uint64_t HalfBytes(uint64_t elements)
{
    Enter();
    if (elements % 2 != 0) {
        Mistake("arg", "int4b_t: %llu elements end in the middle of a byte, and the chip takes the byte; give an even number",
            static_cast<unsigned long long>(elements));
    }
    return elements / 2;
}

Local Place(Space space, uint32_t at, uint64_t bytes, Type type)
{
    Core &core = Enter();
    const uint32_t size = core.memory(space).size();
    if (at % BLOCK != 0) {
        Fault("align", "LocalTensor: address %u of %s is not a multiple of %u", at, NameOf(space), BLOCK);
    }
    if (at + bytes > size) {
        Fault("bounds", "LocalTensor: %llu bytes from %u on, %s has %u", static_cast<unsigned long long>(bytes), at, NameOf(space), size);
    }
    return {at, static_cast<uint32_t>(bytes), NO_BUFFER, space, type};
}

// For kernels that test themselves (tests/check.h).
[[noreturn]] void Unexpected(double got, double want, int64_t index)
{
    Enter();
    if (index < 0) {
        Fault("assert", "got %.9g, expected %.9g", got, want);
    }
    Fault("assert", "element %lld is %.9g, expected %.9g", static_cast<long long>(index), got, want);
}
} // namespace ascendc_cpu
