#include "memory.h"

#include <algorithm>
#include <cstdlib>

namespace ascendc_cpu {
void Memory::Free::operator()(uint8_t *p) const
{
    std::free(p);
}

void Memory::Resize(uint32_t bytes)
{
    size_ = bytes;
    data_.reset(static_cast<uint8_t *>(std::aligned_alloc(512, (bytes + 511) / 512 * 512)));
    valid_.assign((bytes + BLOCK - 1) / BLOCK, 0);
    before_ = valid_;
}

void Memory::Mark(uint32_t at, uint32_t bytes, bool valid)
{
    ForgetBits(at, bytes);
    const auto put = [&](uint32_t here) {
        const uint32_t bits = Low(here) << at % BLOCK;
        uint32_t &word = valid_[at / BLOCK];
        word = valid ? word | bits : word & ~bits;
        if (!filled_.empty()) {
            filled_[at / BLOCK] &= ~bits;
        }
        at += here;
        bytes -= here;
    };
    if (at % BLOCK != 0 && bytes > 0) {
        put(std::min(bytes, BLOCK - at % BLOCK));
    }
    const uint32_t whole = bytes / BLOCK;
    std::fill_n(valid_.begin() + at / BLOCK, whole, valid ? ~0u : 0u);
    if (!filled_.empty()) {
        std::fill_n(filled_.begin() + at / BLOCK, whole, 0u);
    }
    at += whole * BLOCK;
    bytes -= whole * BLOCK;
    if (bytes > 0) {
        put(bytes);
    }
}

void Memory::MarkFilled(uint32_t at, uint32_t bytes)
{
    if (filled_.empty()) {
        filled_.assign(valid_.size(), 0);
    }
    MarkPoison(at, bytes);
    for (uint32_t byte = at; byte < at + bytes; ++byte) {
        filled_[byte / BLOCK] |= 1u << byte % BLOCK;
    }
}

void Memory::Spoil(uint32_t at, uint32_t bytes)
{
    // Blocks of queues begin and end with data blocks.
    std::copy_n(valid_.begin() + at / BLOCK, bytes / BLOCK, before_.begin() + at / BLOCK);
    MarkPoison(at, bytes);
}

void Memory::CopyValidity(uint32_t to, const Memory &from, uint32_t at)
{
    if (!from.bits_.empty()) {
        uint8_t bits[BLOCK];
        for (uint32_t i = 0; i < BLOCK; ++i) {
            bits[i] = from.Bits(at + i);
        }
        for (uint32_t i = 0; i < BLOCK; ++i) {
            SetBits(to + i, bits[i]);
        }
        return;
    }
    ForgetBits(to, BLOCK);
    valid_[to / BLOCK] = from.valid_[at / BLOCK];
    if (!from.filled_.empty() && from.filled_[at / BLOCK] != 0) {
        MarkFilled(to, 0);
    }
    if (!filled_.empty()) {
        filled_[to / BLOCK] = from.filled_.empty() ? 0 : from.filled_[at / BLOCK];
    }
}

void Memory::SetBits(uint32_t at, uint8_t bits)
{
    if (bits_.empty()) {
        bits_.assign(size_, 0);
    }
    Mark(at, 1, bits == 0xff);
    bits_[at] = bits;
}

void Memory::ForgetBits(uint32_t at, uint32_t bytes)
{
    if (!bits_.empty()) {
        std::fill_n(bits_.begin() + at, bytes, uint8_t(0));
    }
}

int64_t Memory::FirstPoison(uint32_t at, uint32_t bytes) const
{
    const uint32_t end = at + bytes;
    const auto search = [&](uint32_t from, uint32_t to) -> int64_t {
        while (from < to) {
            const uint32_t inside = from % BLOCK;
            const uint32_t here = std::min(to - from, BLOCK - inside);
            const uint32_t missing = ~(valid_[from / BLOCK] >> inside) & Low(here);
            if (missing != 0) {
                return from - at + static_cast<uint32_t>(__builtin_ctz(missing));
            }
            from += here;
        }
        return -1;
    };
    const uint32_t first = (at + BLOCK - 1) / BLOCK;
    const uint32_t last = end / BLOCK;
    if (first < last) {
        // Without early exit this is a vector loop; the search by bit begins only where something is missing.
        uint32_t all = ~0u;
        for (uint32_t block = first; block < last; ++block) {
            all &= valid_[block];
        }
        if (all == ~0u) {
            const int64_t head = search(at, first * BLOCK);
            return head >= 0 ? head : search(last * BLOCK, end);
        }
    }
    return search(at, end);
}
} // namespace ascendc_cpu
