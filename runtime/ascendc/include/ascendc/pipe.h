// TPipe, TQue, TQueBind, TBuf and TBufPool (asc-devkit, include/basic_api/kernel_tpipe.h).
//
// A queue's blocks go free -> occupied (AllocTensor) -> enqueued (EnQue) -> dequeued (DeQue) -> free (FreeTensor). EnQue
// raises an event from the producing pipe to the consuming one, which DeQue waits for; FreeTensor raises one back, which
// the next AllocTensor of that block waits for (impl/basic_api/kernel_tquebind_impl.h).
#ifndef ASCENDC_CPU_PIPE_H
#define ASCENDC_CPU_PIPE_H

#include "ascendc/tensor.h"

namespace ascendc_cpu {
constexpr uint16_t NO_QUEUE = 0xffff;
struct QueueKind {
    Space space;
    uint8_t src;         // TPosition
    uint8_t dst;         // TPosition
    int32_t depth;       // EnQue in a row without DeQue; 0: in place
    uint8_t enque_event; // HardEvent
    uint8_t free_event;  // HardEvent; HardEvent::MAX: none
};
void StartPipe(void *tpipe);
void EndPipe(void *tpipe);
void ResetPipe();
void *CurrentPipe();
uint16_t InitQueue(const QueueKind &kind, uint8_t num, uint32_t len);
uint16_t InitBuf(Space space, uint32_t len);
Local AllocFromQueue(uint16_t queue, Type type);
void EnqueueBuffer(uint16_t queue, const Local &tensor, uint8_t event);
Local DequeueBuffer(uint16_t queue, Type type);
void DequeueInPlace(uint16_t queue, const Local &tensor);
void FreeToQueue(uint16_t queue, const Local &tensor);
int32_t QueuedCount(uint16_t queue);
bool QueueHasRoom(uint16_t queue);
bool QueueHasIdle(uint16_t queue);
void FreeAllEvents(uint16_t queue);
uint8_t StateOf(const Local &tensor);
Local BufView(uint16_t buffer, uint32_t offset, uint64_t bytes, Type type);
uint32_t BufBytes(uint16_t buffer);
int8_t AllocEvent(uint8_t event);
void ReleaseEvent(uint8_t event, int8_t id);
int8_t FetchEvent(uint8_t event);
// A pool of bytes that queues and TBufs are given from instead of from the memory itself.
struct Pool {
    Space space = Space::UB;
    uint32_t at = 0;
    uint32_t bytes = 0;
    uint16_t id = 0; // of the block's pools, from 1 on
};
Pool InitPool(Space space, uint32_t len, const Pool *shared);
// Waits for what FreeTensor of the pool's queues has set; EndPool, which a destructor calls, not where the kernel is being stopped.
void ResetPool(const Pool &pool);
void EndPool(const Pool &pool);
void EnterPool(const Pool &pool, uint32_t used);
void LeavePool(const Pool &pool, uint32_t *used);
} // namespace ascendc_cpu

