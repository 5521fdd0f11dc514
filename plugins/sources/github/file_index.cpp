// SPDX-License-Identifier: Apache-2.0
#include "file_index.hpp"

#include "paths/names.hpp"

namespace skillhost::github {
namespace {

constexpr int maxLinks = 8; // links in a row
constexpr std::uint64_t maxTargetBytes = 4'096;

// Resolves `target` relative to `folder`, without "." and "..". Returns false if it leaves the
// tree.
bool resolveLink(std::string folder, std::string_view target, std::string &to) {
  if (target.empty() || target.front() == '/') return false;
  while (!target.empty()) {
    const std::size_t slash = target.find('/');
    const std::string_view part = target.substr(0, slash);
    target = slash == target.npos ? std::string_view{} : target.substr(slash + 1);
    if (part.empty() || part == ".") continue;
    if (part != "..") {
      folder = paths::joined(folder, part);
      continue;
    }
    if (folder.empty()) return false;
    const std::size_t above = folder.rfind('/');
    folder.resize(above == folder.npos ? 0 : above);
  }
  to = std::move(folder);
  return true;
}

} // namespace

bool isWithin(const std::string &path, const std::string &folder) {
  return folder.empty() ||
         (path.starts_with(folder) && (path.size() == folder.size() || path[folder.size()] == '/'));
}

FileIndex::FileIndex(const std::vector<TreeEntry> &entries, Blobs &blobs) : blobs_(blobs) {
  byPath_.reserve(entries.size());
  for (const TreeEntry &entry : entries)
    if (entry.kind != EntryKind::badName)
      byPath_.emplace(paths::joined(entry.folder, entry.name), &entry);
}

const TreeEntry *FileIndex::at(const std::string &path) const {
  const auto found = byPath_.find(path);
  return found == byPath_.end() ? nullptr : found->second;
}

Target FileIndex::follow(const TreeEntry &entry, const std::string &skill) const {
  const TreeEntry *now = &entry;
  for (int followed = 0; now->kind == EntryKind::link; ++followed) {
    if (followed == maxLinks) return {nullptr, "the symbolic link leads in a circle"};
    std::string path;
    if (blobs_.size(now->blob) > maxTargetBytes ||
        !resolveLink(now->folder, blobs_.content(now->blob), path) || !isWithin(path, skill))
      return {nullptr, "the symbolic link leads out of its skill"};
    now = at(path);
    if (now == nullptr) return {nullptr, "the symbolic link leads to no file"};
  }
  if (now->kind == EntryKind::submodule) return {nullptr, "the symbolic link leads to a submodule"};
  return {now, nullptr};
}

} // namespace skillhost::github
