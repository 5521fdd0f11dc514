// SPDX-License-Identifier: Apache-2.0
// The texts that were decided on, so that a change can be shown line by line. A cache: without it a
// difference names the files alone.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace skillhost {

inline constexpr std::chrono::hours keptUnused{24 * 30};
inline constexpr std::size_t largestKeptText = 1U << 20U; // bytes

class KeptFiles {
public:
  // An absolute path; empty: nothing is kept.
  explicit KeptFiles(std::string folder) : folder_(std::move(folder)) {}

  // By the BLAKE3 of the bytes, 64 digits. What is no text, or larger than 1 MiB, is not kept; what
  // cannot be written is a line of the log. Any thread.
  void keep(const std::string &digest, std::string_view bytes) const;
  // Nothing when it is not there or not these bytes any more.
  std::optional<std::string> get(const std::string &digest) const;

  // Removes what is not among these digests and is older than keptUnused; what is among them is as
  // new again, so that another configuration's texts stay while it is in use. Fails in silence.
  void tidy(const std::set<std::string> &used) const;

private:
  std::string folder_;
};

} // namespace skillhost
