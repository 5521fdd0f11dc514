// SPDX-License-Identifier: Apache-2.0
#include "failing_memory.hpp"

#include <atomic>
#include <cstdlib>
#include <limits>
#include <new>

namespace skillhost {
namespace {

constexpr std::size_t all = std::numeric_limits<std::size_t>::max();

thread_local std::size_t succeeding = all;
thread_local Lack kind = Lack::Once;
std::atomic<std::size_t> failed{0};

bool isToFail() noexcept {
  if (succeeding == all) return false;
  if (succeeding != 0) {
    --succeeding;
    return false;
  }
  if (kind == Lack::Once) succeeding = all;
  ++failed;
  return true;
}

} // namespace

void lackMemory(std::size_t successes, Lack lack) noexcept {
  succeeding = successes;
  kind = lack;
}

void haveMemory() noexcept { succeeding = all; }

std::size_t failedAllocations() noexcept { return failed; }

static void *allocate(std::size_t size) {
  void *const at = isToFail() ? nullptr : std::malloc(size == 0 ? 1 : size);
  if (at == nullptr) throw std::bad_alloc();
  return at;
}

} // namespace skillhost

void *operator new(std::size_t size) { return skillhost::allocate(size); }
void *operator new[](std::size_t size) { return skillhost::allocate(size); }
// These go with the same operator delete.
void *operator new(std::size_t size, const std::nothrow_t & /*tag*/) noexcept {
  return skillhost::isToFail() ? nullptr : std::malloc(size == 0 ? 1 : size);
}
void *operator new[](std::size_t size, const std::nothrow_t & /*tag*/) noexcept {
  return skillhost::isToFail() ? nullptr : std::malloc(size == 0 ? 1 : size);
}
void operator delete(void *at) noexcept { std::free(at); }
void operator delete[](void *at) noexcept { std::free(at); }
void operator delete(void *at, std::size_t) noexcept { std::free(at); }
void operator delete[](void *at, std::size_t) noexcept { std::free(at); }
