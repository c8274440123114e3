#include "library.h"

#include "signature.h"

#include "errors.h"
#include "standin/operator.h"

#include "graph/utils/type_utils.h"

#include <cstring>
#include <dlfcn.h>
#include <map>
#include <mutex>

namespace standin {
namespace {
static_assert(ACL_FLOAT == static_cast<int>(ge::DT_FLOAT) && ACL_BOOL == static_cast<int>(ge::DT_BOOL) && ACL_BF16 == static_cast<int>(ge::DT_BF16),
    "element types have the same numbers on both sides");

// A parameter of the kernel.
struct Parameter {
    const ops::OpParamDef *def;
    std::vector<const aclTensor *> tensors;
    std::vector<TensorFacts> facts; // of each
};

// What phase one decided.
struct Call : Planned {
    const ops::OpDef *op = nullptr;
    std::shared_ptr<Binary> kernel;
    std::vector<Parameter> parameters; // inputs, then outputs
    uint64_t key = 0;
    uint32_t blocks = 0;
    uint64_t workspace = 0;
    std::vector<uint8_t> tiling;
};

std::string Spelled(aclDataType type)
{
    return ge::TypeUtils::DataTypeToSerialString(static_cast<ge::DataType>(type));
}

const ops::OpDef &Definition(const char *type)
{
    const auto &all = ascendc_cpu::Operators();
    return *std::find_if(all.begin(), all.end(), [type](const ops::OpDef &op) { return op.type == type; });
}

// A combination's kernel below the folder that the library lies in: <folder>/op_api/lib. It is loaded once.
std::shared_ptr<Binary> KernelOf(const char *call, const ops::OpDef &op, size_t column)
{
    static std::mutex lock;
    static auto &loaded = *new std::map<std::pair<std::string, size_t>, std::shared_ptr<Binary>>;
    const std::lock_guard<std::mutex> guard(lock);
    std::shared_ptr<Binary> &binary = loaded[{op.type, column}];
    if (binary == nullptr) {
        Dl_info info = {};
        static_cast<void>(dladdr(reinterpret_cast<const void *>(&Spelled), &info));
        std::string folder = info.dli_fname;
        for (int up = 0; up < 3; ++up) {
            folder.resize(folder.rfind('/'));
        }
        const std::string stem = SnakeCase(op.type);
        binary = LoadKernel(call, folder + "/op_impl/ai_core/tbe/kernel/" STANDIN_UNIT "/" + stem + "/" + stem + "_" + std::to_string(column) + ".o");
    }
    return binary;
}

// Phase one of a call.
class Planning {
public:
    Planning(const ops::OpDef &op, const char *call, const std::vector<Given> &arguments) : op_(op), call_(call), arguments_(arguments) {}

    // 0, or the code of what is wrong, which has been said.
    int Run(std::shared_ptr<Call> *planned)
    {
        for (int (Planning::*step)() : {&Planning::TakeArguments, &Planning::ChooseColumn, &Planning::Tile}) {
            if (const int error = (this->*step)()) {
                return error;
            }
        }
        *planned = call_planned_;
        return ACLNN_SUCCESS;
    }

private:
    int TakeArguments()
    {
        for (const ops::OpParamDef &input : op_.inputs) {
            if (const int error = TakeTensors(input)) {
                return error;
            }
        }
        for (const ops::OpAttrDef &attr : op_.attrs) {
            if (const int error = TakeAttr(attr, arguments_[next_++])) {
                return error;
            }
        }
        for (const ops::OpParamDef &output : op_.outputs) {
            const int input = InputOf(op_, output);
            if (input >= 0) {
                Parameter same = parameters()[static_cast<size_t>(input)];
                same.def = &output;
                parameters().push_back(same);
            } else if (const int error = TakeTensors(output)) {
                return error;
            }
        }
        return ACLNN_SUCCESS;
    }

