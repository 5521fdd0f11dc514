// SPDX-License-Identifier: Apache-2.0
// Keeps the texts that were decided on, so that a change can be shown line by line. This is a
// cache: without it a difference only names the files.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace skillhost {

inline constexpr std::chrono::hours keptUnused{24 * 30};
inline constexpr std::size_t maxKeptTextBytes = 1U << 20U; // bytes

class KeptFiles {
public:
  // `folder` is an absolute path; empty: nothing is kept.
  explicit KeptFiles(std::string folder) : folder_(std::move(folder)) {}

  // Keeps a text by the BLAKE3 of its bytes, 64 digits. Other bytes than UTF-8, and more than 1
  // MiB, are not kept. A failed write is logged. Any thread.
  void keep(const std::string &digest, std::string_view bytes) const;
  // Returns nothing if the text is missing or has been changed.
  std::optional<std::string> get(const std::string &digest) const;

  // Removes texts that are not among these digests and are older than keptUnused. The others get a
  // new time stamp, so that the texts of another configuration stay while it is in use. Ignores
  // errors.
  void tidy(const std::set<std::string> &used) const;

private:
  std::string folder_;
};

} // namespace skillhost
