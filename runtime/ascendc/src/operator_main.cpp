// The host side of an operator project as a program: it is linked with the files of op_host, reads what a launch gives to the operator,
// and says what its functions decide. `runtime/src/ascendc/operator.rs` writes the questions and reads the answers.
//
//   definition                            only the names of the parameters are asked for
//   kernel add_custom                     unit ascend910b
//   param x 1, then a line for each tensor: tensor f32 2 8 2048
//   elements FILE                         those of that tensor, where host functions read them
//   param z ?                             an output whose type and shape are to be inferred
//   attr alpha 0.5
//
//   refused WHY | note WORDS | text LINE OF C++ | output z f32 8 2048 | same OUTPUT INPUT | tiled KEY BLOCK_DIM WORKSPACE HEX
//   operator AddCustom | inputs 2 | names x | reads x | takes optional f32 f16 ?
//                                         the definition, a line for each parameter: `reads` where host functions read its elements; then
//                                         whether a launch gives it, and its element types by combination, `?` for those of no launch here
//   attr alpha required float             an attribute and what it holds
//   wanted x                              a function asks for elements that it does not get
//   logged TEXT                           a function logs an error; a refusal holds the last ones
//   running FUNCTION                      written before it is called; the last such line tells which one never returned
#include "ascendc/host_api/tiling/template_argument.h"
#include "ascendc/log.h"
#include "graph/utils/type_utils.h"
#include "register/op_def_registry.h"
#include "register/tilingdata_base.h"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <fstream>
#include <limits>
#include <sstream>

namespace ascendc_cpu {
namespace {
struct Element {
    const char *name;
    ge::DataType type;
    const char *spelled;
    const char *device;
};
constexpr Element ELEMENTS[] = {
    {"f32", ge::DT_FLOAT, "DT_FLOAT", "float"},
    {"f16", ge::DT_FLOAT16, "DT_FLOAT16", "half"},
    {"bf16", ge::DT_BF16, "DT_BF16", "bfloat16_t"},
    {"f64", ge::DT_DOUBLE, "DT_DOUBLE", "double"},
    {"bool", ge::DT_BOOL, "DT_BOOL", "bool"},
    {"i8", ge::DT_INT8, "DT_INT8", "int8_t"},
    {"u8", ge::DT_UINT8, "DT_UINT8", "uint8_t"},
    {"i16", ge::DT_INT16, "DT_INT16", "int16_t"},
    {"u16", ge::DT_UINT16, "DT_UINT16", "uint16_t"},
    {"i32", ge::DT_INT32, "DT_INT32", "int32_t"},
    {"u32", ge::DT_UINT32, "DT_UINT32", "uint32_t"},
    {"i64", ge::DT_INT64, "DT_INT64", "int64_t"},
    {"u64", ge::DT_UINT64, "DT_UINT64", "uint64_t"},
};
const Element *ElementOf(ge::DataType type)
{
    for (const Element &element : ELEMENTS) {
        if (element.type == type) {
            return &element;
        }
    }
    return nullptr;
}
std::string Spelled(ge::DataType type)
{
    const Element *const element = ElementOf(type);
    return element != nullptr ? element->spelled : "another type";
}
void Append(std::string &list, const std::string &item, const char *between = ", ")
{
    list += (list.empty() ? "" : between) + item;
}
std::string Spelled(const gert::Shape &shape)
{
    std::string axes;
    for (size_t i = 0; i < shape.GetDimNum(); ++i) {
        Append(axes, std::to_string(shape.GetDim(i)));
    }
    return "[" + axes + "]";
}

// What a parameter of the kernel is given.
struct Given {
    std::string name;
    bool open = false; // to be inferred
    std::vector<gert::Tensor> tensors;
    // Of each tensor; empty where they are not given. Words, since functions read elements of any size.
    std::deque<std::vector<uint64_t>> elements;
};
struct Request {
    bool definition = false;
    std::string kernel;
    std::string unit;
    std::vector<Given> params;
    std::vector<std::pair<std::string, std::string>> attrs;
};

class OperatorMain {
public:
    OperatorMain(const char *request, const char *answer) : answer_(answer)
    {
        Read(request);
        current = this;
        onMissingElements = [](const gert::Tensor &tensor) { current->Wanted(tensor); };
        templateKeyMistake = &key_mistake_;
        onErrorLogged = [](const std::string &line) { current->Logged(line); };
    }

