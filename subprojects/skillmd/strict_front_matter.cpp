// SPDX-License-Identifier: Apache-2.0
#include "strict_front_matter.hpp"

#include "front_matter_entries.hpp"
#include "value_text.hpp"

#include "ground/utf8.hpp"
#include "skillmd/plain_front_matter.hpp"
#include "skillmd/yaml_advice.hpp"
#include "skillmd/yaml_front_matter.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace skillhost {
namespace {

constexpr std::size_t maxBlockBytes = 256 * 1024;

// This is an object, so that the search inlines it and calls no function for each character.
constexpr auto forbidden = [](char c) noexcept {
  const auto byte = static_cast<unsigned char>(c);
  return (byte < 0x20 && c != '\n' && c != '\r' && c != '\t') || byte == 0x7F;
};

// Finds faults of the bytes, before anything interprets them.
std::optional<Finding> checkText(const FrontMatterBlock &block, std::string_view file) {
  const std::string_view yaml = block.yaml;
  if (const std::size_t valid = validUtf8Prefix(yaml); valid != yaml.size())
    return yamlError(block, file, valid, "encoding-invalid",
                     "byte " + std::to_string(block.offset + valid) +
                         " of the document is not UTF-8 (Latin-1 perhaps)",
                     "save the file as UTF-8");
  const auto *const bad = std::find_if(yaml.begin(), yaml.end(), forbidden);
  if (bad != yaml.end())
    return yamlError(block, file, static_cast<std::size_t>(bad - yaml.begin()),
                     *bad == '\0' ? "nul-byte" : "control-character",
                     *bad == '\0' ? "a NUL byte in the front matter"
                                  : "a control character in the front matter",
                     "remove it");
  // yaml-cpp would obey directives even where YAML has none.
  for (std::size_t at = yaml.find('%'); at != std::string_view::npos; at = yaml.find('%', at + 1))
    if (at == 0 || yaml[at - 1] == '\n')
      return yamlError(block, file, at, "yaml-directive", "a YAML directive in the front matter",
                       "remove the line");
  return std::nullopt;
}

// If the description is a list or a map, such as `[TODO: ...]`, its author meant the visible text.
void keepDescription(FrontMatter &matter, const FrontMatterBlock &block) {
  constexpr std::string_view key = "description";
  const auto value = matter.fields.find(key);
  if (value == matter.fields.end() || !value->is_structured()) return;
  const std::optional<std::vector<FrontMatterEntry>> entries = cutEntries(block.yaml);
  if (!entries) return;
  for (const FrontMatterEntry &entry : *entries)
    if (entry.key == key)
      matter.written.push_back(
          {std::string(key), entry.first.empty() ? linesText(entry.rest) : valueText(entry)});
}

} // namespace

FrontMatterResult readStrictly(const FrontMatterBlock &block, std::string_view file) {
  if (block.yaml.size() > maxBlockBytes)
    return FrontMatterResult::refused(
        {Severity::Error, "front-matter-too-large", std::string(file), 1, 1,
         "the front matter has " + std::to_string(block.yaml.size()) + " bytes, and at most " +
             std::to_string(maxBlockBytes) + " are read",
         "move text into the body"},
        false);
  if (std::optional<Finding> problem = checkText(block, file)) {
    const bool mendable = problem->code != "yaml-directive";
    return FrontMatterResult::refused(std::move(*problem), mendable);
  }
  FrontMatterResult result;
  if (std::optional<FrontMatter> plain = readPlain(block))
    result.frontMatter = std::move(plain);
  else
    result = readYaml(block, file);
  if (result.frontMatter) keepDescription(*result.frontMatter, block);
  return result;
}

} // namespace skillhost
