// Events: marks in streams.
#include "event.h"

#include "context.h"
#include "errors.h"

namespace standin {
uint64_t Event::Expect(std::shared_ptr<Stream> stream)
{
    const std::lock_guard<std::mutex> guard(lock_);
    stream_ = std::move(stream);
    return ++expected_;
}

void Event::Reach(uint64_t record)
{
    const std::lock_guard<std::mutex> guard(lock_);
    if (record > reached_) {
        reached_ = record;
        at_ = std::chrono::steady_clock::now();
    }
    changed_.notify_all();
}

bool Event::WaitFor(uint64_t record, int milliseconds)
{
    std::unique_lock<std::mutex> guard(lock_);
    const auto done = [&] { return reached_ >= record; };
    if (milliseconds < 0) {
        changed_.wait(guard, done);
        return true;
    }
    return changed_.wait_for(guard, std::chrono::milliseconds(milliseconds), done);
}

Event::Mark Event::Now()
{
    const std::lock_guard<std::mutex> guard(lock_);
    return {expected_, expected_ > 0 && reached_ >= expected_, at_, stream_};
}

void Event::Reset()
{
    const std::lock_guard<std::mutex> guard(lock_);
    ++expected_;
    stream_ = nullptr;
}

namespace {
std::shared_ptr<Event> EventOf(const char *call, const void *handle)
{
    std::shared_ptr<Event> event = TableOf<Event>().Get(handle);
    if (event == nullptr) {
        Fail(ACL_ERROR_RT_INVALID_HANDLE, "%s: the event is none that aclrtCreateEvent gave, or was destroyed before", call);
    }
    return event;
}

int Create(const char *call, aclrtEvent *event, uint32_t flag)
{
    constexpr uint32_t known = ACL_EVENT_SYNC | ACL_EVENT_CAPTURE_STREAM_PROGRESS | ACL_EVENT_TIME_LINE | ACL_EVENT_DEVICE_USE_ONLY
        | ACL_EVENT_EXTERNAL | ACL_EVENT_IPC;
    if (flag == 0 || (flag & ~known) != 0) {
        return Fail(ACL_ERROR_RT_PARAM_INVALID, "%s: flag 0x%x is no set of event flags (0x%x)", call, flag, known);
    }
    *event = TableOf<Event>().Add(std::make_shared<Event>(flag));
    return ACL_SUCCESS;
}

// The moment that both ends of an elapsed time need.
int Completed(const char *call, const char *which, Event &event, Event::Mark *mark)
{
    *mark = event.Now();
    return mark->complete && (event.flags & ACL_EVENT_TIME_LINE) != 0
        ? ACL_SUCCESS
        : Fail(ACL_ERROR_RT_EVENT_TIMESTAMP_INVALID, "%s: %s must be made with ACL_EVENT_TIME_LINE, recorded, and its record reached", call, which);
}

// Waits for the last record; a failure of the stream before it is told here.
int Synchronise(const char *call, aclrtEvent handle, int32_t timeout)
{
    const std::shared_ptr<Event> event = EventOf(call, handle);
    if (event == nullptr) {
        return LastError();
    }
    const Event::Mark mark = event->Now();
    if (mark.stream == nullptr) {
        return Fail(ACL_ERROR_RT_PARAM_INVALID, "%s: the event was never recorded (aclrtRecordEvent)", call);
    }
    if (!event->WaitFor(mark.record, timeout)) {
        return Fail(ACL_ERROR_RT_EVENT_SYNC_TIMEOUT, "%s: the event has not happened in %d ms", call, timeout);
    }
    return Told(call, mark.stream->TakeFailure());
}
} // namespace
} // namespace standin

using namespace standin;

