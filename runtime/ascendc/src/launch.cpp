#include "launch.h"

#include "blocks.h"
#include "report.h"

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <sstream>
#include <sys/mman.h>
#include <thread>
#include <unistd.h>

namespace ascendc_cpu {
namespace {
// An argument of the launch that lives in GM.
struct Region {
    std::string name;
    uint8_t *at = nullptr;
    uint64_t bytes = 0;
    bool writable = true;
};
struct Argument {
    uint64_t pointer = 0;       // for pointers
    std::vector<uint8_t> value; // for structures and scalars
    bool tiled = false;         // what the tiling function gives
};

std::vector<Region> regions;
std::vector<Argument> arguments;
std::atomic<uint32_t> first_faulted{UINT32_MAX};
std::unique_ptr<Blocks> blocks;
uint32_t permits = 2;
std::string wanted;              // the kernel by name; empty: by tiling key, or the only one
int32_t instance = -1;           // of the tiling function; -1: the launch does without
std::vector<int64_t> numbers;
const Entry *chosen = nullptr;

[[noreturn]] void Refuse(const std::string &message)
{
    WriteReport("refused", "launch", message, -1, nullptr, 0);
    std::exit(2);
}

// Memory of its own for `bytes` of GM, the end of it against a page that may not be touched.
uint8_t *Map(uint64_t bytes, int file, bool shared)
{
    constexpr uint64_t PAGE = 4096;
    const uint64_t room = (bytes + PAGE - 1) / PAGE * PAGE;
    void *const whole = mmap(nullptr, room + 2 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (whole == MAP_FAILED) {
        Refuse(Format("no memory for %llu bytes", static_cast<unsigned long long>(bytes)));
    }
    uint8_t *const at = static_cast<uint8_t *>(whole) + PAGE;
    if (room > 0) {
        const int flags = MAP_FIXED | MAP_POPULATE | (file >= 0 ? (shared ? MAP_SHARED : MAP_PRIVATE) : MAP_PRIVATE | MAP_ANONYMOUS);
        if (mmap(at, room, PROT_READ | PROT_WRITE, flags, file, 0) == MAP_FAILED) {
            Refuse("an argument's file cannot be mapped");
        }
    }
    return at;
}

uint8_t *MapFile(const std::string &path, uint64_t bytes, bool shared)
{
    const int file = open(path.c_str(), shared ? O_RDWR : O_RDONLY);
    if (file < 0) {
        Refuse("cannot open " + path);
    }
    uint8_t *const at = Map(bytes, file, shared);
    close(file);
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
    } else if (word == "bounds") {
        config.stop_at_bounds = rest() == "stop";
    } else if (word == "saturate") {
        config.saturate = number() != 0;
    } else if (word == "auto_sync") {
        config.auto_sync = number() != 0;
    } else if (word == "replay") {
        config.replay = true;
        config.seed = number();
    } else if (word == "gm") { // gm NAME BYTES in|out PATH
        Region region;
        in >> region.name;
        region.bytes = number();
        std::string role;
        in >> role;
        region.writable = role != "in";
        region.at = MapFile(rest(), region.bytes, region.writable);
        regions.push_back(region);
        arguments.push_back({reinterpret_cast<uint64_t>(region.at), {}});
    } else if (word == "scratch") { // scratch NAME BYTES: GM that belongs to the launch
        Region region;
        in >> region.name;
        region.bytes = number();
        region.at = Map(region.bytes, -1, false);
        regions.push_back(region);
        arguments.push_back({reinterpret_cast<uint64_t>(region.at), {}});
    } else if (word == "kernel") {
        wanted = rest();
    } else if (word == "tile") { // tile INSTANCE NUMBERS...: block dim, key and one value come from the tiling function
        instance = static_cast<int32_t>(number());
        for (int64_t n = 0; in >> n;) {
            numbers.push_back(n);
        }
    } else if (word == "tiled") { // the value that the tiling function gives
        arguments.push_back({0, {}});
        arguments.back().tiled = true;
    } else if (word == "null") {
        arguments.push_back({0, {}});
    } else if (word == "value") { // value PATH: bytes of a structure or scalar
        arguments.push_back({0, ReadFile(rest())});
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

void Choose()
{
    for (int i = 0; i < entries.count; ++i) {
        const Entry &entry = entries.list[i];
        if (entries.count == 1 || (wanted.empty() ? entry.key == config().tiling_key : wanted == entry.name)) {
            chosen = &entry;
        }
    }
    if (chosen == nullptr) {
        Refuse(Format("no kernel `%s` with the tiling key %llu", wanted.c_str(), static_cast<unsigned long long>(config().tiling_key)));
    }
}

void BindParameters()
{
    const Entry &entry = *chosen;
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

void RunBlock(uint32_t block)
{
    Core core(block);
    SetThisCore(&core);
    try {
        std::vector<void *> values;
        for (Argument &argument : arguments) {
            values.push_back(argument.value.empty() ? static_cast<void *>(&argument.pointer) : argument.value.data());
        }
        chosen->call(values.data());
        FinishCore(core);
    } catch (const Stop &) {
    }
    SetThisCore(nullptr);
}

// A pointer that the kernel followed itself, without the API.
void OnSegfault(int, siginfo_t *info, void *)
{
    Core *const core = CoreOrNull();
    const auto at = reinterpret_cast<uint64_t>(info->si_addr);
    const std::string where = DescribeGlobal(at);
    const void *const site = core != nullptr ? core->site : nullptr;
    WriteReport("fault", "bounds",
        Format("a pointer of the kernel was followed to %s; the place is the last call of the API before it", where.c_str()),
        core != nullptr ? core->block : -1, &site, 1);
    _exit(1);
}
} // namespace

uint32_t FirstFailed()
{
    return first_faulted.load(std::memory_order_relaxed);
}

void RecordFault(uint32_t block)
{
    uint32_t seen = first_faulted.load();
    while (block < seen && !first_faulted.compare_exchange_weak(seen, block)) {
    }
}

Blocks &TheBlocks()
{
    return *blocks;
}

std::string DescribeGlobal(uint64_t at)
{
    for (const Region &region : regions) {
        const auto begin = reinterpret_cast<uint64_t>(region.at);
        // The guard pages around a region belong to it.
        if (at + 4096 >= begin && at < begin + region.bytes + 8192) {
            const long long byte = static_cast<long long>(at) - static_cast<long long>(begin);
            return Format("byte %lld of `%s`, which has %llu", byte, region.name.c_str(),
                static_cast<unsigned long long>(region.bytes));
        }
    }
    return "an address that no argument has";
}

uint64_t BytesBehind(uint64_t at)
{
    for (const Region &region : regions) {
        const auto begin = reinterpret_cast<uint64_t>(region.at);
        if (at >= begin && at < begin + region.bytes) {
            return begin + region.bytes - at;
        }
    }
    return 0;
}

uint8_t *CheckGlobal(Core &, const char *op, const char *what, uint64_t at, uint64_t bytes, bool write)
{
    const Region *near = nullptr;
    for (const Region &region : regions) {
        const auto begin = reinterpret_cast<uint64_t>(region.at);
        if (at >= begin && at + bytes <= begin + region.bytes) {
            if (write && !region.writable) {
                Fault("bounds", "%s: writes to `%s`, which is an input of this launch", op, region.name.c_str());
            }
            return reinterpret_cast<uint8_t *>(at);
        }
        if (at + bytes > begin && at < begin + region.bytes) {
            near = &region;
        }
    }
    const std::string where = near != nullptr
        ? Format("%s: %s ends %llu bytes behind the end of `%s`", op, what,
              static_cast<unsigned long long>(at + bytes - reinterpret_cast<uint64_t>(near->at) - near->bytes), near->name.c_str())
        : Format("%s: %s of %llu bytes begins at %s", op, what, static_cast<unsigned long long>(bytes), DescribeGlobal(at).c_str());
    if (config().stop_at_bounds) {
        Fault("bounds", "%s", where.c_str());
    }
    Note("bounds", "%s", where.c_str());
    return nullptr;
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
    Choose();
    BindParameters();
    struct sigaction action = {};
    action.sa_sigaction = OnSegfault;
    action.sa_flags = SA_SIGINFO;
    sigaction(SIGSEGV, &action, nullptr);
    sigaction(SIGBUS, &action, nullptr);

    const uint32_t cores = config().cores < config().block_dim ? config().cores : config().block_dim;
    blocks = std::make_unique<Blocks>(config().block_dim, cores, config().replay ? 1 : permits);
    const auto start = std::chrono::steady_clock::now();
    std::vector<std::thread> threads;
    for (uint32_t i = 0; i < cores; ++i) {
        threads.emplace_back([] {
            for (uint32_t block = blocks->Begin(); block < blocks->count(); block = blocks->Begin()) {
                if (block < FirstFailed()) {
                    RunBlock(block);
                }
                blocks->End(block);
            }
        });
    }
    for (std::thread &thread : threads) {
        thread.join();
    }
    const auto took = std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() - start).count();
    WriteReport("done", "time", Format("%lld", static_cast<long long>(took)), -1, nullptr, 0);
    return FirstFailed() == UINT32_MAX ? 0 : 1;
}
} // namespace ascendc_cpu

int main(int argc, char **argv)
{
    return ascendc_cpu::Main(argc, argv);
}
