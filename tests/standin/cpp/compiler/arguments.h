// The command lines that the stand-in's device compiler takes.
#ifndef JUMAR_STANDIN_ARGUMENTS_H
#define JUMAR_STANDIN_ARGUMENTS_H

#include <stdexcept>
#include <string>
#include <vector>

namespace standin {
// What a tool says before it gives up, on a line of its own.
struct Refusal : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// Which of the ways from a source to a kernel the line asks for.
enum class Way {
    OBJECT,  // -c -x cce --cce-aicore-only: an object of the device alone
    PROGRAM, // an .asc source: a program of the host with kernels in it
    LIBRARY, // the same with -shared
};
enum class Cores { VECTOR, CUBE, ALL };

struct Request {
    Way way = Way::OBJECT;
    std::string arch; // of __NPU_ARCH__: 2201
    Cores cores = Cores::ALL;
    bool auto_sync = false;
    std::string source;
    std::string output;
    std::vector<std::string> passed; // what the compiler of this machine is given: -I, -D, -include, -l, -L
    std::vector<std::string> includes; // folders of -I
};
// Throws a Refusal for what the compiler does not know, or misses.
Request RequestOf(const std::vector<std::string> &words);

struct LinkRequest {
    std::vector<std::string> objects;
    std::string output;
};
LinkRequest LinkRequestOf(const std::vector<std::string> &words);
} // namespace standin

#endif
