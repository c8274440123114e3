#include "blocks.h"

namespace ascendc_cpu {
Blocks::Blocks(uint32_t count, uint32_t cores, uint32_t permits) : count_(count), permits_(permits)
{
    for (uint32_t i = 0; i < count; ++i) {
        slots_.push_back(std::make_unique<Slot>());
        // The first blocks have their cores from the start, whenever their threads come to life.
        slots_.back()->state = i < cores ? State::READY : State::PENDING;
    }
}

uint32_t Blocks::Begin()
{
    std::unique_lock<std::mutex> guard(lock_);
    if (next_ >= count_) {
        return count_;
    }
    const uint32_t block = next_++;
    Slot &slot = *slots_[block];
    if (slot.state == State::PENDING) {
        slot.state = State::READY;
    }
    Grant();
    slot.wake.wait(guard, [&] { return slot.state == State::RUNNING; });
    return block;
}

void Blocks::End(uint32_t block)
{
    const std::lock_guard<std::mutex> guard(lock_);
    slots_[block]->state = State::DONE;
    ++permits_;
    Grant();
}

void Blocks::Yield(uint32_t block)
{
    std::unique_lock<std::mutex> guard(lock_);
    Slot &slot = *slots_[block];
    slot.state = State::READY;
    ++permits_;
    Grant(block + 1);
    slot.wake.wait(guard, [&] { return slot.state == State::RUNNING; });
}

void Blocks::Update(const std::function<void()> &change)
{
    const std::lock_guard<std::mutex> guard(lock_);
    change();
    Grant();
}

bool Blocks::Wait(uint32_t block, std::function<bool()> ready)
{
    std::unique_lock<std::mutex> guard(lock_);
    Slot &slot = *slots_[block];
    if (ready()) {
        return true;
    }
    slot.ready = std::move(ready);
    slot.state = State::WAITING;
    ++permits_;
    Grant();
    slot.wake.wait(guard, [&] { return slot.state == State::RUNNING; });
    return !slot.hang;
}

// Called whenever something changed: waiting blocks whose time has come are ready, ready ones get permits, and where
// nobody can move any more, those who wait are told so.
void Blocks::Grant(uint32_t first)
{
    bool alive = false;
    for (const auto &slot : slots_) {
        if (slot->state == State::WAITING && slot->ready()) {
            slot->state = State::READY;
        }
        alive = alive || slot->state == State::READY || slot->state == State::RUNNING;
    }
    if (!alive) {
        for (const auto &slot : slots_) {
            if (slot->state == State::WAITING) {
                slot->hang = true;
                slot->state = State::READY;
            }
        }
    }
    for (uint32_t i = 0; i < count_ && permits_ > 0; ++i) {
        Slot &slot = *slots_[(first + i) % count_];
        if (slot.state == State::READY) {
            --permits_;
            slot.state = State::RUNNING;
            slot.wake.notify_one();
        }
    }
}
} // namespace ascendc_cpu
