// SPDX-License-Identifier: Apache-2.0
#include "filters.hpp"

#include "ground/utf8.hpp"

#include <algorithm>
#include <cstddef>
#include <set>
#include <utility>

namespace skillhost {
namespace {

// Together with the words around them they fit into a message.
constexpr std::size_t maxShownNames = 20, longestShownName = 40;

Failure unknownName(const char *argument, const std::string &given,
                    const std::set<std::string> &names) {
  std::string why = std::string("arguments.") + argument + ": no skill has the " + argument +
                    " \"" + std::string(cutUtf8(given, longestShownName)) + '"';
  std::size_t told = 0;
  for (const std::string &name : names) {
    if (told == maxShownNames) break;
    const char *const before = told++ != 0         ? ", "
                               : names.size() == 1 ? "; there is "
                                                   : "; there are ";
    why += before + std::string(cutUtf8(name, longestShownName));
  }
  if (names.empty()) why += std::string("; no skill has a ") + argument;
  if (told < names.size()) why += " and " + std::to_string(names.size() - told) + " more";
  return {Fault::InvalidInput, std::move(why)};
}

} // namespace

bool failIfFilterUnknown(const ToolCall &call, const Catalogue &visible, const std::string &source,
                         const std::string &category) {
  std::set<std::string> sources, categories;
  for (const SourceStatus &status : visible.sources()) sources.insert(status.name);
  for (const CatalogueEntry &entry : visible.entries())
    if (entry.isForModels() && !entry.skill->fields.category.empty())
      categories.insert(entry.skill->fields.category);
  if (!source.empty() && !sources.contains(source)) {
    call.fail(unknownName("source", source, sources));
    return true;
  }
  if (!category.empty() && !categories.contains(category)) {
    call.fail(unknownName("category", category, categories));
    return true;
  }
  return false;
}

} // namespace skillhost
