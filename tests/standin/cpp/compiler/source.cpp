#include "source.h"

#include "arguments.h"

#include <algorithm>
#include <cctype>

namespace standin {
namespace {
bool IsWord(char c)
{
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

// What the next characters are part of.
enum class State { CODE, LINE, BLOCK, STRING, LETTER, MACRO };

// Comments, strings and preprocessor lines as blanks: each character stands where it stood.
std::string CodeOf(const std::string &text)
{
    std::string code = text;
    State state = State::CODE;
    bool begins_line = true;
    for (size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        const char next = i + 1 < text.size() ? text[i + 1] : '\0';
        if (state == State::CODE) {
            state = c == '/' && next == '/' ? State::LINE
                : c == '/' && next == '*'   ? State::BLOCK
                : c == '"'                  ? State::STRING
                : c == '\'' && (i == 0 || !IsWord(text[i - 1])) ? State::LETTER
                : c == '#' && begins_line   ? State::MACRO
                                            : State::CODE;
            begins_line = c == '\n' || (begins_line && std::isspace(static_cast<unsigned char>(c)) != 0);
            if (state != State::CODE) {
                code[i] = ' ';
            }
            continue;
        }
        const bool ends = state == State::BLOCK ? c == '/' && text[i - 1] == '*'
            : state == State::STRING            ? c == '"'
            : state == State::LETTER            ? c == '\''
                                                : c == '\n' && text[i - 1] != '\\';
        if (c != '\n') {
            code[i] = ' ';
        }
        if ((state == State::STRING || state == State::LETTER) && c == '\\') {
            code[++i] = ' ';
        } else if (ends) {
            begins_line = begins_line || c == '\n';
            state = State::CODE;
        }
    }
    return code;
}

size_t Skip(const std::string &code, size_t at)
{
    while (at < code.size() && std::isspace(static_cast<unsigned char>(code[at])) != 0) {
        ++at;
    }
    return at;
}
std::string WordAt(const std::string &code, size_t at)
{
    size_t end = at;
    while (end < code.size() && IsWord(code[end])) {
        ++end;
    }
    return code.substr(at, end - at);
}
// The place behind the bracket that closes the one at `at`.
size_t Behind(const std::string &code, size_t at, char open, char close)
{
    int depth = 0;
    for (size_t i = at; i < code.size(); ++i) {
        depth += code[i] == open ? 1 : code[i] == close ? -1 : 0;
        if (depth == 0) {
            return i + 1;
        }
    }
    throw Refusal(std::string("error: expected '") + close + "'");
}

// The function whose qualifiers begin at `at`.
Kernel KernelAt(const std::string &code, size_t at)
{
    Kernel kernel{};
    bool returns_nothing = false;
    for (at = Skip(code, at); at < code.size(); at = Skip(code, at)) {
        const std::string word = WordAt(code, at);
        const size_t behind = Skip(code, at + word.size());
        if (word == "void") {
            returns_nothing = true;
        } else if (word.rfind("__", 0) == 0) {
            kernel.cores = word == "__vector__" || word == "__cube__" || word == "__mix__" ? word : kernel.cores;
            if (behind < code.size() && code[behind] == '(') {
                at = Behind(code, behind, '(', ')');
                continue;
            }
        } else if (!word.empty() && word != "inline" && word != "static") {
            if (!returns_nothing || behind >= code.size() || code[behind] != '(') {
                throw Refusal("error: a kernel function must return void, and this one says '" + word + "'");
            }
            kernel.name = word;
            const size_t body = Skip(code, Behind(code, behind, '(', ')'));
            kernel.has_body = body < code.size() && code[body] == '{';
            kernel.is_empty = kernel.has_body && Skip(code, body + 1) + 1 == Behind(code, body, '{', '}');
            return kernel;
        } else if (word.empty()) {
            throw Refusal("error: expected a function behind '__global__'");
        }
        at += word.size();
    }
    throw Refusal("error: expected a function behind '__global__'");
}

// Where the name before the brackets of a launch begins, with namespaces and template arguments.
size_t NameBefore(const std::string &code, size_t brackets)
{
    size_t at = brackets;
    while (at > 0 && std::isspace(static_cast<unsigned char>(code[at - 1])) != 0) {
        --at;
    }
    if (at > 0 && code[at - 1] == '>') {
        for (int depth = 0; at > 0;) {
            --at;
            depth += code[at] == '>' ? 1 : code[at] == '<' ? -1 : 0;
            if (depth == 0) {
                break;
            }
        }
    }
    while (at > 0 && (IsWord(code[at - 1]) || code[at - 1] == ':')) {
        --at;
    }
    return at;
}
} // namespace

std::vector<Kernel> KernelsOf(const std::string &text)
{
    const std::string code = CodeOf(text);
    const std::string word = "__global__";
    std::vector<Kernel> kernels;
    for (size_t at = code.find(word); at != std::string::npos; at = code.find(word, at + word.size())) {
        const bool is_word = (at == 0 || !IsWord(code[at - 1])) && !IsWord(code[at + word.size()]);
        if (!is_word) {
            continue;
        }
        const Kernel kernel = KernelAt(code, at + word.size());
        const auto same = [&](const Kernel &other) { return other.name == kernel.name; };
        if (kernel.has_body && std::none_of(kernels.begin(), kernels.end(), same)) {
            kernels.push_back(kernel);
        }
    }
    return kernels;
}

std::string WithLaunches(const std::string &text)
{
    const std::string code = CodeOf(text);
    std::string out;
    size_t done = 0;
    for (size_t open = code.find("<<<"); open != std::string::npos; open = code.find("<<<", done)) {
        const size_t close = code.find(">>>", open);
        const size_t begin = NameBefore(code, open);
        if (close == std::string::npos || begin == open) {
            throw Refusal("error: expected a kernel function before '<<<' and '>>>' behind it");
        }
        const std::string name = text.substr(begin, open - begin);
        out += text.substr(done, begin - done);
        out += "standin::LaunchOf(\"" + name + "\", [](auto... standinArgs) { " + name + "(standinArgs...); }, ";
        out += text.substr(open + 3, close - open - 3) + ")";
        done = close + 3;
    }
    return out + text.substr(done);
}
} // namespace standin