    void Run()
    {
        ops::OpDef &op = Choose();
        if (request_.definition) {
            Describe(op);
            return;
        }
        Distribute(op);
        ReadAttrs(op);
        const size_t column = Column(op);
        GiveFormats(op, column);
        Infer(op, column);
        DescribeTypes(op);
        Tile(op);
    }

private:
    [[noreturn]] void Refuse(const std::string &why)
    {
        answer_ << "refused " << why << "\n";
        answer_.close();
        std::exit(0);
    }

    // Says what is called, in the file whatever becomes of this process.
    void Running(const char *function)
    {
        logged_.clear();
        answer_ << "running " << function << std::endl;
    }

    void Logged(std::string line)
    {
        std::replace(line.begin(), line.end(), '\n', ' ');
        const auto place = [](const std::string &of) { return of.substr(std::min(of.rfind(" ("), of.size())); };
        if (!logged_.empty() && !place(line).empty() && place(line) == place(logged_.back())) {
            return; // one macro that logs and reports
        }
        answer_ << "logged " << line << std::endl;
        logged_.push_back(line);
        if (logged_.size() > LINES) {
            logged_.pop_front();
        }
    }

    // The function that was called last fails; what it logged as errors says why.
    [[noreturn]] void RefuseWithLog(std::string why)
    {
        for (size_t i = 0; i < logged_.size(); ++i) {
            why += (i == 0 ? ": " : "; ") + logged_[i];
        }
        Refuse(why);
    }

    void Read(const char *path)
    {
        std::ifstream in(path);
        std::string line;
        while (std::getline(in, line)) {
            std::istringstream words(line);
            std::string what;
            words >> what;
            if (what == "definition") {
                request_.definition = true;
            } else if (what == "kernel") {
                words >> request_.kernel;
            } else if (what == "unit") {
                words >> request_.unit;
            } else if (what == "param") {
                Given given;
                std::string tensors;
                words >> given.name >> tensors;
                given.open = tensors == "?";
                request_.params.push_back(given);
            } else if (what == "tensor") {
                std::string name;
                size_t rank = 0;
                words >> name >> rank;
                gert::Shape shape;
                for (size_t i = 0; i < rank; ++i) {
                    int64_t dim = 0;
                    words >> dim;
                    shape.AppendDim(dim);
                }
                ge::DataType type = ge::DT_UNDEFINED;
                for (const Element &element : ELEMENTS) {
                    type = element.name == name ? element.type : type;
                }
                request_.params.back().tensors.push_back(PlainTensor(type, shape));
                request_.params.back().elements.emplace_back();
            } else if (what == "elements") {
                words.get();
                std::string file;
                std::getline(words, file);
                request_.params.back().elements.back() = ReadElements(file);
            } else if (what == "attr") {
                std::string name;
                words >> name;
                words.get();
                std::string value;
                std::getline(words, value);
                request_.attrs.emplace_back(name, value);
            }
        }
    }

    static std::vector<uint64_t> ReadElements(const std::string &path)
    {
        std::ifstream in(path, std::ios::binary | std::ios::ate);
        const std::streamsize bytes = std::max<std::streamsize>(in.tellg(), 0);
        std::vector<uint64_t> words(bytes / sizeof(uint64_t) + 1); // never empty: null means that there are none
        in.seekg(0);
        in.read(reinterpret_cast<char *>(words.data()), bytes);
        return words;
    }

