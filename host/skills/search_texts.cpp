// SPDX-License-Identifier: Apache-2.0
#include "skills/search_texts.hpp"

#include "ground/blake3.hpp"
#include "ground/json.hpp"

#include <nlohmann/json.hpp>

#include <initializer_list>
#include <string_view>
#include <utility>

namespace skillhost {
namespace {

// A new number, for a change in the way skills are indexed, replaces the entries kept on disks.
constexpr std::string_view format = "1";

// Short enough for std::string to keep it without memory of its own.
constexpr std::size_t revisionLength = 15;
constexpr std::string_view letters =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

unsigned valueOf(char hexadecimal) noexcept {
  return static_cast<unsigned>(hexadecimal <= '9' ? hexadecimal - '0' : hexadecimal - 'a' + 10);
}

} // namespace

SearchTexts searchTextsOf(const Skill &skill) {
  const SkillFields &fields = skill.fields;
  Json attributes{{"source", skill.source}};
  if (!fields.category.empty()) attributes["category"] = fields.category;
  if (!fields.keywords.empty()) attributes["keywords"] = fields.keywords;
  std::string name = fields.name;
  if (!fields.title.empty() && fields.title != fields.name) {
    name += " " + fields.title;
    attributes["title"] = fields.title;
  }
  std::string written;
  appendJson(written, attributes);
  return {std::move(name), std::move(written)};
}

std::string searchRevisionOf(const Skill &skill) {
  const SearchTexts texts = searchTextsOf(skill);
  std::string all;
  for (const std::string_view part : std::initializer_list<std::string_view>{
           format, skill.entryDigest, texts.name, skill.fields.description, texts.attributes})
    (all += std::to_string(part.size()) + ':') += part;
  all += std::to_string(skill.bodyOffset);
  const std::string digest = blake3Hex(all);
  std::string revision;
  for (std::size_t i = 0; i < revisionLength; ++i)
    revision +=
        letters[(valueOf(digest[2 * i]) * 16 + valueOf(digest[2 * i + 1])) % letters.size()];
  return revision;
}

} // namespace skillhost
