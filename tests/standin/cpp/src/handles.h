// Handles: numbers that are given once and never again, so that a freed one is known as such.
#ifndef JUMAR_STANDIN_HANDLES_H
#define JUMAR_STANDIN_HANDLES_H

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

namespace standin {
// No memory of a process lies there: whoever follows a handle meets a fault.
inline void *NextHandle()
{
    static std::atomic<uint64_t> next{0x7a5000000000000ull};
    return reinterpret_cast<void *>(next.fetch_add(64));
}

// The objects of one kind that live, by handle.
template <typename T>
class Table {
public:
    void *Add(std::shared_ptr<T> object)
    {
        return AddAs(NextHandle(), std::move(object));
    }
    void *AddAs(void *handle, std::shared_ptr<T> object)
    {
        const std::lock_guard<std::mutex> guard(lock_);
        objects_[handle] = std::move(object);
        return handle;
    }
    // nullptr where none lives under the handle.
    std::shared_ptr<T> Get(const void *handle)
    {
        const std::lock_guard<std::mutex> guard(lock_);
        const auto found = objects_.find(const_cast<void *>(handle));
        return found == objects_.end() ? nullptr : found->second;
    }
    std::shared_ptr<T> Remove(const void *handle)
    {
        const std::lock_guard<std::mutex> guard(lock_);
        const auto found = objects_.find(const_cast<void *>(handle));
        if (found == objects_.end()) {
            return nullptr;
        }
        std::shared_ptr<T> object = std::move(found->second);
        objects_.erase(found);
        return object;
    }
    std::vector<std::pair<void *, std::shared_ptr<T>>> All()
    {
        const std::lock_guard<std::mutex> guard(lock_);
        return {objects_.begin(), objects_.end()};
    }
    uint64_t size()
    {
        const std::lock_guard<std::mutex> guard(lock_);
        return objects_.size();
    }

private:
    std::mutex lock_;
    std::map<void *, std::shared_ptr<T>> objects_;
};

// The table of a kind. It is never destroyed: threads of the program may outlive `main`.
template <typename T>
Table<T> &TableOf()
{
    static auto &table = *new Table<T>;
    return table;
}
} // namespace standin

#endif
