// What functions of the advanced API have in common: temporary space, and operands that may not share memory.
#ifndef ASCENDC_CPU_ADVANCED_H
#define ASCENDC_CPU_ADVANCED_H

#include "vector.h"

namespace ascendc_cpu {
// The bytes that a function uses for what lies between: of sharedTmpBuffer, or without it (nullptr) of what TPipe has left of UB.
// Stops where there are fewer than `least`, or sharedTmpBuffer may not be used. `sizes` is the host function that says how many.
Local TakeSpace(Core &core, const char *op, const char *sizes, const Local *given, uint32_t least, uint32_t most);

// Bytes from the start of a tensor on, under the name of the operand.
struct Region {
    const char *name;
    Local tensor;
    uint64_t bytes;
};
// Stops where two operands share bytes that may not.
void RefuseOverlap(const char *op, const Region &a, const Region &b);

// A number from which the instructions of a call follow: an address, a size, a choice.
struct CallNumber {
    const char *name;
    uint64_t value;
};
// Says to a record of events what a call is. Whoever reads the record knows its instructions (dsl/src/cost/library).
void DescribeCall(Accesses &accesses, Type type, const std::vector<CallNumber> &numbers);
// The bytes of temporary space that a call was given, which may be more than it uses.
uint32_t GivenSpace(const Core &core, const Local *given);

// A function of the first elements of tensors.
struct Invocation {
    const char *op;
    const char *sizes; // the host function that says how much temporary space it takes
    Operand dst;
    std::vector<Operand> srcs;
    uint32_t count;
    const Local *tmp; // sharedTmpBuffer; nullptr: what TPipe has left of UB
    uint32_t least;
    uint32_t most;
    bool in_place; // dst may be a source
    std::vector<CallNumber> choices = {}; // what else its instructions follow from
};
// What an invocation works on once its operands have been checked.
struct Prepared {
    Lanes lanes;
    Local space;
    uint32_t given = 0; // bytes of temporary space
};
// Stops where an operand is out of bounds or shares memory that it may not, or where the space is too small.
Prepared Prepare(Core &core, const Invocation &in);
void Describe(Accesses &accesses, const Invocation &in, const Prepared &prepared);
} // namespace ascendc_cpu

#endif
