// SPDX-License-Identifier: Apache-2.0
// BLAKE3 by its authors' own C code: plain, keyed, and derived from a context.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string_view>

namespace skillhost::digest {

using Digest = std::array<std::uint8_t, 32>;
using Key = std::array<std::uint8_t, 32>;

// One computation. What the key and the last bytes were is wiped with it. A thread at a time.
class Blake3 {
public:
  Blake3();
  explicit Blake3(const Key &key);
  // Of a text that no other use shares, and that never changes.
  explicit Blake3(const char *context);
  Blake3(Blake3 &&) noexcept;
  ~Blake3();

  void add(std::string_view bytes) noexcept;
  // Of all that was added so far.
  Digest finish() const noexcept;

private:
  struct State;
  std::unique_ptr<State> state_;
};

} // namespace skillhost::digest