    // AddCustom -> add_custom: an underscore before a capital that begins a word.
    static std::string KernelName(const std::string &type)
    {
        std::string name;
        for (size_t i = 0; i < type.size(); ++i) {
            const auto is = [&](size_t at, int (*of)(int)) { return at < type.size() && of(static_cast<unsigned char>(type[at])) != 0; };
            const bool begins = i > 0 && is(i, std::isupper) && (!is(i - 1, std::isupper) || is(i + 1, std::islower));
            name += begins ? "_" : "";
            name += static_cast<char>(std::tolower(static_cast<unsigned char>(type[i])));
        }
        return name;
    }

    // The operator of the kernel, with the functions that are registered apart from it.
    ops::OpDef &Choose()
    {
        std::deque<ops::OpDef> &all = Operators();
        for (ops::OpDef &op : all) {
            if (all.size() == 1 || KernelName(op.type) == request_.kernel) {
                ApplyConfig(op);
                const gert::OpImplRegister &impl = ImplOf(op.type);
                op.infer_shape = op.infer_shape != nullptr ? op.infer_shape : impl.infer_shape;
                op.infer_data_type = op.infer_data_type != nullptr ? op.infer_data_type : impl.infer_data_type;
                op.core.tiling = op.core.tiling != nullptr ? op.core.tiling : impl.tiling;
                return op;
            }
        }
        Refuse(all.empty() ? "the host file registers no operator; it ends with OP_ADD(Type)"
                           : "no operator of the host file belongs to kernel " + request_.kernel + "; the type AddCustom belongs to add_custom");
    }

    // What the definition says of the chip: that it is served, and parameters that differ there.
    void ApplyConfig(ops::OpDef &op)
    {
        std::string listed;
        for (const auto &[unit, config] : op.core.configs) {
            if (unit == request_.unit) {
                for (const ops::OpParamDef &param : config.params) {
                    const auto replace = [&param](ops::OpParamDef &def) {
                        if (def.name == param.name) {
                            const ops::OpParamDef general = def;
                            def = param;
                            def.depend = param.depend == ops::IGNORE ? general.depend : param.depend;
                            def.depend_scope = param.depend == ops::IGNORE ? general.depend_scope : param.depend_scope;
                        }
                    };
                    std::for_each(op.inputs.begin(), op.inputs.end(), replace);
                    std::for_each(op.outputs.begin(), op.outputs.end(), replace);
                }
                return;
            }
            Append(listed, unit);
        }
        Refuse("operator " + op.type + " has no AddConfig for " + request_.unit + "; it has " + (listed.empty() ? "none" : listed) +
            "; add one, or choose another --chip");
    }

    void Describe(const ops::OpDef &op)
    {
        answer_ << "operator " << op.type << "\ninputs " << op.inputs.size() << "\n";
        for (size_t i = 0; i < op.inputs.size(); ++i) {
            answer_ << (Reads(op, i, ops::DependScope::TILING) ? "reads " : "names ") << op.inputs[i].name << "\n";
            DescribeParam(op.inputs[i]);
        }
        for (const ops::OpParamDef &param : op.outputs) {
            answer_ << "names " << param.name << "\n";
            DescribeParam(param);
        }
        for (const ops::OpAttrDef &attr : op.attrs) {
            const char *const kind = std::visit([](const auto &value) { return KindOf(value); }, attr.value);
            answer_ << "attr " << attr.name << (attr.option == ops::OPTIONAL ? " optional " : " required ") << kind << "\n";
        }
    }

    static const char *KindOf(float) { return "float"; }
    static const char *KindOf(int64_t) { return "int"; }
    static const char *KindOf(bool) { return "bool"; }
    static const char *KindOf(const std::string &) { return "string"; }
    template <typename T>
    static const char *KindOf(const gert::TypedContinuousVector<T> &)
    {
        return std::is_same<T, float>::value ? "floats" : "ints";
    }

