// SPDX-License-Identifier: Apache-2.0
// What sources warn of while a command runs whose log shows errors alone: the command shows it,
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

  // Those of a source so far, in their order, without those that say what `failure` says.
  std::vector<std::string> of(const std::string &source, std::string_view failure = {}) const;

private:
  struct Heard;
  std::shared_ptr<Heard> heard_;
};

} // namespace skillhost::app
