// SPDX-License-Identifier: Apache-2.0
// For LD_PRELOAD. This library lets an allocation of the program fail, from main() on. LACK_AFTER
// is the number of allocations that succeed before it; with LACK_LASTING all later ones fail, too.
#include <dlfcn.h>
#include <malloc.h>

#include <atomic>
#include <cstdlib>
#include <new>

namespace {

constexpr long never = -1;
std::atomic<long> succeeding{never};
bool isLasting = false;

bool isToFail() noexcept {
  long left = succeeding.load();
  while (left > 0)
    if (succeeding.compare_exchange_weak(left, left - 1)) return false;
  if (left == never) return false;
  return isLasting || succeeding.exchange(never) == 0;
}

void *allocate(std::size_t size) noexcept {
  return isToFail() ? nullptr : std::malloc(size == 0 ? 1 : size);
}

void *allocateOrThrow(std::size_t size) {
  void *const at = allocate(size);
  if (at == nullptr) throw std::bad_alloc();
  return at;
}

} // namespace

// The program calls mallopt() first, and again later.
extern "C" int mallopt(int parameter, int value) noexcept {
  static const auto real = reinterpret_cast<int (*)(int, int)>(::dlsym(RTLD_NEXT, "mallopt"));
  static const bool armed = [] {
    isLasting = std::getenv("LACK_LASTING") != nullptr;
    if (const char *const after = std::getenv("LACK_AFTER")) succeeding = std::atol(after);
    return true;
  }();
  static_cast<void>(armed);
  return real(parameter, value);
}

void *operator new(std::size_t size) { return allocateOrThrow(size); }
void *operator new[](std::size_t size) { return allocateOrThrow(size); }
void *operator new(std::size_t size, const std::nothrow_t &) noexcept { return allocate(size); }
void *operator new[](std::size_t size, const std::nothrow_t &) noexcept { return allocate(size); }
void operator delete(void *at) noexcept { std::free(at); }
void operator delete[](void *at) noexcept { std::free(at); }
void operator delete(void *at, std::size_t) noexcept { std::free(at); }
void operator delete[](void *at, std::size_t) noexcept { std::free(at); }
