// SPDX-License-Identifier: Apache-2.0
#include "package_names.hpp"

#include "ground/text.hpp"
#include "skillmd/characters.hpp"
#include "text_tools.hpp"

#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace skillhost {
namespace {

enum class Registry : std::uint8_t { Python, Node };

// The most downloaded packages, of which those that come first are imitated.
constexpr std::string_view pythonNames =
#include "package_lists/pypi.inc"
    ;
constexpr std::string_view nodeNames =
#include "package_lists/npm.inc"
    ;
// Well-known packages that are not on these lists.
constexpr std::array<std::string_view, 8> unlisted{"httpx2", "flaskr", "rediss",   "nextra",
                                                   "pypdf3", "pypdf4", "psycopg3", "latch"};
constexpr std::size_t imitatedPython = 2000, imitatedNode = 3500;
constexpr std::size_t shortestImitated = 5, longestName = 64; // bytes

constexpr std::string_view nameBytes = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                       "0123456789@._-/=<>[]~!^;,*+:$\\{}%";
constexpr std::array<std::string_view, 16> wordsOfSentences{
    "if",   "for", "and", "to", "is", "on",   "in",     "not",
    "with", "the", "or",  "a",  "of", "hint", "failed", "fails"};

// Returns one bit for each letter and digit of a name, so that most names need no comparison.
std::uint64_t bytesOf(std::string_view name) noexcept {
  std::uint64_t bytes = 0;
  for (const char c : name) bytes |= std::uint64_t{1} << (static_cast<unsigned char>(c) % 64U);
  return bytes;
}

// Returns the name in the form of the list. PyPI takes runs of `-`, `_` and `.` for one `-` (PEP
// 503).
std::string normalisedPython(std::string_view word) {
  std::string name;
  for (const char c : word) {
    const bool isMark = c == '-' || c == '_' || c == '.';
    if (isMark && !name.empty() && name.back() == '-') continue;
    name += isMark ? '-' : asciiLowered(c);
  }
  return name;
}

// Returns true if one character was changed, added or left out, or two neighbours were swapped.
bool oneSlip(std::string_view a, std::string_view b) noexcept {
  if (a.size() > b.size()) std::swap(a, b);
  if (b.size() - a.size() > 1 || a == b) return false;
  std::size_t same = 0;
  while (same < a.size() && a[same] == b[same]) ++same;
  if (a.size() < b.size()) return a.substr(same) == b.substr(same + 1);
  if (a.substr(same + 1) == b.substr(same + 1)) return true;
  return same + 1 < a.size() && a[same] == b[same + 1] && a[same + 1] == b[same] &&
         a.substr(same + 2) == b.substr(same + 2);
}

class KnownPackages {
public:
  KnownPackages(std::string_view names, std::size_t imitated) {
    while (!names.empty()) {
      const std::size_t end = std::min(names.find('\n'), names.size());
      const std::string_view name = names.substr(0, end);
      names.remove_prefix(std::min(end + 1, names.size()));
      if (name.empty() || name.starts_with('#')) continue;
      if (all_.size() < imitated && name.size() >= shortestImitated && name.size() <= longestName)
        imitated_[name.size()].push_back({bytesOf(name), name});
      all_.push_back(name);
    }
    std::sort(all_.begin(), all_.end());
  }

  // Returns the package that is one slip away from an unknown one; empty: none.
  std::string_view meantBy(std::string_view name) const {
    if (name.size() + 1 > longestName || isOneOf(unlisted, name) ||
        std::binary_search(all_.begin(), all_.end(), name))
      return {};
    const std::uint64_t bytes = bytesOf(name);
    for (std::size_t size = name.size() - 1; size <= name.size() + 1; ++size)
      for (const Imitated &one : imitated_[size])
        if (std::popcount(one.bytes ^ bytes) <= 2 && oneSlip(name, one.name)) return one.name;
    return {};
  }

private:
  struct Imitated {
    std::uint64_t bytes;
    std::string_view name;
  };
  std::array<std::vector<Imitated>, longestName + 1> imitated_; // by length
  std::vector<std::string_view> all_;                           // sorted
};

const KnownPackages &knownPackages(Registry registry) {
  static const KnownPackages &python = *new KnownPackages(pythonNames, imitatedPython);
  static const KnownPackages &node = *new KnownPackages(nodeNames, imitatedNode);
  return registry == Registry::Node ? node : python;
}

const RE2 &installs() {
  static const RE2 &command = *new RE2(
      R"re((?i)(?:^|[\s;&|(`"'$!])((?:python[23]?\s+-m\s+)?pip[23]?\s+install|pipx\s+(?:install|run)|uv\s+(?:pip\s+install|add|tool\s+install)|uvx|poetry\s+add|(?:npm|pnpm|bun)\s+(?:install|i|add)|yarn\s+(?:global\s+)?add|npx|bunx)\s+([^;&|`\n#]*))re",
      RE2::Quiet);
  return command;
}

} // namespace

std::optional<LookAlikePackage> findLookAlikePackage(std::string_view line) {
  re2::StringPiece command;
  re2::StringPiece names;
  if (!RE2::PartialMatch(re2::StringPiece(line.data(), line.size()), installs(), &command, &names))
    return std::nullopt;
  const std::string_view tool(command.data(), command.size());
  const bool isNode =
      tool.find("np") != npos || tool.find("yarn") != npos || tool.find("bun") != npos;
  // A tool that runs a package gives the other words to it.
  const bool runs = tool == "npx" || tool == "bunx" || tool == "uvx" || tool.ends_with("run");
  std::string_view rest(names.data(), names.size());
  // A command in quotation marks or parentheses ends with these.
  const char before = tool.data() == line.data() ? ' ' : *(tool.data() - 1);
  rest = rest.substr(0, rest.find(before == '"' || before == '\'' ? before : ')'));
  bool isEditable = false; // the word before is the option for a folder
  for (int left = 50; left > 0 && !rest.empty(); --left) {
    const std::size_t start = rest.find_first_not_of(" \t\"'");
    if (start == npos) break;
    rest.remove_prefix(start);
    const std::string_view whole = rest.substr(0, rest.find_first_of(" \t\"'"));
    rest.remove_prefix(whole.size());
    // The words of a sentence behind the command are no packages.
    if (whole.find_first_not_of(nameBytes) != npos || isOneOf(wordsOfSentences, whole)) break;
    const bool isFolder = std::exchange(isEditable, whole == "-e" || whole == "--editable");
    if (isFolder || whole.starts_with('-')) continue;
    const std::string_view word =
        trimmedOf(whole.substr(0, whole.find_first_of("@=<>[~!^;,")), ".");
    if (word.size() >= shortestImitated && word.find_first_of("/$%{*\\") == npos) {
      const std::string name = isNode ? asciiLowered(word) : normalisedPython(word);
      const std::string_view meant =
          knownPackages(isNode ? Registry::Node : Registry::Python).meantBy(name);
      if (!meant.empty())
        return LookAlikePackage{name, std::string(meant),
                                static_cast<std::size_t>(whole.data() - line.data())};
    }
    if (runs) break;
  }
  return std::nullopt;
}

} // namespace skillhost