namespace AscendC {
enum class TBufState : uint8_t { FREE, OCCUPIED, ENQUE, DEQUE };

// The usual source and destination of a position.
constexpr TPosition GetBufferLogicPos(TPosition pos, bool isSrc)
{
    switch (pos) {
        case TPosition::A1:
        case TPosition::B1:
        case TPosition::C1: return isSrc ? TPosition::GM : pos;
        case TPosition::A2: return isSrc ? TPosition::A1 : pos;
        case TPosition::B2: return isSrc ? TPosition::B1 : pos;
        case TPosition::C2: return isSrc ? TPosition::C1 : pos;
        case TPosition::CO1: return isSrc ? pos : TPosition::CO2;
        case TPosition::CO2: return isSrc ? pos : TPosition::GM;
        case TPosition::VECIN: return isSrc ? TPosition::GM : pos;
        case TPosition::VECOUT: return isSrc ? pos : TPosition::GM;
        case TPosition::SPM: return isSrc ? TPosition::VECOUT : TPosition::GM;
        case TPosition::C2PIPE2GM: return isSrc ? TPosition::B1 : pos;
        // The toolkit's headers assert against it, which the device compiler drops: kernels in the wild have such queues.
        case TPosition::VECCALC: return pos;
        default: return TPosition::MAX;
    }
}

// The event from the pipe that fills a block to the pipe that empties it (`forward`), or back.
constexpr HardEvent GetQueEvt(Hardware src, Hardware dst, bool forward)
{
    const auto pair = [forward](HardEvent there, HardEvent back) { return forward ? there : back; };
    if (src == Hardware::GM) {
        return dst == Hardware::UB ? pair(HardEvent::MTE2_V, HardEvent::V_MTE2)
            : dst == Hardware::L1  ? pair(HardEvent::MTE2_MTE1, HardEvent::MTE1_MTE2)
                                   : pair(HardEvent::MTE2_M, HardEvent::M_MTE2);
    }
    if (src == Hardware::UB) {
        return dst == Hardware::GM  ? pair(HardEvent::V_MTE3, HardEvent::MTE3_V)
            : dst == Hardware::L1   ? pair(HardEvent::MTE3_MTE1, HardEvent::MTE1_MTE3)
            : dst == Hardware::L0C  ? pair(HardEvent::V_V, HardEvent::MAX)
                                    : pair(HardEvent::MTE2_MTE3, HardEvent::MTE3_MTE2);
    }
    if (src == Hardware::L1) {
        return dst == Hardware::UB     ? pair(HardEvent::MTE1_V, HardEvent::V_MTE1)
            : dst == Hardware::FIXBUF  ? pair(HardEvent::MTE1_FIX, HardEvent::FIX_MTE1)
                                       : pair(HardEvent::MTE1_M, HardEvent::M_MTE1);
    }
    if (src == Hardware::L0A || src == Hardware::L0B) {
        return pair(HardEvent::M_V, HardEvent::V_M);
    }
#if __NPU_ARCH__ == 2002
    return pair(HardEvent::M_V, HardEvent::V_M);
#else
    return pair(HardEvent::M_FIX, HardEvent::FIX_M);
#endif
}

class TPipe;
template <TPosition pos, uint32_t bufIDSize>
class TBufPool;

using TBufHandle = uint8_t *;

template <TPosition src, TPosition dst, int32_t depth, auto mask = 0>
class TQueBind {
    static_assert(depth >= 0, "the depth of a queue is the number of EnQue in a row, 0 for tensors in place");

public:
    TQueBind() = default;

