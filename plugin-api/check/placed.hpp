// SPDX-License-Identifier: Apache-2.0
// Placed<T> puts a struct of plugin.h at the very end of readable memory, as in a host that knows
// no later fields. A plugin that reads later fields without SKH_HAS() crashes.
#pragma once

#include <cerrno>
#include <cstddef>
#include <cstring>
#include <system_error>
#include <type_traits>

#include <sys/mman.h>
#include <unistd.h>

namespace skillhost::check {

template <class T> class Placed {
public:
  using Table = T;

  // Places the first `bytes` of `value`, up to the last field of a minor, which ends where a
  // pointer may begin. owner() returns `owner`. Throws std::system_error.
  Placed(const T &value, void *owner, std::size_t bytes = sizeof(T)) {
    static_assert(std::is_trivially_copyable_v<T>);
    const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    size_ = 2 * page;
    memory_ = ::mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory_ == MAP_FAILED) throw std::system_error(errno, std::generic_category(), "memory");
    char *const end = static_cast<char *>(memory_) + page;
    ::mprotect(end, page, PROT_NONE);
    void *const place = end - bytes;
    std::memcpy(place, static_cast<const void *>(&value), bytes);
    value_ = static_cast<const T *>(place);
    std::memcpy(end - bytes - sizeof(void *), static_cast<const void *>(&owner), sizeof owner);
  }
  ~Placed() { ::munmap(memory_, size_); }
  Placed(const Placed &) = delete;
  Placed &operator=(const Placed &) = delete;

  const T *get() const noexcept { return value_; }
  template <class Owner> static Owner &owner(const T *value) noexcept {
    void *found = nullptr;
    std::memcpy(static_cast<void *>(&found), reinterpret_cast<const char *>(value) - sizeof(void *),
                sizeof found);
    return *static_cast<Owner *>(found);
  }

private:
  std::size_t size_ = 0;
  void *memory_ = nullptr;
  const T *value_ = nullptr;
};

} // namespace skillhost::check
