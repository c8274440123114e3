// What host code asks of the chip (asc-devkit, docs: PlatformAscendC, PlatformAscendCManager).
#ifndef ASCENDC_CPU_PLATFORM_ASCENDC_H
#define ASCENDC_CPU_PLATFORM_ASCENDC_H

#include <csignal>
#include <cstdint>
#include <mutex>

#include "ascendc/platform.h"
#include "platform/soc_spec.h"

namespace platform_ascendc {
enum class CoreMemType { L0_A = 0, L0_B = 1, L0_C = 2, L1 = 3, L2 = 4, UB = 5, HBM = 6, FB = 7, BT = 8, RESERVED };

enum class SocVersion {
    ASCEND910 = 0,
    ASCEND910B, // Ascend910B1 to B4, Ascend910_93
    ASCEND310P,
    ASCEND310B,
    ASCEND950,
    ASCEND910_55,
    ASCEND910_95 = ASCEND950, // the former name
    AS31XM1,
    ASCEND031,
    ASCEND035,
    ASCEND310,
    ASCEND610,
    ASCEND610Lite,
    ASCEND910_93,
    BS9SX1A,
    BS9SX2A,
    HI3796CV300CS,
    HI3796CV300ES,
    MC61AM21A,
    MC62,
    SD3403,
    KIRINX90,
    KIRIN9030,
    RESERVED_VERSION = 99999
};

enum class ReservedSize { RESERVED_SIZE_8K, RESERVED_SIZE_16K, RESERVED_SIZE_32K };

class PlatformAscendC {
public:
    PlatformAscendC() = delete;
    explicit PlatformAscendC(fe::PlatFormInfos *platformInfo) : info_(platformInfo) {}

    uint32_t GetCoreNum() const { return info_->GetCoreNum(); }
    uint32_t GetCoreNumAic() const { return info_->aic; }
    uint32_t GetCoreNumAiv() const { return info_->aiv; }
    // Vector cores beside the AI cores, which the inference products have (7 of 310P) and this build leaves out.
    uint32_t GetCoreNumVector() const { return 0; }
    // Blocks of a mixed kernel: a cube core and its vector cores are one.
    uint32_t CalcTschBlockDim(uint32_t sliceNum, uint32_t aicCoreNum, uint32_t aivCoreNum) const
    {
        if (aicCoreNum == 0 || aivCoreNum == 0 || aicCoreNum > aivCoreNum) {
            return sliceNum;
        }
        const uint32_t ration = aivCoreNum / aicCoreNum;
        return (sliceNum + ration - 1) / ration;
    }
    uint32_t CalcTschNumBlocks(uint32_t sliceNum, uint32_t aicCoreNum, uint32_t aivCoreNum) const
    {
        return CalcTschBlockDim(sliceNum, aicCoreNum, aivCoreNum);
    }
    // What a kernel may use. 2201 keeps 256 bytes of UB and of L1; the size of HBM is a matter of the board and 0 here.
    void GetCoreMemSize(const CoreMemType &memType, uint64_t &size) const
    {
        const uint64_t kept = IsSplit() ? 256 : 0;
        switch (memType) {
            case CoreMemType::L0_A: size = info_->l0a; break;
            case CoreMemType::L0_B: size = info_->l0b; break;
            case CoreMemType::L0_C: size = info_->l0c; break;
            case CoreMemType::L1: size = info_->l1 - kept; break;
            case CoreMemType::L2: size = info_->l2; break;
            case CoreMemType::UB: size = info_->ub - kept - reserved_; break;
            case CoreMemType::FB: size = info_->fb; break;
            case CoreMemType::BT: size = info_->bt; break;
            default: size = 0; break;
        }
    }
    SocVersion GetSocVersion() const
    {
        const std::string family = info_->ShortSocVersion();
        if (family == "Ascend910B" || family == "Ascend910_93") {
            return SocVersion::ASCEND910B;
        }
        return family == "Ascend310P" ? SocVersion::ASCEND310P : SocVersion::RESERVED_VERSION;
    }
    NpuArch GetCurNpuArch() const { return IsSplit() ? NpuArch::DAV_2201 : NpuArch::DAV_2002; }
    // Takes a part of UB away from what GetCoreMemSize says.
    void ReserveLocalMemory(ReservedSize size)
    {
        switch (size) {
            case ReservedSize::RESERVED_SIZE_8K: reserved_ = 8 * 1024; break;
            case ReservedSize::RESERVED_SIZE_16K: reserved_ = 16 * 1024; break;
            case ReservedSize::RESERVED_SIZE_32K: reserved_ = 32 * 1024; break;
        }
    }
    // Workspace that library calls need before the user's.
    uint32_t GetLibApiWorkSpaceSize() const { return (IsSplit() ? 16 : 2) * 1024 * 1024; }

private:
    bool IsSplit() const { return info_->IsSplit(); }
    fe::PlatFormInfos *info_;
    uint64_t reserved_ = 0;
};

// For host programs, which have no context.
class PlatformAscendCManager {
public:
    static PlatformAscendC *GetInstance()
    {
        static PlatformAscendC instance(&ascendc_cpu::Platform());
        return &instance;
    }
    // The chip is the one of the launch, whatever is asked for.
    static PlatformAscendC *GetInstance(const char *) { return GetInstance(); }

private:
    PlatformAscendCManager() = delete;
};
} // namespace platform_ascendc

#endif
