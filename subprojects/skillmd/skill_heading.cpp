// SPDX-License-Identifier: Apache-2.0
#include "skillmd/skill_heading.hpp"

#include "ground/shell.hpp"
#include "ground/utf8.hpp"
#include "skillmd/characters.hpp"
#include "skillmd/named_files.hpp"
#include "skillmd/reader_content.hpp"
#include "skillmd/script_start.hpp"

#include <algorithm>
#include <functional>
#include <string_view>

namespace skillhost {
namespace {

constexpr std::size_t maxScripts = 12, maxNames = 24, maxNameBytes = 200;
// The heading may take these parts of the text behind it, besides what every skill needs.
constexpr std::size_t shareForScripts = 25, shareForNames = 40, minNamesBytes = 120,
                      maxNamesBytes = 2000;
constexpr std::size_t maxSteps = 2'000'000; // for names in a text: about 0.01 s

// A file, or all files below a folder, as a range of the sorted paths.
struct Group {
  std::size_t begin, end;
  std::size_t prefix; // bytes of the folder's path with its slash; 0: a file
};

// Returns the groups of a range in which all paths share their first `prefix` bytes.
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

// Returns the groups to list: single files as far as there is room, and folders for the rest.
std::vector<Group> grouped(const std::vector<std::string> &paths) {
  std::vector<Group> groups = split(paths, {0, paths.size(), 0});
  // Small folders come first, so that a large one does not take the room of all others.
  for (const std::size_t most : {2U, 4U, 8U, 24U}) {
    for (std::size_t i = 0; i < groups.size(); ++i) {
      if (groups[i].prefix == 0) continue;
      const std::vector<Group> parts = split(paths, groups[i]);
      if (parts.size() > most || groups.size() + parts.size() - 1 > maxNames) continue;
      const auto place = groups.begin() + static_cast<std::ptrdiff_t>(i);
      groups.insert(groups.erase(place), parts.begin(), parts.end());
      --i; // its parts may be folders, too
    }
  }
  return groups;
}

bool sayable(std::string_view name) {
  return name.size() <= maxNameBytes && isUtf8(name) && !hasHiddenCharacters(name) &&
         std::none_of(name.begin(), name.end(), [](char c) {
           return (static_cast<unsigned char>(c) < ' ') || c == '\x7f' || c == '`';
         });
}

bool isLicence(std::string_view path) noexcept {
  return path.find('/') == npos && (path.starts_with("LICENSE") || path.starts_with("NOTICE"));
}

// Returns the files that neither the text (`named`) nor the lines about scripts name.
std::vector<std::string> otherFiles(const PlacedFiles &files, const std::vector<bool> &named,
                                    const std::vector<DescribedScript> &scripts) {
  std::vector<bool> said(files.paths.size(), false);
  for (const DescribedScript &script : scripts)
    said[script.file] = sayable(files.paths[script.file]);
  std::vector<std::string> others;
  for (std::size_t i = 0; i < files.paths.size(); ++i) {
    const std::string &path = files.paths[i];
    if (!said[i] && !path.ends_with("__init__.py") && !isLicence(path) && !named[i])
      others.push_back(path);
  }
  return others;
}

void addFiles(std::string &out, Reach reach, std::string_view text,
              const std::vector<std::string> &paths) {
  const std::size_t most = std::clamp(text.size() / shareForNames, minNamesBytes, maxNamesBytes);
  std::size_t left = 0, bytes = 0, said = 0;
  std::string list;
  for (const Group &group : grouped(paths)) {
    const std::string &first = paths[group.begin];
    const std::string_view name =
        std::string_view(first).substr(0, group.prefix == 0 ? npos : group.prefix);
    const std::size_t count = group.end - group.begin;
    if (!sayable(name) || said == maxNames || bytes + name.size() > most) {
      left += count;
      continue;
    }
    ++said;
    bytes += name.size();
    ((list += list.empty() ? "`" : ", `") += name) += '`';
    if (group.prefix != 0)
      list += " (" + std::to_string(count) + (count == 1 ? " file)" : " files)");
  }
  if (left != 0)
    list += (list.empty() ? "" : " and ") + std::to_string(left) +
            (list.empty() ? " files" : " more") +
            (reach == Reach::Tool ? " (all: read_skill_document without document_path)" : "");
  if (!list.empty()) out += "Other files: " + list + ".\n";
}

// The description of a script in the heading, and the command that runs it.
struct ScriptCall {
  std::string command, summary;
  std::string start;         // the folder to run it in; empty: any
  std::string pattern, name; // the command with NAME in it, and the NAME; empty: none
  std::string interpreter;   // without the file
};

class ScriptCalls {
public:
  // `isNamed` is true for each file that the text names.
  ScriptCalls(const PlacedFiles &files, Reach reach, std::string_view text,
              const std::vector<bool> &isNamed)
      : files_(files), root_(reach == Reach::Folder ? std::string(files.folder) + "/" : ""),
        text_(text), isNamed_(isNamed) {}

