// Kernels of operator projects: loading, and launching the function of a tiling key.
#include "block.h"
#include "errors.h"
#include "standin/operator.h"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>

namespace standin {
namespace {
constexpr uint32_t ADDRESS = 8;
} // namespace

std::shared_ptr<Binary> LoadKernel(const char *call, const std::string &file)
{
    std::ifstream in(file, std::ios::binary);
    const std::vector<char> image(std::istreambuf_iterator<char>(in), {});
    auto binary = std::make_shared<Binary>();
    const std::string wrong = in ? binary->Load(image.data(), image.size(), 0) : "it cannot be read";
    if (!wrong.empty()) {
        Fail(ACLNN_ERR_INNER_FIND_KERNEL_ERROR, "%s: the kernel %s: %s", call, file.c_str(), wrong.c_str());
        return nullptr;
    }
    return binary;
}

// A kernel that asks for no key is that of key 0.
bool HasKey(const Binary &binary, uint64_t key)
{
    const auto keys = reinterpret_cast<const std::vector<uint64_t> *(*)()>(binary.Symbol("standin_keys"))();
    return keys->empty() ? key == 0 : std::find(keys->begin(), keys->end(), key) != keys->end();
}

int LaunchKernel(const char *call, const std::shared_ptr<Binary> &binary, uint64_t key, uint32_t blocks, const std::vector<KernelArgument> &arguments,
    aclrtStream stream)
{
    const KernelEntry *const entry = &binary->table->list[0];
    const auto function = std::make_shared<Function>(Function{binary, entry, {}, static_cast<uint32_t>(arguments.size()) * ADDRESS, key});
    bool fits = static_cast<size_t>(entry->count) == arguments.size();
    for (int i = 0; fits && i < entry->count; ++i) {
        function->offsets.push_back(static_cast<uint32_t>(i) * ADDRESS);
        fits = entry->parameters[i].bytes == ADDRESS;
    }
    if (!fits) {
        return Fail(ACLNN_ERR_INNER_FIND_KERNEL_ERROR,
            "%s: `%s` has %d parameters; an operator's kernel takes the addresses of inputs, outputs, workspace and tiling data, here %zu", call,
            entry->name, entry->count, arguments.size());
    }
    const auto block = std::make_shared<Block>(std::vector<uint8_t>(function->end));
    for (size_t i = 0; i < arguments.size(); ++i) {
        const KernelArgument &argument = arguments[i];
        if (argument.carried.empty()) {
            std::memcpy(block->bytes.data() + i * ADDRESS, &argument.address, ADDRESS);
        } else if (!block->Carry(static_cast<uint32_t>(i) * ADDRESS, argument.carried.data(), argument.carried.size())) {
            return Fail(ACL_ERROR_RT_MEMORY_ALLOCATION, "%s: no memory for argument %zu of `%s`", call, i, entry->name);
        }
    }
    return Launch(call, function, blocks, stream, nullptr, block);
}
} // namespace standin
