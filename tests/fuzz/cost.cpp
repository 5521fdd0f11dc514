// SPDX-License-Identifier: Apache-2.0
// Extends any fuzzer: it also stops where one input costs too much processor time or memory for its
// length. The linker puts runOnce() between libFuzzer and the fuzzer
// (--wrap=LLVMFuzzerTestOneInput), so that no fuzzer can be without it.
//
// A few thousand random bytes are too few to distinguish a reader that takes the square of their
// number from one that is merely slow. So one input in 64 is read once more, repeated up to 192
// KiB: the cheapest loop with the square of that takes longer than the limit. The bytes of an input
// decide whether it is one of these, so a saved input fails again.
#include <sanitizer/allocator_interface.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <string_view>

extern "C" int __real_LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size);
extern "C" int __wrap_LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size);

namespace {

constexpr std::size_t repeatedBytes = 192 * 1024; // within the 256 KB of front matter
constexpr std::uint64_t repeatedOneIn = 64;

// These limits are generous for linear time under sanitizers, on a busy machine.
#ifdef __OPTIMIZE__
constexpr double slowness = 1;
#else
constexpr double slowness = 3;
#endif
constexpr double seconds = slowness;
constexpr double secondsPerByte = slowness * 20e-6;
// A JSON value of two bytes ("1,") takes 16 in a document, and twice that while its array grows;
// readers that keep a text and their results hold it several times.
constexpr std::int64_t bytes = 16 * 1024 * 1024;
constexpr std::int64_t bytesPerByte = 256;

std::atomic<std::int64_t> held{0};
std::atomic<std::int64_t> maxHeld{0};

void allocated(const volatile void *, std::size_t size) {
  const std::int64_t now = held += static_cast<std::int64_t>(size);
  std::int64_t most = maxHeld;
  while (now > most && !maxHeld.compare_exchange_weak(most, now)) {}
}

void freed(const volatile void *block) {
  held -= static_cast<std::int64_t>(__sanitizer_get_allocated_size(const_cast<void *>(block)));
}

double processorSeconds() {
  std::timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

bool costsTooMuch(double spent, std::int64_t peak, std::size_t size) {
  const double maxSeconds = seconds + secondsPerByte * static_cast<double>(size);
  const std::int64_t maxBytes = bytes + bytesPerByte * static_cast<std::int64_t>(size);
  if (spent > maxSeconds)
    std::fprintf(stderr, "%zu bytes took %.2f s of processor time; %.2f are allowed\n", size, spent,
                 maxSeconds);
  if (peak > maxBytes)
    std::fprintf(stderr, "%zu bytes took %lld bytes of memory; %lld are allowed\n", size,
                 static_cast<long long>(peak), static_cast<long long>(maxBytes));
  return spent > maxSeconds || peak > maxBytes;
}

int runOnce(const std::uint8_t *data, std::size_t size) {
  const std::int64_t before = held;
  maxHeld = before;
  const double begun = processorSeconds();
  const int result = __real_LLVMFuzzerTestOneInput(data, size);
  if (costsTooMuch(processorSeconds() - begun, maxHeld - before, size)) std::abort();
  return result;
}

// FNV-1a.
std::uint64_t hash(std::string_view text) {
  std::uint64_t sum = 14695981039346656037U;
  for (const char each : text)
    sum = (sum ^ static_cast<unsigned char>(each)) * std::uint64_t{1099511628211U};
  return sum;
}

} // namespace

extern "C" int __wrap_LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
  static const bool counting = __sanitizer_install_malloc_and_free_hooks(allocated, freed) != 0;
  if (!counting) {
    std::fputs("allocations cannot be counted here\n", stderr);
    std::abort();
  }
  const int result = runOnce(data, size);
  const std::string_view input(reinterpret_cast<const char *>(data), size);
  if (input.empty() || hash(input) % repeatedOneIn != 0) return result;
  std::string repeated;
  repeated.reserve(repeatedBytes + size);
  while (repeated.size() < repeatedBytes) repeated += input;
  runOnce(reinterpret_cast<const std::uint8_t *>(repeated.data()), repeated.size());
  return result;
}
