// The blocks of a launch: threads of which a few run at a time, and what they wait for from each other.
//
// A chip has so many cores; a block takes one and keeps it until it ends. Blocks that wait for each other (SyncAll,
// cross-core flags) give their permit to run away, so that 48 blocks cost little more than the processors of this machine.
// The next permit goes to the lowest block that can use it: with one permit, a launch is the same every time.
#ifndef ASCENDC_CPU_BLOCKS_H
#define ASCENDC_CPU_BLOCKS_H

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

namespace ascendc_cpu {
class Blocks {
public:
    Blocks(uint32_t count, uint32_t cores, uint32_t permits);

    // The next block for a core that is free; `count` where none is left. Waits for a permit.
    uint32_t Begin();
    void End(uint32_t block);
    // Lets the others run that can, then goes on.
    void Yield(uint32_t block);
    // Changes what blocks share, under one lock, and looks who can go on.
    void Update(const std::function<void()> &change);
    // Gives the permit away until `ready()`, asked under the lock, holds. False where no block can ever make it hold.
    bool Wait(uint32_t block, std::function<bool()> ready);
    uint32_t count() const { return count_; }

private:
    enum class State : uint8_t { PENDING, READY, RUNNING, WAITING, DONE };
    struct Slot {
        State state = State::PENDING;
        std::function<bool()> ready;
        std::condition_variable wake;
        bool hang = false;
    };
    // The blocks from `first` on come first.
    void Grant(uint32_t first = 0);

    const uint32_t count_;
    std::mutex lock_;
    std::vector<std::unique_ptr<Slot>> slots_;
    uint32_t next_ = 0; // the next block to be given a core
    uint32_t permits_;
};
// The launch's blocks.
Blocks &TheBlocks();
} // namespace ascendc_cpu

#endif
