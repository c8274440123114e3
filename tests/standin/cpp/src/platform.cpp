// What the library says of itself and of the chip.
#include "context.h"
#include "errors.h"

#include <cstring>

namespace standin {
namespace {
// What a device is.
struct Chip {
    const char *name;
    int64_t arch;
    int64_t cubes;   // AI cores
    int64_t vectors;
    int64_t ub_bytes;
    int64_t l2_bytes;
    int64_t memory_bytes;
};
constexpr Chip CHIPS[] = {
    {"Ascend910B2", 2201, 24, 48, 192 << 10, 192ll << 20, 64ll << 30},
    {"Ascend910_9391", 2201, 24, 48, 192 << 10, 192ll << 20, 64ll << 30},
    {"Ascend310P3", 2002, 8, 7, 256 << 10, 16ll << 20, 24ll << 30},
};
std::atomic<const Chip *> chip{&CHIPS[0]};
constexpr int MODULE_AI_CORE = 4;
constexpr int MODULE_VECTOR_CORE = 7;
constexpr int INFO_CORES = 3;
constexpr int INFO_CUBES = 0x775A5A5A;
std::mutex chip_lock;
std::string declared; // rtSetSocVersion

int CheckDevice(const char *call, uint32_t device)
{
    return device < static_cast<uint32_t>(DEVICES) ? ACL_SUCCESS : Fail(ACL_ERROR_RT_INVALID_DEVICEID, "%s: there is no device %u", call, device);
}
int CheckPackage(const char *call, const char *name)
{
    for (const char *known : {"runtime", "driver", "compiler", "toolkit", "opp", "hccl"}) {
        if (std::strcmp(name, known) == 0) {
            return ACL_SUCCESS;
        }
    }
    return Fail(ACL_ERROR_INVALID_PARAM, "%s: there is no package `%s`", call, name);
}
} // namespace

uint32_t ArchOfDevice()
{
    return static_cast<uint32_t>(chip.load()->arch);
}
bool BecomeChip(const std::string &name)
{
    for (const Chip &known : CHIPS) {
        if (name == known.name) {
            chip = &known;
            return true;
        }
    }
    return false;
}
} // namespace standin

using namespace standin;

