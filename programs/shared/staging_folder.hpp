// SPDX-License-Identifier: Apache-2.0
// Makes a folder beside its final place, fills it, and then moves it there as a whole, so that no
// reader ever sees a part of it.
#pragma once

#include "ground/descriptor.hpp"

#include <sys/types.h>

#include <functional>
#include <string>
#include <string_view>

namespace skillhost::programs {

// Failures throw std::runtime_error with the path and the reason.
class StagingFolder {
public:
  // Prepares a folder for the absolute path `target` and makes the folders above it. Removes the
  // remains of killed processes for the same target.
  explicit StagingFolder(const std::string &target);
  StagingFolder(const StagingFolder &) = delete;
  StagingFolder &operator=(const StagingFolder &) = delete;
  ~StagingFolder(); // removes the folder unless it was put in place

  const std::string &path() const noexcept { return path_; }
  // Writes a file below the folder, with the folders in its name, and flushes it to disk; its mode
  // is `mode` reduced by the umask. `checkpoint` is called every few milliseconds and may throw.
  void write(std::string_view name, std::string_view bytes, const std::function<void()> &checkpoint,
             mode_t mode = 0666) const;
  // Moves a file of another staging folder of the same target to `newName` below this one, and
  // makes the folders in that name.
  void take(const StagingFolder &other, std::string_view name, std::string_view newName) const;
  // Receives the path of the replaced folder, and throws if it must not be removed.
  using Inspection = std::function<void(const std::string &)>;
  // Moves the folder to its target, if there is none, or an empty folder, or with `replace` any
  // other folder. The replaced folder is moved aside and inspected, and then removed, or put back
  // unchanged. Returns false, and changes nothing, if the target may not be replaced, or if another
  // program has locked it.
  [[nodiscard]] bool putInPlace(bool replace, const Inspection &inspect);

  // Removes the target as a whole: it is moved into this folder, inspected, and removed with it, or
  // put back unchanged.
  void takeAway(const Inspection &inspect);

  // Removes the remains of killed processes for the absolute path `target`. Ignores failures.
  static void removeRemains(const std::string &target);

private:
  bool replaceTarget(const Inspection &inspect);

  std::string target_, path_;
  Descriptor lock_; // held while the folder is in use
};

} // namespace skillhost::programs
