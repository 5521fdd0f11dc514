// SPDX-License-Identifier: Apache-2.0
// Entries of one title, counted as one answer.
#pragma once

#include "collection.hpp"

#include <map>

namespace skillhost::retrieval {

// Replaces each id by that of the first document that has the same title.
class Titles {
public:
  explicit Titles(const Collection &collection);
  // Returns each id once, at its first place.
  std::vector<std::string> of(const std::vector<std::string> &ranking) const;
  std::set<std::string> of(const std::set<std::string> &relevant) const;

private:
  std::map<std::string, std::string> ids_;
};

} // namespace skillhost::retrieval
