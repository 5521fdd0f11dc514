// SPDX-License-Identifier: Apache-2.0
// Summarises findings for the log: a line for each of the first, then the number of the others.
#pragma once

#include "skillmd/finding.hpp"

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace skillhost {

// The code of the finding about skills in folders that usually hold no skills to be served. Its
// line in the log includes the advice, because no other command gives it.
inline constexpr const char *sideFolderCode = "side-folder";

class FindingSummary {
public:
  // `many` says in words what the findings have in common: "skills of team that are not served".
  explicit FindingSummary(std::string many) : many_(std::move(many)) {}

  // `prefix` stands before the finding, because some findings name no file.
  void add(const Finding &finding, const std::string &prefix = {});
  // A single finding has its advice. Of several findings the first 20 have a line each without
  // advice, and the last line counts the others by their codes.
  std::vector<std::string> lines() const;

private:
  const std::string many_;
  std::string first_; // with its advice
  std::vector<std::string> named_;
  std::map<std::string, std::size_t> others_; // by code
  std::set<std::string> commands_;            // each names some of the others
};

} // namespace skillhost
