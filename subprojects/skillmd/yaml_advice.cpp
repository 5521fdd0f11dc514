// SPDX-License-Identifier: Apache-2.0
#include "skillmd/yaml_advice.hpp"

#include "ground/utf8.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string>

namespace skillhost {
namespace {

struct Case {
  std::string_view says; // start of yaml-cpp's message
  std::string_view code, message, advice;
};

constexpr std::string_view quoteIt = "put the value in double quotes";
constexpr std::array cases{
    Case{"illegal map value", "yaml-colon", "a value that is not quoted holds `: `", quoteIt},
    Case{"the referenced anchor", "yaml-alias",
         "a value begins with `*`, which YAML reads as a reference", quoteIt},
    Case{"alias not found", "yaml-alias",
         "a value begins with `*`, which YAML reads as a reference", quoteIt},
    Case{"illegal character found while scanning alias", "yaml-alias",
         "a value begins with `*`, which YAML reads as a reference", quoteIt},
    Case{"anchor not found", "yaml-anchor",
         "a value begins with `&`, which YAML reads as an anchor", quoteIt},
    Case{"illegal character found while scanning anchor", "yaml-anchor",
         "a value begins with `&`, which YAML reads as an anchor", quoteIt},
    Case{"unknown token", "yaml-syntax", "a value begins with a character YAML reserves", quoteIt},
    Case{"unexpected character in block scalar", "yaml-block-scalar",
         "text follows `|` or `>` on the same line",
         "put the text on the next line, indented by two spaces, or remove the `|` or `>`"},
    Case{"illegal tab", "yaml-tab", "a tab is used for indentation", "indent with spaces"},
    Case{"invalid unicode", "yaml-escape", "a \\u escape names half a character",
         "write the character itself instead of a pair of \\u escapes"},
    Case{"unknown escape character", "yaml-escape", "an escape YAML does not know",
         "write \\\\ for a backslash, or use single quotes"},
    Case{"illegal EOF in scalar", "yaml-quote", "a quoted value is not closed",
         "close it with the quotation mark it began with"},
    Case{"illegal block entry", "yaml-list", "a list item where no list can be",
         "put each `- item` on a line of its own below the key"},
    Case{"end of map not found", "yaml-syntax", "this does not belong to the mapping above it",
         "write `key: value`; a value with quotation marks in it is quoted as a whole"},
    Case{"end of map flow", "yaml-flow", "a map that begins with `{` is not closed",
         "close it with `}`, or quote the value if it is meant as text"},
    Case{"end of sequence flow", "yaml-flow", "a list that begins with `[` is not closed",
         "close it with `]`, or quote the value if it is meant as text"},
};

std::size_t lineStart(std::string_view yaml, std::size_t at) noexcept {
  const std::size_t before = at == 0 ? std::string_view::npos : yaml.rfind('\n', at - 1);
  return before == std::string_view::npos ? 0 : before + 1;
}

std::string_view lineAt(std::string_view yaml, std::size_t at) noexcept {
  const std::size_t start = lineStart(yaml, at);
  std::string_view line = yaml.substr(start, yaml.find('\n', start) - start);
  while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.remove_suffix(1);
  return line;
}

// Returns `key: value` with the value in double quotes; empty if the line has another shape.
std::string quoted(std::string_view line) {
  constexpr std::size_t maxLineBytes = 2000;
  const std::size_t colon = line.find(": ");
  if (colon == std::string_view::npos || line.size() > maxLineBytes) return {};
  const std::size_t value = line.find_first_not_of(' ', colon + 1);
  if (value == std::string_view::npos) return {};
  const std::string_view openers = "\"'|>[{#";
  if (openers.find(line[value]) != std::string_view::npos) return {};
  std::string out(line.substr(0, value));
  out += '"';
  for (const char c : line.substr(value)) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

// If the rejected colon is the first of its line, the fault is in the line above.
std::optional<Finding> adviseOnFirstColon(const FrontMatterBlock &block, std::string_view file,
                                          std::size_t at) {
  const std::size_t start = lineStart(block.yaml, at);
  if (start == 0 || block.yaml.substr(start, at - start).find(':') != std::string_view::npos)
    return std::nullopt;
  const std::string_view above = lineAt(block.yaml, start - 1);
  const std::size_t text = above.find_first_not_of(' ');
  if (text == 0 && above.find(':') == std::string_view::npos)
    return yamlError(block, file, lineStart(block.yaml, start - 1), "yaml-colon-missing",
                     "this line is neither `key: value` nor part of the value above",
                     "write `key: value`, or indent a line that continues the value");
  return yamlError(block, file, at, "yaml-colon",
                   "a line that continues the value above holds `: `",
                   "begin it where the other keys begin, or put the whole value in quotes");
}

} // namespace

Finding yamlError(const FrontMatterBlock &block, std::string_view file, std::size_t at,
                  std::string_view code, std::string_view message, std::string_view advice) {
  at = std::min(at, block.yaml.size());
  // Behind the last line break stands the closing line, so report the last line of the block.
  if (at == block.yaml.size() && at > 0) --at;
  const std::size_t start = lineStart(block.yaml, at);
  const auto breaks =
      std::count(block.yaml.begin(), block.yaml.begin() + static_cast<std::ptrdiff_t>(start), '\n');
  return {Severity::Error,
          std::string(code),
          std::string(file),
          static_cast<std::size_t>(breaks) + block.line,
          countCharacters(block.yaml.substr(start, at - start)) + 1,
          std::string(message),
          std::string(advice)};
}

Finding adviseOnYaml(const FrontMatterBlock &block, std::string_view file, std::size_t at,
                     std::string_view message) {
  at = std::min(at, block.yaml.empty() ? 0 : block.yaml.size() - 1);
  const std::string_view line = lineAt(block.yaml, at);
  const std::size_t text = line.find_first_not_of(" \t");
  if (line.substr(0, text).find('\t') != std::string_view::npos)
    return yamlError(block, file, at, "yaml-tab", "a tab is used for indentation",
                     "indent with spaces");
  for (const Case &known : cases) {
    if (message.substr(0, known.says.size()) != known.says) continue;
    if (known.code == "yaml-colon")
      if (std::optional<Finding> above = adviseOnFirstColon(block, file, at)) return *above;
    Finding finding = yamlError(block, file, at, known.code, known.message, known.advice);
    if (known.advice == quoteIt)
      if (const std::string better = quoted(line); !better.empty())
        finding.advice += ":\n" + better;
    return finding;
  }
  return yamlError(block, file, at, "yaml-syntax",
                   "the YAML cannot be read: " + std::string(message.substr(0, 200)),
                   "write one `key: value` a line, values with special characters in quotes");
}

} // namespace skillhost
