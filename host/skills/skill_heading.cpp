// SPDX-License-Identifier: Apache-2.0
#include "skills/skill_heading.hpp"

#include "characters.hpp"
#include "ground/shell.hpp"
#include "ground/utf8.hpp"
#include "skills/reader_content.hpp"

#include <algorithm>
#include <string_view>

namespace skillhost {
namespace {

constexpr std::size_t mostScripts = 12, mostNames = 24, mostBytes = 2000, longestName = 200;

// A file, or all files below a folder: a range of the sorted paths.
struct Group {
  std::size_t begin, end;
  std::size_t prefix; // bytes of the folder's path with its slash; 0: a file
};

// The groups of a range whose paths all begin with `prefix` bytes that are the same.
std::vector<Group> split(const std::vector<std::string> &paths, const Group &whole) {
  std::vector<Group> groups;
  for (std::size_t i = whole.begin; i < whole.end;) {
    if (paths[i] == "SKILL.md") {
      ++i;
      continue;
    }
    const std::size_t slash = paths[i].find('/', whole.prefix);
    const std::size_t prefix = slash == std::string::npos ? 0 : slash + 1;
    std::size_t end = i + 1;
    while (prefix != 0 && end < whole.end &&
           paths[end].compare(0, prefix, paths[i], 0, prefix) == 0)
      ++end;
    groups.push_back({i, end, prefix});
    i = end;
  }
  return groups;
}

// What is listed: single files as far as there is room, folders for the rest.
std::vector<Group> grouped(const std::vector<std::string> &paths) {
  std::vector<Group> groups = split(paths, {0, paths.size(), 0});
  // Small folders first, so that a large one does not take the room of all others.
  for (const std::size_t most : {2U, 4U, 8U, 24U}) {
    for (std::size_t i = 0; i < groups.size(); ++i) {
      if (groups[i].prefix == 0) continue;
      const std::vector<Group> parts = split(paths, groups[i]);
      if (parts.size() > most || groups.size() + parts.size() - 1 > mostNames) continue;
      const auto place = groups.begin() + static_cast<std::ptrdiff_t>(i);
      groups.insert(groups.erase(place), parts.begin(), parts.end());
      --i; // its parts may be folders, too
    }
  }
  return groups;
}

bool sayable(std::string_view name) {
  return name.size() <= longestName && isUtf8(name) && !hasHiddenCharacters(name) &&
         std::none_of(name.begin(), name.end(), [](char c) {
           return (static_cast<unsigned char>(c) < ' ') || c == '\x7f' || c == '`';
         });
}

void addFiles(std::string &out, const Skill &skill, Reach reach) {
  std::size_t left = 0, bytes = 0, said = 0;
  std::string names;
  for (const Group &group : grouped(skill.filePaths)) {
    const std::string &first = skill.filePaths[group.begin];
    const std::string_view name =
        std::string_view(first).substr(0, group.prefix == 0 ? npos : group.prefix);
    const std::size_t count = group.end - group.begin;
    if (!sayable(name) || said == mostNames || bytes + name.size() > mostBytes) {
      left += count;
      continue;
    }
    ++said;
    bytes += name.size();
    ((names += names.empty() ? "`" : ", `") += name) += '`';
    if (group.prefix != 0)
      names += " (" + std::to_string(count) + (count == 1 ? " file)" : " files)");
  }
  if (left != 0)
    names += (names.empty() ? "" : " and ") + std::to_string(left) +
             (names.empty() ? " files" : " more") +
             (reach == Reach::Tool ? " (all: read_skill_document without document_path)" : "");
  out += "Files: " + names + ".\n";
}

void addScripts(std::string &out, const Skill &skill, Reach reach,
                const std::vector<DescribedScript> &scripts) {
  bool first = true;
  for (const DescribedScript &script : scripts) {
    const std::string &path = skill.filePaths[script.file];
    if (script.description.module || !sayable(path)) continue;
    if (first) out += "Scripts, to be run rather than read:\n";
    first = false;
    const std::string place = reach == Reach::Folder ? skill.folder + "/" + path : path;
    const std::string &interpreter = script.description.interpreter;
    // What has no program of its own to run it is looked for in PATH unless it has a folder.
    const bool bare = interpreter.empty() && place.find('/') == std::string::npos;
    out += "- `" + interpreter + (interpreter.empty() ? "" : " ") + (bare ? "./" : "") +
           shellQuoted(place) + "`";
    const std::string &summary = script.description.summary;
    if (!summary.empty()) out += ": \"" + summary + '"';
    out += '\n';
  }
}

} // namespace

std::vector<std::size_t> scriptsOf(const Skill &skill) {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < skill.files.size(); ++i)
    if (isScript(skill.filePaths[i], skill.files[i].executable)) found.push_back(i);
  const auto depth = [&](std::size_t file) {
    const std::string &path = skill.filePaths[file];
    return std::count(path.begin(), path.end(), '/');
  };
  std::stable_sort(found.begin(), found.end(),
                   [&](std::size_t a, std::size_t b) { return depth(a) < depth(b); });
  found.resize(std::min(found.size(), mostScripts));
  return found;
}

std::string skillHeading(const Skill &skill, Reach reach,
                         const std::vector<DescribedScript> &scripts) {
  const bool alone = skill.files.size() <= 1;
  std::string out = skill.notice.empty() ? std::string() : skill.notice + '\n';
  if (reach == Reach::Folder)
    out += "Base folder of this skill: " + skill.folder + "\n" +
           (alone ? "" : "Relative paths in its text begin there.\n");
  if (alone) return out + "It has no files but this text.\n\n";
  if (reach != Reach::Folder) {
    out += "The files of this skill are on a server, below " + skill.uri + "/. To read one, ";
    out += reach == Reach::Tool ? "call read_skill_document with this skill's name and the path as "
                                  "document_path, or read its URI as a resource.\n"
                                : "read its URI as a resource.\n";
    out += "A command needs the files at hand: save those that it uses in a folder of your own, "
           "under the same relative paths, and run it there. ";
    (out += skillDirectory) += " is that folder.\n";
  }
  addFiles(out, skill, reach);
  addScripts(out, skill, reach, scripts);
  return out + '\n';
}

} // namespace skillhost