    void DescribeParam(const ops::OpParamDef &param)
    {
        answer_ << "takes " << (param.option == ops::OPTIONAL ? "optional" : param.option == ops::DYNAMIC ? "dynamic" : "required");
        for (const ge::DataType type : param.types.empty() ? param.free_types : param.types) {
            const Element *const element = ElementOf(type);
            answer_ << " " << (element != nullptr ? element->name : "?");
        }
        answer_ << "\n";
    }

    // Whether an input's elements are there for the tiling function, or for all functions.
    static bool Reads(const ops::OpDef &op, size_t input, ops::DependScope by)
    {
        const ops::OpParamDef &def = op.inputs[input];
        const gert::OpImplRegister &impl = ImplOf(op.type);
        const auto listed = [input](const std::set<int32_t> &inputs) { return inputs.count(static_cast<int32_t>(input)) > 0; };
        const bool depends = def.depend == ops::OPTIONAL || def.depend == ops::REQUIRED;
        const bool by_all = listed(impl.dependent) || (depends && def.depend_scope == ops::DependScope::ALL);
        return by_all || (by == ops::DependScope::TILING && (depends || listed(impl.tiling_dependent)));
    }

    void GiveElements(const ops::OpDef &op, ops::DependScope to)
    {
        for (size_t i = 0; i < op.inputs.size(); ++i) {
            for (size_t k = 0; k < launch_.inputs[i].size(); ++k) {
                const std::vector<uint64_t> &words = request_.params[i].elements[k];
                launch_.inputs[i][k].SetElements(Reads(op, i, to) && !words.empty() ? words.data() : nullptr);
            }
        }
    }

    void Wanted(const gert::Tensor &tensor)
    {
        for (size_t i = 0; i < launch_.inputs.size(); ++i) {
            for (const gert::Tensor &input : launch_.inputs[i]) {
                if (&input == &tensor) {
                    answer_ << "wanted " << request_.params[i].name << std::endl;
                }
            }
        }
    }

    // Inputs come before outputs.
    void Distribute(const ops::OpDef &op)
    {
        const size_t inputs = op.inputs.size();
        if (inputs + op.outputs.size() != request_.params.size()) {
            Refuse("operator " + op.type + " has " + std::to_string(inputs) + " inputs and " + std::to_string(op.outputs.size()) +
                " outputs; kernel " + request_.kernel + " takes " + std::to_string(request_.params.size()) +
                " tensors before workspace and tiling");
        }
        launch_.type = op.type;
        for (size_t i = 0; i < request_.params.size(); ++i) {
            Given &given = request_.params[i];
            const bool is_input = i < inputs;
            const ops::OpParamDef &def = is_input ? op.inputs[i] : op.outputs[i - inputs];
            if (!is_input && given.tensors.empty() && !given.open) {
                UpdateInPlace(op, i);
            }
            if (given.tensors.empty() && !given.open && def.option != ops::OPTIONAL) {
                Refuse("`" + given.name + "` is missing; add " + (is_input ? "--arg " : "--out ") + given.name + "=@FILE.npy");
            }
            if (is_input && given.open) {
                Refuse("`" + given.name + "` is an input of operator " + op.type + "; give it with --arg " + given.name + "=@FILE.npy");
            }
            if (!is_input && given.tensors.empty() && !given.open) {
                launch_.unasked.insert(i - inputs);
            }
            (is_input ? launch_.inputs : launch_.outputs).push_back(given.tensors);
        }
    }

    // An output of the name of an input is the same tensor.
    void UpdateInPlace(const ops::OpDef &op, size_t at)
    {
        for (size_t i = 0; i < op.inputs.size(); ++i) {
            if (op.inputs[i].name == op.outputs[at - op.inputs.size()].name) {
                request_.params[at].tensors = request_.params[i].tensors;
                answer_ << "same " << at << " " << i << "\n";
            }
        }
    }

