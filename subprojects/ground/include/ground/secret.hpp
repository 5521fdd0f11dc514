// SPDX-License-Identifier: Apache-2.0
// Secret: text that nobody may see. It is wiped on destruction, and no operator prints it.
#pragma once

#include <string.h> // NOLINT(modernize-deprecated-headers): <cstring> promises no explicit_bzero

#include <string_view>
#include <utility>
#include <vector>

namespace skillhost {

// Movable, but not copyable: call copy() to get another one.
class Secret {
public:
  Secret() = default;
  explicit Secret(std::string_view text) : bytes_(text.begin(), text.end()) {}
  ~Secret() { wipe(); }
  Secret(Secret &&other) noexcept : bytes_(std::exchange(other.bytes_, {})) {}
  Secret &operator=(Secret &&other) noexcept {
    if (this == &other) return *this;
    wipe();
    bytes_ = std::exchange(other.bytes_, {});
    return *this;
  }
  Secret(const Secret &) = delete;
  Secret &operator=(const Secret &) = delete;

  Secret copy() const { return Secret(reveal()); }
  bool empty() const noexcept { return bytes_.empty(); }
  // For the code that checks it. Valid as long as the secret.
  std::string_view reveal() const noexcept { return {bytes_.data(), bytes_.size()}; }

private:
  void wipe() noexcept {
    if (!bytes_.empty()) ::explicit_bzero(bytes_.data(), bytes_.size());
  }
  std::vector<char> bytes_; // not a string: moving a short one would leave a copy
};

} // namespace skillhost
