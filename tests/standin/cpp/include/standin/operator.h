// What a library of operators asks of the base library: what handles stand for, executors, launches of kernels.
#ifndef JUMAR_STANDIN_OPERATOR_H
#define JUMAR_STANDIN_OPERATOR_H

#include "aclnn/acl_meta.h"

#include <memory>
#include <string>
#include <vector>

namespace standin {
struct TensorFacts {
    std::vector<int64_t> dims;
    aclDataType type;
    void *data;
    bool is_dense; // its elements follow one another in the order of its axes
};
// False where the handle is none that lives.
bool LookAt(const aclTensor *tensor, TensorFacts *facts);
bool ItemsOf(const aclTensorList *list, std::vector<const aclTensor *> *items);
// The elements of an array of a kind: `aclIntArray`.
bool BytesOf(const void *array, const char *kind, std::vector<uint8_t> *bytes);

// What phase one leaves to phase two.
class Planned {
public:
    virtual ~Planned() = default;
};
aclOpExecutor *MakeExecutor(std::shared_ptr<Planned> planned);
// What it holds; it is used up unless it is repeatable. nullptr, and the error is said, where it does not live or holds nothing.
std::shared_ptr<Planned> UseExecutor(const char *call, const aclOpExecutor *executor);

// The compiled kernel of an operator for one combination of element types.
class Binary;
// nullptr, and the error is said, where the file holds none.
std::shared_ptr<Binary> LoadKernel(const char *call, const std::string &file);
// Whether it was compiled for the tiling key.
bool HasKey(const Binary &binary, uint64_t key);

// An argument of a kernel: an address, or bytes that travel with the launch, whose address it is.
struct KernelArgument {
    const void *address;
    std::vector<uint8_t> carried;
};
// Queues its function of the tiling key.
int LaunchKernel(const char *call, const std::shared_ptr<Binary> &binary, uint64_t key, uint32_t blocks, const std::vector<KernelArgument> &arguments,
    aclrtStream stream);
} // namespace standin

#endif
