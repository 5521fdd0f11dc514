// SPDX-License-Identifier: Apache-2.0
// A plugin file as it was when it was compared with plugins.lock: a copy in memory that nobody can
// change, so that the bytes that were hashed are loaded, whatever becomes of the file meanwhile.
#pragma once

#include "ground/descriptor.hpp"
#include "ground/result.hpp"

#include <memory>
#include <string>

namespace skillhost {

class PluginCopy {
public:
  // Reads `path` once. The failure says what is wrong with the file, or that the kernel has no such
  // memory.
  static Result<std::shared_ptr<const PluginCopy>> of(const std::string &path);

  const std::string &digest() const noexcept { return digest_; } // BLAKE3
  // For lending to a process that loads it.
  int descriptor() const noexcept { return file_.number(); }
  // Returns a descriptor for loading the copy in this process: the same one for the same bytes,
  // open for good. The dynamic linker recognises by its name and its file what it has loaded
  // already.
  int forLoading() const;

private:
  PluginCopy(Descriptor file, std::string digest)
      : file_(std::move(file)), digest_(std::move(digest)) {}

  const Descriptor file_;
  const std::string digest_;
};

} // namespace skillhost
