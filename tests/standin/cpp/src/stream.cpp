#include "stream.h"

#include "context.h"
#include "errors.h"

#include <algorithm>
#include <chrono>

namespace standin {
namespace {
std::atomic<int> next_id{1};
std::atomic<int> late_code{0};
std::atomic<uint64_t> latency{0};

// What the control functions ask for comes before the work.
Result Perform(const Work &work)
{
    if (const uint64_t wait = latency.load()) {
        std::this_thread::sleep_for(std::chrono::nanoseconds(wait));
    }
    if (const int code = late_code.exchange(0)) {
        return {code, "queued work fails because a test asked for it (standin_fail_late)"};
    }
    return work();
}
} // namespace

void FailNextWork(int code)
{
    late_code = code;
}
void SetLatency(uint64_t nanoseconds)
{
    latency = nanoseconds;
}

Stream::Stream(const void *context, int device) : context(context), device(device), id(next_id++) {}

Stream::~Stream()
{
    Close();
}

void Stream::Push(Work work)
{
    const std::lock_guard<std::mutex> guard(lock_);
    queue_.push_back(std::move(work));
    ++pushed_;
    if (!worker_.joinable()) {
        worker_ = std::thread([this] { Run(); });
    }
    changed_.notify_all();
}

void Stream::Run()
{
    std::unique_lock<std::mutex> guard(lock_);
    for (;;) {
        changed_.wait(guard, [&] { return closing_ || !queue_.empty(); });
        if (queue_.empty()) {
            return;
        }
        Work work = std::move(queue_.front());
        queue_.pop_front();
        const bool skipped = stop_on_failure_ && failure_.code != 0;
        guard.unlock();
        Result result = skipped ? Result{} : Perform(work);
        work = nullptr; // what it holds goes before anybody is told
        guard.lock();
        Finish(std::move(result));
    }
}

// Under the lock.
void Stream::Finish(Result result)
{
    ++done_;
    if (failure_.code == 0 && result.code != 0) {
        failure_ = std::move(result);
    }
    changed_.notify_all();
}

bool Stream::Wait(int milliseconds, Result *result)
{
    std::unique_lock<std::mutex> guard(lock_);
    const uint64_t target = pushed_;
    const auto reached = [&] { return done_ >= target; };
    if (milliseconds < 0) {
        changed_.wait(guard, reached);
    } else if (!changed_.wait_for(guard, std::chrono::milliseconds(milliseconds), reached)) {
        return false;
    }
    *result = failure_;
    if (!stop_on_failure_) {
        failure_ = {};
    }
    return true;
}

Result Stream::TakeFailure()
{
    const std::lock_guard<std::mutex> guard(lock_);
    Result failure = failure_;
    if (!stop_on_failure_) {
        failure_ = {};
    }
    return failure;
}

void Stream::StopOnFailure(bool stop)
{
    const std::lock_guard<std::mutex> guard(lock_);
    stop_on_failure_ = stop;
}

bool Stream::IsIdle()
{
    const std::lock_guard<std::mutex> guard(lock_);
    return done_ == pushed_;
}

void Stream::Abort()
{
    std::deque<Work> dropped;
    const std::lock_guard<std::mutex> guard(lock_);
    dropped.swap(queue_);
    done_ += dropped.size();
    changed_.notify_all();
}

void Stream::Close()
{
    std::thread worker;
    {
        const std::lock_guard<std::mutex> guard(lock_);
        closing_ = true;
        worker.swap(worker_);
        changed_.notify_all();
    }
    if (!worker.joinable()) {
        return;
    }
    // The last piece of work may hold the last reference to its own stream.
    if (worker.get_id() == std::this_thread::get_id()) {
        worker.detach();
    } else {
        worker.join();
    }
}

std::shared_ptr<Stream> StreamOf(const char *call, const void *handle)
{
    const std::shared_ptr<Context> context = CurrentContext();
    if (context == nullptr) {
        Fail(ACL_ERROR_RT_CONTEXT_NULL, "%s: this thread has no context; call aclrtSetDevice or aclrtSetCurrentContext first", call);
        return nullptr;
    }
    if (handle == nullptr) {
        return context->stream;
    }
    std::shared_ptr<Stream> stream = TableOf<Stream>().Get(handle);
    if (stream == nullptr) {
        Fail(ACL_ERROR_RT_INVALID_HANDLE, "%s: the stream is none that aclrtCreateStream gave, or was destroyed before", call);
        return nullptr;
    }
    if (stream->context != context->handle) {
        Fail(ACL_ERROR_RT_STREAM_CONTEXT, "%s: the stream belongs to another context than the current one of this thread", call);
        return nullptr;
    }
    return stream;
}

int Told(const char *call, const Result &result)
{
    return result.code == 0 ? ACL_SUCCESS : Fail(result.code, "%s: %s", call, result.text.c_str());
}

namespace {
int Synchronise(const char *call, aclrtStream handle, int32_t timeout)
{
    const std::shared_ptr<Stream> stream = StreamOf(call, handle);
    if (stream == nullptr) {
        return LastError();
    }
    Result result;
    if (!stream->Wait(timeout, &result)) {
        return Fail(ACL_ERROR_RT_STREAM_SYNC_TIMEOUT, "%s: the stream has not come to its end in %d ms", call, timeout);
    }
    return Told(call, result);
}

int Create(const char *call, aclrtStream *stream)
{
    const std::shared_ptr<Context> context = CurrentContext();
    if (context == nullptr) {
        return Fail(ACL_ERROR_RT_CONTEXT_NULL, "%s: this thread has no context", call);
    }
    *stream = TableOf<Stream>().Add(std::make_shared<Stream>(context->handle, context->device));
    return ACL_SUCCESS;
}

// A stream whose context is gone may still be destroyed.
int Destroy(const char *call, aclrtStream handle, bool drop)
{
    const std::shared_ptr<Stream> known = TableOf<Stream>().Get(handle);
    const bool orphan = known != nullptr && TableOf<Context>().Get(known->context) == nullptr;
    if (handle == nullptr) {
        return Fail(ACL_ERROR_RT_PARAM_INVALID, "%s: stream is null; the default stream goes with its context", call);
    }
    if (!orphan && StreamOf(call, handle) == nullptr) {
        return LastError();
    }
    TableOf<Stream>().Remove(handle);
    if (drop) {
        known->Abort();
    }
    known->Close();
    return ACL_SUCCESS;
}
} // namespace
} // namespace standin