    int TakeTensors(const ops::OpParamDef &def)
    {
        const Given &given = arguments_[next_++];
        Parameter parameter{&def, {}, {}};
        if (const auto *const tensor = std::get_if<const aclTensor *>(&given)) {
            parameter.tensors.assign(*tensor == nullptr ? 0 : 1, *tensor);
        } else if (const aclTensorList *const list = std::get<const aclTensorList *>(given); list != nullptr && !ItemsOf(list, &parameter.tensors)) {
            return Fail(ACLNN_ERR_PARAM_INVALID, "%s: `%s` is no list of tensors that lives", call_, def.name.c_str());
        }
        if (parameter.tensors.empty() && def.option != ops::OPTIONAL) {
            return Fail(ACLNN_ERR_PARAM_NULLPTR, "%s: `%s` is null; it must be given", call_, def.name.c_str());
        }
        for (const aclTensor *tensor : parameter.tensors) {
            TensorFacts facts;
            if (!LookAt(tensor, &facts)) {
                return Fail(ACLNN_ERR_PARAM_INVALID, "%s: `%s` has a tensor that does not live", call_, def.name.c_str());
            }
            if (!facts.is_dense) {
                return Fail(ACLNN_ERR_PARAM_INVALID, "%s: `%s` is a view whose elements do not follow one another; the stand-in makes no copies of views",
                    call_, def.name.c_str());
            }
            parameter.facts.push_back(facts);
        }
        parameters().push_back(parameter);
        return ACLNN_SUCCESS;
    }

    // Of text and lists null stands for the default.
    int TakeAttr(const ops::OpAttrDef &def, const Given &given)
    {
        gert::RuntimeAttrs::Value value = def.value;
        bool is_given = true;
        if (const auto *const number = std::get_if<double>(&given)) {
            value = static_cast<float>(*number);
        } else if (const auto *const whole = std::get_if<int64_t>(&given)) {
            value = *whole;
        } else if (const auto *const flag = std::get_if<bool>(&given)) {
            value = *flag;
        } else if (const auto *const text = std::get_if<const char *>(&given)) {
            is_given = *text != nullptr;
            value = is_given ? gert::RuntimeAttrs::Value(std::string(*text)) : value;
        } else if (const auto *const floats = std::get_if<const aclFloatArray *>(&given)) {
            is_given = *floats != nullptr;
            if (const int error = is_given ? TakeArray<float>(def, *floats, "aclFloatArray", &value) : 0) {
                return error;
            }
        } else {
            const aclIntArray *const ints = std::get<const aclIntArray *>(given);
            is_given = ints != nullptr;
            if (const int error = is_given ? TakeArray<int64_t>(def, ints, "aclIntArray", &value) : 0) {
                return error;
            }
        }
        if (!is_given && def.option != ops::OPTIONAL) {
            return Fail(ACLNN_ERR_PARAM_NULLPTR, "%s: attribute `%s` is null; it must be given", call_, def.name.c_str());
        }
        launch_.attrs.values.push_back(value);
        return ACLNN_SUCCESS;
    }

    template <typename T>
    int TakeArray(const ops::OpAttrDef &def, const void *array, const char *kind, gert::RuntimeAttrs::Value *value)
    {
        std::vector<uint8_t> bytes;
        if (!BytesOf(array, kind, &bytes)) {
            return Fail(ACLNN_ERR_PARAM_INVALID, "%s: attribute `%s` is no %s that lives", call_, def.name.c_str(), kind);
        }
        std::vector<T> numbers(bytes.size() / sizeof(T));
        if (!numbers.empty()) {
            std::memcpy(numbers.data(), bytes.data(), bytes.size());
        }
        *value = gert::RuntimeAttrs::ListOf(numbers);
        return ACLNN_SUCCESS;
    }

    // The combination whose kernel serves another one: of those that differ in optional tensors alone the first is compiled (asc-devkit, gen_input_json of
    // ascendc_bin_param_build.py), and a call finds it by the others (opbase, NnopbaseAppendDynamicTensorsKey).
    size_t CompiledFor(size_t column)
    {
        const auto serves = [this, column](size_t other) {
            const auto is_same = [column, other](const Parameter &parameter) {
                return parameter.def->option == ops::OPTIONAL || parameter.def->types[other] == parameter.def->types[column];
            };
            return std::all_of(parameters().begin(), parameters().end(), is_same);
        };
        size_t first = 0;
        while (!serves(first)) {
            ++first;
        }
        return first;
    }

