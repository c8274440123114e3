// Calls a kernel as the tests of operator projects do. `main.cpp KEY` runs it twice with that tiling key.
#include "tikicpulib.h"

#include <cstdio>
#include <cstdlib>

struct ScaleTiling {
    uint32_t length;
    float factor;
};

extern "C" __global__ __aicore__ void scale(GM_ADDR x, GM_ADDR z, GM_ADDR tiling);

int main(int argc, char **argv)
{
    constexpr uint32_t BLOCKS = 4, LENGTH = 64;
    const size_t bytes = BLOCKS * LENGTH * sizeof(float);
    uint8_t *const x = static_cast<uint8_t *>(AscendC::GmAlloc(bytes));
    uint8_t *const z = static_cast<uint8_t *>(AscendC::GmAlloc(bytes));
    uint8_t *const tiling = static_cast<uint8_t *>(AscendC::GmAlloc(sizeof(ScaleTiling)));
    float *const in = reinterpret_cast<float *>(x);
    const float *const out = reinterpret_cast<const float *>(z);
    for (uint32_t i = 0; i < BLOCKS * LENGTH; ++i) {
        in[i] = static_cast<float>(i);
    }
    AscendC::SetKernelMode(KernelMode::AIV_MODE);
    ICPU_SET_TILING_KEY(argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1);
    for (const float factor : {2.0f, 3.0f}) {
        *reinterpret_cast<ScaleTiling *>(tiling) = {LENGTH, factor};
        ICPU_RUN_KF(scale, BLOCKS, x, z, tiling);
        for (uint32_t i = 0; i < BLOCKS * LENGTH; ++i) {
            if (out[i] != factor * in[i]) {
                std::printf("element %u is %g\n", i, out[i]);
                return 1;
            }
        }
    }
    AscendC::GmFree(x);
    AscendC::GmFree(z);
    AscendC::GmFree(tiling);
    std::printf("all as expected\n");
    return 0;
}
