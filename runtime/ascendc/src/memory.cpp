#include "memory.h"

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
}

void Memory::Mark(uint32_t at, uint32_t bytes, bool valid)
{
    while (bytes > 0) {
        const uint32_t inside = at % BLOCK;
        const uint32_t here = bytes < BLOCK - inside ? bytes : BLOCK - inside;
        const uint32_t bits = Low(here) << inside;
        uint32_t &word = valid_[at / BLOCK];
        word = valid ? word | bits : word & ~bits;
        at += here;
        bytes -= here;
    }
}

int64_t Memory::FirstPoison(uint32_t at, uint32_t bytes) const
{
    uint32_t done = 0;
    while (done < bytes) {
        const uint32_t inside = (at + done) % BLOCK;
        const uint32_t here = bytes - done < BLOCK - inside ? bytes - done : BLOCK - inside;
        const uint32_t missing = ~(valid_[(at + done) / BLOCK] >> inside) & Low(here);
        if (missing != 0) {
            return done + static_cast<uint32_t>(__builtin_ctz(missing));
        }
        done += here;
    }
    return -1;
}
} // namespace ascendc_cpu