    // The combination of element types that is given.
    int ChooseColumn()
    {
        std::string allowed;
        for (size_t column = 0; column < ColumnsOf(op_); ++column) {
            std::string types;
            bool fits = true;
            for (const Parameter &parameter : parameters()) {
                const ge::DataType wanted = parameter.def->types[column];
                types += (types.empty() ? "" : ", ") + ge::TypeUtils::DataTypeToSerialString(wanted);
                const auto is_other = [wanted](const TensorFacts &facts) { return static_cast<ge::DataType>(facts.type) != wanted; };
                fits = fits && std::none_of(parameter.facts.begin(), parameter.facts.end(), is_other);
            }
            if (fits) {
                call_planned_->kernel = KernelOf(call_, op_, CompiledFor(column));
                return call_planned_->kernel == nullptr ? LastError() : ACLNN_SUCCESS;
            }
            allowed += (allowed.empty() ? "(" : " or (") + types + ")";
        }
        std::string given;
        for (const Parameter &parameter : parameters()) {
            given += (given.empty() ? "" : ", ") + (parameter.facts.empty() ? std::string("none") : Spelled(parameter.facts[0].type));
        }
        return Fail(ACLNN_ERR_PARAM_INVALID, "%s: the element types (%s) are none that operator %s has; it has %s", call_, given.c_str(), op_.type.c_str(),
            allowed.c_str());
    }

    int Tile()
    {
        launch_.type = op_.type;
        for (size_t i = 0; i < parameters().size(); ++i) {
            std::vector<gert::Tensor> tensors;
            for (const TensorFacts &facts : parameters()[i].facts) {
                gert::Shape shape;
                for (const int64_t dim : facts.dims) {
                    shape.AppendDim(dim);
                }
                tensors.push_back(ascendc_cpu::PlainTensor(static_cast<ge::DataType>(facts.type), shape));
            }
            const size_t inputs = op_.inputs.size();
            if (i >= inputs && tensors.empty()) {
                launch_.unasked.insert(i - inputs);
            }
            (i < inputs ? launch_.inputs : launch_.outputs).push_back(tensors);
        }
        gert::TilingContext context(launch_);
        if (op_.core.tiling(&context) != ge::GRAPH_SUCCESS) {
            return Fail(ACLNN_ERR_INNER_TILING_ERROR, "%s: the tiling function of operator %s refuses these tensors and attributes", call_,
                op_.type.c_str());
        }
        Call &planned = *call_planned_;
        planned.op = &op_;
        planned.key = context.GetTilingKey();
        planned.blocks = context.GetBlockDim();
        planned.workspace = context.GetWorkspaceNum() > 0 ? context.GetWorkspaceSizes(context.GetWorkspaceNum())[0] : 0;
        const auto *const data = static_cast<const uint8_t *>(context.GetRawTilingData()->GetData());
        planned.tiling.assign(data, data + context.GetRawTilingData()->GetDataSize());
        if (planned.blocks < 1 || planned.blocks > 65535) {
            return Fail(ACLNN_ERR_INNER_TILING_ERROR, "%s: the tiling function of operator %s sets %u blocks; allowed are 1 to 65535", call_,
                op_.type.c_str(), planned.blocks);
        }
        return HasKey(*planned.kernel, planned.key)
            ? ACLNN_SUCCESS
            : Fail(ACLNN_ERR_INNER_FIND_KERNEL_ERROR, "%s: operator %s has no kernel of tiling key %llu for these element types", call_, op_.type.c_str(),
                  static_cast<unsigned long long>(planned.key));
    }

    std::vector<Parameter> &parameters() { return call_planned_->parameters; }

