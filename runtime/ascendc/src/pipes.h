// The pipes of a core: what runs in order, what waits for what.
//
// The thread that runs the kernel is the scalar unit. Each instruction goes to a pipe as a task; a pipe runs its tasks
// in order. Without replay a task runs as soon as it is issued, unless its pipe waits for a flag that nobody has set
// yet. With replay, tasks stay in their pipes and a seeded choice decides which pipe moves next; each pipe carries a
// vector clock, and two accesses to the same bytes of which neither happened before the other are a race (`races.h`).
//
// What orders two tasks: the order of their pipe (see `Ordered`), a flag, a barrier, and the scalar unit when it waited
// for the first before it issued the second. With `auto_sync` the scalar unit also waits where the compiler would make it
// wait: before it touches what V, MTE2 or MTE3 touch (asc-devkit, 核内同步/关键特性说明.md, table 1).
#ifndef ASCENDC_CPU_PIPES_H
#define ASCENDC_CPU_PIPES_H

#include "ascendc/enums.h"
#include "races.h"
#include "recorder.h"

#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

namespace ascendc_cpu {
class Core;

// One core has read a word through its cache that another writes, and nothing orders the two. It is no mistake where the reader drops
// the line and reads again: polling a flag goes on until it has seen the write, and orders what follows.
struct Suspect {
    uint32_t reader;
    uint32_t teller; // the block that met it
    uint64_t at;
    const char *kind;
    std::vector<const void *> sites;
    std::string message;
};
void Suspected(const Suspect &suspect);
// A core polls a word: of its earlier reads nothing is told.
void ClearSuspects(uint32_t reader, uint64_t at, uint64_t bytes);
// Tells what nobody has cleared, at the end of a launch.
void TellSuspects();
// True the first time in a launch: a line of the scalar unit's cache that several write back is told once, and the other writes into it are
// the same mistake.
bool IsFirstOfLine(uint64_t line);

// Results of a core that nobody has read when another call computes others in their place.
class Unread {
public:
    // An instruction is about to make its accesses to UB; `shadow` knows who touched it before.
    void Enter(const Accesses &accesses, const Shadow &shadow, const char *op, const void *site);
    // The core has ended: what it has read counts for all.
    void Leave() const;

private:
    struct Lost {
        const char *lost;
        const char *op;
        const void *site;
        size_t order; // of `site` in `ran_`
        std::vector<const void *> earlier;
    };
    std::map<const void *, size_t> ran_;    // calls, in the order of their first runs
    std::set<const void *> read_;           // calls of which a result was read
    std::map<const void *, Lost> replaced_; // by the call of the lost result

    friend void TellUnread();
    friend void ForgetUnread();
    static std::mutex lock;
    static Unread all;
};
// Notes results that no core has read, at the end of a launch.
void TellUnread();
void ForgetUnread();

// Random numbers of a replay: splitmix64, so that a seed means the same order everywhere.
class Dice {
public:
    explicit Dice(uint64_t seed) : state_(seed) {}
    uint64_t operator()()
    {
        uint64_t z = state_ += 0x9e3779b97f4a7c15u;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        return z ^ (z >> 31);
    }

private:
    uint64_t state_;
};

class Pipes {
public:
    Pipes(uint32_t block, bool replay, bool auto_sync, bool records, uint64_t seed);

    // Hands work to a pipe. `describe(Accesses &)` says what it touches and is asked only for replay; `run()` does it
    // and must own what it needs (capture by value). Program order is the order of the calls.
    template <typename Describe, typename Run>
    void Issue(Core &core, Pipe pipe, const char *op, Describe describe, Run run)
    {
        Issue(core, pipe, op, false, describe, std::move(run));
    }
    // The same; `behind_scalar` says that the instruction waits by itself for what the scalar unit did before.
    template <typename Describe, typename Run>
    void Issue(Core &core, Pipe pipe, const char *op, bool behind_scalar, Describe describe, Run run)
    {
        if (records_) {
            Accesses accesses;
            accesses.recorded = true;
            describe(accesses);
            RecordWork(core, pipe, op, accesses);
        }
        if (!replay_ && tasks_[Index(pipe)].empty() && spoiled_.empty()) {
            run();
            return;
        }
        Task task{};
        describe(task.accesses);
        task.behind_scalar = behind_scalar;
        task.run = std::move(run);
        Enqueue(core, pipe, op, std::move(task));
    }
    // The scalar unit touches memory: waits for what it must and looks for races, then runs `run` at once.
    template <typename Describe, typename Run>
    auto Scalar(Core &core, const char *op, Describe describe, Run run)
    {
        if (replay_ || records_ || Waiting()) {
            Accesses accesses;
            describe(accesses);
            if (records_ && !accesses.known) {
                RecordScalar(core, op, accesses);
            }
            BeforeScalar(core, op, accesses);
        }
        return run();
    }

