// A program linked with the host files of an operator project, which are asked what they define: it writes header and entry points of the operator
// library, and for each combination of element types what the build gives to the kernel.
//
//   describe FOLDER UNIT    writes aclnn_<op>.h, aclnn_<op>.cpp and <op>_<column>.h there, and prints `<op> <columns>` for each operator
#include "signature.h"

#include "graph/utils/type_utils.h"
#include "register/tilingdata_base.h"

#include <fstream>

namespace standin {
namespace {
[[noreturn]] void Refuse(const ops::OpDef &op, const std::string &why)
{
    std::cerr << "operator " << op.type << ": " << why << "\n";
    std::exit(1);
}

const char *DeviceType(ge::DataType type)
{
    switch (type) {
        case ge::DT_FLOAT: return "float";
        case ge::DT_FLOAT16: return "half";
        case ge::DT_BF16: return "bfloat16_t";
        case ge::DT_INT8: return "int8_t";
        case ge::DT_UINT8: return "uint8_t";
        case ge::DT_INT16: return "int16_t";
        case ge::DT_UINT16: return "uint16_t";
        case ge::DT_INT32: return "int32_t";
        case ge::DT_UINT32: return "uint32_t";
        case ge::DT_INT64: return "int64_t";
        case ge::DT_UINT64: return "uint64_t";
        case ge::DT_DOUBLE: return "double";
        case ge::DT_BOOL: return "bool";
        default: return nullptr;
    }
}

// What the operators of an emitted project do not have is not known here.
void Check(const ops::OpDef &op, const std::string &unit)
{
    if (op.core.tiling == nullptr) {
        Refuse(op, "its definition names no tiling function (AICore().SetTiling)");
    }
    bool serves = false;
    for (const auto &[name, config] : op.core.configs) {
        serves = serves || name == unit;
        if (!config.params.empty()) {
            Refuse(op, "parameters that differ by chip (AddConfig with a config) are not known to the stand-in");
        }
    }
    if (!serves) {
        Refuse(op, "there is no AddConfig(\"" + unit + "\")");
    }
    const size_t columns = ColumnsOf(op);
    for (const auto *params : {&op.inputs, &op.outputs}) {
        for (const ops::OpParamDef &param : *params) {
            if (param.types.size() != columns) {
                Refuse(op, "`" + param.name + "` has " + std::to_string(param.types.size()) + " element types; all parameters have as many, " +
                    std::to_string(columns));
            }
            if (param.option != ops::REQUIRED && param.option != ops::OPTIONAL && param.option != ops::DYNAMIC) {
                Refuse(op, "`" + param.name + "` has a ParamType that is none of REQUIRED, OPTIONAL, DYNAMIC");
            }
        }
    }
    for (const ops::OpAttrDef &attr : op.attrs) {
        if (std::holds_alternative<gert::TypedContinuousVector<bool>>(attr.value)) {
            Refuse(op, "`" + attr.name + "` is a list of truth values (ListBool), which the stand-in does not have");
        }
    }
}

struct Argument {
    std::string type; // in the header
    std::string name;
    std::string given; // as the library takes it
};

Argument OfTensor(const ops::OpParamDef &param, bool in_place)
{
    const std::string type = param.option == ops::DYNAMIC ? "aclTensorList *" : "aclTensor *";
    const std::string name = param.name + (in_place ? "Ref" : "") + (param.option == ops::OPTIONAL ? "Optional" : "");
    return {(in_place ? "" : "const ") + type, name, "static_cast<const " + type + ">(" + name + ")"};
}

Argument OfAttr(const ops::OpAttrDef &attr)
{
    static const char *const TYPES[] = {"double ", "int64_t ", "bool ", "char *", "const aclFloatArray *", "const aclIntArray *",
        "const aclBoolArray *"};
    static_assert(std::variant_size_v<gert::RuntimeAttrs::Value> == std::size(TYPES), "a type for each kind of attribute");
    const std::string name = attr.name + (attr.option == ops::OPTIONAL ? "Optional" : "");
    const bool is_text = std::holds_alternative<std::string>(attr.value);
    return {TYPES[attr.value.index()], name, is_text ? "static_cast<const char *>(" + name + ")" : name};
}

std::vector<Argument> ArgumentsOf(const ops::OpDef &op)
{
    std::vector<Argument> all;
    for (const ops::OpParamDef &input : op.inputs) {
        const auto is_same = [&input](const ops::OpParamDef &output) { return output.name == input.name; };
        all.push_back(OfTensor(input, std::any_of(op.outputs.begin(), op.outputs.end(), is_same)));
    }
    for (const ops::OpAttrDef &attr : op.attrs) {
        all.push_back(OfAttr(attr));
    }
    for (const ops::OpParamDef &output : op.outputs) {
        if (InputOf(op, output) < 0) {
            all.push_back(OfTensor(output, false));
        }
    }
    return all;
}

void WriteLibrary(const ops::OpDef &op, const std::string &stem)
{
    std::string parameters;
    std::string given;
    for (const Argument &argument : ArgumentsOf(op)) {
        parameters += argument.type + argument.name + ", ";
        given += argument.given + ", ";
    }
    const std::string one = "aclnn" + op.type + "GetWorkspaceSize";
    const std::string two = "aclnn" + op.type;
    const std::string first = "aclnnStatus " + one + "(" + parameters + "uint64_t *workspaceSize, aclOpExecutor **executor)";
    const std::string second = "aclnnStatus " + two + "(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)";
    const std::string visible = "__attribute__((visibility(\"default\"))) ";
    std::ofstream(stem + ".h") << "#pragma once\n#include \"aclnn/acl_meta.h\"\n\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n" << visible << first
                               << ";\n" << visible << second << ";\n#ifdef __cplusplus\n}\n#endif\n";
    std::ofstream(stem + ".cpp") << "#include \"" << stem.substr(stem.rfind('/') + 1) << ".h\"\n#include \"library.h\"\n\nextern \"C\" " << first
                                 << "\n{\n    return standin::PhaseOne(\"" << op.type << "\", \"" << one << "\", {" << given
                                 << "}, workspaceSize, executor);\n}\nextern \"C\" " << second << "\n{\n    return standin::PhaseTwo(\"" << op.type
                                 << "\", \"" << two << "\", workspace, workspaceSize, executor, stream);\n}\n";
}

// The structures of the tiling data, and which of them the operator has.
std::string TilingOf(const ops::OpDef &op)
{
    std::string text;
    for (const ascendc_cpu::TilingClass &known : ascendc_cpu::TilingClasses()) {
        text += "struct alignas(8) " + known.name + " {\n" + known.fields + "};\n";
        if (known.bytes > 0) {
            text += "static_assert(sizeof(" + known.name + ") == " + std::to_string(known.bytes) + ", \"as on the host\");\n";
        }
    }
    for (const auto &[of, name] : ascendc_cpu::TilingRegistrations()) {
        if (of == op.type) {
            return text + "REGISTER_TILING_DEFAULT(" + name + ");\n";
        }
    }
    Refuse(op, "it registers no tiling data of its own (REGISTER_TILING_DATA_CLASS)");
}

void WriteColumn(const ops::OpDef &op, const std::string &stem, size_t column)
{
    std::ofstream out(stem + "_" + std::to_string(column) + ".h");
    out << "#include \"standin/operator_kernel.h\"\n";
    std::set<std::string> written;
    for (const auto *params : {&op.inputs, &op.outputs}) {
        for (const ops::OpParamDef &param : *params) {
            const ge::DataType type = param.types[column];
            if (DeviceType(type) == nullptr) {
                Refuse(op, "`" + param.name + "` has an element type that no kernel of the stand-in computes with");
            }
            std::string name = param.name;
            std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::toupper(c); });
            if (written.insert(name).second) {
                out << "#define DTYPE_" << name << " " << DeviceType(type) << "\n#define ORIG_DTYPE_" << name << " "
                    << ge::TypeUtils::DataTypeToSerialString(type) << "\n#define FORMAT_" << name << " FORMAT_ND\n";
            }
        }
    }
    out << TilingOf(op);
}
} // namespace
} // namespace standin

int main(int argc, char **argv)
{
    if (argc != 3) {
        return 2;
    }
    const std::string folder = std::string(argv[1]) + "/";
    for (const ops::OpDef &op : ascendc_cpu::Operators()) {
        standin::Check(op, argv[2]);
        const std::string stem = standin::SnakeCase(op.type);
        standin::WriteLibrary(op, folder + "aclnn_" + stem);
        for (size_t column = 0; column < standin::ColumnsOf(op); ++column) {
            standin::WriteColumn(op, folder + stem, column);
        }
        std::cout << stem << " " << standin::ColumnsOf(op) << "\n";
    }
    return 0;
}
