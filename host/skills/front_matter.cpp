// SPDX-License-Identifier: Apache-2.0
#include "skills/front_matter.hpp"

#include "base/utf8.hpp"
#include "skills/front_matter_block.hpp"
#include "skills/plain_front_matter.hpp"
#include "skills/yaml_advice.hpp"
#include "skills/yaml_front_matter.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace skillhost {
namespace {

constexpr std::size_t largest = 256 * 1024;
constexpr std::string_view example = "begin the document with:\n---\nname: the-folder-name\n"
                                     "description: What it does and when to use it.\n---";

Finding whole(std::string_view file, std::string_view code, std::string_view message,
              std::string_view advice) {
  return {Severity::Error,      std::string(code),  std::string(file), 1, 1,
          std::string(message), std::string(advice)};
}

Finding missing(std::string_view document, std::string_view file) {
  if (document.empty()) return whole(file, "document-empty", "the document is empty", example);
  if (document.substr(0, 512).find('\0') != std::string_view::npos)
    return whole(file, "document-binary", "this is not text: it holds NUL bytes",
                 "save it as UTF-8 text");
  const std::size_t text = document.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
  if (text != std::string_view::npos && text > 0 && document.substr(text, 3) == "---")
    return whole(file, "front-matter-missing", "`---` is not at the very start of the document",
                 "remove what stands before the first `---`");
  return whole(file, "front-matter-missing", "the document has no front matter", example);
}

bool forbidden(char c) noexcept {
  const auto byte = static_cast<unsigned char>(c);
  return (byte < 0x20 && c != '\n' && c != '\r' && c != '\t') || byte == 0x7F;
}

// What is wrong with the bytes, before anybody asks what they mean.
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
  // yaml-cpp would follow directives in places where YAML knows none.
  for (std::size_t at = yaml.find('%'); at != std::string_view::npos; at = yaml.find('%', at + 1))
    if (at == 0 || yaml[at - 1] == '\n')
      return yamlError(block, file, at, "yaml-directive", "a YAML directive in the front matter",
                       "remove the line");
  return std::nullopt;
}

FrontMatterResult failed(Finding finding) {
  FrontMatterResult result;
  result.findings.push_back(std::move(finding));
  return result;
}

} // namespace

Place FrontMatter::placeOf(std::string_view key) const noexcept {
  const auto found =
      std::find_if(keys.begin(), keys.end(), [&](const Key &each) { return each.name == key; });
  return found == keys.end() ? Place{} : found->place;
}

std::optional<std::string> FrontMatter::text(std::string_view path) const {
  for (const Written &each : written)
    if (each.path == path) return each.text;
  const Json *value = &fields;
  for (std::string_view rest = path; !rest.empty();) {
    const std::size_t slash = rest.find('/');
    const std::string_view step = rest.substr(0, slash);
    if (!value->is_object()) return std::nullopt;
    const auto found = value->find(step);
    if (found == value->end()) return std::nullopt;
    value = &*found;
    rest.remove_prefix(slash == std::string_view::npos ? rest.size() : slash + 1);
  }
  if (value->is_string()) return value->get<std::string>();
  if (value->is_number() || value->is_boolean()) return value->dump();
  return std::nullopt;
}

FrontMatterResult parseFrontMatter(std::string_view document, std::string_view file) {
  const FrontMatterBlock block = findFrontMatter(document);
  if (block.state == FrontMatterBlock::State::Missing) return failed(missing(document, file));
  if (block.state == FrontMatterBlock::State::Unclosed)
    return failed(whole(file, "front-matter-unclosed", "the front matter is not closed",
                        "put a line `---` after the last field"));
  if (block.yaml.size() > largest)
    return failed(whole(file, "front-matter-too-large",
                        "the front matter has " + std::to_string(block.yaml.size()) +
                            " bytes, and at most " + std::to_string(largest) + " are read",
                        "move text into the body"));
  if (std::optional<Finding> problem = checkText(block, file)) return failed(std::move(*problem));
  if (std::optional<FrontMatter> plain = readPlain(block)) return {std::move(plain), {}};
  return readYaml(block, file);
}

} // namespace skillhost
