// A program of `jumar`: reads a launch file, runs what it says, writes its report. A program with a `main` of its own leaves this
// file out and calls kernels through `tikicpulib.h`.
#include "ascendc/entry.h"
#include "launch.h"
#include "report.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <sstream>
#include <unistd.h>

namespace ascendc_cpu {
namespace {
struct Argument {
    uint64_t pointer = 0;       // for pointers
    std::vector<uint8_t> value; // for structures and scalars
    bool tiled = false;         // what the tiling function gives
};
// A tensor of a list that is being read.
struct Listed {
    uint64_t at;
    std::vector<uint64_t> shape;
};
std::vector<Argument> arguments;
std::vector<Listed> listed;
uint32_t permits = 2;
std::string wanted;    // the kernel by name; empty: by tiling key, or the only one
int32_t instance = -1; // of the tiling function; -1: the launch does without
std::vector<int64_t> numbers;

[[noreturn]] void Refuse(const std::string &message)
{
    WriteReport("refused", "launch", message, -1, nullptr, 0);
    std::exit(2);
}

// What a launch file says of a tensor in GM.
enum class Role { IN, INOUT, OUT };

uint64_t AddTensor(const std::string &name, uint64_t bytes, int file, Role role)
{
    const uint8_t *const at = role == Role::OUT ? AddEmpty(name, bytes, file) : AddGlobal(name, bytes, file, role == Role::INOUT);
    if (at == nullptr) {
        Refuse(Format("no memory for the %llu bytes of `%s`", static_cast<unsigned long long>(bytes), name.c_str()));
    }
    return reinterpret_cast<uint64_t>(at);
}

uint64_t AddFile(const std::string &name, uint64_t bytes, const std::string &role, const std::string &path)
{
    const int opened = open(path.c_str(), role == "in" ? O_RDONLY : O_RDWR);
    if (opened < 0) {
        Refuse("cannot open " + path);
    }
    const uint64_t at = AddTensor(name, bytes, opened, role == "in" ? Role::IN : role == "inout" ? Role::INOUT : Role::OUT);
    close(opened);
    return at;
}

// The words of a list of tensors, as `ascendc/list_tensor.h` describes them.
uint64_t AddList(const std::string &name)
{
    std::vector<uint64_t> words = {0};
    uint32_t index = 0;
    for (const Listed &tensor : listed) {
        words.push_back(tensor.shape.size() | static_cast<uint64_t>(index++) << 32);
        words.insert(words.end(), tensor.shape.begin(), tensor.shape.end());
    }
    words[0] = words.size() * sizeof(uint64_t);
    for (const Listed &tensor : listed) {
        words.push_back(tensor.at);
    }
    listed.clear();
    const uint64_t bytes = words.size() * sizeof(uint64_t);
    const uint64_t at = AddTensor(name, bytes, -1, Role::INOUT);
    std::memcpy(reinterpret_cast<void *>(at), words.data(), bytes);
    return at;
}

std::vector<uint8_t> ReadFile(const std::string &path)
{
    std::ifstream in(path, std::ios::binary);
    if (!in) {
        Refuse("cannot open " + path);
    }
    return std::vector<uint8_t>(std::istreambuf_iterator<char>(in), {});
}

// One line of the launch file: a word, then what belongs to it. The rest of the line is the last field, so that paths
// may hold spaces.
void ReadLine(const std::string &line)
{
    std::istringstream in(line);
    std::string word;
    in >> word;
    Config &config = MutableConfig();
    const auto number = [&] {
        uint64_t n = 0;
        if (!(in >> n)) {
            Refuse("a number is missing: " + line);
        }
        return n;
    };
    const auto rest = [&] {
        std::string text;
        std::getline(in >> std::ws, text);
        return text;
    };
    if (word == "report") {
        OpenReport(rest());
    } else if (word == "arch") {
        config.arch = static_cast<uint32_t>(number());
    } else if (word == "cores") {
        config.cores = static_cast<uint32_t>(number());
    } else if (word == "memories") {
        for (uint32_t &bytes : config.bytes) {
            bytes = static_cast<uint32_t>(number());
        }
    } else if (word == "block_dim") {
        config.block_dim = static_cast<uint32_t>(number());
    } else if (word == "threads") {
        permits = static_cast<uint32_t>(number());
    } else if (word == "tiling_key") {
        config.tiling_key = number();
    } else if (const auto check = std::find(CHECK_NAMES, CHECK_NAMES + CHECKS, word); check != CHECK_NAMES + CHECKS) {
        config.noted[check - CHECK_NAMES] = rest() == "report";
    } else if (word == "whole") {
        config.whole = number() != 0;
    } else if (word == "saturate") {
        config.saturate = number() != 0;
    } else if (word == "auto_sync") {
        config.auto_sync = number() != 0;
    } else if (word == "record") { // record FOLDER: for the events of each block
        config.events = rest();
    } else if (word == "replay") {
        config.replay = true;
        config.seed = number();
    } else if (word == "gm") { // gm NAME BYTES in|inout|out PATH
        std::string name;
        std::string role;
        in >> name;
        const uint64_t bytes = number();
        in >> role;
        arguments.push_back({AddFile(name, bytes, role, rest()), {}, false});
    } else if (word == "listed") { // listed NAME BYTES in|inout|out RANK AXES... PATH: a tensor of the next list
        std::string name;
        std::string role;
        in >> name;
        const uint64_t bytes = number();
        in >> role;
        Listed tensor{0, std::vector<uint64_t>(number())};
        for (uint64_t &axis : tensor.shape) {
            axis = number();
        }
        tensor.at = AddFile(name, bytes, role, rest());
        listed.push_back(tensor);
    } else if (word == "list") { // list NAME: an argument made of the tensors before
        arguments.push_back({AddList(rest()), {}, false});
    } else if (word == "scratch") { // scratch NAME BYTES: GM that belongs to the launch
        std::string name;
        in >> name;
        arguments.push_back({AddTensor(name, number(), -1, Role::OUT), {}, false});
    } else if (word == "alike") { // alike NAME: blocks that nothing orders may write the same bytes there
        MarkAlike(rest());
    } else if (word == "kernel") {
        wanted = rest();
    } else if (word == "tile") { // tile INSTANCE NUMBERS...: block dim, key and one value come from the tiling function
        instance = static_cast<int32_t>(number());
        for (int64_t n = 0; in >> n;) {
            numbers.push_back(n);
        }
    } else if (word == "tiled") { // the value that the tiling function gives
        arguments.push_back({0, {}, true});
    } else if (word == "null") {
        arguments.push_back({0, {}, false});
    } else if (word == "same") { // same INDEX: what an argument before is given
        arguments.push_back(arguments.at(number()));
    } else if (word == "value") { // value PATH: bytes of a structure or scalar
        arguments.push_back({0, ReadFile(rest()), false});
    } else {
        Refuse("unknown word: " + line);
    }
}

// Asks the host tiling function: what it says goes into the report, so that the reader can compare.
void Tile()
{
    if (instance < 0) {
        return;
    }
    if (tile == nullptr) {
        Refuse("the program has no tiling function");
    }
    Tiled out = {};
    tile(instance, numbers.data(), &out);
    if (out.error != nullptr) {
        Refuse(Format("the tiling function refuses: %s", out.error));
    }
    const auto *const data = static_cast<const uint8_t *>(out.data);
    for (Argument &argument : arguments) {
        if (argument.tiled) {
            argument.value.assign(data, data + out.bytes);
        }
    }
    MutableConfig().block_dim = static_cast<uint32_t>(out.block_dim);
    MutableConfig().tiling_key = out.key;
    std::string bytes;
    for (uint32_t i = 0; i < out.bytes; ++i) {
        bytes += Format("%02x", data[i]);
    }
    WriteReport("tiled", "tiling", Format("%llu %lld %lld ", static_cast<unsigned long long>(out.key),
        static_cast<long long>(out.block_dim), static_cast<long long>(out.workspace)) + bytes, -1, nullptr, 0);
}

const Entry *Choose()
{
    const Entry *chosen = nullptr;
    for (int i = 0; i < entries.count; ++i) {
        const Entry &entry = entries.list[i];
        if (entries.count == 1 || (wanted.empty() ? entry.key == config().tiling_key : wanted == entry.name)) {
            chosen = &entry;
        }
    }
    if (chosen == nullptr) {
        Refuse(Format("no kernel `%s` with the tiling key %llu", wanted.c_str(), static_cast<unsigned long long>(config().tiling_key)));
    }
    return chosen;
}

void BindParameters(const Entry &entry)
{
    if (static_cast<int>(arguments.size()) != entry.count) {
        Refuse(Format("kernel `%s` takes %d arguments, the launch gives %d", entry.name, entry.count, static_cast<int>(arguments.size())));
    }
    for (int i = 0; i < entry.count; ++i) {
        const Parameter &parameter = entry.parameters[i];
        const bool value = !arguments[i].value.empty();
        if (parameter.pointer == value) {
            Refuse(Format("parameter %d of kernel `%s` is %s, the launch gives %s", i + 1, entry.name,
                parameter.pointer ? "a pointer" : "a value", value ? "a value" : "a tensor"));
        }
        if (value && arguments[i].value.size() != parameter.bytes) {
            Refuse(Format("parameter %d of kernel `%s` has %u bytes, the launch gives %u", i + 1, entry.name, parameter.bytes,
                static_cast<uint32_t>(arguments[i].value.size())));
        }
    }
}

void Call(const Entry &entry)
{
    std::vector<void *> values;
    for (Argument &argument : arguments) {
        values.push_back(argument.value.empty() ? static_cast<void *>(&argument.pointer) : argument.value.data());
    }
    entry.call(values.data());
}

int Main(int argc, char **argv)
{
    if (argc != 2) {
        std::fprintf(stderr, "usage: %s LAUNCH_FILE\n", argv[0]);
        return 2;
    }
    std::ifstream file(argv[1]);
    if (!file) {
        Refuse(std::string("cannot open ") + argv[1]);
    }
    for (std::string line; std::getline(file, line);) {
        if (!line.empty()) {
            ReadLine(line);
        }
    }
    Tile();
    const Entry &entry = *Choose();
    BindParameters(entry);
    const uint64_t took = RunBlocks(permits, [&entry] { Call(entry); });
    EachAlike([](uint64_t at, uint64_t bytes) {
        uint64_t byte = 0;
        const std::string name = PlaceInGlobal(at, &byte);
        WriteReport("alike", name.c_str(), Format("%llu %llu", static_cast<unsigned long long>(byte),
            static_cast<unsigned long long>(byte + bytes)), -1, nullptr, 0);
    });
    if (FirstFailed() == UINT32_MAX && !AnyLeftOut()) {
        EachUnwritten([](const Gap &gap) {
            TellGap("poison", Format("`%s` is not wholly written: no block writes %llu of its %llu bytes, byte %llu is the first; on "
                                             "the device they hold what lay there before", gap.name.c_str(),
                                          static_cast<unsigned long long>(gap.missing), static_cast<unsigned long long>(gap.bytes),
                                          static_cast<unsigned long long>(gap.first)));
        });
    }
    WriteReport("done", "time", Format("%llu", static_cast<unsigned long long>(took)), -1, nullptr, 0);
    return AnyMistake() ? 1 : 0;
}
} // namespace
} // namespace ascendc_cpu

int main(int argc, char **argv)
{
    return ascendc_cpu::Main(argc, argv);
}