    void ReadAttrs(const ops::OpDef &op)
    {
        for (const auto &[name, text] : request_.attrs) {
            bool known = false;
            std::string names;
            for (const ops::OpAttrDef &def : op.attrs) {
                known = known || def.name == name;
                Append(names, def.name);
            }
            if (!known) {
                Refuse("operator " + op.type + " has no attribute `" + name + "`; it has " + (names.empty() ? "none" : names));
            }
        }
        for (const ops::OpAttrDef &def : op.attrs) {
            gert::RuntimeAttrs::Value value = def.value;
            bool given = def.option == ops::OPTIONAL;
            for (const auto &[name, text] : request_.attrs) {
                if (name == def.name) {
                    given = true;
                    if (!std::visit([&text = text](auto &into) { return Parse(text, into); }, value)) {
                        Refuse("`" + text + "` is no value of attribute `" + name + "`");
                    }
                }
            }
            if (!given) {
                Refuse("attribute `" + def.name + "` is missing; add --attr " + def.name + "=VALUE");
            }
            launch_.attrs.values.push_back(value);
        }
        for (const gert::RuntimeAttrs::Value &value : ImplOf(op.type).private_attrs) {
            launch_.attrs.values.push_back(value);
        }
    }

    template <typename T>
    static bool Parse(const std::string &text, T &into)
    {
        std::istringstream in(text);
        in >> into;
        return !in.fail() && in.eof();
    }
    static bool Parse(const std::string &text, bool &into)
    {
        into = text == "true" || text == "1";
        return into || text == "false" || text == "0";
    }
    static bool Parse(const std::string &text, std::string &into)
    {
        into = text;
        return true;
    }
    template <typename T>
    static bool Parse(const std::string &text, gert::TypedContinuousVector<T> &into)
    {
        std::vector<T> values;
        std::istringstream in(text);
        std::string part;
        while (std::getline(in, part, ',')) {
            T value = {};
            if (!Parse(part, value)) {
                return false;
            }
            values.push_back(value);
        }
        into = std::get<gert::TypedContinuousVector<T>>(gert::RuntimeAttrs::ListOf(values));
        return true;
    }

    static constexpr size_t NO_COLUMN = std::numeric_limits<size_t>::max();

    // The combination of element types that the definition lists for what is given.
    size_t Column(const ops::OpDef &op)
    {
        size_t columns = 0;
        ForEach(op, [&](const ops::OpParamDef &def, const Given &) { columns = std::max(columns, def.types.size()); });
        const auto fits = [](const std::vector<ge::DataType> &types, size_t k, const Given &given) {
            for (const gert::Tensor &tensor : given.tensors) {
                if (k >= types.size() || tensor.GetDataType() != types[k]) {
                    return false;
                }
            }
            return true;
        };
        ForEach(op, [&](const ops::OpParamDef &def, const Given &given) {
            bool any = def.free_types.empty();
            for (size_t k = 0; k < def.free_types.size(); ++k) {
                any = any || fits(def.free_types, k, given);
            }
            if (!any) {
                Refuse("`" + given.name + "` is " + Spelled(given.tensors[0].GetDataType()) + "; operator " + op.type +
                    " does not list it (DataTypeList)");
            }
        });
        size_t found_column = NO_COLUMN;
        for (size_t k = 0; k < columns; ++k) {
            bool all = true;
            bool is_public = true;
            ForEach(op, [&](const ops::OpParamDef &def, const Given &given) {
                all = all && (def.types.empty() || fits(def.types, k, given));
                is_public = is_public && IsPublic(FormatOf(def, k));
            });
            if (all && is_public) {
                return k;
            }
            found_column = all && found_column == NO_COLUMN ? k : found_column;
        }
        if (columns == 0 || found_column != NO_COLUMN) {
            return found_column;
        }
        std::string found;
        std::string allowed;
        ForEach(op, [&](const ops::OpParamDef &, const Given &given) {
            if (!given.tensors.empty()) {
                Append(found, given.name + ": " + Spelled(given.tensors[0].GetDataType()));
            }
        });
        for (size_t k = 0; k < columns; ++k) {
            std::string column;
            ForEach(op, [&](const ops::OpParamDef &def, const Given &given) {
                if (k < def.types.size()) {
                    Append(column, given.name + ": " + Spelled(def.types[k]));
                }
            });
            Append(allowed, "(" + column + ")", " or ");
        }
        Refuse("operator " + op.type + " does not take (" + found + "); it takes " + allowed);
    }