extern "C" {
// The interface's version: 1.13.0 in 8.1.RC1.
aclError aclrtGetVersion(int32_t *majorVersion, int32_t *minorVersion, int32_t *patchVersion)
{
    STANDIN_ENTER(aclrtGetVersion, NOTHING)
    STANDIN_NOT_NULL(majorVersion)
    STANDIN_NOT_NULL(minorVersion)
    STANDIN_NOT_NULL(patchVersion)
    *majorVersion = 1;
    *minorVersion = STANDIN_ACL_MINOR;
    *patchVersion = 0;
    return ACL_SUCCESS;
}
aclError aclsysGetCANNVersion(aclCANNPackageName name, aclCANNPackageVersion *version)
{
    STANDIN_ENTER(aclsysGetCANNVersion, NOTHING)
    STANDIN_NOT_NULL(version)
    if (name < ACL_PKG_NAME_CANN || name > ACL_PKG_NAME_DRIVER) {
        return Fail(ACL_ERROR_INVALID_PARAM, "%s: there is no package %d, only 0 to 7", api.name(), static_cast<int>(name));
    }
    *version = {};
    std::strcpy(version->version, STANDIN_RELEASE);
    const std::string text = STANDIN_RELEASE;
    std::strcpy(version->majorVersion, text.substr(0, text.find('.')).c_str());
    std::strcpy(version->minorVersion, text.substr(2, 1).c_str());
    return ACL_SUCCESS;
}
aclError aclsysGetVersionNum(char *pkgName, int32_t *versionNum)
{
    STANDIN_ENTER(aclsysGetVersionNum, NOTHING)
    STANDIN_NOT_NULL(pkgName)
    STANDIN_NOT_NULL(versionNum)
    if (const int error = CheckPackage(api.name(), pkgName)) {
        return error;
    }
    *versionNum = (STANDIN_RELEASE[0] - '0') * 10000000 + (STANDIN_RELEASE[2] - '0') * 100000;
    return ACL_SUCCESS;
}
aclError aclsysGetVersionStr(char *pkgName, char *versionStr)
{
    STANDIN_ENTER(aclsysGetVersionStr, NOTHING)
    STANDIN_NOT_NULL(pkgName)
    STANDIN_NOT_NULL(versionStr)
    if (const int error = CheckPackage(api.name(), pkgName)) {
        return error;
    }
    std::strcpy(versionStr, STANDIN_RELEASE);
    return ACL_SUCCESS;
}
aclError aclrtGetRunMode(aclrtRunMode *runMode)
{
    STANDIN_ENTER(aclrtGetRunMode, INIT)
    STANDIN_NOT_NULL(runMode)
    *runMode = ACL_HOST;
    return ACL_SUCCESS;
}
const char *aclrtGetSocName(void)
{
    STANDIN_ENTER_POINTER(aclrtGetSocName, CONTEXT)
    return chip.load()->name;
}
aclError aclGetDeviceCapability(uint32_t deviceId, aclDeviceInfo deviceInfo, int64_t *value)
{
    STANDIN_ENTER(aclGetDeviceCapability, INIT)
    STANDIN_NOT_NULL(value)
    if (const int error = CheckDevice(api.name(), deviceId)) {
        return error;
    }
    switch (deviceInfo) {
        case ACL_DEVICE_INFO_AI_CORE_NUM: *value = chip.load()->cubes; return ACL_SUCCESS;
        case ACL_DEVICE_INFO_VECTOR_CORE_NUM: *value = chip.load()->vectors; return ACL_SUCCESS;
        case ACL_DEVICE_INFO_L2_SIZE: *value = chip.load()->l2_bytes; return ACL_SUCCESS;
        default: return Fail(ACL_ERROR_INVALID_PARAM, "%s: there is no information %d, only 0 to 2", api.name(), static_cast<int>(deviceInfo));
    }
}
aclError aclrtGetDeviceInfo(uint32_t deviceId, aclrtDevAttr attr, int64_t *value)
{
    STANDIN_ENTER(aclrtGetDeviceInfo, INIT)
    STANDIN_NOT_NULL(value)
    if (const int error = CheckDevice(api.name(), deviceId)) {
        return error;
    }
    switch (attr) {
        case ACL_DEV_ATTR_AICORE_CORE_NUM:
        case ACL_DEV_ATTR_CUBE_CORE_NUM: *value = chip.load()->cubes; return ACL_SUCCESS;
        case ACL_DEV_ATTR_VECTOR_CORE_NUM: *value = chip.load()->vectors; return ACL_SUCCESS;
        case ACL_DEV_ATTR_UBUF_PER_VECTOR_CORE: *value = chip.load()->ub_bytes; return ACL_SUCCESS;
        case ACL_DEV_ATTR_TOTAL_GLOBAL_MEM_SIZE: *value = chip.load()->memory_bytes; return ACL_SUCCESS;
        case ACL_DEV_ATTR_L2_CACHE_SIZE: *value = chip.load()->l2_bytes; return ACL_SUCCESS;
        case ACL_DEV_ATTR_IS_VIRTUAL: *value = 0; return ACL_SUCCESS;
        case ACL_DEV_ATTR_PHY_CHIP_ID: *value = deviceId; return ACL_SUCCESS;
        case ACL_DEV_ATTR_NPU_ARCH: *value = chip.load()->arch; return ACL_SUCCESS;
        default: return Fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "%s: the stand-in does not know attribute %d", api.name(), static_cast<int>(attr));
    }
}
aclError aclrtSetOpExecuteTimeOut(uint32_t)
{
    STANDIN_ENTER(aclrtSetOpExecuteTimeOut, CONTEXT)
    return ACL_SUCCESS;
}
aclError aclrtSetOpExecuteTimeOutWithMs(uint32_t)
{
    STANDIN_ENTER(aclrtSetOpExecuteTimeOutWithMs, CONTEXT)
    return ACL_SUCCESS;
}
rtError_t rtGetDeviceInfo(uint32_t deviceId, int32_t moduleType, int32_t infoType, int64_t *val)
{
    STANDIN_ENTER(rtGetDeviceInfo, NOTHING)
    STANDIN_NOT_NULL(val)
    if (const int error = CheckDevice(api.name(), deviceId)) {
        return error;
    }
    const bool cores = infoType == INFO_CORES && (moduleType == MODULE_AI_CORE || moduleType == MODULE_VECTOR_CORE);
    if (!cores && !(infoType == INFO_CUBES && moduleType == MODULE_AI_CORE)) {
        return Fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "%s: the stand-in does not know item %d of module %d", api.name(), infoType, moduleType);
    }
    *val = moduleType == MODULE_VECTOR_CORE ? chip.load()->vectors : chip.load()->cubes;
    return ACL_SUCCESS;
}
rtError_t rtGetSocVersion(char_t *ver, const uint32_t maxLen)
{
    STANDIN_ENTER(rtGetSocVersion, NOTHING)
    STANDIN_NOT_NULL(ver)
    const std::lock_guard<std::mutex> guard(chip_lock);
    const std::string name = declared.empty() ? chip.load()->name : declared;
    if (name.size() >= maxLen) {
        return Fail(ACL_ERROR_RT_PARAM_INVALID, "%s: the name has %zu bytes, the buffer %u", api.name(), name.size() + 1, maxLen);
    }
    std::memcpy(ver, name.c_str(), name.size() + 1);
    return ACL_SUCCESS;
}
rtError_t rtSetSocVersion(const char_t *ver)
{
    STANDIN_ENTER(rtSetSocVersion, NOTHING)
    STANDIN_NOT_NULL(ver)
    const std::lock_guard<std::mutex> guard(chip_lock);
    declared = ver;
    return ACL_SUCCESS;
}
}
