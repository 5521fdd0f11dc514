// SPDX-License-Identifier: Apache-2.0
#include "skillmd/script_start.hpp"

#include "skillmd/characters.hpp"

#include <algorithm>

namespace skillhost {
namespace {

using HasFile = std::function<bool(std::string_view)>;

std::string_view folderOf(std::string_view path) noexcept {
  const std::size_t slash = path.rfind('/');
  return path.substr(0, slash == npos ? 0 : slash);
}

std::string joined(std::string_view folder, std::string_view name) {
  return std::string(folder) + (folder.empty() ? "" : "/") + std::string(name);
}

// Returns Python's name of `path` below `folder`; empty if it cannot have one.
std::string moduleBelow(std::string_view folder, std::string_view path) {
  std::string name(path.substr(folder.empty() ? 0 : folder.size() + 1));
  name.resize(name.size() - std::string_view(".py").size());
  bool first = true;
  for (char &c : name) {
    if (c == '/') {
      c = '.';
      first = true;
      continue;
    }
    if (!letter(c) && c != '_' && (first || !digit(c))) return {};
    first = false;
  }
  return name;
}

// Returns true if `folder` has a file or a package with the dotted name.
bool isThere(std::string_view folder, std::string_view module, const HasFile &has) {
  std::string path = joined(folder, module);
  std::replace(path.begin() + static_cast<std::ptrdiff_t>(folder.size()), path.end(), '.', '/');
  return has(path + ".py") || has(path + "/__init__.py");
}

bool isItself(std::string_view module, std::string_view path) {
  std::string file(module);
  std::replace(file.begin(), file.end(), '.', '/');
  file += ".py";
  return path == file || path.ends_with('/' + file);
}

// The imported modules that lie beside the script or in its package.
struct Imports {
  bool sibling = false, relative = false;
  bool package = false;
  std::string_view above; // the folder above the named package
};

Imports importsOf(std::string_view path, const ScriptDescription &script, const HasFile &has) {
  Imports found;
  const std::string_view folder = folderOf(path);
  for (const std::string &name : script.imports) {
    if (isItself(name, path)) continue; // its own usage text names it
    if (name.starts_with('.')) {
      found.relative = true;
      continue;
    }
    if (isThere(folder, std::string_view(name).substr(0, name.find('.')), has) ||
        isThere(folder, name, has)) {
      found.sibling = true;
      continue;
    }
    for (std::string_view up = folder; !up.empty() && !found.package; up = folderOf(up)) {
      const std::string_view package = up.substr(up.rfind('/') + 1);
      const bool its =
          name == package || (name.starts_with(package) && name[package.size()] == '.');
      if (!its || (name != package && !isThere(folderOf(up), name, has))) continue;
      found.package = true;
      found.above = folderOf(up);
    }
  }
  return found;
}

// Returns the folder that contains the outermost package of the script.
std::string_view abovePackage(std::string_view folder, const HasFile &has) {
  while (!folder.empty() && has(joined(folder, "__init__.py"))) folder = folderOf(folder);
  return folder;
}

bool saysModule(std::string_view text, const std::string &module) {
  const std::string words = "-m " + module;
  for (std::size_t at = text.find(words); at != npos; at = text.find(words, at + 1)) {
    const std::size_t end = at + words.size();
    const char next = end < text.size() ? text[end] : ' ';
    if (!letter(next) && !digit(next) && next != '_' && next != '.') return true;
    if (next == '.' && (end + 1 == text.size() || !letter(text[end + 1]))) return true;
  }
  return false;
}

} // namespace

ScriptStart startOf(std::string_view path, const ScriptDescription &script, const HasFile &has,
                    std::string_view text) {
  ScriptStart start;
  const std::string_view folder = folderOf(path);
  if (!path.ends_with(".py") || !script.interpreter.starts_with("python") || folder.empty())
    return start;
  const Imports imports = importsOf(path, script, has);
  const std::string_view above = abovePackage(folder, has);
  const auto asModule = [&](std::string_view in, bool optional) {
    start.module = moduleBelow(in, path);
    start.folder = in;
    start.optional = optional;
    if (!start.module.empty()) start.kind = ScriptStart::Kind::Module;
    return !start.module.empty();
  };
  const bool needed = imports.package || imports.relative;
  if (needed && imports.sibling) {
    start.kind = ScriptStart::Kind::Unknown;
    return start;
  }
  if (needed) {
    const std::string_view in = imports.package   ? imports.above
                                : above == folder ? folderOf(folder)
                                                  : above;
    if (!asModule(in, false)) start.kind = ScriptStart::Kind::Unknown;
    return start;
  }
  if (imports.sibling) return start;
  for (std::string_view in = folder;; in = folderOf(in)) {
    const std::string module = moduleBelow(in, path);
    if (in != folder && !module.empty() &&
        (saysModule(text, module) || saysModule(script.summary, module))) {
      asModule(in, false);
      return start;
    }
    if (in.empty()) break;
  }
  if (above != folder) asModule(above, true);
  return start;
}

} // namespace skillhost
