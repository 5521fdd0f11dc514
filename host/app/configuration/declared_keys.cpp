// SPDX-License-Identifier: Apache-2.0
#include "configuration/declared_keys.hpp"

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
  return {declared.least, declared.most, declared.meaning};
}

Shape shapeOf(const settings::Declaration &declared) {
  constexpr std::array shapes{Shape::Flag, Shape::WholeNumber, Shape::Text, Shape::Choice,
                              Shape::TextList}; // in the order of settings::Type
  return shapes[static_cast<std::size_t>(declared.type)];
}

std::span<const std::string_view> choicesOf(const settings::Declaration &declared) {
  using Words = std::vector<std::string_view>;
  static const std::map<const settings::Declaration *, Words> all = [] {
    std::map<const settings::Declaration *, Words> made;
    for (const settings::Declaration &one : declarations().keys)
      made[&one] = Words(one.choices.begin(), one.choices.end());
    return made;
  }();
  return all.at(&declared);
}

void readDeclared(Reading &reading, const Written &written, const Rule &rule, Shape shape,
                  const settings::Declaration &declared, FeatureSettings &out) {
  const std::size_t problems = reading.problems.size();
  Json value;
  if (shape == Shape::Flag)
    value = checked<bool>(reading, written, rule);
  else if (shape == Shape::WholeNumber)
    value = checked<std::size_t>(reading, written, rule);
  else if (shape == Shape::Text)
    value = checked<std::string>(reading, written, rule);
  else if (shape == Shape::TextList)
    value = checked<std::vector<std::string>>(reading, written, rule);
  else if (const auto index = readChoice(reading, written, choicesOf(declared)))
    value = declared.choices[*index];
  if (reading.problems.size() == problems) out.set(declared.key, std::move(value));
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
