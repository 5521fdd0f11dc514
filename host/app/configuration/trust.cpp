// SPDX-License-Identifier: Apache-2.0
// The list trust.rules, one rule after another.
#include "configuration/members.hpp"

namespace skillhost::app {

void readValue(Reading &reading, const Written &written, const Rule &,
               std::vector<TrustCondition> &out) {
  std::vector<Written> words = written.items;
  if (written.kind != Written::Kind::List) words = {written};
  std::vector<TrustCondition> conditions;
  for (const Written &word : words)
    if (const auto index = readChoice(reading, word, Names<TrustCondition>::all))
      conditions.push_back(static_cast<TrustCondition>(*index));
  out = std::move(conditions);
}

Json writeValue(const std::vector<TrustCondition> &conditions, const Rule &) {
  Json list = Json::array();
  for (const TrustCondition condition : conditions)
    list.push_back(Names<TrustCondition>::all[static_cast<std::size_t>(condition)]);
  return list;
}

void readValue(Reading &reading, const Written &written, const Rule &,
               std::vector<TrustRule> &out) {
  if (written.kind != Written::Kind::List)
    return reading.problem(written, "expected a list of rules, found " + written.described());
  const std::string key = reading.key;
  std::vector<TrustRule> rules;
  for (std::size_t i = 0; i < written.items.size(); ++i) {
    reading.key = key + '[' + std::to_string(i) + ']';
    const Written &item = written.items[i];
    if (item.kind != Written::Kind::Map) {
      reading.problem(item, "expected a map such as {sources: [community], action: quarantine}, "
                            "found " +
                                item.described());
      continue;
    }
    readMembers(reading, item, trustKeys(), rules.emplace_back());
    // Left out it would serve, which nobody means who writes a rule.
    if (std::none_of(item.members.begin(), item.members.end(), [](const Member &member) {
          return member.name == "action" && member.value.kind != Written::Kind::Null;
        }))
      reading.problem(item, "action is missing: serve, warn or quarantine");
  }
  reading.key = key;
  out = std::move(rules);
}

Json writeValue(const std::vector<TrustRule> &rules, const Rule &) {
  Json list = Json::array();
  for (const TrustRule &rule : rules) list.push_back(writeMembers(trustKeys(), rule));
  return list;
}

} // namespace skillhost::app
