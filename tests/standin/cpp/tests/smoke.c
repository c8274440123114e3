#include "acl/acl.h"
#include "standin/control.h"
#include <stdio.h>
#define CHECK(x) do { int c = (x); if (c) { printf("%s: %d %s\n", #x, c, aclGetRecentErrMsg()); return 1; } } while (0)
int main(void) {
    void *s, *d, *e0, *e1; char a[100], b[100]; float ms; struct standin_counts n; const char *m;
    if (aclrtSetDevice(0) != 100001) return 2;
    CHECK(aclInit(0)); if (aclInit(0) != 100002) return 3;
    if (aclrtCreateStream(&s) != 107002) return 4;
    CHECK(aclrtSetDevice(0)); CHECK(aclrtCreateStream(&s)); CHECK(aclrtMalloc(&d, 100, 0));
    CHECK(aclrtCreateEvent(&e0)); CHECK(aclrtCreateEvent(&e1));
    for (int i = 0; i < 100; ++i) a[i] = i;
    standin_latency(1000000);
    CHECK(aclrtRecordEvent(e0, s)); CHECK(aclrtMemcpyAsync(d, 100, a, 100, 1, s)); CHECK(aclrtRecordEvent(e1, s));
    CHECK(aclrtSynchronizeStream(s)); CHECK(aclrtMemcpy(b, 100, d, 100, 2)); CHECK(aclrtEventElapsedTime(&ms, e0, e1));
    if (b[99] != 99 || ms < 1) return 5;
    if (aclrtMemcpy(d, 101, a, 101, 1) != 107000) return 6;
    standin_fail_late(507015); CHECK(aclrtRecordEvent(e0, s)); if (aclrtSynchronizeStream(s) != 507015) return 7;
    m = aclGetRecentErrMsg(); printf("%s\n", m); if (aclGetRecentErrMsg()) return 8;
    CHECK(standin_fail("aclrtMalloc", 1, 207001)); void *x; if (aclrtMalloc(&x, 4, 0) != 207001) return 9;
    CHECK(aclrtDestroyEvent(e0)); CHECK(aclrtDestroyEvent(e1)); CHECK(aclrtDestroyStream(s));
    if (aclrtDestroyStream(s) != 107017) return 10;
    standin_counts(&n); if (n.device_blocks != 1 || n.streams || n.events) return 11;
    CHECK(aclrtFree(d)); CHECK(aclrtResetDevice(0)); CHECK(aclFinalize()); puts("well"); return 0; }