    // The format of a combination's parameter.
    static ge::Format FormatOf(const ops::OpParamDef &def, size_t column)
    {
        return column < def.formats.size() ? def.formats[column] : ge::FORMAT_ND;
    }
    // Elements lie in the order of the axes.
    static bool IsPublic(ge::Format format)
    {
        const ge::Format all[] = {ge::FORMAT_ND, ge::FORMAT_NCHW, ge::FORMAT_NHWC, ge::FORMAT_HWCN, ge::FORMAT_CHWN, ge::FORMAT_NDHWC,
            ge::FORMAT_NCDHW, ge::FORMAT_DHWCN, ge::FORMAT_DHWNC, ge::FORMAT_CN, ge::FORMAT_NC, ge::FORMAT_NCL};
        return std::find(std::begin(all), std::end(all), format) != std::end(all);
    }
    static void SetFormat(gert::Tensor &tensor, ge::Format format)
    {
        tensor.SetOriginFormat(format);
        tensor.SetStorageFormat(format);
    }
    // Tensors have the format that the definition lists for them. A caller gives the shape of what is stored, and no other.
    void GiveFormats(const ops::OpDef &op, size_t column)
    {
        for (size_t i = 0; i < request_.params.size(); ++i) {
            const bool is_input = i < op.inputs.size();
            const ops::OpParamDef &def = is_input ? op.inputs[i] : op.outputs[i - op.inputs.size()];
            const ge::Format format = FormatOf(def, column);
            for (gert::Tensor &tensor : request_.params[i].tensors) {
                SetFormat(tensor, format);
            }
            std::vector<gert::Tensor> &launched = is_input ? launch_.inputs[i] : launch_.outputs[i - op.inputs.size()];
            for (gert::Tensor &tensor : launched) {
                SetFormat(tensor, format);
            }
            if (!launched.empty() && !IsPublic(format)) {
                answer_ << "note `" << request_.params[i].name << "` has the format " << ge::TypeUtils::FormatToSerialString(format)
                        << "; host functions find the given shape as that of its storage and of its origin\n";
            }
        }
    }

    template <typename F>
    void ForEach(const ops::OpDef &op, F look)
    {
        for (size_t i = 0; i < request_.params.size(); ++i) {
            const size_t inputs = op.inputs.size();
            look(i < inputs ? op.inputs[i] : op.outputs[i - inputs], request_.params[i]);
        }
    }