    const ops::OpDef &op_;
    const char *const call_;
    const std::vector<Given> &arguments_;
    size_t next_ = 0;
    ascendc_cpu::OpLaunch launch_;
    std::shared_ptr<Call> call_planned_ = std::make_shared<Call>();
};

// A list of tensors as kernels read it (ListTensorDesc): the offset of the pointers, of each tensor its rank and place and then its axes, the pointers.
std::vector<uint8_t> ListOf(const std::vector<TensorFacts> &tensors)
{
    std::vector<uint64_t> words = {0};
    for (size_t i = 0; i < tensors.size(); ++i) {
        words.push_back(tensors[i].dims.size() | static_cast<uint64_t>(i) << 32);
        words.insert(words.end(), tensors[i].dims.begin(), tensors[i].dims.end());
    }
    words[0] = words.size() * sizeof(uint64_t);
    for (const TensorFacts &tensor : tensors) {
        words.push_back(reinterpret_cast<uint64_t>(tensor.data));
    }
    const auto *const bytes = reinterpret_cast<const uint8_t *>(words.data());
    return {bytes, bytes + words.size() * sizeof(uint64_t)};
}

// The tensor as it is now: a repeated call may have been given another address.
int ArgumentOf(const char *call, const Parameter &parameter, KernelArgument *argument)
{
    std::vector<TensorFacts> now(parameter.tensors.size());
    for (size_t i = 0; i < now.size(); ++i) {
        if (!LookAt(parameter.tensors[i], &now[i])) {
            return Fail(ACLNN_ERR_PARAM_INVALID, "%s: a tensor of `%s` was destroyed between the two phases", call, parameter.def->name.c_str());
        }
    }
    const bool is_list = parameter.def->option == ops::DYNAMIC;
    *argument = {is_list || now.empty() ? nullptr : now[0].data, is_list ? ListOf(now) : std::vector<uint8_t>()};
    return ACLNN_SUCCESS;
}
} // namespace

aclnnStatus PhaseOne(const char *type, const char *call, const std::vector<Given> &arguments, uint64_t *workspace_size, aclOpExecutor **executor)
{
    if (const int entered = Api::Of(call).Enter(Needs::CONTEXT)) {
        return entered;
    }
    if (workspace_size == nullptr || executor == nullptr) {
        return Fail(ACLNN_ERR_PARAM_NULLPTR, "%s: workspaceSize or executor is null", call);
    }
    std::shared_ptr<Call> planned;
    if (const int error = Planning(Definition(type), call, arguments).Run(&planned)) {
        return error;
    }
    *workspace_size = planned->workspace;
    *executor = MakeExecutor(planned);
    return ACLNN_SUCCESS;
}

aclnnStatus PhaseTwo(const char *type, const char *call, void *workspace, uint64_t workspace_size, const aclOpExecutor *executor, aclrtStream stream)
{
    if (const int entered = Api::Of(call).Enter(Needs::CONTEXT)) {
        return entered;
    }
    const std::shared_ptr<Planned> used = UseExecutor(call, executor);
    const auto planned = std::dynamic_pointer_cast<Call>(used);
    if (planned == nullptr || planned->op->type != type) {
        return used == nullptr ? LastError() : Fail(ACLNN_ERR_PARAM_INVALID, "%s: the executor is another operator's", call);
    }
    if (workspace_size < planned->workspace || (workspace == nullptr && planned->workspace > 0)) {
        return Fail(ACLNN_ERR_PARAM_INVALID, "%s: the workspace has %llu bytes%s; phase one asked for %llu", call,
            static_cast<unsigned long long>(workspace_size), workspace == nullptr ? " and is null" : "",
            static_cast<unsigned long long>(planned->workspace));
    }
    std::vector<KernelArgument> list(planned->parameters.size());
    for (size_t i = 0; i < list.size(); ++i) {
        if (const int error = ArgumentOf(call, planned->parameters[i], &list[i])) {
            return error;
        }
    }
    list.push_back({workspace, {}});
    list.push_back({nullptr, planned->tiling});
    return LaunchKernel(call, planned->kernel, planned->key, planned->blocks, list, stream);
}
} // namespace standin