    template <typename T>
    ASCENDC_API LocalTensor<T> AllocTensor()
    {
        static_assert(depth != 0, "a queue of depth 0 allocates in place: AllocTensor(tensor)");
        return Tensor<T>(ascendc_cpu::AllocFromQueue(queue_, ascendc_cpu::TypeOf<T>::value));
    }
    template <typename T>
    ASCENDC_API void AllocTensor(LocalTensor<T> &tensor)
    {
        static_assert(depth == 0, "only a queue of depth 0 allocates in place: use AllocTensor<T>()");
        tensor = Tensor<T>(ascendc_cpu::AllocFromQueue(queue_, ascendc_cpu::TypeOf<T>::value));
    }
    template <typename T>
    ASCENDC_API void FreeTensor(LocalTensor<T> &tensor)
    {
        ascendc_cpu::FreeToQueue(queue_, tensor.View());
    }
    template <typename T>
    ASCENDC_API bool EnQue(const LocalTensor<T> &tensor)
    {
        ascendc_cpu::EnqueueBuffer(queue_, tensor.View(), static_cast<uint8_t>(enQueEvt));
        return true;
    }
    template <TPosition srcUserPos, TPosition dstUserPos, typename T>
    ASCENDC_API bool EnQue(const LocalTensor<T> &tensor)
    {
        static_assert(depth != 0, "a queue of depth 0 takes no user positions");
        static_assert(srcUserPos != TPosition::GM || dstUserPos != TPosition::GM, "one side of EnQue is not GM");
        constexpr HardEvent event = GetQueEvt(GetPhyType(srcUserPos), GetPhyType(dstUserPos), true);
        ascendc_cpu::EnqueueBuffer(queue_, tensor.View(), static_cast<uint8_t>(event));
        return true;
    }
    template <typename T>
    ASCENDC_API LocalTensor<T> DeQue()
    {
        static_assert(depth != 0, "a queue of depth 0 dequeues in place: DeQue(tensor)");
        return Tensor<T>(ascendc_cpu::DequeueBuffer(queue_, ascendc_cpu::TypeOf<T>::value));
    }
    // Without a type it gives the block as such. Kernels call it for its wait and go on with the tensor that they have.
    ASCENDC_API TBufHandle DeQue()
    {
        static_assert(depth != 0, "a queue of depth 0 dequeues in place: DeQue(tensor)");
        const ascendc_cpu::Local block = ascendc_cpu::DequeueBuffer(queue_, ascendc_cpu::Type::U8);
        return static_cast<uint8_t *>(ascendc_cpu::LocalAddress(block.space, block.at));
    }
    template <typename T>
    ASCENDC_API void DeQue(LocalTensor<T> &tensor)
    {
        static_assert(depth == 0, "only a queue of depth 0 dequeues in place: use DeQue<T>()");
        ascendc_cpu::DequeueInPlace(queue_, tensor.View());
    }
    template <TPosition srcUserPos, TPosition dstUserPos, typename T>
    ASCENDC_API LocalTensor<T> DeQue()
    {
        return DeQue<T>();
    }
    ASCENDC_API bool VacantInQue() { return ascendc_cpu::QueueHasRoom(queue_); }
    ASCENDC_API bool HasTensorInQue() { return ascendc_cpu::QueuedCount(queue_) > 0; }
    ASCENDC_API int32_t GetTensorCountInQue() { return ascendc_cpu::QueuedCount(queue_); }
    ASCENDC_API bool HasIdleBuffer() { return ascendc_cpu::QueueHasIdle(queue_); }
    ASCENDC_API void FreeAllEvent() { ascendc_cpu::FreeAllEvents(queue_); }
    template <typename T>
    ASCENDC_API TBufState GetState(const LocalTensor<T> &tensor) const
    {
        return static_cast<TBufState>(ascendc_cpu::StateOf(tensor.View()));
    }

protected:
    friend class TPipe;
    template <TPosition pos, uint32_t bufIDSize>
    friend class TBufPool;
    static constexpr bool isTQue = true;
    // The block lies at the destination, unless that is GM.
    static constexpr TPosition bufPos =
        dst == TPosition::GM || GetPhyType(dst) == Hardware::GM || (src == TPosition::CO1 && dst == TPosition::CO2) ? src : dst;
    static constexpr HardEvent enQueEvt = GetQueEvt(GetPhyType(src), GetPhyType(dst), true);
    static constexpr HardEvent freeBufEvt = GetQueEvt(GetPhyType(src), GetPhyType(dst), false);

    template <typename T>
    ASCENDC_API static LocalTensor<T> Tensor(const ascendc_cpu::Local &view)
    {
        return LocalTensor<T>::Of(view, bufPos);
    }
    ASCENDC_API void Init(uint8_t num, uint32_t len)
    {
        queue_ = ascendc_cpu::InitQueue({ascendc_cpu::SpaceOf(bufPos), static_cast<uint8_t>(src), static_cast<uint8_t>(dst), depth,
                                            static_cast<uint8_t>(enQueEvt), static_cast<uint8_t>(freeBufEvt)},
            num, len);
    }

