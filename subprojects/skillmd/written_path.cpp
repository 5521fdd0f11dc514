// SPDX-License-Identifier: Apache-2.0
#include "skillmd/written_path.hpp"

#include "ground/text.hpp"
#include "skillmd/characters.hpp"

#include <algorithm>
#include <array>
#include <optional>

namespace skillhost {
namespace {

constexpr std::size_t maxPlaceholderBytes = 32;

// These are in lower case, without `_`, `-` and blanks.
constexpr std::array<std::string_view, 10> skillFolders{
    "basedir",        "claudeskilldir", "pathtoskill", "skillbasedir", "skilldir",
    "skilldirectory", "skillfolder",    "skillhome",   "skillpath",    "skillroot"};
constexpr std::array<std::string_view, 2> pluginFolders{"claudepluginroot", "pluginroot"};

template <std::size_t size>
bool isAmong(const std::array<std::string_view, size> &all, std::string_view name) noexcept {
  return std::find(all.begin(), all.end(), name) != all.end();
}

FolderPrefix::Of folderNamed(std::string_view written, bool variable) {
  std::string name;
  for (const char c : written) {
    if (letter(c) || digit(c))
      name += asciiLowered(c);
    else if (c != '_' && c != '-' && c != ' ')
      return FolderPrefix::Of::Nothing;
  }
  if (isAmong(skillFolders, name)) return FolderPrefix::Of::Skill;
  if (isAmong(pluginFolders, name)) return FolderPrefix::Of::Plugin;
  return variable && written == "HOME" ? FolderPrefix::Of::Home : FolderPrefix::Of::Nothing;
}

// A placeholder at the start of a text: `$NAME`, `${NAME}`, `{NAME}`, `{{NAME}}` or `<NAME>`;
// length 0: none.
struct Placeholder {
  std::string_view name;
  std::size_t length = 0;
};

Placeholder placeholderAt(std::string_view text) noexcept {
  text = text.substr(0, maxPlaceholderBytes + 4);
  const auto between = [&](std::string_view open, std::string_view close) {
    const std::size_t end = text.find(close, open.size());
    return end == npos
               ? Placeholder{}
               : Placeholder{text.substr(open.size(), end - open.size()), end + close.size()};
  };
  for (const auto &[open, close] : {std::pair<std::string_view, std::string_view>{"${", "}"},
                                    {"{{", "}}"},
                                    {"{", "}"},
                                    {"<", ">"}})
    if (text.starts_with(open)) return between(open, close);
  std::size_t end = 1;
  while (end < text.size() && (letter(text[end]) || digit(text[end]) || text[end] == '_')) ++end;
  return text.starts_with('$') ? Placeholder{text.substr(1, end - 1), end} : Placeholder{};
}

bool isSlash(char c) noexcept { return c == '/' || c == '\\'; }

// Returns the part of `path` behind `skills/NAME/`, or with `alone` behind a leading `NAME/`.
std::optional<std::string> behindName(const std::string &path, std::string_view name, bool alone) {
  if (name.empty()) return std::nullopt;
  const std::string folder = std::string(name) + '/';
  if (alone && path.starts_with(folder)) return path.substr(folder.size());
  const std::string usual = "skills/" + folder;
  for (std::size_t at = path.find(usual); at != npos; at = path.find(usual, at + 1))
    if (at == 0 || path[at - 1] == '/') return path.substr(at + usual.size());
  return std::nullopt;
}

} // namespace

FolderPrefix folderPrefixOf(std::string_view text) {
  FolderPrefix prefix;
  if (text.starts_with('~')) {
    prefix = {FolderPrefix::Of::Home, 1};
  } else {
    const Placeholder found = placeholderAt(text);
    if (found.length != 0 && found.name.size() <= maxPlaceholderBytes)
      prefix = {folderNamed(found.name, text.starts_with('$')), found.length};
  }
  if (prefix.of == FolderPrefix::Of::Nothing) return {};
  const std::size_t end = prefix.length;
  while (prefix.length < text.size() && isSlash(text[prefix.length])) ++prefix.length;
  return prefix.length == end ? FolderPrefix{} : prefix;
}

std::vector<std::string> pathsBelowSkill(std::string_view path, FolderPrefix::Of of,
                                         SkillNames names) {
  std::string slashed(path);
  std::replace(slashed.begin(), slashed.end(), '\\', '/');
  std::vector<std::string> found;
  if (of == FolderPrefix::Of::Skill) found.push_back(slashed);
  for (const std::string_view name : {names.folder, names.name})
    if (auto inside = behindName(slashed, name, of != FolderPrefix::Of::Home))
      found.push_back(*std::move(inside));
  if (of == FolderPrefix::Of::Plugin || of == FolderPrefix::Of::Nothing) found.push_back(slashed);
  return found;
}

} // namespace skillhost
