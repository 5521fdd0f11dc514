// SPDX-License-Identifier: Apache-2.0
// The file of tokens as it lies on disk: read only when it is as private as it has to be.
#pragma once

#include "tokens/token_list.hpp"

#include <sys/stat.h>

#include <string>
#include <vector>

namespace skillhost::tokens {

class TokenFile {
public:
  // Throws std::runtime_error, which names the file, when it is missing, no regular file, not owned
  // by root or this user, open to others than owner and group, writable by the group, larger than
  // 8 MiB, or wrong inside.
  static TokenFile read(const std::string &path);

  const std::vector<TokenEntry> &entries() const noexcept { return entries_; }
  // Is what `path` names now still the file that was read, unchanged?
  bool isCurrent(const std::string &path) const;

private:
  TokenFile(std::vector<TokenEntry> entries, const struct stat &state)
      : entries_(std::move(entries)), state_(state) {}

  std::vector<TokenEntry> entries_;
  struct stat state_;
};

// Where the file is when nobody says otherwise: $XDG_CONFIG_HOME/skillhost/tokens.json, else
// ~/.config/skillhost/tokens.json; empty without either variable.
std::string defaultTokenFile(const std::string &configHome, const std::string &home);

} // namespace skillhost::tokens
