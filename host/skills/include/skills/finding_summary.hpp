// SPDX-License-Identifier: Apache-2.0
// Findings for the log: of each kind one line, however many there are.
#pragma once

#include "skills/finding.hpp"

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace skillhost {

class FindingSummary {
public:
  // `many` says in words what more than one of a kind are: "skills are not served".
  explicit FindingSummary(std::string many) : many_(std::move(many)) {}

  // `prefix` stands before the finding, alone or as an example: some name no file.
  void add(const Finding &finding, const std::string &prefix = {});
  // By kind: one alone in full, more with their number and three examples.
  std::vector<std::string> lines() const;

private:
  struct Kind {
    std::size_t count = 0;
    std::string alone, examples;
  };
  const std::string many_;
  std::map<std::string, Kind> kinds_; // by code
};

} // namespace skillhost
