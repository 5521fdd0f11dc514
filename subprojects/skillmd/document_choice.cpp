// SPDX-License-Identifier: Apache-2.0
#include "skillmd/document_choice.hpp"

#include "ground/counted.hpp"
#include "ground/glob.hpp"
#include "ground/text.hpp"
#include "ground/utf8.hpp"
#include "skillmd/naming.hpp"
#include "skillmd/path_rewriter.hpp"
#include "skillmd/reader_content.hpp"

#include <algorithm>
#include <optional>

namespace skillhost {
namespace {

constexpr auto none = std::string_view::npos;
// The steps that a pattern may take: stepsForCharacter for each character of the paths (`**/*.md`
// takes about ten), but at least fewSteps, which take some hundredths of a second.
constexpr std::size_t stepsForCharacter = 20, fewSteps = 2'000'000;

// Returns `path` below `root`, which has no slash at its end; "" for the root itself.
std::optional<std::string_view> under(std::string_view root, std::string_view path) {
  if (root.empty() || !path.starts_with(root)) return std::nullopt;
  path.remove_prefix(root.size());
  if (path.empty()) return path;
  if (path.front() != '/') return std::nullopt;
  return path.substr(std::min(path.find_first_not_of('/'), path.size()));
}

// Returns the path without `#anchor`, `:12` and `:12:5`.
std::string_view withoutPlace(std::string_view path) {
  path = path.substr(0, path.find('#'));
  for (int parts = 0; parts < 2; ++parts) {
    const std::size_t colon = path.rfind(':');
    if (colon == none || colon + 1 == path.size() ||
        path.find_first_not_of("0123456789", colon + 1) != none)
      break;
    path = path.substr(0, colon);
  }
  return path;
}

// Returns the file or the folder with exactly this path; nothing if there is none.
std::optional<DocumentChoice> exactly(const PlacedFiles &skill, std::string_view path) {
  DocumentChoice choice;
  const std::optional<std::string> normal = normaliseRelative(path);
  const bool whole = !normal && path.find_first_not_of("./") == none && path.find("..") == none;
  if (!normal && !whole) return std::nullopt;
  if (normal && path.back() != '/') {
    if (const std::size_t file = skill.at(*normal); file != PlacedFiles::npos) {
      choice.files.push_back(file);
      return choice;
    }
  }
  choice.folder = true;
  for (std::size_t i = 0; i < skill.paths.size(); ++i)
    if (whole || !under(*normal, skill.paths[i]).value_or("").empty()) choice.files.push_back(i);
  if (choice.files.empty()) return std::nullopt;
  return choice;
}

// Returns how many folders and names at the end of two paths are the same, whatever their case.
std::size_t sameEnd(std::string_view a, std::string_view b) {
  const auto folded = [](char c) { return c == '\\' ? '/' : asciiLowered(c); };
  std::size_t same = 0, segments = 0;
  const std::size_t most = std::min(a.size(), b.size());
  while (same < most && folded(a[a.size() - 1 - same]) == folded(b[b.size() - 1 - same]))
    if (folded(a[a.size() - 1 - same++]) == '/') ++segments;
  const auto begins = [&](std::string_view path) {
    return same == path.size() || folded(path[path.size() - 1 - same]) == '/';
  };
  return same != 0 && begins(a) && begins(b) ? segments + 1 : segments;
}

// Suggests the files whose paths share the longest end with `path`.
std::string didYouMean(const PlacedFiles &skill, std::string_view path) {
  constexpr std::size_t maxSuggestions = 3, maxPathBytes = 1000;
  if (path.size() > maxPathBytes) return {};
  std::size_t best = 1;
  std::vector<std::string_view> likely;
  for (const std::string &file : skill.paths) {
    const std::size_t same = sameEnd(file, path);
    if (same < best) continue;
    if (same > best) likely.clear();
    best = same;
    if (likely.size() < maxSuggestions) likely.push_back(file);
  }
  std::string out;
  for (const std::string_view one : likely)
    ((out += out.empty() ? ". Did you mean \"" : "\", \"") += one);
  return out.empty() ? out : out + "\"?";
}

// Returns the paths that `written` may mean, if it marks the folder of the skill in one of the ways
// in which authors do.
std::vector<std::string> asAuthorsWrite(const PlacedFiles &skill, std::string_view written) {
  while (written.size() > 1 && written.front() == written.back() &&
         std::string_view("\"'`").find(written.front()) != none)
    written = written.substr(1, written.size() - 2);
  if (written.starts_with('@')) written.remove_prefix(1);
  const FolderPrefix prefix = folderPrefixOf(written);
  return pathsBelowSkill(written.substr(prefix.length), prefix.of, skill.names);
}

} // namespace

Result<DocumentChoice> chooseDocuments(const PlacedFiles &skill, std::string_view path, bool here) {
  std::string_view wanted = path;
  if (const auto inside = under(skillDirectory, path)) wanted = *inside;
  const bool uri = path.starts_with(skillScheme);
  if (uri || path.starts_with('/')) {
    std::string_view root = uri ? std::string_view(skill.uri) : std::string_view(skill.folder);
    while (root.size() > 1 && root.back() == '/') root.remove_suffix(1);
    const auto inside = uri || here ? under(root, path) : std::nullopt;
    if (!inside)
      return Failure{Fault::NotFound,
                     std::string(cutUtf8(path, 200)) + " is not its path" +
                         (uri ? ", its files are below " + std::string(skill.uri) + "/" : "") +
                         "; leave document_path out to see its files" + didYouMean(skill, path)};
    wanted = *inside;
  }
  // Tries the spelling itself, then unescaped, then without an anchor or a line number.
  std::vector<std::string> spellings{std::string(wanted)};
  const std::optional<std::string> decoded =
      wanted.find('%') == none ? std::nullopt : decodePath(wanted);
  if (decoded) spellings.push_back(*decoded);
  if (const std::string_view bare = withoutPlace(wanted);
      !bare.empty() && bare.size() < wanted.size())
    for (std::size_t i = spellings.size(); i-- > 0;)
      spellings.emplace_back(withoutPlace(spellings[i]));
  if (const std::string_view bare = withoutPlace(path); !uri && !bare.empty())
    for (std::string &other : asAuthorsWrite(skill, bare)) spellings.push_back(std::move(other));
  for (const std::string &spelling : spellings)
    if (std::optional<DocumentChoice> found = exactly(skill, spelling)) return *std::move(found);

  std::string_view pattern = uri && decoded ? *decoded : wanted;
  while (pattern.starts_with("./")) pattern.remove_prefix(2);
  const Result<Glob> glob = Glob::compile(pattern);
  if (!glob)
    return Failure{Fault::InvalidInput, "arguments.document_path: " + glob.failure().message};
  DocumentChoice choice;
  std::size_t characters = 0;
  for (const std::string &one : skill.paths) characters += one.size();
  std::size_t steps = std::max(fewSteps, stepsForCharacter * characters);
  for (std::size_t i = 0; i < skill.paths.size() && steps != 0; ++i)
    if (glob->matches(skill.paths[i], steps)) choice.files.push_back(i);
  if (steps == 0)
    return Failure{Fault::InvalidInput,
                   "arguments.document_path: the pattern takes too many steps with the " +
                       counted(skill.paths.size(), "file") +
                       " of this skill; write one with fewer wildcards"};
  if (choice.files.empty())
    return Failure{Fault::NotFound, "no file matches \"" + std::string(cutUtf8(path, 200)) +
                                        "\"; leave document_path out to see its files" +
                                        didYouMean(skill, path)};
  return choice;
}

} // namespace skillhost
