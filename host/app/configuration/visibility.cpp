// SPDX-License-Identifier: Apache-2.0
// Reads and writes the list access.visibility.
#include "configuration/keys.hpp"
#include "settings/members.hpp"

namespace skillhost::app {

void readValue(Reading &reading, const Written &written, const Rule &,
               std::vector<VisibilityConfiguration> &out) {
  if (written.kind != Written::Kind::List)
    return reading.problem(written, "expected a list of rules, found " + written.described());
  const std::string key = reading.key;
  // Problems are reported under the key of each rule, such as access.visibility[2].
  std::vector<VisibilityConfiguration> rules;
  for (std::size_t i = 0; i < written.items.size(); ++i) {
    reading.key = key + '[' + std::to_string(i) + ']';
    const Written &item = written.items[i];
    if (item.kind == Written::Kind::Map)
      readMembers(reading, item, visibilityKeys(), rules.emplace_back());
    else
      reading.problem(item, "expected a map such as {sources: [hr-*], scopes: [hr]}, found " +
                                item.described());
  }
  reading.key = key;
  out = std::move(rules);
}

Json writeValue(const std::vector<VisibilityConfiguration> &rules, const Rule &) {
  Json list = Json::array();
  for (const VisibilityConfiguration &rule : rules)
    list.push_back(writeMembers(visibilityKeys(), rule));
  return list;
}

} // namespace skillhost::app
