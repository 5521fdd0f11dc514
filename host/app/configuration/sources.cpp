// SPDX-License-Identifier: Apache-2.0
// The list `sources`, one entry after another.
#include "configuration/members.hpp"

namespace skillhost::app {

void readValue(Reading &reading, const Written &written, const Rule &,
               std::vector<SourceConfiguration> &out) {
  if (written.kind != Written::Kind::List)
    return reading.problem(written,
                           "expected a list, each entry with a name, found " + written.described());
  const std::string key = reading.key;
  const bool resolve = reading.resolveReferences;
  std::vector<SourceConfiguration> sources;
  for (std::size_t i = 0; i < written.items.size(); ++i) {
    const Written &item = written.items[i];
    reading.key = key + '[' + std::to_string(i) + ']';
    if (item.kind != Written::Kind::Map) {
      reading.problem(item, "expected a map with a name, found " + item.described());
      continue;
    }
    const Written *enabled = item.find("enabled");
    const bool off =
        enabled != nullptr && enabled->kind == Written::Kind::Boolean && !enabled->boolean;
    // What a source that is off refers to need not be there.
    reading.resolveReferences = resolve && !off;
    SourceConfiguration source;
    const std::size_t problems = reading.problems.size();
    readMembers(reading, item, sourceKeys(), source);
    if (source.name.empty() && reading.problems.size() == problems)
      reading.problem(item, "a name is missing: write for instance \"name: team-skills\"");
    for (const SourceConfiguration &other : sources)
      if (!source.name.empty() && other.name == source.name)
        reading.problem(item, "a source before this one is named \"" + source.name +
                                  "\" too: choose another name");
    sources.push_back(std::move(source));
  }
  reading.key = key;
  reading.resolveReferences = resolve;
  out = std::move(sources);
}

Json writeValue(const std::vector<SourceConfiguration> &sources) {
  Json list = Json::array();
  for (const SourceConfiguration &source : sources)
    list.push_back(writeMembers(sourceKeys(), source));
  return list;
}

} // namespace skillhost::app
