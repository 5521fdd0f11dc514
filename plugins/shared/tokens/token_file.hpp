// SPDX-License-Identifier: Apache-2.0
// The file of tokens on disk, which is only read if it is private enough.
#pragma once

#include "tokens/token_list.hpp"

#include <sys/stat.h>

#include <string>
#include <vector>

namespace skillhost::tokens {

class TokenFile {
public:
  // Throws std::runtime_error that names the file, if it is missing, not a regular file, not owned
  // by root or this user, accessible to others than owner and group, writable by the group, larger
  // than 8 MiB, or invalid.
  static TokenFile read(const std::string &path);

  const std::vector<TokenEntry> &entries() const noexcept { return entries_; }
  // True if `path` still is the unchanged file that was read.
  bool isCurrent(const std::string &path) const;

private:
  TokenFile(std::vector<TokenEntry> entries, const struct stat &state)
      : entries_(std::move(entries)), state_(state) {}

  std::vector<TokenEntry> entries_;
  struct stat state_;
};

// Returns the default place of the file: $XDG_CONFIG_HOME/skillhost/tokens.json, else
// ~/.config/skillhost/tokens.json; empty without either variable.
std::string defaultTokenFile(const std::string &configHome, const std::string &home);

} // namespace skillhost::tokens