extern "C" {
aclError aclrtCreateEvent(aclrtEvent *event)
{
    STANDIN_ENTER(aclrtCreateEvent, CONTEXT)
    STANDIN_NOT_NULL(event)
    return Create(api.name(), event, ACL_EVENT_SYNC | ACL_EVENT_TIME_LINE);
}
aclError aclrtCreateEventWithFlag(aclrtEvent *event, uint32_t flag)
{
    STANDIN_ENTER(aclrtCreateEventWithFlag, CONTEXT)
    STANDIN_NOT_NULL(event)
    return Create(api.name(), event, flag);
}
aclError aclrtCreateEventExWithFlag(aclrtEvent *event, uint32_t flag)
{
    STANDIN_ENTER(aclrtCreateEventExWithFlag, CONTEXT)
    STANDIN_NOT_NULL(event)
    const int error = Create(api.name(), event, flag);
    if (error == ACL_SUCCESS) {
        TableOf<Event>().Get(*event)->is_ex = true;
    }
    return error;
}
aclError aclrtDestroyEvent(aclrtEvent event)
{
    STANDIN_ENTER(aclrtDestroyEvent, INIT)
    if (EventOf(api.name(), event) == nullptr) {
        return LastError();
    }
    TableOf<Event>().Remove(event);
    return ACL_SUCCESS;
}
aclError aclrtRecordEvent(aclrtEvent handle, aclrtStream stream_handle)
{
    STANDIN_ENTER(aclrtRecordEvent, CONTEXT)
    const std::shared_ptr<Event> event = EventOf(api.name(), handle);
    const std::shared_ptr<Stream> stream = event == nullptr ? nullptr : StreamOf(api.name(), stream_handle);
    if (stream == nullptr) {
        return LastError();
    }
    const uint64_t record = event->Expect(stream);
    stream->Push([event, record] {
        event->Reach(record);
        return Result{};
    });
    return ACL_SUCCESS;
}
aclError aclrtResetEvent(aclrtEvent handle, aclrtStream stream_handle)
{
    STANDIN_ENTER(aclrtResetEvent, CONTEXT)
    const std::shared_ptr<Event> event = EventOf(api.name(), handle);
    const std::shared_ptr<Stream> stream = event == nullptr ? nullptr : StreamOf(api.name(), stream_handle);
    if (stream == nullptr) {
        return LastError();
    }
    if (event->is_ex) {
        return Fail(ACL_ERROR_RT_PARAM_INVALID, "%s: events of aclrtCreateEventExWithFlag cannot be reset", api.name());
    }
    event->Reset();
    return ACL_SUCCESS;
}
aclError aclrtStreamWaitEvent(aclrtStream stream_handle, aclrtEvent handle)
{
    STANDIN_ENTER(aclrtStreamWaitEvent, CONTEXT)
    const std::shared_ptr<Event> event = EventOf(api.name(), handle);
    const std::shared_ptr<Stream> stream = event == nullptr ? nullptr : StreamOf(api.name(), stream_handle);
    if (stream == nullptr) {
        return LastError();
    }
    const Event::Mark mark = event->Now();
    if (mark.stream == nullptr) {
        return Fail(ACL_ERROR_RT_PARAM_INVALID, "%s: the event was never recorded (aclrtRecordEvent); the stream would wait for ever", api.name());
    }
    stream->Push([event, mark] {
        event->WaitFor(mark.record, -1);
        return Result{};
    });
    return ACL_SUCCESS;
}
aclError aclrtQueryEventStatus(aclrtEvent handle, aclrtEventRecordedStatus *status)
{
    STANDIN_ENTER(aclrtQueryEventStatus, INIT)
    STANDIN_NOT_NULL(status)
    const std::shared_ptr<Event> event = EventOf(api.name(), handle);
    if (event == nullptr) {
        return LastError();
    }
    *status = event->Now().complete ? ACL_EVENT_RECORDED_STATUS_COMPLETE : ACL_EVENT_RECORDED_STATUS_NOT_READY;
    return ACL_SUCCESS;
}
aclError aclrtQueryEvent(aclrtEvent handle, aclrtEventStatus *status)
{
    STANDIN_ENTER(aclrtQueryEvent, INIT)
    STANDIN_NOT_NULL(status)
    const std::shared_ptr<Event> event = EventOf(api.name(), handle);
    if (event == nullptr) {
        return LastError();
    }
    *status = event->Now().complete ? ACL_EVENT_STATUS_COMPLETE : ACL_EVENT_STATUS_NOT_READY;
    return ACL_SUCCESS;
}
aclError aclrtSynchronizeEvent(aclrtEvent event)
{
    STANDIN_ENTER(aclrtSynchronizeEvent, INIT)
    return Synchronise(api.name(), event, -1);
}
aclError aclrtSynchronizeEventWithTimeout(aclrtEvent event, int32_t timeout)
{
    STANDIN_ENTER(aclrtSynchronizeEventWithTimeout, INIT)
    return Synchronise(api.name(), event, timeout);
}
aclError aclrtEventElapsedTime(float *ms, aclrtEvent startEvent, aclrtEvent endEvent)
{
    STANDIN_ENTER(aclrtEventElapsedTime, INIT)
    STANDIN_NOT_NULL(ms)
    const std::shared_ptr<Event> start = EventOf(api.name(), startEvent);
    const std::shared_ptr<Event> end = start == nullptr ? nullptr : EventOf(api.name(), endEvent);
    if (end == nullptr) {
        return LastError();
    }
    Event::Mark from;
    Event::Mark to;
    if (Completed(api.name(), "startEvent", *start, &from) != ACL_SUCCESS || Completed(api.name(), "endEvent", *end, &to) != ACL_SUCCESS) {
        return LastError();
    }
    if (to.at < from.at) {
        return Fail(ACL_ERROR_RT_EVENT_TIMESTAMP_REVERSAL, "%s: endEvent was recorded before startEvent", api.name());
    }
    *ms = std::chrono::duration<float, std::milli>(to.at - from.at).count();
    return ACL_SUCCESS;
}
aclError aclrtEventGetTimestamp(aclrtEvent handle, uint64_t *timestamp)
{
    STANDIN_ENTER(aclrtEventGetTimestamp, INIT)
    STANDIN_NOT_NULL(timestamp)
    const std::shared_ptr<Event> event = EventOf(api.name(), handle);
    Event::Mark mark;
    if (event == nullptr || Completed(api.name(), "event", *event, &mark) != ACL_SUCCESS) {
        return LastError();
    }
    *timestamp = static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::microseconds>(mark.at.time_since_epoch()).count());
    return ACL_SUCCESS;
}
}
