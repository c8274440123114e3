// Comparison in a program of this suite.
#ifndef ASCENDC_CPU_TESTS_HOST_CHECK_H
#define ASCENDC_CPU_TESTS_HOST_CHECK_H

#include <cstdio>
#include <cstdlib>

// Ends the program where `got` is not `want`. `index` says which row of a table.
#define HostExpect(got, ...) ::HostExpectAt(__LINE__, static_cast<long long>(got), __VA_ARGS__)

inline void HostExpectAt(int line, long long got, long long want, int index = -1)
{
    if (got != want) {
        std::fprintf(stderr, "line %d (%d): got %lld, expected %lld\n", line, index, got, want);
        std::exit(1);
    }
}

#endif
