// SPDX-License-Identifier: Apache-2.0
// Collects the warnings of sources for a command whose log shows only errors: the command shows
// each line once.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace skillhost::app {

// Returns the failure of a source without the time of its next try, for a command that makes none.
std::string_view withoutNextTry(std::string_view failure);

// Collects during its lifetime. Only one may exist at a time.
class SourceWarnings {
public:
  SourceWarnings();
  ~SourceWarnings();
  SourceWarnings(const SourceWarnings &) = delete;
  SourceWarnings &operator=(const SourceWarnings &) = delete;

  // Returns the warnings of a source so far, in order, without those that repeat `failure`.
  std::vector<std::string> of(const std::string &source, std::string_view failure = {}) const;

  // Returns the warnings that of() has returned for no source, so that they are not lost.
  std::vector<std::string> others() const;

private:
  struct CollectedLines;
  std::shared_ptr<CollectedLines> lines_;
};

} // namespace skillhost::app
