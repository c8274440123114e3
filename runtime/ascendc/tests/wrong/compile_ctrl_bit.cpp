// Only bit 48 of CTRL can be set on this chip.
// expect: compile: only bit 48 of CTRL can be set on this chip
#include "check.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k()
{
    SetCtrlSpr<53, 53>(1); // <-- here
}
