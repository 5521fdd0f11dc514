// SPDX-License-Identifier: Apache-2.0
// Sizes and contents of blobs, for those who judge a tree.
#pragma once

#include <cstdint>
#include <string>

namespace skillhost::github {

class Blobs {
public:
  Blobs() = default;
  virtual ~Blobs() = default;
  Blobs(const Blobs &) = delete;
  Blobs &operator=(const Blobs &) = delete;

  // Bytes, without inflating it.
  virtual std::uint64_t size(const std::string &blob) = 0;
  // All of it: ask for the size first.
  virtual std::string content(const std::string &blob) = 0;
  // The blob of the file that a pointer of Git LFS stands for; "" when it is not here.
  virtual std::string fileOf(const std::string & /*pointer*/) { return {}; }
};

} // namespace skillhost::github
