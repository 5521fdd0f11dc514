// SPDX-License-Identifier: Apache-2.0
#include "settings/declared_keys.hpp"

#include "settings/members.hpp"
#include "settings/yaml_text.hpp"

#include <array>
#include <map>
#include <stdexcept>
#include <utility>

namespace skillhost::app {
namespace {

template <class Value> Json checked(Reading &reading, const Written &written, const Rule &rule) {
  Value value{};
  readValue(reading, written, rule, value);
  return value;
}

// Reads a list of words. A single word may stand without brackets.
Json readWords(Reading &reading, const Written &written, const settings::Declaration &declared) {
  Json words = Json::array();
  const std::vector<Written> alone{written};
  for (const Written &one : written.kind == Written::Kind::List ? written.items : alone)
    if (const auto index = readChoice(reading, one, choicesOf(declared)))
      words.push_back(declared.choices[*index]);
  return words;
}

// Reports a required key that is missing from a rule. A default would be a guess that the author of
// the rule cannot have meant.
void checkRequired(Reading &reading, const Written &rule, const settings::Declaration &part) {
  if (const Written *value = rule.find(part.key);
      !part.isRequired || (value != nullptr && value->kind != Written::Kind::Null))
    return;
  reading.problem(rule, part.key + " is missing: " + settings::inWords(choicesOf(part)));
}

Json readRules(Reading &reading, const Written &written, const settings::Declaration &declared) {
  if (written.kind != Written::Kind::List)
    reading.problem(written, "expected a list of rules, found " + written.described());
  const std::string key = reading.key;
  Json rules = Json::array();
  for (const Written &item : written.items) {
    reading.key = key + '[' + std::to_string(rules.size()) + ']';
    Json rule = Json::object();
    if (item.kind == Written::Kind::Map) {
      readMembers(reading, item, partKeys(declared), rule);
      for (const settings::Declaration &part : declared.parts) checkRequired(reading, item, part);
    } else {
      reading.problem(item, "expected a map such as " + yamlInline(declared.examples.front()) +
                                ", found " + item.described());
    }
    rules.push_back(writeMembers(partKeys(declared), rule));
  }
  reading.key = key;
  return rules;
}

Json valueOf(Reading &reading, const Written &written, const settings::Declaration &declared) {
  const Rule rule = ruleOf(declared);
  switch (declared.type) {
  case settings::Type::Flag:
    return checked<bool>(reading, written, rule);
  case settings::Type::WholeNumber:
    return checked<std::size_t>(reading, written, rule);
  case settings::Type::Text:
    return checked<std::string>(reading, written, rule);
  case settings::Type::RuleList:
    return readRules(reading, written, declared);
  case settings::Type::TextList:
    if (!declared.choices.empty()) return readWords(reading, written, declared);
    return checked<std::vector<std::string>>(reading, written, rule);
  case settings::Type::Choice:
    break;
  }
  const auto index = readChoice(reading, written, choicesOf(declared));
  return index ? Json(declared.choices[*index]) : Json();
}

std::string_view sectionName(std::string_view key) {
  const std::size_t dot = key.find('.');
  return dot == key.npos ? std::string_view{} : key.substr(0, dot);
}

} // namespace

const settings::Declarations &declarations() {
  static const settings::Declarations all = [] {
    Result<settings::Declarations> read = settings::readAll(settings::gathered());
    if (!read)
      throw std::logic_error("what features declare cannot be read: " + read.failure().message);
    return *std::move(read);
  }();
  return all;
}

Rule ruleOf(const settings::Declaration &declared) {
  return {declared.minimum, declared.maximum, declared.meaning};
}

Shape shapeOf(const settings::Declaration &declared) {
  constexpr std::array shapes{Shape::Flag,     Shape::WholeNumber, Shape::Text, Shape::Choice,
                              Shape::TextList, Shape::Entries}; // in the order of settings::Type
  return shapes[static_cast<std::size_t>(declared.type)];
}

std::span<const std::string_view> choicesOf(const settings::Declaration &declared) {
  using Words = std::vector<std::string_view>;
  static const std::map<const settings::Declaration *, Words> all = [] {
    std::map<const settings::Declaration *, Words> made;
    const auto add = [&](const settings::Declaration &one) {
      made[&one] = Words(one.choices.begin(), one.choices.end());
    };
    for (const settings::Declaration &one : declarations().keys) {
      add(one);
      std::for_each(one.parts.begin(), one.parts.end(), add);
    }
    return made;
  }();
  return all.at(&declared);
}

std::span<const PartKey> partKeys(const settings::Declaration &declared) {
  static const std::map<const settings::Declaration *, std::vector<PartKey>> all = [] {
    std::map<const settings::Declaration *, std::vector<PartKey>> made;
    for (const settings::Declaration &one : declarations().keys)
      for (const settings::Declaration &part : one.parts) {
        PartKey row = declaredRow<Json>(part.key, part);
        row.read = [](Reading &reading, const Written &written, const PartKey &read, Json &rule) {
          if (std::optional<Json> value = readDeclared(reading, written, *read.declared))
            rule[read.declared->key] = *std::move(value);
        };
        row.write = [](const Json &rule, const PartKey &written) {
          const auto found = rule.find(written.declared->key);
          return found == rule.end() ? written.declared->standard : *found;
        };
        made[&one].push_back(row);
      }
    return made;
  }();
  return all.at(&declared);
}

std::optional<Json> readDeclared(Reading &reading, const Written &written,
                                 const settings::Declaration &declared) {
  const std::size_t problems = reading.problems.size();
  Json value = valueOf(reading, written, declared);
  if (reading.problems.size() != problems) return std::nullopt;
  return value;
}

std::size_t placeFor(std::string_view key, std::string_view after,
                     std::span<const std::string_view> names) {
  const std::string_view section = sectionName(key);
  std::size_t behind = 0, sectionEnd = 0; // 0: there is no such key
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == after) behind = i + 1;
    if (!section.empty() && sectionName(names[i]) == section) sectionEnd = i + 1;
  }
  const bool isElsewhere = behind == 0 || sectionName(names[behind - 1]) != section;
  const bool isBefore = behind != 0 && behind < names.size() && !section.empty() &&
                        sectionName(names[behind]) == section;
  if (isBefore) return behind;
  if (sectionEnd != 0 && isElsewhere) return sectionEnd;
  std::size_t place = behind == 0 ? names.size() : behind;
  if (!isElsewhere && !section.empty()) return place;
  const auto isWithinSection = [&] {
    return place < names.size() && !sectionName(names[place]).empty() &&
           sectionName(names[place]) == sectionName(names[place - 1]);
  };
  while (isWithinSection()) ++place;
  return place;
}

std::vector<Section> withDeclared(std::span<const Section> own) {
  std::vector<Section> all(own.begin(), own.end());
  for (const settings::Section &one : declarations().sections)
    all.push_back({one.name, one.description});
  return all;
}

} // namespace skillhost::app
