// Options are those of the pages "BiSheng Compiler, compilation options" (CANN 8.3 to 9.0) and of the toolkit's own builds for a device
// object; what is not among them is refused, as the compiler does.
#include "arguments.h"

#include <algorithm>
#include <array>
#include <map>

namespace standin {
namespace {
struct Arch {
    const char *name;
    const char *number;
    Cores cores;
};
// --cce-aicore-arch, of objects that are compiled for one kind of cores.
constexpr std::array<Arch, 3> OBJECT_ARCHES = {{
    {"dav-c220-vec", "2201", Cores::VECTOR},
    {"dav-c220-cube", "2201", Cores::CUBE},
    {"dav-m200", "2002", Cores::ALL},
}};
// --npu-arch, of sources that hold host and device.
constexpr std::array<Arch, 2> SOURCE_ARCHES = {{
    {"dav-2201", "2201", Cores::ALL},
    {"dav-2002", "2002", Cores::ALL},
}};

// Options of the device's own passes, behind -mllvm.
constexpr std::array<const char *, 8> PASSES = {"-cce-aicore-stack-size=", "-cce-aicore-function-stack-size=",
    "-cce-aicore-dcci-insert-for-scalar=", "-cce-aicore-fp-ceiling=", "-cce-aicore-record-overflow=", "-cce-aicore-mask-opt=",
    "-cce-aicore-addr-transform", "-cce-aicore-jump-expand="};

bool Starts(const std::string &word, const std::string &begin)
{
    return word.compare(0, begin.size(), begin) == 0;
}

// The words of a line, one after the other.
class Words {
public:
    explicit Words(const std::vector<std::string> &all) : all_(all) {}
    bool Next(std::string &word)
    {
        if (at_ == all_.size()) {
            return false;
        }
        word = all_[at_++];
        return true;
    }
    // The argument of an option that has one.
    std::string ArgumentOf(const std::string &option)
    {
        std::string word;
        if (!Next(word)) {
            throw Refusal("error: argument to '" + option + "' is missing (expected 1 value)");
        }
        return word;
    }

private:
    const std::vector<std::string> &all_;
    size_t at_ = 0;
};

// What a line says, before it is known whether that goes together.
struct Said {
    Request request;
    std::map<std::string, std::string> options;
    bool Has(const char *option) const { return options.count(option) != 0; }
};

template <size_t N>
const Arch &ArchOf(const std::array<Arch, N> &all, const std::string &option, const std::string &name)
{
    const auto found = std::find_if(all.begin(), all.end(), [&](const Arch &arch) { return name == arch.name; });
    if (found == all.end()) {
        throw Refusal("error: unsupported argument '" + name + "' to option '" + option + "'");
    }
    return *found;
}

// -I folder, -Ifolder; passed on as they are.
bool TakePassed(Words &words, const std::string &word, Request &request)
{
    for (const std::string option : {"-I", "-D", "-L", "-l", "-include"}) {
        if (!Starts(word, option)) {
            continue;
        }
        const bool joined = word.size() > option.size();
        if (joined && option == "-include") {
            continue;
        }
        const std::string value = joined ? word.substr(option.size()) : words.ArgumentOf(option);
        request.passed.push_back(option);
        request.passed.push_back(value);
        if (option == "-I") {
            request.includes.push_back(value);
        }
        return true;
    }
    return false;
}

void TakePass(const std::string &pass)
{
    const auto known = [&](const char *begin) { return Starts(pass, begin); };
    if (std::none_of(PASSES.begin(), PASSES.end(), known)) {
        throw Refusal("error: Unknown command line argument '" + pass + "'");
    }
}

Said Read(const std::vector<std::string> &all)
{
    Said said;
    Words words(all);
    for (std::string word; words.Next(word);) {
        const size_t equals = word.find('=');
        const std::string name = word.substr(0, equals);
        if (word == "-o" || word == "-x") {
            said.options[word] = words.ArgumentOf(word);
        } else if (word == "-mllvm") {
            TakePass(words.ArgumentOf(word));
        } else if (name == "-std" || name == "--std" || name == "--cce-aicore-arch" || name == "--npu-arch") {
            said.options[name == "--std" ? "-std" : name] = equals == std::string::npos ? "" : word.substr(equals + 1);
        } else if (word == "-c" || word == "-shared" || word == "-fPIC" || word == "--cce-aicore-only" || word == "--cce-mask-opt" || word == "-g"
            || word == "-O0" || word == "-O2" || word == "-O3") {
            said.options[word] = "";
        } else if (word == "--cce-auto-sync" || word == "--cce-auto-sync=on" || word == "--cce-auto-sync=off") {
            said.request.auto_sync = word != "--cce-auto-sync=off";
        } else if (!TakePassed(words, word, said.request)) {
            if (Starts(word, "-")) {
                throw Refusal("error: unknown argument: '" + word + "'");
            }
            if (!said.request.source.empty()) {
                throw Refusal("error: the stand-in compiles one source, and this is a second one: '" + word + "'");
            }
            said.request.source = word;
        }
    }
    return said;
}

void Demand(const Said &said, const char *option, const char *why)
{
    if (!said.Has(option)) {
        throw Refusal(std::string("error: ") + why + ": '" + option + "' is missing");
    }
}

Request ObjectOf(Said said)
{
    Demand(said, "-c", "an object is compiled and not linked");
    Demand(said, "--cce-aicore-only", "without it the host's part of the source is compiled, too, which the stand-in does not");
    Demand(said, "-std", "AscendC is C++17");
    Demand(said, "--cce-aicore-arch", "an object is of one architecture");
    const Arch &arch = ArchOf(OBJECT_ARCHES, "--cce-aicore-arch=", said.options["--cce-aicore-arch"]);
    said.request.way = Way::OBJECT;
    said.request.arch = arch.number;
    said.request.cores = arch.cores;
    return said.request;
}

Request SourceOf(Said said)
{
    Demand(said, "--npu-arch", "a source of host and device is of one architecture");
    if (said.Has("-c")) {
        throw Refusal("error: the stand-in makes programs and libraries of .asc sources, no objects: leave out '-c'");
    }
    if (said.Has("-shared") && !said.Has("-fPIC")) {
        throw Refusal("error: code of a library does not depend on its place: '-fPIC' is missing");
    }
    const Arch &arch = ArchOf(SOURCE_ARCHES, "--npu-arch=", said.options["--npu-arch"]);
    said.request.way = said.Has("-shared") ? Way::LIBRARY : Way::PROGRAM;
    said.request.arch = arch.number;
    said.request.cores = arch.cores;
    return said.request;
}
} // namespace

Request RequestOf(const std::vector<std::string> &words)
{
    Said said = Read(words);
    Request &request = said.request;
    if (request.source.empty()) {
        throw Refusal("error: no input files");
    }
    Demand(said, "-o", "the stand-in gives no file a name of its own");
    request.output = said.options["-o"];
    if (said.Has("-std") && said.options["-std"] != "c++17") {
        throw Refusal("error: invalid value '" + said.options["-std"] + "' in '-std=': AscendC is C++17");
    }
    const std::string language = said.Has("-x") ? said.options["-x"] : "";
    const bool is_asc = request.source.size() > 4 && request.source.substr(request.source.size() - 4) == ".asc";
    if (language == "cce") {
        return ObjectOf(std::move(said));
    }
    if (language == "asc" || (language.empty() && is_asc)) {
        return SourceOf(std::move(said));
    }
    throw Refusal("error: language not recognized: '" + (language.empty() ? request.source : language) + "'; there are cce and asc");
}

LinkRequest LinkRequestOf(const std::vector<std::string> &all)
{
    LinkRequest request;
    bool is_for_cores = false;
    bool is_static = false;
    Words words(all);
    for (std::string word; words.Next(word);) {
        if (word == "-m") {
            const std::string emulation = words.ArgumentOf(word);
            if (emulation != "aicorelinux") {
                throw Refusal("error: unknown emulation: " + emulation);
            }
            is_for_cores = true;
        } else if (word == "-o") {
            request.output = words.ArgumentOf(word);
        } else if (word == "-static") {
            is_static = true;
        } else if (word != "-Ttext=0") {
            if (Starts(word, "-")) {
                throw Refusal("error: unknown argument '" + word + "'");
            }
            request.objects.push_back(word);
        }
    }
    if (request.objects.empty()) {
        throw Refusal("error: no input files");
    }
    if (!is_for_cores || !is_static || request.output.empty()) {
        throw Refusal("error: an object of the device is linked with '-m aicorelinux', '-static' and '-o'");
    }
    return request;
}
} // namespace standin
