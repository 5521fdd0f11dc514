// SPDX-License-Identifier: Apache-2.0
// A folder that is made beside its place and then put there as a whole, so that nobody ever sees
// half of it.
#pragma once

#include "ground/descriptor.hpp"

#include <sys/types.h>

#include <functional>
#include <string>
#include <string_view>

namespace skillhost::programs {

// What fails throws std::runtime_error, which names the path and why.
class StagingFolder {
public:
  // For the absolute path `target`; makes the folders above it. What killed processes have left
  // there for the same target is removed.
  explicit StagingFolder(const std::string &target);
  StagingFolder(const StagingFolder &) = delete;
  StagingFolder &operator=(const StagingFolder &) = delete;
  ~StagingFolder(); // removes what was not put in place

  const std::string &path() const noexcept { return path_; }
  // Writes a file below it, with the folders that its path names, and has it reach the disk; its
  // mode is `mode` less the umask. `checkpoint` is called every few milliseconds and may throw.
  void write(std::string_view name, std::string_view bytes, const std::function<void()> &checkpoint,
             mode_t mode = 0666) const;
  // Is given the path of the folder that was replaced, and throws when that must not be removed.
  using Inspection = std::function<void(const std::string &)>;
  // Puts it where it belongs: in the place of nothing, of an empty folder, or, with `replace`, of
  // another folder. That is inspected when it lies aside, where nobody finds it any more, and then
  // removed, or put back as it was. False, and nothing is changed, when something else is there and
  // may not be replaced, or another program has locked it.
  [[nodiscard]] bool putInPlace(bool replace, const Inspection &inspect);

private:
  bool replaceTarget(const Inspection &inspect);
  void removeRemains(const std::string &parent, const std::string &prefix) const;

  std::string target_, path_;
  Descriptor lock_; // held as long as it is in use
};

} // namespace skillhost::programs
