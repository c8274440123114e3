// TPipe and the block-state machine of its queues.
#include "core.h"
#include "report.h"

#include "ascendc/pipe.h"
#include "ascendc/sync.h"

#include <exception>

namespace ascendc_cpu {
namespace {
using AscendC::HardEvent;
using AscendC::TPosition;

constexpr int EVENT_IDS = 8;   // ids of one event on 910b, A3 and 310p
constexpr int MAX_BUFFERS = 64; // blocks of all queues and TBufs of a kernel (TPipe page)

const char *const POSITIONS[] = {"GM", "A1", "A2", "B1", "B2", "C1", "C2", "CO1", "CO2", "VECIN", "VECOUT", "VECCALC", "SPM",
    "TSCM", "C2PIPE2GM", "C2PIPE2LOCAL"};

const char *NameOfQueue(const Queue &queue)
{
    const auto side = queue.kind.dst == static_cast<uint8_t>(TPosition::GM) || queue.kind.src == static_cast<uint8_t>(TPosition::CO1)
        ? queue.kind.src
        : queue.kind.dst;
    return POSITIONS[side];
}

Queue &QueueOf(Core &core, uint16_t queue, const char *op)
{
    if (queue == NO_QUEUE || queue >= core.queues.size()) {
        Fault("queue", "%s: the queue has no buffers; call InitBuffer(queue, num, len) first", op);
    }
    return core.queues[queue];
}

// The block of the queue that a tensor lies in.
Buffer &BlockOf(Core &core, const Queue &queue, const Local &tensor, const char *op)
{
    if (tensor.buffer < queue.first || tensor.buffer >= queue.first + queue.num) {
        Fault("queue", "%s: the tensor does not come from this queue (%s); give it back to the queue that AllocTensor was called on",
            op, NameOfQueue(queue));
    }
    return core.buffers[tensor.buffer];
}

const char *NameOf(BufferState state)
{
    static const char *const names[] = {"free", "occupied", "enqueued", "dequeued", "a TBuf"};
    return names[static_cast<int>(state)];
}

Local ViewOf(const Core &core, uint16_t buffer, Type type)
{
    const Buffer &block = core.buffers[buffer];
    return {block.at, block.bytes, buffer, block.space, type};
}

// `MTE2_V`
std::string NameOfEvent(uint8_t event)
{
    const EventPipes pipes = PipesOf(static_cast<HardEvent>(event));
    return Format("%s_%s", PIPE_NAMES[static_cast<int>(Pipes::PipeOf(pipes.src))], PIPE_NAMES[static_cast<int>(Pipes::PipeOf(pipes.dst))]);
}

int8_t TakeEvent(Core &core, uint8_t event, const char *op)
{
    for (int8_t id = 0; id < EVENT_IDS; ++id) {
        if ((core.events[event] >> id & 1) == 0) {
            core.events[event] |= static_cast<uint8_t>(1u << id);
            return id;
        }
    }
    Fault("queue", "%s: all %d event ids of %s are in use; the queues of one position may hold %d blocks together", op, EVENT_IDS,
        NameOfEvent(event).c_str(), EVENT_IDS);
}

void FreeEventsOf(Core &core, Queue &queue)
{
    for (int i = 0; i < queue.num; ++i) {
        Buffer &block = core.buffers[queue.first + i];
        if (block.free_event >= 0) {
            const EventPipes pipes = PipesOf(static_cast<HardEvent>(queue.kind.free_event));
            core.pipes.WaitFlag(core, pipes.src, pipes.dst, block.free_event, "FreeAllEvent");
            core.events[queue.kind.free_event] &= static_cast<uint8_t>(~(1u << block.free_event));
            block.free_event = -1;
        }
    }
}

void CheckFreed(Core &core)
{
    for (const Queue &queue : core.queues) {
        for (int i = 0; i < queue.num; ++i) {
            const Buffer &block = core.buffers[queue.first + i];
            if (block.state != BufferState::FREE) {
                core.site = block.site;
                Fault("queue", "AllocTensor: this tensor of the queue (%s) is still %s at the end of the kernel; every tensor must be "
                               "freed (FreeTensor)", NameOfQueue(queue), NameOf(block.state));
            }
        }
    }
}

uint16_t AddBuffer(Core &core, Space space, uint32_t len, BufferState state)
{
    if (core.buffers.size() >= MAX_BUFFERS) {
        Fault("queue", "InitBuffer: this is buffer %d of the kernel, at most %d are allowed", MAX_BUFFERS + 1, MAX_BUFFERS);
    }
    const uint32_t bytes = (len + BLOCK - 1) / BLOCK * BLOCK;
    uint32_t &top = core.tops[static_cast<int>(space)];
    if (top + bytes > core.limits[static_cast<int>(space)]) {
        Fault("memory", "InitBuffer: %u bytes more after %u, %s has %u; make the tile smaller or use fewer buffers", bytes, top,
            ascendc_cpu::NameOf(space), core.limits[static_cast<int>(space)]);
    }
    core.buffers.push_back({space, top, bytes, state, nullptr, nullptr, nullptr, nullptr, -1, -1, 0});
    top += bytes;
    return static_cast<uint16_t>(core.buffers.size() - 1);
}
} // namespace

void StartPipe(void *tpipe)
{
    Core &core = Enter();
    if (core.stale) {
        core.pipes.Drain(core);
        ForgetBuffers(core);
    }
    core.tpipe = tpipe;
}

// Called by a destructor, while a fault unwinds the kernel too, so that it must not stop anything: what the end of a
// TPipe asks for is checked when the next one starts or the kernel ends.
void EndPipe(void *tpipe)
{
    Core *core = CoreOrNull();
    if (core != nullptr && core->tpipe == tpipe) {
        core->stale = true;
        core->tpipe = nullptr;
    }
}

void ResetPipe()
{
    Core &core = Enter();
    core.pipes.Drain(core);
    ForgetBuffers(core);
}

void *CurrentPipe()
{
    Core &core = Enter();
    if (core.tpipe == nullptr) {
        Fault("arg", "GetTPipePtr: the kernel has no TPipe");
    }
    return core.tpipe;
}

uint16_t InitQueue(const QueueKind &kind, uint8_t num, uint32_t len)
{
    Core &core = Enter();
    if (num == 0 || len == 0) {
        Fault("arg", "InitBuffer: %u blocks of %u bytes; both must be at least 1", num, len);
    }
    Queue queue;
    queue.kind = kind;
    queue.num = num;
    queue.pool = core.pool;
    for (int i = 0; i < num; ++i) {
        const uint16_t block = AddBuffer(core, kind.space, len, BufferState::FREE);
        queue.first = i == 0 ? block : queue.first;
    }
    core.queues.push_back(queue);
    return static_cast<uint16_t>(core.queues.size() - 1);
}

uint16_t InitBuf(Space space, uint32_t len)
{
    Core &core = Enter();
    if (len == 0) {
        Fault("arg", "InitBuffer: a TBuf of 0 bytes; it must have at least 1");
    }
    return AddBuffer(core, space, len, BufferState::PLAIN);
}

Local AllocFromQueue(uint16_t id, Type type)
{
    Core &core = Enter();
    Queue &queue = QueueOf(core, id, "AllocTensor");
    for (int tries = 0; tries < queue.num; ++tries) {
        const uint16_t index = static_cast<uint16_t>(queue.first + queue.cursor);
        queue.cursor = static_cast<uint8_t>((queue.cursor + 1) % queue.num);
        Buffer &block = core.buffers[index];
        if (block.state != BufferState::FREE) {
            continue;
        }
        if (block.free_event >= 0) {
            const EventPipes pipes = PipesOf(static_cast<HardEvent>(queue.kind.free_event));
            core.pipes.WaitFlag(core, pipes.src, pipes.dst, block.free_event, "AllocTensor");
            core.events[queue.kind.free_event] &= static_cast<uint8_t>(~(1u << block.free_event));
            block.free_event = -1;
        }
        block.state = BufferState::OCCUPIED;
        block.site = core.site;
        if (block.freed != nullptr) {
            block.anew = core.site;
            block.before = block.freed;
        }
        core.pipes.Spoil(core, block.space, block.at, block.bytes);
        return ViewOf(core, index, type);
    }
    Fault("queue", "AllocTensor: all %u blocks of the queue (%s) are in use and none will be freed; call FreeTensor before, or give "
                   "InitBuffer more blocks", queue.num, NameOfQueue(queue));
}

void EnqueueBuffer(uint16_t id, const Local &tensor, uint8_t event)
{
    Core &core = Enter();
    Queue &queue = QueueOf(core, id, "EnQue");
    Buffer &block = BlockOf(core, queue, tensor, "EnQue");
    if (block.state != BufferState::OCCUPIED && block.state != BufferState::DEQUEUED) {
        Fault("queue", "EnQue: the tensor's buffer in the queue (%s) is %s; only one that was allocated or dequeued can be enqueued",
            NameOfQueue(queue), NameOf(block.state));
    }
    if (queue.kind.depth > 0 && static_cast<int32_t>(queue.fifo.size()) >= queue.kind.depth) {
        Fault("queue", "EnQue: %d tensors wait in the queue (%s), its depth is %d; call DeQue before, or raise the depth",
            static_cast<int>(queue.fifo.size()), NameOfQueue(queue), queue.kind.depth);
    }
    block.state = BufferState::ENQUEUED;
    const EventPipes pipes = PipesOf(static_cast<HardEvent>(event));
    block.enque_event = TakeEvent(core, event, "EnQue");
    block.enque_kind = event;
    core.pipes.SetFlag(core, pipes.src, pipes.dst, block.enque_event, "EnQue");
    if (queue.kind.depth > 0) {
        queue.fifo.push_back(tensor.buffer);
    }
}

namespace {
void Dequeue(Core &core, Buffer &block)
{
    block.state = BufferState::DEQUEUED;
    const EventPipes pipes = PipesOf(static_cast<HardEvent>(block.enque_kind));
    core.pipes.WaitFlag(core, pipes.src, pipes.dst, block.enque_event, "DeQue");
    core.events[block.enque_kind] &= static_cast<uint8_t>(~(1u << block.enque_event));
    block.enque_event = -1;
}
} // namespace

Local DequeueBuffer(uint16_t id, Type type)
{
    Core &core = Enter();
    Queue &queue = QueueOf(core, id, "DeQue");
    if (queue.fifo.empty()) {
        Fault("queue", "DeQue: nothing is enqueued in the queue (%s); EnQue must come before", NameOfQueue(queue));
    }
    const uint16_t index = queue.fifo.front();
    queue.fifo.pop_front();
    Dequeue(core, core.buffers[index]);
    return ViewOf(core, index, type);
}

void DequeueInPlace(uint16_t id, const Local &tensor)
{
    Core &core = Enter();
    Queue &queue = QueueOf(core, id, "DeQue");
    Buffer &block = BlockOf(core, queue, tensor, "DeQue");
    if (block.state != BufferState::ENQUEUED) {
        Fault("queue", "DeQue: the tensor's buffer in the queue (%s) is %s; EnQue must come before", NameOfQueue(queue),
            NameOf(block.state));
    }
    Dequeue(core, block);
}

void FreeToQueue(uint16_t id, const Local &tensor)
{
    Core &core = Enter();
    Queue &queue = QueueOf(core, id, "FreeTensor");
    Buffer &block = BlockOf(core, queue, tensor, "FreeTensor");
    if (block.state == BufferState::FREE) {
        Fault("queue", "FreeTensor: the tensor's buffer in the queue (%s) is free already; free it once", NameOfQueue(queue));
    }
    if (block.state == BufferState::ENQUEUED) {
        Fault("queue", "FreeTensor: the tensor's buffer in the queue (%s) is enqueued; call DeQue before", NameOfQueue(queue));
    }
    block.state = BufferState::FREE;
    block.site = nullptr;
    block.freed = core.site;
    if (queue.kind.free_event != static_cast<uint8_t>(HardEvent::MAX)) {
        const EventPipes pipes = PipesOf(static_cast<HardEvent>(queue.kind.free_event));
        block.free_event = TakeEvent(core, queue.kind.free_event, "FreeTensor");
        core.pipes.SetFlag(core, pipes.src, pipes.dst, block.free_event, "FreeTensor");
    }
}

int32_t QueuedCount(uint16_t id)
{
    Core &core = Enter();
    return static_cast<int32_t>(QueueOf(core, id, "GetTensorCountInQue").fifo.size());
}

bool QueueHasRoom(uint16_t id)
{
    Core &core = Enter();
    const Queue &queue = QueueOf(core, id, "VacantInQue");
    return static_cast<int32_t>(queue.fifo.size()) < queue.kind.depth;
}

bool QueueHasIdle(uint16_t id)
{
    Core &core = Enter();
    const Queue &queue = QueueOf(core, id, "HasIdleBuffer");
    for (int i = 0; i < queue.num; ++i) {
        if (core.buffers[queue.first + i].state == BufferState::FREE) {
            return true;
        }
    }
    return false;
}

void FreeAllEvents(uint16_t id)
{
    Core &core = Enter();
    FreeEventsOf(core, QueueOf(core, id, "FreeAllEvent"));
}

uint8_t StateOf(const Local &tensor)
{
    Core &core = Enter();
    return tensor.buffer == NO_BUFFER ? 0 : static_cast<uint8_t>(core.buffers[tensor.buffer].state);
}

Local BufView(uint16_t buffer, uint32_t offset, uint64_t bytes, Type type)
{
    Core &core = Enter();
    if (buffer == NO_BUFFER) {
        Fault("queue", "Get: the TBuf has no buffer; call InitBuffer(buf, len) first");
    }
    const Buffer &block = core.buffers[buffer];
    if (offset + bytes > block.bytes) {
        Fault("bounds", "Get: %llu bytes from byte %u on, the TBuf has %u", static_cast<unsigned long long>(bytes), offset, block.bytes);
    }
    return {block.at + offset, static_cast<uint32_t>(bytes), buffer, block.space, type};
}

uint32_t BufBytes(uint16_t buffer)
{
    Core &core = Enter();
    return buffer == NO_BUFFER ? 0 : core.buffers[buffer].bytes;
}

int8_t AllocEvent(uint8_t event)
{
    return TakeEvent(Enter(), event, "AllocEventID");
}

void ReleaseEvent(uint8_t event, int8_t id)
{
    Core &core = Enter();
    if (id < 0 || id >= EVENT_IDS || (core.events[event] >> id & 1) == 0) {
        Fault("sync", "ReleaseEventID: id %d of %s was not given by AllocEventID for this event", id, NameOfEvent(event).c_str());
    }
    core.events[event] &= static_cast<uint8_t>(~(1u << id));
}

int8_t FetchEvent(uint8_t event)
{
    Core &core = Enter();
    const int8_t id = TakeEvent(core, event, "FetchEventID");
    core.events[event] &= static_cast<uint8_t>(~(1u << id));
    return id;
}

Pool InitPool(Space space, uint32_t len, const Pool *shared)
{
    Core &core = Enter();
    if (shared != nullptr) {
        if (shared->space != space || len > shared->bytes) {
            Fault("memory", "InitBufPool: %u bytes shared with a pool of %u", len, shared->bytes);
        }
        return {space, shared->at, len, ++core.pools};
    }
    uint32_t &top = core.tops[static_cast<int>(space)];
    const uint32_t bytes = (len + BLOCK - 1) / BLOCK * BLOCK;
    if (top + bytes > core.limits[static_cast<int>(space)]) {
        Fault("memory", "InitBufPool: %u bytes more after %u, %s has %u", bytes, top, ascendc_cpu::NameOf(space),
            core.limits[static_cast<int>(space)]);
    }
    top += bytes;
    return {space, top - bytes, bytes, ++core.pools};
}

void EnterPool(const Pool &pool, uint32_t used)
{
    Core &core = Enter();
    const int space = static_cast<int>(pool.space);
    core.outer_top = core.tops[space];
    core.outer_limit = core.limits[space];
    core.pool = pool.id;
    core.tops[space] = pool.at + used;
    core.limits[space] = pool.at + pool.bytes;
}

void LeavePool(const Pool &pool, uint32_t *used)
{
    Core &core = Enter();
    const int space = static_cast<int>(pool.space);
    *used = core.tops[space] - pool.at;
    core.tops[space] = core.outer_top;
    core.limits[space] = core.outer_limit;
    core.pool = 0;
}

namespace {
void FreeEventsOf(Core &core, const Pool &pool)
{
    for (Queue &queue : core.queues) {
        if (pool.id != 0 && queue.pool == pool.id) {
            FreeEventsOf(core, queue);
        }
    }
}
} // namespace

void ResetPool(const Pool &pool)
{
    FreeEventsOf(Enter(), pool);
}

void EndPool(const Pool &pool)
{
    if (CoreOrNull() != nullptr && std::uncaught_exceptions() == 0) {
        ResetPool(pool);
    }
}

void ForgetBuffers(Core &core)
{
    CheckFreed(core);
    for (Queue &queue : core.queues) {
        FreeEventsOf(core, queue);
    }
    core.queues.clear();
    core.buffers.clear();
    for (uint32_t &top : core.tops) {
        top = 0;
    }
    core.stale = false;
}
} // namespace ascendc_cpu
