// SPDX-License-Identifier: Apache-2.0
#include "skillmd/path_rewriter.hpp"

#include "skillmd/characters.hpp"
#include "skillmd/naming.hpp"

#include <algorithm>

namespace skillhost {
namespace {

constexpr std::size_t maxPathBytes = 4096;
// A text may name ten thousand missing files, and each search in the project is a system call.
constexpr std::size_t maxProjectLookups = 500;

bool alphanumeric(char c) noexcept {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

std::string withoutSlash(std::string_view folder) {
  while (!folder.empty() && folder.back() == '/') folder.remove_suffix(1);
  return std::string(folder);
}

// Returns true if the word has a slash, or an extension of one to eight letters and digits.
bool looksLikePath(std::string_view word) noexcept {
  if (word.find('/') != npos) return true;
  const std::size_t dot = word.rfind('.');
  if (dot == npos || dot + 1 >= word.size() || word.size() - dot > 9) return false;
  return std::all_of(word.begin() + static_cast<std::ptrdiff_t>(dot) + 1, word.end(), alphanumeric);
}

// Returns the end of the path in `word`: before an anchor, a query, a line number or punctuation.
std::size_t pathEnd(std::string_view word) noexcept {
  std::size_t end = std::min(word.find_first_of("#?"), word.size());
  const auto strip = [&](std::string_view characters) {
    while (end > 0 && characters.find(word[end - 1]) != npos) --end;
  };
  strip(".,:;!");
  for (int parts = 0; parts < 2; ++parts) { // `:12` or `:12:5`
    std::size_t at = end;
    while (at > 0 && digit(word[at - 1])) --at;
    if (at == end || at == 0 || word[at - 1] != ':') break;
    end = at - 1;
  }
  return end;
}

} // namespace

std::optional<std::string> normaliseRelative(std::string_view path) {
  if (path.empty() || path.size() > maxPathBytes || path[0] == '/' || path.find('\0') != npos)
    return std::nullopt;
  std::string out;
  while (!path.empty()) {
    const std::size_t slash = path.find('/');
    const std::string_view segment = path.substr(0, slash);
    path.remove_prefix(slash == npos ? path.size() : slash + 1);
    if (segment.empty() || segment == ".") continue;
    if (segment == "..") {
      if (out.empty()) return std::nullopt;
      const std::size_t last = out.rfind('/');
      out.resize(last == std::string::npos ? 0 : last);
      continue;
    }
    if (!out.empty()) out += '/';
    out += segment;
  }
  if (out.empty()) return std::nullopt;
  return out;
}

PathRewriter::PathRewriter(const ReaderContext &context)
    : context_(context), uri_(context.style == PathStyle::Uri || context.skillFolder.empty()) {
  if (context.style == PathStyle::Untouched) return;
  base_ = withoutSlash(uri_ ? context.skillUri : context.skillFolder);
  // A reader on another machine cannot use a path of this machine.
  if (context.style == PathStyle::Absolute && context.projectHas)
    project_ = withoutSlash(context.projectRoot);
}

std::optional<std::string> PathRewriter::rewrite(std::string_view word, Origin origin) {
  std::size_t start = 0;
  if (origin == Origin::Text) {
    if (const std::size_t equals = word.rfind('='); equals != npos) start = equals + 1;
    if (start < word.size() && word[start] == '@') ++start;
  }
  const std::size_t end = pathEnd(word);
  if (start >= end) return std::nullopt;
  const std::string_view path = word.substr(start, end - start);
  if (std::string_view("/~$%").find(path[0]) != npos) return std::nullopt;
  if (path.find(':') != npos) return std::nullopt;
  if (origin == Origin::Text && (!looksLikePath(path) || path == "SKILL.md")) return std::nullopt;
  std::optional<std::string> located = locate(path, origin);
  if (!located && path.find('%') != npos)
    located = locate(decodePath(path).value_or(std::string(path)), origin);
  if (!located && path.find('\\') != npos)
    if (const auto inside = inSkill(path, FolderPrefix::Of::Nothing, false))
      located = ofSkill(*inside);
  if (!located) {
    noteAbsent(path, origin);
    return std::nullopt;
  }
  return std::string(word.substr(0, start)) + *located + std::string(word.substr(end));
}

void PathRewriter::noteAbsent(std::string_view path, Origin origin) const {
  if (context_.absent)
    context_.absent({path, origin == Origin::Link, FolderPrefix::Of::Nothing, fenced_});
}

// Returns the skill's file or folder with this exact spelling. `path` is the text in the document.
std::optional<std::string> PathRewriter::own(const std::string &normal, std::string_view path,
                                             Origin origin) const {
  if (context_.files.has(normal)) return ofSkill(normal);
  // A bare word names a folder only in a link or in code.
  const bool bare = path.find('/') == npos;
  if ((!bare || origin != Origin::Text) && context_.files.hasFolder(normal))
    return ofSkill(path.back() == '/' ? normal + "/" : normal);
  return std::nullopt;
}

std::optional<std::string> PathRewriter::besideDocument(std::string_view path,
                                                        Origin origin) const {
  if (context_.documentFolder.empty()) return std::nullopt;
  const auto normal =
      normaliseRelative(std::string(context_.documentFolder) + '/' + std::string(path));
  return normal ? own(*normal, path, origin) : std::nullopt;
}

// `path` is relative to the skill, or to the folder of the document.
std::string_view PathRewriter::inOtherCase(std::string_view path, Origin origin) const {
  // `Node.js` in a sentence is not the file node.js, but FORMS.md is forms.md.
  const auto endsAsDocument = [&] { return path.ends_with(".md") || path.ends_with(".MD"); };
  if (path.find('/') == npos && origin == Origin::Text && !endsAsDocument()) return {};
  if (!context_.documentFolder.empty())
    if (const auto normal =
            normaliseRelative(std::string(context_.documentFolder) + '/' + std::string(path)))
      if (const auto found = context_.files.inOtherCase(*normal); !found.empty()) return found;
  const auto normal = normaliseRelative(path);
  return normal ? context_.files.inOtherCase(*normal) : std::string_view{};
}

std::optional<std::string> PathRewriter::locate(std::string_view path, Origin origin) {
  if (auto beside = besideDocument(path, origin)) return beside;
  const std::optional<std::string> normal = normaliseRelative(path);
  if (normal)
    if (auto found = own(*normal, path, origin)) return found;
  const bool bare = path.find('/') == npos;
  if (normal && !bare)
    if (const auto inside = inSkill(path, FolderPrefix::Of::Nothing, true)) return ofSkill(*inside);
  if (const std::string_view file = inOtherCase(path, origin); !file.empty())
    return ofSkill(std::string(file));
  if (!normal) return std::nullopt;
  // A path that begins with a folder of the skill belongs to the skill, even if the skill lacks
  // that file. A name without any folder is too vague to search for in a project.
  const std::size_t first = normal->find('/');
  if (project_.empty() || first == std::string::npos || path.back() == '/' ||
      context_.files.hasFolder(normal->substr(0, first)) || !projectHas(*normal))
    return std::nullopt;
  return project_ + "/" + *normal;
}

std::optional<std::string> PathRewriter::inSkill(std::string_view path, FolderPrefix::Of of,
                                                 bool folders) const {
  for (const std::string &one : pathsBelowSkill(path, of, context_.names)) {
    std::optional<std::string> normal = normaliseRelative(one);
    if (!normal) continue;
    if (context_.files.has(*normal)) return normal;
    if (folders && context_.files.hasFolder(*normal))
      return one.back() == '/' ? *normal + '/' : *normal;
  }
  if (of == FolderPrefix::Of::Nothing) return std::nullopt;
  for (const std::string &one : pathsBelowSkill(path, of, context_.names))
    if (const std::string_view file = inOtherCase(one, Origin::Link); !file.empty())
      return std::string(file);
  return std::nullopt;
}

std::optional<PathRewriter::Below> PathRewriter::below(std::string_view word,
                                                       FolderPrefix::Of of) const {
  const std::string_view path = word.substr(0, pathEnd(word));
  if (path.empty() || path == "SKILL.md") return std::nullopt; // mostly means the reader's own file
  if (auto inside = inSkill(path, of, true))
    return Below{*std::move(inside), word.substr(path.size())};
  if (context_.absent) context_.absent({path, of == FolderPrefix::Of::Skill, of, fenced_});
  return std::nullopt;
}

std::string PathRewriter::ofSkill(const std::string &path) const {
  return base_ + "/" + (uri_ ? encodePath(path) : path);
}

bool PathRewriter::projectHas(const std::string &path) {
  const auto known = asked_.find(path);
  if (known != asked_.end()) return known->second;
  if (asked_.size() == maxProjectLookups) return false;
  return asked_[path] = context_.projectHas(path);
}

} // namespace skillhost
