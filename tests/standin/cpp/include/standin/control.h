/* What tests ask of the stand-in, beside the interface. */
#ifndef JUMAR_STANDIN_CONTROL_H
#define JUMAR_STANDIN_CONTROL_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What lives, and what was done since the last reset. */
struct standin_counts {
    uint64_t contexts; /* made by aclrtCreateContext */
    uint64_t streams;
    uint64_t events;
    uint64_t device_blocks;
    uint64_t device_bytes;
    uint64_t host_blocks; /* of aclrtMallocHost */
    uint64_t registered;  /* of aclrtHostRegister */
    uint64_t images;      /* of aclrtCreateBinary */
    uint64_t binaries;    /* loaded or registered */
    uint64_t functions;
    uint64_t argument_lists;
    uint64_t tensors;
    uint64_t other_objects; /* scalars, arrays and lists of two-phase operators */
    uint64_t executors;
    uint64_t profiling_configs;
    uint64_t device_references; /* aclrtSetDevice without its aclrtResetDevice */
    uint64_t inits;
    uint64_t kernels_run;
};

/* The nth call of the function from now on (1: the next) fails with the code and does nothing; 0: none does.
   0, or -1 where this release has no such function. */
int32_t standin_fail(const char *function, uint32_t nth, int32_t code);
/* The next queued work of any stream fails with the code, which a synchronising call tells. */
void standin_fail_late(int32_t code);
/* Each piece of queued work begins so much later. */
void standin_latency(uint64_t nanoseconds);
/* All devices become this chip: Ascend910B2 (as at the start), Ascend910_9391 or Ascend310P3. 0, or -1 for another name. */
int32_t standin_chip(const char *name);
/* From now on pipes run in a legal order that the seed chooses, and what has no order is a fault; 0: in the order of the text.
   The variable STANDIN_RACES says the same to a program. */
void standin_races(uint64_t seed);
/* 1: kernels are counted and not run. */
void standin_count_only(int32_t on);
/* Ends everything that lives and forgets what was asked for: as if the process had just begun. */
void standin_reset(void);
void standin_counts(struct standin_counts *counts);
/* How often it was called since the last reset. */
uint64_t standin_calls(const char *function);

#ifdef __cplusplus
}
#endif

#endif
