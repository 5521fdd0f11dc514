// SPDX-License-Identifier: Apache-2.0
// The keys that sign tickets, read from a file with one "ID HEXADECIMAL" a line. The code does not
// depend on skillhost.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <sys/stat.h>

class Keys {
public:
  static constexpr std::size_t shortest = 32; // bytes of a key

  // Throws std::runtime_error unless the file is a regular one of at most 64 KiB, belongs to this
  // user or to root, is accessible to its owner alone, and holds at least one key and no malformed
  // line. The message names the file and never a key.
  static Keys read(const std::string &path);

  Keys(const Keys &) = delete;
  Keys(Keys &&) noexcept = default;
  Keys &operator=(const Keys &) = delete;
  Keys &operator=(Keys &&) = delete;
  ~Keys(); // overwrites the keys in memory

  // Returns null when there is no key of that id. The pointer is valid as long as this object.
  const std::string *find(std::string_view id) const;

  // Says whether the file at `path` is still the one that was read, and is unchanged.
  bool current(const std::string &path) const;

private:
  explicit Keys(const struct stat &file) : file_(file) {}

  struct stat file_;
  std::map<std::string, std::string, std::less<>> keys_;
};
