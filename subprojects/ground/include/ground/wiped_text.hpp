// SPDX-License-Identifier: Apache-2.0
// WipedText: text that may contain a secret in transit. It overwrites memory before releasing it.
#pragma once

#include <string.h> // NOLINT(modernize-deprecated-headers): <cstring> promises no explicit_bzero

#include <cstddef>
#include <memory>
#include <string>

namespace skillhost {

template <class T> struct WipingAllocator {
  using value_type = T;
  WipingAllocator() = default;
  template <class Other> explicit WipingAllocator(const WipingAllocator<Other> &) noexcept {}

  T *allocate(std::size_t count) { return std::allocator<T>().allocate(count); }
  void deallocate(T *at, std::size_t count) noexcept {
    ::explicit_bzero(at, count * sizeof(T));
    std::allocator<T>().deallocate(at, count);
  }
  bool operator==(const WipingAllocator &) const noexcept { return true; }
};

// A text of up to 15 characters lies in the object itself and is not wiped; no credential is so
// short.
using WipedText = std::basic_string<char, std::char_traits<char>, WipingAllocator<char>>;

} // namespace skillhost