    uint16_t queue_ = ascendc_cpu::NO_QUEUE;
};

// What the third argument of a queue may point to: what is known of it while compiling. Here it changes nothing; InitBuffer says how long
// and how many the blocks are.
struct TQueConfig {
    bool nd2nz = false;
    bool nz2nd = false;
    bool scmBlockGroup = false;
    uint32_t bufferLen = 0;
    uint32_t bufferNumber = 0;
    uint32_t consumerSize = 0;
    TPosition consumer[8] = {};
    bool enableStaticEvtId = false;
    bool enableLoopQueue = false;
};

template <TPosition pos, int32_t depth, auto mask = 0>
class TQue : public TQueBind<GetBufferLogicPos(pos, true), GetBufferLogicPos(pos, false), depth, mask> {
    static_assert(GetBufferLogicPos(pos, true) != TPosition::MAX, "no queue lives at this position");

public:
    TQue() = default;
};

template <TPosition pos = TPosition::LCM>
class TBuf {
public:
    TBuf() = default;
    template <typename T>
    ASCENDC_API LocalTensor<T> Get()
    {
        return Tensor<T>(ascendc_cpu::BufView(buffer_, 0, ascendc_cpu::BufBytes(buffer_), ascendc_cpu::TypeOf<T>::value));
    }
    template <typename T>
    ASCENDC_API LocalTensor<T> Get(uint32_t len)
    {
        return Tensor<T>(ascendc_cpu::BufView(buffer_, 0, ascendc_cpu::BytesOf<T>(len), ascendc_cpu::TypeOf<T>::value));
    }
    template <typename T>
    ASCENDC_API LocalTensor<T> GetWithOffset(uint32_t size, uint32_t bufOffset)
    {
        return Tensor<T>(ascendc_cpu::BufView(buffer_, bufOffset, uint64_t(size) * sizeof(T), ascendc_cpu::TypeOf<T>::value));
    }
    // A TBuf has no queue behind it: these exist so that code can be written for both, and do nothing.
    template <typename T>
    ASCENDC_API void EnQue(const LocalTensor<T> &)
    {}
    template <typename T>
    ASCENDC_API LocalTensor<T> DeQue()
    {
        return Get<T>();
    }
    template <typename T>
    ASCENDC_API LocalTensor<T> AllocTensor()
    {
        return Get<T>();
    }
    template <typename T>
    ASCENDC_API void FreeTensor(LocalTensor<T> &)
    {}

private:
    friend class TPipe;
    template <TPosition poolPos, uint32_t bufIDSize>
    friend class TBufPool;
    static constexpr bool isTQue = false;

    template <typename T>
    ASCENDC_API static LocalTensor<T> Tensor(const ascendc_cpu::Local &view)
    {
        return LocalTensor<T>::Of(view, pos);
    }
    ASCENDC_API void Init(uint32_t len) { buffer_ = ascendc_cpu::InitBuf(ascendc_cpu::SpaceOf(pos), len); }

    uint16_t buffer_ = ascendc_cpu::NO_BUFFER;
};

constexpr uint32_t defaultBufIDSize = 4;

// A part of a memory from which queues and TBufs are given; pools that share it hold their blocks at the same bytes.
template <TPosition pos, uint32_t bufIDSize = defaultBufIDSize>
class TBufPool {
public:
    static constexpr TPosition poolPos = pos;

