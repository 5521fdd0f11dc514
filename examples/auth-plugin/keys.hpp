// SPDX-License-Identifier: Apache-2.0
// The keys that sign tickets: a file with one "ID HEXADECIMAL" a line. Knows nothing of skillhost.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <sys/stat.h>

class Keys {
public:
  static constexpr std::size_t shortest = 32; // bytes of a key

  // Throws std::runtime_error, which names the file and never a key, unless it is a regular file
  // that nobody but its owner, this user or root, may touch, and holds at least one key.
  static Keys read(const std::string &path);

  Keys(const Keys &) = delete;
  Keys(Keys &&) noexcept = default;
  Keys &operator=(const Keys &) = delete;
  Keys &operator=(Keys &&) = delete;
  ~Keys(); // wipes them

  // Null when there is none of that id. Valid as long as this object.
  const std::string *find(std::string_view id) const;

  // Whether `path` is still the file that was read, unchanged.
  bool current(const std::string &path) const;

private:
  explicit Keys(const struct stat &file) : file_(file) {}

  struct stat file_;
  std::map<std::string, std::string, std::less<>> keys_;
};
