// SPDX-License-Identifier: Apache-2.0
// Gathers the warnings of sources for a command whose log shows errors alone: the command shows
// each line once.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace skillhost::app {

// Hears them from its making until its end. One at a time.
class SourceWarnings {
public:
  SourceWarnings();
  ~SourceWarnings();
  SourceWarnings(const SourceWarnings &) = delete;
  SourceWarnings &operator=(const SourceWarnings &) = delete;

  // Returns the warnings of a source so far, in order, without those that repeat `failure`.
  std::vector<std::string> of(const std::string &source, std::string_view failure = {}) const;

  // Returns those that of() has returned for no source: they would be lost otherwise.
  std::vector<std::string> others() const;

private:
  struct Heard;
  std::shared_ptr<Heard> heard_;
};

} // namespace skillhost::app