using namespace standin;

extern "C" {
aclError aclrtCreateStream(aclrtStream *stream)
{
    STANDIN_ENTER(aclrtCreateStream, CONTEXT)
    STANDIN_NOT_NULL(stream)
    return Create(api.name(), stream);
}
aclError aclrtCreateStreamWithConfig(aclrtStream *stream, uint32_t, uint32_t flag)
{
    STANDIN_ENTER(aclrtCreateStreamWithConfig, CONTEXT)
    STANDIN_NOT_NULL(stream)
    constexpr uint32_t known = ACL_STREAM_FAST_LAUNCH | ACL_STREAM_FAST_SYNC | ACL_STREAM_PERSISTENT | ACL_STREAM_HUGE
        | ACL_STREAM_CPU_SCHEDULE | ACL_STREAM_DEVICE_USE_ONLY;
    if ((flag & ~known) != 0) {
        return Fail(ACL_ERROR_RT_PARAM_INVALID, "%s: flag 0x%x has bits that no stream flag has (0x%x)", api.name(), flag, known);
    }
    return Create(api.name(), stream);
}
aclError aclrtDestroyStream(aclrtStream stream)
{
    STANDIN_ENTER(aclrtDestroyStream, INIT)
    return Destroy(api.name(), stream, false);
}
aclError aclrtDestroyStreamForce(aclrtStream stream)
{
    STANDIN_ENTER(aclrtDestroyStreamForce, INIT)
    return Destroy(api.name(), stream, true);
}
aclError aclrtSynchronizeStream(aclrtStream stream)
{
    STANDIN_ENTER(aclrtSynchronizeStream, CONTEXT)
    return Synchronise(api.name(), stream, -1);
}
aclError aclrtSynchronizeStreamWithTimeout(aclrtStream stream, int32_t timeout)
{
    STANDIN_ENTER(aclrtSynchronizeStreamWithTimeout, CONTEXT)
    if (timeout < -1) {
        return Fail(ACL_ERROR_RT_PARAM_INVALID, "%s: timeout is %d; -1 waits for ever", api.name(), timeout);
    }
    return Synchronise(api.name(), stream, timeout);
}
aclError aclrtStreamQuery(aclrtStream handle, aclrtStreamStatus *status)
{
    STANDIN_ENTER(aclrtStreamQuery, CONTEXT)
    STANDIN_NOT_NULL(status)
    const std::shared_ptr<Stream> stream = StreamOf(api.name(), handle);
    if (stream == nullptr) {
        return LastError();
    }
    *status = stream->IsIdle() ? ACL_STREAM_STATUS_COMPLETE : ACL_STREAM_STATUS_NOT_READY;
    return ACL_SUCCESS;
}
aclError aclrtSetStreamFailureMode(aclrtStream handle, uint64_t mode)
{
    STANDIN_ENTER(aclrtSetStreamFailureMode, CONTEXT)
    if (handle == nullptr || mode > ACL_STOP_ON_FAILURE) {
        return Fail(ACL_ERROR_RT_PARAM_INVALID, "%s: the default stream has no failure mode, and the modes are 0 and 1, not %llu", api.name(),
            static_cast<unsigned long long>(mode));
    }
    const std::shared_ptr<Stream> stream = StreamOf(api.name(), handle);
    if (stream == nullptr) {
        return LastError();
    }
    stream->StopOnFailure(mode == ACL_STOP_ON_FAILURE);
    return ACL_SUCCESS;
}
aclError aclrtStreamGetId(aclrtStream handle, int32_t *streamId)
{
    STANDIN_ENTER(aclrtStreamGetId, CONTEXT)
    STANDIN_NOT_NULL(streamId)
    const std::shared_ptr<Stream> stream = StreamOf(api.name(), handle);
    if (stream == nullptr) {
        return LastError();
    }
    *streamId = stream->id;
    return ACL_SUCCESS;
}
aclError aclrtStreamAbort(aclrtStream handle)
{
    STANDIN_ENTER(aclrtStreamAbort, CONTEXT)
    const std::shared_ptr<Stream> stream = StreamOf(api.name(), handle);
    if (stream == nullptr) {
        return LastError();
    }
    stream->Abort();
    return ACL_SUCCESS;
}
}