    TBufPool() = default;
    template <class T>
    ASCENDC_API bool InitBuffer(T &que, uint8_t num, uint32_t len)
    {
        static_assert(T::isTQue, "InitBuffer with a number of blocks is for queues");
        ascendc_cpu::EnterPool(pool_, used_);
        que.Init(num, len);
        ascendc_cpu::LeavePool(pool_, &used_);
        return true;
    }
    template <TPosition bufPos>
    ASCENDC_API bool InitBuffer(TBuf<bufPos> &buf, uint32_t len)
    {
        ascendc_cpu::EnterPool(pool_, used_);
        buf.Init(len);
        ascendc_cpu::LeavePool(pool_, &used_);
        return true;
    }
    template <class T>
    ASCENDC_API bool InitBufPool(T &bufPool, uint32_t len)
    {
        ascendc_cpu::EnterPool(pool_, used_);
        bufPool.Init(len, nullptr);
        ascendc_cpu::LeavePool(pool_, &used_);
        return true;
    }
    template <class T, class U>
    ASCENDC_API bool InitBufPool(T &bufPool, uint32_t len, U &shareBuf)
    {
        bufPool.Init(len, &shareBuf.pool_);
        return true;
    }
    ASCENDC_API ~TBufPool() noexcept(false) { ascendc_cpu::EndPool(pool_); }
    ASCENDC_API void Reset()
    {
        ascendc_cpu::ResetPool(pool_);
        used_ = 0;
    }

private:
    friend class TPipe;
    template <TPosition otherPos, uint32_t otherSize>
    friend class TBufPool;
    ASCENDC_API void Init(uint32_t len, const ascendc_cpu::Pool *shared)
    {
        pool_ = ascendc_cpu::InitPool(ascendc_cpu::SpaceOf(pos), len, shared);
        used_ = 0;
    }

    ascendc_cpu::Pool pool_;
    uint32_t used_ = 0;
};

class TPipe {
public:
    ASCENDC_API TPipe() { ascendc_cpu::StartPipe(this); }
    ASCENDC_API ~TPipe() { ascendc_cpu::EndPipe(this); }
    TPipe(const TPipe &) = delete;
    TPipe &operator=(const TPipe &) = delete;
    ASCENDC_API void Init() { ascendc_cpu::StartPipe(this); }
    ASCENDC_API void Destroy() { ascendc_cpu::EndPipe(this); }
    ASCENDC_API void Reset() { ascendc_cpu::ResetPipe(); }
    template <class T>
    ASCENDC_API bool InitBuffer(T &que, uint8_t num, uint32_t len)
    {
        static_assert(T::isTQue, "InitBuffer with a number of blocks is for queues; a TBuf takes InitBuffer(buf, len)");
        que.Init(num, len);
        return true;
    }
    template <TPosition pos>
    ASCENDC_API bool InitBuffer(TBuf<pos> &buf, uint32_t len)
    {
        buf.Init(len);
        return true;
    }
    template <class T>
    ASCENDC_API bool InitBufPool(T &bufPool, uint32_t len)
    {
        bufPool.Init(len, nullptr);
        return true;
    }
    template <class T, class U>
    ASCENDC_API bool InitBufPool(T &bufPool, uint32_t len, U &shareBuf)
    {
        bufPool.Init(len, &shareBuf.pool_);
        return true;
    }
    template <HardEvent evt>
    ASCENDC_API TEventID AllocEventID()
    {
        return ascendc_cpu::AllocEvent(static_cast<uint8_t>(evt));
    }
    template <HardEvent evt>
    ASCENDC_API void ReleaseEventID(TEventID id)
    {
        ascendc_cpu::ReleaseEvent(static_cast<uint8_t>(evt), id);
    }
    // The next free id of an event; it is not reserved.
    template <HardEvent evt>
    ASCENDC_API TEventID FetchEventID()
    {
        return ascendc_cpu::FetchEvent(static_cast<uint8_t>(evt));
    }
    ASCENDC_API TEventID FetchEventID(HardEvent evt) { return ascendc_cpu::FetchEvent(static_cast<uint8_t>(evt)); }
};

} // namespace AscendC

// In no namespace, as in the toolkit (GetTPipePtr page).
ASCENDC_API AscendC::TPipe *GetTPipePtr()
{
    return static_cast<AscendC::TPipe *>(ascendc_cpu::CurrentPipe());
}
namespace AscendC {
using ::GetTPipePtr;
} // namespace AscendC

#endif
