// SPDX-License-Identifier: Apache-2.0
#include "objects.hpp"

#include "ground/hexadecimal.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <utility>

namespace skillhost::git {
namespace {

constexpr std::size_t maxDepth = 64; // segments of a path

std::string_view nameOf(ObjectType type) noexcept {
  switch (type) {
  case ObjectType::Commit:
    return "commit";
  case ObjectType::Tree:
    return "tree";
  case ObjectType::Blob:
    break;
  }
  return "blob";
}

std::string_view digitsOf(Mode mode) noexcept {
  switch (mode) {
  case Mode::Folder:
    return "40000";
  case Mode::Executable:
    return "100755";
  case Mode::File:
    break;
  }
  return "100644";
}

// A folder while its objects are made.
struct Folder {
  std::map<std::string, Folder> folders;
  std::map<std::string, File> files; // their paths are empty
};

void place(Folder &root, File &&file) {
  Folder *at = &root;
  std::string_view rest = file.path;
  for (std::size_t slash; (slash = rest.find('/')) != std::string_view::npos;) {
    std::string name(rest.substr(0, slash));
    if (at->files.contains(name)) return;
    at = &at->folders[std::move(name)];
    rest.remove_prefix(slash + 1);
  }
  std::string name(rest);
  if (at->folders.contains(name)) return;
  at->files.try_emplace(std::move(name), std::move(file));
}

ObjectId makeFolderInto(Folder folder, std::vector<Object> &objects, ObjectIds &known) {
  std::vector<TreeEntry> entries;
  const auto take = [&](Object object) {
    const ObjectId id = object.id;
    if (known.insert(id).second) objects.push_back(std::move(object));
    return id;
  };
  for (auto &[name, below] : folder.folders) {
    // A folder whose files were all left out has no place in a tree.
    if (below.files.empty() && below.folders.empty()) continue;
    entries.push_back({name, Mode::Folder, makeFolderInto(std::move(below), objects, known)});
  }
  for (auto &[name, file] : folder.files)
    entries.push_back({name, file.executable ? Mode::Executable : Mode::File,
                       take(makeObject(ObjectType::Blob, std::move(file.bytes)))});
  return take(makeTree(std::move(entries)));
}

// Returns the letters of a segment that decide on file systems without cases, which also ignore
// some characters: ASCII in lower case, without spaces and dots at the end.
std::string foldedSegment(std::string_view segment) {
  std::string folded;
  for (const char c : segment)
    if (static_cast<unsigned char>(c) < 0x80)
      folded += c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
  folded.erase(folded.find_last_not_of(" .") + 1);
  return folded;
}

// Returns true if Windows takes the name for a device, whatever its extension is. `name` is in
// lower case.
bool isDeviceName(std::string_view name) {
  name = name.substr(0, name.find('.'));
  name = name.substr(0, name.find_last_not_of(' ') + 1);
  if (name.size() == 4 && (name.starts_with("com") || name.starts_with("lpt")))
    return name.back() >= '1' && name.back() <= '9';
  constexpr std::array<std::string_view, 6> others = {"aux",     "con", "conin$",
                                                      "conout$", "nul", "prn"};
  return std::find(others.begin(), others.end(), name) != others.end();
}

// If a system cannot have one of the names, git refuses there to check out any skill.
bool isSafeSegment(std::string_view segment) {
  constexpr std::size_t longest = 255;
  constexpr std::string_view forbidden = "\"*:<>?\\|\x7f"; // mostly on Windows
  if (segment.empty() || segment.size() > longest) return false;
  if (segment.ends_with('.') || segment.ends_with(' ')) return false;
  for (const char c : segment)
    if (static_cast<unsigned char>(c) < 0x20 || forbidden.find(c) != std::string_view::npos)
      return false;
  const std::string folded = foldedSegment(segment);
  if (isDeviceName(folded)) return false;
  if (folded == ".git" || folded.starts_with(".gitmodules") || folded.starts_with(".gitattributes"))
    return false;
  // NTFS also knows files by such short names.
  for (const std::string_view shortName : {"git~", "gitmod~", "gitatt~", "gi7eba", "gi7d29"})
    if (folded.starts_with(shortName)) return false;
  return true;
}

} // namespace

std::size_t ObjectIdHash::operator()(const ObjectId &id) const noexcept {
  std::size_t hash = 0;
  std::memcpy(&hash, id.data(), sizeof hash);
  return hash;
}

std::string hexOf(const ObjectId &id) { return hexadecimal(id); }

std::optional<ObjectId> idFromHex(std::string_view digits) {
  ObjectId id;
  if (!isHexadecimal(digits, 2 * id.size()) || !readHexadecimal(digits, id)) return std::nullopt;
  return id;
}

Object makeObject(ObjectType type, std::string content) {
  Object object{{}, type, std::move(content)};
  std::string header(nameOf(type));
  header += ' ' + std::to_string(object.content.size()) + '\0';
  Sha1 sum;
  sum.add(header);
  sum.add(object.content);
  object.id = sum.finish();
  return object;
}

Object makeTree(std::vector<TreeEntry> entries) {
  // Git compares the name of a folder as if a slash followed.
  const auto byte = [](const TreeEntry &entry, std::size_t at) {
    if (at < entry.name.size()) return static_cast<unsigned char>(entry.name[at]);
    return static_cast<unsigned char>(entry.mode == Mode::Folder ? '/' : '\0');
  };
  std::sort(entries.begin(), entries.end(), [&](const TreeEntry &a, const TreeEntry &b) {
    const std::size_t common = std::min(a.name.size(), b.name.size());
    const int order = std::memcmp(a.name.data(), b.name.data(), common);
    return order != 0 ? order < 0 : byte(a, common) < byte(b, common);
  });
  std::string text;
  for (const TreeEntry &entry : entries) {
    text.append(digitsOf(entry.mode)).append(1, ' ').append(entry.name).append(1, '\0');
    text.append(entry.id.begin(), entry.id.end());
  }
  return makeObject(ObjectType::Tree, std::move(text));
}

std::vector<Object> makeFolder(std::vector<File> files) {
  Folder root;
  for (File &file : files) place(root, std::move(file));
  std::vector<Object> objects;
  ObjectIds known;
  makeFolderInto(std::move(root), objects, known);
  return objects;
}

Object makeCommit(const ObjectId &tree) {
  constexpr std::string_view person = "skillhost <skillhost@localhost> 946684800 +0000\n";
  return makeObject(ObjectType::Commit, "tree " + hexOf(tree) + "\nauthor " + std::string(person) +
                                            "committer " + std::string(person) +
                                            "\nThe skills that you may see\n");
}

bool isSafePath(std::string_view path) noexcept {
  std::size_t segments = 0;
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::size_t end = std::min(path.find('/', begin), path.size());
    if (++segments > maxDepth || !isSafeSegment(path.substr(begin, end - begin))) return false;
    begin = end + 1;
  }
  return true;
}

} // namespace skillhost::git
