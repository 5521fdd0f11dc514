// SPDX-License-Identifier: Apache-2.0
#include "titles.hpp"

#include <algorithm>

namespace skillhost::retrieval {

Titles::Titles(const Collection &collection) {
  std::map<std::string, std::string> first;
  for (const Document &document : collection.documents)
    ids_[document.id] = first.try_emplace(document.title, document.id).first->second;
}

std::vector<std::string> Titles::of(const std::vector<std::string> &ranking) const {
  std::vector<std::string> ids;
  for (const std::string &id : ranking)
    if (std::find(ids.begin(), ids.end(), ids_.at(id)) == ids.end()) ids.push_back(ids_.at(id));
  return ids;
}

std::set<std::string> Titles::of(const std::set<std::string> &relevant) const {
  std::set<std::string> ids;
  for (const std::string &id : relevant) ids.insert(ids_.at(id));
  return ids;
}

} // namespace skillhost::retrieval
