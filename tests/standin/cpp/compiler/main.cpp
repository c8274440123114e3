// A stand-in for `bisheng` and, called by that name, for `ld.lld`: sources become code of this machine, by its own C++ compiler, with the
// table of kernels that the stand-in's library reads. What the compiler is called with stands in `host.txt` of the toolkit.
#include "arguments.h"
#include "source.h"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <sstream>
#include <sys/wait.h>
#include <unistd.h>

namespace standin {
namespace {
using List = std::vector<std::string>;

std::string ReadFile(const std::string &path)
{
    std::ifstream in(path, std::ios::binary);
    if (!in) {
        throw Refusal("error: no such file or directory: '" + path + "'");
    }
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}
void WriteFile(const std::string &path, const std::string &text)
{
    std::ofstream out(path, std::ios::binary);
    out << text;
    if (!out.flush()) {
        throw Refusal("error: unable to open output file '" + path + "'");
    }
}
std::string FolderOf(const std::string &path)
{
    const size_t slash = path.rfind('/');
    return slash == std::string::npos ? "." : path.substr(0, slash);
}
std::string Real(const std::string &path)
{
    char *const found = realpath(path.c_str(), nullptr);
    const std::string real = found != nullptr ? found : "";
    free(found);
    return real;
}

// The toolkit that this program is part of.
std::string Home()
{
    return FolderOf(FolderOf(FolderOf(FolderOf(Real("/proc/self/exe")))));
}

// The lines below `[name]` in host.txt.
List Section(const std::string &name)
{
    std::istringstream in(ReadFile(Home() + "/compiler/host.txt"));
    List lines;
    bool inside = false;
    for (std::string line; std::getline(in, line);) {
        const bool heads = !line.empty() && line[0] == '[';
        if (inside && !heads) {
            lines.push_back(line);
        }
        inside = heads ? line == "[" + name + "]" : inside;
    }
    return lines;
}

// What makes a library of an object: names of C++ are its own. Two kernels of one name have parameters of their own, which g++ would make one
// object for the whole process.
List Libraries()
{
    return {"-shared", "-Wl,--version-script=" + Home() + "/compiler/exports.map"};
}

// Runs a program and gives its code; its messages are this program's own.
int Run(const List &words)
{
    std::vector<char *> argv;
    for (const std::string &word : words) {
        argv.push_back(const_cast<char *>(word.c_str()));
    }
    argv.push_back(nullptr);
    const pid_t child = fork();
    if (child == 0) {
        execvp(argv[0], argv.data());
        _exit(127);
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) < 0 || !WIFEXITED(status) || WEXITSTATUS(status) == 127) {
        throw Refusal("error: unable to execute command: '" + words[0] + "'");
    }
    return WEXITSTATUS(status);
}

// Only where the folder of AscendC's headers was given, their compiled form is looked at, too.
List Headers(const Request &request)
{
    const std::string own = Real(Home() + "/compiler/tikcpp/tikcfw");
    const auto is_own = [&](const std::string &folder) { return Real(folder) == own; };
    const bool given = std::any_of(request.includes.begin(), request.includes.end(), is_own);
    List flags;
    if (request.way != Way::OBJECT) {
        flags = {"-I", Home() + "/include"};
    }
    if (given || request.way != Way::OBJECT) {
        for (const std::string &folder : Section("headers " + request.arch)) {
            flags.insert(flags.end(), {"-I", folder});
        }
        flags.insert(flags.end(), {"-I", own});
    }
    return flags;
}

const char *KindOf(const Request &request, const Kernel &kernel)
{
    const Cores cores = kernel.cores == "__vector__" ? Cores::VECTOR : kernel.cores == "__cube__" ? Cores::CUBE : request.cores;
    return cores == Cores::VECTOR ? "VECTOR" : cores == Cores::CUBE ? "CUBE" : "MIXED";
}

// What stands behind the source of an object.
std::string TableOf(const Request &request, const std::vector<Kernel> &kernels)
{
    std::string out = "\n#include \"" + Home() + "/source/include/standin/kernel_table.h\"\nstatic const standin::KernelEntry standinEntries[] = {\n";
    for (const Kernel &kernel : kernels) {
        out += "    standin::EntryOf<&" + kernel.name + ">(\"" + kernel.name + "\", standin::CoreKind::" + KindOf(request, kernel) + ", "
            + (kernel.is_empty ? "true" : "false") + "),\n";
    }
    return out + "};\nextern \"C\" const standin::KernelTable standin_kernel_table = {standin::TABLE_VERSION, __NPU_ARCH__, &standin_machine, "
        + (request.auto_sync ? "true" : "false") + ", " + std::to_string(kernels.size()) + ", standinEntries};\n";
}

int Compile(const List &words)
{
    const Request request = RequestOf(words);
    if (request.way != Way::OBJECT && Section("asc").empty()) {
        throw Refusal("error: unknown argument: '--npu-arch=': this release has no sources of host and device");
    }
    const std::string text = ReadFile(request.source);
    const std::vector<Kernel> kernels = KernelsOf(text);
    std::string whole = "#line 1 \"" + request.source + "\"\n";
    if (request.way == Way::OBJECT) {
        if (kernels.empty()) {
            throw Refusal(request.source + ":1:1: error: the stand-in wants a kernel function in an object, and there is none");
        }
        whole += text + TableOf(request, kernels);
    } else {
        whole = "#include \"" + Home() + "/source/include/standin/launch.h\"\n" + whole + WithLaunches(text);
    }
    const std::string written = request.output + ".standin.cpp";
    WriteFile(written, whole);
    List line = Section("compiler");
    const List flags = Section("flags " + request.arch);
    line.insert(line.end(), flags.begin(), flags.end());
    const List headers = Headers(request);
    line.insert(line.end(), headers.begin(), headers.end());
    line.insert(line.end(), {"-iquote", FolderOf(request.source), "-x", "c++", written, "-x", "none", "-o", request.output});
    line.insert(line.end(), request.passed.begin(), request.passed.end());
    if (request.way == Way::OBJECT) {
        line.push_back("-c");
    } else {
        line.push_back(std::string("-DSTANDIN_AUTO_SYNC=") + (request.auto_sync ? "true" : "false"));
        const List kind = request.way == Way::LIBRARY ? Libraries() : List{"-pie"};
        line.insert(line.end(), kind.begin(), kind.end());
        line.insert(line.end(), {"-L", Home() + "/lib64", Home() + "/lib64/libstandin.so"});
    }
    const int code = Run(line);
    std::remove(written.c_str());
    return code;
}

int Link(const List &words)
{
    const LinkRequest request = LinkRequestOf(words);
    List line = Section("compiler");
    const List kind = Libraries();
    line.insert(line.end(), kind.begin(), kind.end());
    line.insert(line.end(), {"-o", request.output});
    line.insert(line.end(), request.objects.begin(), request.objects.end());
    line.push_back(Home() + "/lib64/libstandin.so");
    return Run(line);
}
} // namespace
} // namespace standin

int main(int argc, char **argv)
{
    const std::string path = argv[0];
    const std::string name = path.substr(path.rfind('/') + 1);
    try {
        const standin::List words(argv + 1, argv + argc);
        return name == "ld.lld" ? standin::Link(words) : standin::Compile(words);
    } catch (const standin::Refusal &refusal) {
        const std::string said = refusal.what();
        std::fprintf(stderr, "%s%s\n", said.rfind("error", 0) == 0 ? (name + ": ").c_str() : "", said.c_str());
        return 1;
    }
}
