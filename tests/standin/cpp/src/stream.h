// Streams: queues of work, each with a thread that does it in order.
#ifndef JUMAR_STANDIN_STREAM_H
#define JUMAR_STANDIN_STREAM_H

#include "handles.h"

#include <condition_variable>
#include <deque>
#include <functional>
#include <string>
#include <thread>

namespace standin {
// How a piece of queued work ended.
struct Result {
    int code = 0;
    std::string text;
};
using Work = std::function<Result()>;

class Stream {
public:
    Stream(const void *context, int device);
    ~Stream();

    void Push(Work work);
    // Waits for what is queued now; then the failure that nobody has been told, once. `milliseconds` below 0: for ever.
    // False where the time is over.
    bool Wait(int milliseconds, Result *result);
    bool IsIdle();
    // Drops what has not begun.
    void Abort();
    // Ends the thread after what is queued.
    void Close();
    // The failure that nobody has been told.
    Result TakeFailure();
    void StopOnFailure(bool stop);

    const void *const context;
    const int device;
    const int id;

private:
    void Run();
    void Finish(Result result);

    std::mutex lock_;
    std::condition_variable changed_;
    std::deque<Work> queue_;
    std::thread worker_;
    uint64_t pushed_ = 0;
    uint64_t done_ = 0;
    bool closing_ = false;
    bool stop_on_failure_ = false;
    Result failure_;
};

// The stream of a handle, in the current context; null is its default stream. nullptr, and the error is said, where there is none.
std::shared_ptr<Stream> StreamOf(const char *call, const void *handle);
// Tells of a failure of queued work: as the result of a synchronising call.
int Told(const char *call, const Result &result);

// The next queued work of any stream fails with the code.
void FailNextWork(int code);
// Each piece of work begins so much later.
void SetLatency(uint64_t nanoseconds);
} // namespace standin

#endif
