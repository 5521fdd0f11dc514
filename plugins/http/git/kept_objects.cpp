// SPDX-License-Identifier: Apache-2.0
#include "kept_objects.hpp"

#include <string>

namespace skillhost::git {
namespace {

std::string contentsKeyOf(const ObjectId &tree) { return "git skill\n" + hexOf(tree); }

} // namespace

SkillContents keptContents(Cache &cache, const ObjectId &tree) {
  return cache.get<std::vector<Object>>(contentsKeyOf(tree));
}

std::size_t bytesOf(const std::vector<Object> &objects) {
  std::size_t bytes = sizeof(std::vector<Object>);
  for (const Object &object : objects) bytes += sizeof object + object.content.size();
  return bytes;
}

void keepContents(Cache &cache, const SkillContents &contents) {
  cache.put(contentsKeyOf(contents->back().id), contents, bytesOf(*contents));
}

} // namespace skillhost::git
