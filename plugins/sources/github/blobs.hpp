// SPDX-License-Identifier: Apache-2.0
// Sizes and contents of blobs, for code that examines a tree.
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

  // Returns the size in bytes without inflating the blob.
  virtual std::uint64_t size(const std::string &blob) = 0;
  // Returns the whole content, so callers should check the size first.
  virtual std::string content(const std::string &blob) = 0;
  // Returns the blob of the file that a Git LFS pointer stands for; "" if the file is not in the
  // store.
  virtual std::string fileOf(const std::string & /*pointer*/) { return {}; }
};

} // namespace skillhost::github