    // Gives outputs that are open a type and a shape, and compares the others with what the operator infers.
    void Infer(const ops::OpDef &op, size_t column)
    {
        if (op.outputs.empty()) {
            return; // there is no place for what the functions would say
        }
        GiveElements(op, ops::DependScope::ALL);
        gert::InferShapeContext shapes(launch_);
        if (op.infer_shape != nullptr) {
            Running("InferShape");
            if (op.infer_shape(&shapes) != ge::GRAPH_SUCCESS) {
                RefuseWithLog("the inference of shapes of operator " + op.type + " fails for these inputs");
            }
        }
        gert::InferDataTypeContext types(launch_);
        if (op.infer_data_type != nullptr) {
            Running("InferDataType");
            if (op.infer_data_type(&types) != ge::GRAPH_SUCCESS) {
                RefuseWithLog("the inference of element types of operator " + op.type + " fails for these inputs");
            }
        }
        for (size_t i = 0; i < op.outputs.size(); ++i) {
            Given &given = request_.params[op.inputs.size() + i];
            const size_t place = ascendc_cpu::PlacesBefore(launch_.outputs, i);
            if (!given.open) {
                CheckInferred(op, given, shapes, place);
                continue;
            }
            const std::vector<ge::DataType> &listed = op.outputs[i].types;
            const gert::Tensor *const type_of = Followed(op, op.outputs[i], ops::FollowType::DTYPE);
            const gert::Tensor *const shape_of = op.infer_shape == nullptr ? Followed(op, op.outputs[i], ops::FollowType::SHAPE) : nullptr;
            const ge::DataType type = column < listed.size() ? listed[column]
                : type_of != nullptr                         ? type_of->GetDataType()
                                                             : types.GetOutputDataType(place);
            const Element *const element = ElementOf(type);
            if ((op.infer_shape == nullptr && shape_of == nullptr) || element == nullptr) {
                Refuse("operator " + op.type + " does not infer `" + given.name + "`; write --out " + given.name +
                    ":f32[8,16]=@FILE.npy with its type and shape");
            }
            const gert::Shape &shape = shape_of != nullptr ? shape_of->GetStorageShape() : *shapes.GetOutputShape(place);
            given.tensors = {PlainTensor(type, shape)};
            SetFormat(given.tensors[0], FormatOf(op.outputs[i], column));
            launch_.outputs[i] = given.tensors;
            answer_ << "output " << given.name << " " << element->name;
            for (size_t axis = 0; axis < shape.GetDimNum(); ++axis) {
                answer_ << " " << shape.GetDim(axis);
            }
            answer_ << "\n";
        }
    }

    // The input that a parameter follows in its type or shape; null where it follows none.
    const gert::Tensor *Followed(const ops::OpDef &op, const ops::OpParamDef &def, ops::FollowType in) const
    {
        for (size_t i = 0; i < op.inputs.size(); ++i) {
            const bool follows = op.inputs[i].name == def.follows && (def.follow_type == ops::FollowType::ALL || def.follow_type == in);
            if (follows && !launch_.inputs[i].empty()) {
                return &launch_.inputs[i][0];
            }
        }
        return nullptr;
    }

    // The caller of an operator says what its outputs are; what the operator infers is for graphs.
    void CheckInferred(const ops::OpDef &op, const Given &given, gert::InferShapeContext &shapes, size_t place)
    {
        for (size_t i = 0; op.infer_shape != nullptr && i < given.tensors.size(); ++i) {
            const gert::Shape &inferred = *shapes.GetOutputShape(place + i);
            const gert::Shape &asked = given.tensors[i].GetStorageShape();
            if (inferred != asked) {
                const std::string name = given.tensors.size() == 1 ? given.name : given.name + "." + std::to_string(i);
                answer_ << "note operator " << op.type << " infers the shape " << Spelled(inferred) << " for `" << name << "`, not "
                        << Spelled(asked) << "\n";
            }
        }
    }

    // What the toolkit's build passes for element types.
    void DescribeTypes(const ops::OpDef &op)
    {
        ForEach(op, [&](const ops::OpParamDef &def, const Given &given) {
            if (given.tensors.empty()) {
                return;
            }
            std::string name = def.name;
            for (char &c : name) {
                c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
            }
            if (const Element *const element = ElementOf(given.tensors[0].GetDataType())) {
                answer_ << "text #define DTYPE_" << name << " " << element->device << "\ntext #define ORIG_DTYPE_" << name << " "
                        << element->spelled << "\ntext #define FORMAT_" << name << " FORMAT_"
                        << ge::TypeUtils::FormatToSerialString(given.tensors[0].GetStorageFormat()) << "\n";
            }
        });
    }