    // An access of the scalar unit to GM as the record has it, where the one that races know is another.
    void Record(Core &core, const char *op, uint64_t at, uint64_t bytes, bool writes)
    {
        if (records_) {
            Accesses accesses;
            writes ? accesses.WriteGlobal(at, bytes) : accesses.ReadGlobal(at, bytes);
            RecordScalar(core, op, accesses);
        }
    }
    // Makes bytes undefined for all that comes later in the program: a buffer that was just allocated. No pipe does it.
    void Spoil(Core &core, Space space, uint32_t at, uint32_t bytes);
    void SetFlag(Core &core, pipe_t src, pipe_t dst, int32_t id, const char *op);
    void WaitFlag(Core &core, pipe_t src, pipe_t dst, int32_t id, const char *op);
    void Barrier(Core &core, pipe_t pipe);
    // Waits, as the scalar unit, until every task that was issued is done. Nothing is ordered by it: it is for ends of
    // kernels and for reading what the machine itself keeps.
    void Drain(Core &core);
    // Stops where a flag was set and nobody waits for it, or the other way round.
    void CheckEnd(Core &core);
    // All pipes at once stand behind all that was issued: PIPE_ALL, SyncAll.
    void Join();
    // What a pipe has done and knows of the other pipes, and what is known of other blocks: what a cross-core flag tells.
    Clocks Told(Pipe pipe) const;
    void Hear(const Clocks &told);

    static Pipe PipeOf(pipe_t pipe);

private:
    struct Task {
        enum Kind : uint8_t { WORK, SET, WAIT, BARRIER };
        Kind kind = WORK;
        uint64_t order = 0;   // in the program
        Pipe other = Pipe::S; // SET: who waits; WAIT: who sets
        int32_t id = 0;
        bool behind_scalar = false;
        const char *op = "";
        const void *site = nullptr;
        Clock issued;
        Accesses accesses;
        std::function<void()> run;
    };
    struct Spoiled {
        uint64_t order; // in the program
        Space space;
        uint32_t at;
        uint32_t bytes;
    };
    static int Index(Pipe pipe) { return static_cast<int>(pipe); }
    bool Waiting() const;
    void Enqueue(Core &core, Pipe pipe, const char *op, Task task);
    bool Runnable(Pipe pipe) const;
    void RunHead(Core &core, Pipe pipe);
    // Runs one task of some pipe; false where none can move.
    bool Step(Core &core);
    void Settle(Core &core);
    void BeforeScalar(Core &core, const char *op, const Accesses &accesses);
    [[noreturn]] void Hang(Core &core);
    // True where tasks of a pipe are ordered among themselves without a barrier.
    bool Ordered(Pipe pipe) const;
    const Task *Overtaken(Pipe pipe, uint64_t order, const Accesses &accesses, Pipe *other, size_t *access) const;
    // Looks for races of an access that is made now and came `order`-th in the program.
    void Visit(Core &core, Pipe pipe, const char *op, const void *site, uint64_t order, const Accesses &accesses);
    // Does what Spoil put off, before the first access that comes behind it.
    void SpoilBefore(Core &core, uint64_t order, const Accesses &accesses);

    Clocks known_; // what other blocks have done, by block
    const uint32_t block_;
    const bool replay_;
    const bool auto_sync_;
    const bool records_;
    Dice random_;
    std::deque<Task> tasks_[PIPES];
    std::vector<Spoiled> spoiled_;  // what Spoil has put off; without replay empty unless a pipe waits
    Clock clocks_[PIPES];           // what happened before the next task of a pipe
    uint32_t done_[PIPES] = {};     // the last access of a pipe
    uint64_t issued_ = 0;           // tasks and scalar accesses so far
    std::deque<Clock> flags_[PIPES][PIPES][8];
    int8_t balance_[PIPES][PIPES][8] = {}; // SetFlag minus WaitFlag, in program order
    bool odd_[PIPES][PIPES][8] = {}; // set or waited for twice, which was told
    const void *flag_site_[PIPES][PIPES][8] = {};
    Shadow shadows_[7];
    Unread unread_;
};
} // namespace ascendc_cpu

#endif
