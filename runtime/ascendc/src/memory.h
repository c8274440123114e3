// A memory of a core, and which of its bytes hold a value.
//
// Poison is a byte that nobody has written, or that only the filler of a copy has. It spreads through element-wise
// work without a word (padding lanes are computed along), and is an error where a value leaves that realm: in a
// reduction, a copy to GM, an index, a scalar read.
#ifndef ASCENDC_CPU_MEMORY_H
#define ASCENDC_CPU_MEMORY_H

#include "ascendc/machine.h"

#include <memory>
#include <vector>

namespace ascendc_cpu {
constexpr uint32_t BLOCK = 32;           // bytes of a data block
constexpr uint32_t REPEAT = 256;         // bytes of a repeat
constexpr uint32_t BLOCKS_PER_REPEAT = 8;

class Memory {
public:
    void Resize(uint32_t bytes);
    uint32_t size() const { return size_; }
    uint8_t *data(uint32_t at) { return data_.get() + at; }

    void MarkValid(uint32_t at, uint32_t bytes) { Mark(at, bytes, true); }
    void MarkPoison(uint32_t at, uint32_t bytes) { Mark(at, bytes, false); }
    // A copy of several elements, each into a data block of its own, fills each block with its element: no value, but what a kernel may
    // read that repeats the block.
    void MarkFilled(uint32_t at, uint32_t bytes);
    bool HasFilled() const { return !filled_.empty(); }
    // True where bytes have a value, or are filled so.
    bool IsFilled(uint32_t at, uint32_t bytes) const
    {
        const uint32_t bits = Low(bytes) << at % BLOCK;
        return ((valid_[at / BLOCK] | (filled_.empty() ? 0 : filled_[at / BLOCK])) & bits) == bits;
    }
    // Bytes that are given out anew: what they held is gone.
    void Spoil(uint32_t at, uint32_t bytes);
    // True where a byte had a value before it was given out anew.
    bool HadValue(uint32_t at) const { return (before_[at / BLOCK] >> at % BLOCK & 1) != 0; }
    // Offset of the first poisoned byte from `at` on; -1 where there is none.
    int64_t FirstPoison(uint32_t at, uint32_t bytes) const;
    bool IsValid(uint32_t at, uint32_t bytes) const
    {
        // An element lies in one data block.
        const uint32_t bits = Low(bytes) << at % BLOCK;
        return (valid_[at / BLOCK] & bits) == bits;
    }
    // Masks hold answers for eight elements in a byte, and each answer has its own validity: a byte with a value holds
    // eight valid bits, another one those that SetBits gave it.
    void SetBits(uint32_t at, uint8_t bits);
    uint8_t Bits(uint32_t at) const { return IsValid(at, 1) ? 0xff : bits_.empty() ? 0 : bits_[at]; }
    // Whether there are masks at all.
    bool HasMasks() const { return !bits_.empty(); }
    // A data block here has the validity of one there.
    void CopyValidity(uint32_t to, const Memory &from, uint32_t at);
    // Element-wise work overwrites these bytes: what masks stood there is gone.
    void ForgetBits(uint32_t at, uint32_t bytes);
    // The validity of a data block, one bit a byte.
    uint32_t &Valid(uint32_t block) { return valid_[block]; }

    // The lowest `bytes` bits.
    static uint32_t Low(uint32_t bytes) { return bytes >= BLOCK ? ~0u : (1u << bytes) - 1; }

private:
    void Mark(uint32_t at, uint32_t bytes, bool valid);

    struct Free {
        void operator()(uint8_t *p) const;
    };
    uint32_t size_ = 0;
    std::unique_ptr<uint8_t, Free> data_;
    std::vector<uint32_t> valid_;
    std::vector<uint32_t> filled_; // empty until the first such copy
    std::vector<uint32_t> before_; // what `valid_` was of bytes that were given out anew
    std::vector<uint8_t> bits_; // empty until the first mask
};
} // namespace ascendc_cpu

#endif