  void add(const DescribedScript &script) {
    const std::string &path = files_.paths[script.file];
    if (script.description.module || !sayable(path)) return;
    const bool named = isNamed_[script.file];
    const ScriptStart start = startOf(path, script.description, hasFile_, text_);
    if (start.kind == ScriptStart::Kind::Unknown) return;
    ScriptCall call;
    call.summary = script.description.summary;
    call.interpreter = script.description.interpreter;
    if (start.kind == ScriptStart::Kind::Module && !(named && start.optional)) {
      call.start = root_ + start.folder;
      if (call.start.size() > 1 && call.start.back() == '/') call.start.pop_back();
      if (call.start.empty()) call.start = "that folder";
      const std::size_t dot = start.module.rfind('.');
      call.command = call.interpreter + " -m " + start.module;
      // The usage of most scripts shows a start as a file, which may fail for a module.
      call.summary.resize(std::min(call.summary.find("Usage: "), call.summary.size()));
      while (call.summary.ends_with(' ')) call.summary.pop_back();
      call.name = start.module.substr(dot + 1);
      call.pattern = call.interpreter + " -m " + start.module.substr(0, dot + 1) + "NAME";
      calls_.push_back(std::move(call));
      return;
    }
    const std::string place = root_ + path;
    // A file without an interpreter is looked up in PATH unless its path has a folder.
    const bool bare = call.interpreter.empty() && place.find('/') == std::string::npos;
    const std::string before = call.interpreter + (call.interpreter.empty() ? "" : " ");
    call.command = before + (bare ? "./" : "") + shellQuoted(place);
    const std::size_t slash = place.rfind('/');
    if (slash != std::string::npos &&
        shellQuoted(place.substr(slash + 1)) == place.substr(slash + 1)) {
      call.name = place.substr(slash + 1);
      call.pattern = before + shellQuoted(place.substr(0, slash + 1) + "NAME");
    }
    (named ? named_ : calls_).push_back(std::move(call));
  }

  // Returns each command with the purpose of its script, if that costs little; else one line for
  // all scripts of a folder.
  std::string text() const {
    std::string whole = lines();
    if (whole.size() > text_.size() / shareForScripts) whole = patterns();
    return whole + interpreters();
  }

private:
  static std::string opening(const std::string &start) {
    return start.empty() ? "Scripts, to be run rather than read" : "Scripts, to be run in " + start;
  }

  std::string lines() const {
    std::string out;
    std::vector<std::string> starts;
    for (const ScriptCall &call : calls_)
      if (std::find(starts.begin(), starts.end(), call.start) == starts.end())
        starts.push_back(call.start);
    for (const std::string &start : starts) {
      out += opening(start) + ":\n";
      for (const ScriptCall &call : calls_) {
        if (call.start != start) continue;
        out += "- `" + call.command + '`';
        if (!call.summary.empty()) out += ": \"" + call.summary + '"';
        out += '\n';
      }
    }
    return out;
  }

