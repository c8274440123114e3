// Events: marks in streams. Each record of one has a number; an event has happened when its last record was reached.
#ifndef JUMAR_STANDIN_EVENT_H
#define JUMAR_STANDIN_EVENT_H

#include "stream.h"

#include <chrono>

namespace standin {
class Event {
public:
    struct Mark {
        uint64_t record = 0;
        bool complete = false;
        std::chrono::steady_clock::time_point at;
        std::shared_ptr<Stream> stream; // where it was recorded last; nullptr: nowhere
    };
    explicit Event(uint32_t flags) : flags(flags) {}

    // A record was queued: its number.
    uint64_t Expect(std::shared_ptr<Stream> stream);
    // A stream came to the record of this number.
    void Reach(uint64_t record);
    bool WaitFor(uint64_t record, int milliseconds);
    Mark Now();
    // As if it had never been recorded; who waits already waits for the record before.
    void Reset();

    const uint32_t flags;
    std::atomic<bool> is_ex{false};

private:
    std::mutex lock_;
    std::condition_variable changed_;
    uint64_t expected_ = 0;
    uint64_t reached_ = 0;
    std::chrono::steady_clock::time_point at_;
    std::shared_ptr<Stream> stream_;
};
} // namespace standin

#endif