    void Tile(const ops::OpDef &op)
    {
        if (op.core.tiling == nullptr) {
            Refuse("operator " + op.type + " has no tiling function; AICore().SetTiling(f) or IMPL_OP_OPTILING(" + op.type + ") names it");
        }
        std::shared_ptr<void> info;
        const gert::OpImplRegister &impl = ImplOf(op.type);
        if (impl.parse) {
            Running("TilingParse");
            if (impl.parse(info) != ge::GRAPH_SUCCESS) {
                RefuseWithLog("the function of TilingParse of operator " + op.type + " fails");
            }
        }
        GiveElements(op, ops::DependScope::TILING);
        gert::TilingContext context(launch_, info.get());
        Running("the tiling function");
        const bool is_tiled = op.core.tiling(&context) == ge::GRAPH_SUCCESS;
        if (!key_mistake_.empty() && (!is_tiled || context.GetTilingKey() == INVALID_TILING_KEY)) {
            Refuse("the tiling function of operator " + op.type + " has no tiling key: " + key_mistake_);
        }
        if (!is_tiled) {
            RefuseWithLog("the tiling function of operator " + op.type + " fails for these tensors and attributes");
        }
        if (context.GetBlockDim() == 0 || context.GetBlockDim() > 65535) {
            Refuse("the tiling function of operator " + op.type + " sets a block dim of " + std::to_string(context.GetBlockDim()) +
                "; allowed are 1 to 65535 (SetBlockDim)");
        }
        DescribeTiling(op.type, context.GetTilingKey());
        const size_t workspace = context.GetWorkspaceNum() > 0 ? context.GetWorkspaceSizes(context.GetWorkspaceNum())[0] : 0;
        const auto computes = [](const ops::OpParamDef &output) { return output.computes_shape; };
        answer_ << "computes " << std::count_if(op.outputs.begin(), op.outputs.end(), computes) << "\n";
        answer_ << "tiled " << context.GetTilingKey() << " " << context.GetBlockDim() << " " << workspace << " ";
        const auto *const data = static_cast<const uint8_t *>(context.GetRawTilingData()->GetData());
        for (size_t i = 0; i < context.GetRawTilingData()->GetDataSize(); ++i) {
            char hex[3];
            std::snprintf(hex, sizeof hex, "%02x", static_cast<unsigned>(data[i]));
            answer_ << hex;
        }
        answer_ << "\n";
    }

    // The registered structure for the kernel, with those that it may hold.
    void DescribeTiling(const std::string &type, uint64_t key)
    {
        const std::string *name = nullptr;
        for (const auto &[of, registered] : TilingRegistrations()) {
            const bool exact = of == type + "_" + std::to_string(key);
            name = exact || (of == type && name == nullptr) ? &registered : name;
        }
        if (name == nullptr) {
            return;
        }
        for (const TilingClass &known : TilingClasses()) {
            answer_ << "text struct alignas(8) " << known.name << " {\n";
            std::istringstream fields(known.fields);
            std::string field;
            while (std::getline(fields, field)) {
                answer_ << "text " << field << "\n";
            }
            answer_ << "text };\n";
            if (known.bytes > 0) {
                answer_ << "text static_assert(sizeof(" << known.name << ") == " << known.bytes << ", \"as on the host\");\n";
            }
        }
        answer_ << "text REGISTER_TILING_DEFAULT(" << *name << ");\n";
    }

    std::ofstream answer_;
    Request request_;
    OpLaunch launch_;
    std::string key_mistake_;
    static constexpr size_t LINES = 3; // the last ones say why, those before that something was looked at
    std::deque<std::string> logged_;
    static inline OperatorMain *current = nullptr;
};
} // namespace
} // namespace ascendc_cpu

int main(int argc, char **argv)
{
    if (argc != 3) {
        return 2;
    }
    ascendc_cpu::OperatorMain(argv[1], argv[2]).Run();
    return 0;
}