  std::string patterns() const {
    std::string out;
    std::vector<bool> said(calls_.size(), false);
    for (std::size_t i = 0; i < calls_.size(); ++i) {
      if (said[i]) continue;
      std::string all;
      std::size_t count = 0;
      for (std::size_t j = i; j < calls_.size(); ++j) {
        const bool same = !calls_[i].pattern.empty() && calls_[j].pattern == calls_[i].pattern &&
                          calls_[j].start == calls_[i].start;
        if (!same) continue;
        said[j] = true;
        ++count;
        (all += all.empty() ? "" : ", ") += calls_[j].name;
      }
      out += opening(calls_[i].start) + ": `" +
             (count > 1 ? calls_[i].pattern : calls_[i].command) + '`' +
             (count > 1 ? ", NAME: " + all : "") + ".\n";
    }
    return out;
  }

  // The text names these scripts, so the heading only says which program runs them.
  std::string interpreters() const {
    const auto isSaid = [&](const std::string &program) {
      return std::any_of(calls_.begin(), calls_.end(),
                         [&](const ScriptCall &call) { return call.interpreter == program; });
    };
    std::vector<std::string> programs;
    for (const ScriptCall &call : named_)
      if (!call.interpreter.empty() && !isSaid(call.interpreter) &&
          std::find(programs.begin(), programs.end(), call.interpreter) == programs.end())
        programs.push_back(call.interpreter);
    std::string out;
    for (const std::string &program : programs) {
      (out += out.empty() ? "Run its scripts with `" : ", `") += program + '`';
      if (programs.size() == 1) continue;
      std::string files;
      for (const ScriptCall &call : named_)
        if (call.interpreter == program && !call.name.empty())
          (files += files.empty() ? " (" : ", ") += call.name;
      out += files + (files.empty() ? "" : ")");
    }
    return out.empty() ? out : out + ".\n";
  }

  const PlacedFiles &files_;
  const std::string root_;
  const std::string_view text_;
  const std::vector<bool> &isNamed_;
  const std::function<bool(std::string_view)> hasFile_ = [this](std::string_view path) {
    return files_.at(path) != PlacedFiles::npos;
  };
  std::vector<ScriptCall> calls_, named_;
};

} // namespace

std::vector<std::size_t> scriptsAmong(const std::vector<std::string> &files,
                                      const std::function<bool(std::size_t)> &isExecutable) {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < files.size(); ++i)
    if (isScript(files[i], isExecutable(i))) found.push_back(i);
  const auto depth = [&](std::size_t file) {
    return std::count(files[file].begin(), files[file].end(), '/');
  };
  std::stable_sort(found.begin(), found.end(),
                   [&](std::size_t a, std::size_t b) { return depth(a) < depth(b); });
  found.resize(std::min(found.size(), maxScripts));
  return found;
}

std::string skillHeading(const PlacedFiles &files, Reach reach,
                         const std::vector<DescribedScript> &scripts, std::string_view text) {
  const bool alone = files.paths.size() <= 1;
  std::string out;
  // Claude Code uses the same words for its own skills.
  if (reach == Reach::Folder) ((out += "Base directory for this skill: ") += files.folder) += '\n';
  if (alone) return out + (reach == Reach::Folder ? "\n" : "It has no files but this text.\n\n");
  if (reach != Reach::Folder) {
    ((out += "The files of this skill are on a server, below ") += files.uri) += "/. To read one, ";
    out += reach == Reach::Tool ? "call read_skill_document with this skill's name and the path as "
                                  "document_path, or read its URI as a resource.\n"
                                : "read its URI as a resource.\n";
    out += "A command needs the files at hand: save those that it uses in a folder of your own, "
           "under the same relative paths, and run it there. ";
    (out += skillDirectory) += " is that folder.\n";
  }
  std::size_t steps = maxSteps;
  const std::vector<bool> named = namedFiles(files.paths, text, steps);
  ScriptCalls calls(files, reach, text, named);
  for (const DescribedScript &script : scripts) calls.add(script);
  out += calls.text();
  addFiles(out, reach, text, otherFiles(files, named, scripts));
  return out + '\n';
}

} // namespace skillhost
