// SPDX-License-Identifier: Apache-2.0
#include "generated_folder.hpp"

#include "skill_folder.hpp"
#include "store/folder.hpp"

#include <fcntl.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <map>
#include <stdexcept>

namespace skillhost {
namespace {

namespace fs = std::filesystem;
using store::Folder;

constexpr mode_t pageMode = 0644;

void writePage(const std::string &folder, const SkillPage &page) {
  const fs::path whole = fs::path(folder) / page.path;
  const Folder parent = Folder::openOrMake(whole.parent_path().string());
  const std::string name = whole.filename().string(), beside = '.' + name + ".new";
  parent.erase(beside); // left by an interrupted run
  parent.write(beside, page.bytes, pageMode);
  parent.move(beside, parent, name, Folder::Existing::Replace);
  parent.synchronise();
}

void writePages(const std::string &folder, const std::vector<SkillPage> &pages) {
  Folder::openOrMake(folder);
  for (const SkillPage &page : pages) writePage(folder, page);
}

// Swaps the names of both.
void exchange(const Folder &parent, const std::string &one, const std::string &other) {
  if (::renameat2(parent.number(), one.c_str(), parent.number(), other.c_str(), RENAME_EXCHANGE) ==
      0)
    return;
  if (errno != EINVAL && errno != ENOSYS)
    throw fs::filesystem_error("cannot be replaced", parent.pathOf(other),
                               {errno, std::generic_category()});
  // This file system cannot swap in one step.
  const std::string aside = one + ".old";
  parent.erase(aside);
  parent.move(other, parent, aside);
  parent.move(one, parent, other);
  parent.move(aside, parent, one);
}

// Replaces the folder in one step, and removes its old content.
void replaceFolder(const std::string &path, const std::vector<SkillPage> &pages) {
  const fs::path whole(path);
  const Folder parent = Folder::openOrMake(whole.parent_path().string());
  const std::string name = whole.filename().string(), beside = '.' + name + ".new";
  parent.erase(beside);
  try {
    writePages(parent.pathOf(beside), pages);
  } catch (const std::exception &) {
    std::error_code unknown;
    fs::remove_all(parent.pathOf(beside), unknown);
    throw;
  }
  if (parent.folder(name))
    exchange(parent, beside, name);
  else
    parent.move(beside, parent, name);
  parent.erase(beside);
  parent.synchronise();
}

// The content of a folder, as far as it can be a skill.
struct Found {
  std::vector<SkillPage> pages;
  std::string whyNot; // the reason why it is no skill; empty: it is one
};

Found lookInto(const std::string &path) {
  Found found;
  try {
    for (store::File &file : readSkillFolder(path).files)
      found.pages.push_back({std::move(file.path), std::move(file.bytes)});
  } catch (const std::runtime_error &why) {
    found.whyNot = why.what();
  }
  return found;
}

bool areSame(const std::vector<SkillPage> &some, const std::vector<SkillPage> &others) {
  std::map<std::string, std::string> bytes;
  for (const SkillPage &page : some) bytes.emplace(page.path, page.bytes);
  for (const SkillPage &page : others)
    if (const auto same = bytes.find(page.path); same == bytes.end() || same->second != page.bytes)
      return false;
  return some.size() == others.size();
}

} // namespace

FolderChange writeGeneratedFolder(const std::string &path, const std::vector<SkillPage> &pages,
                                  Overwrite overwrite) {
  const std::optional<Folder> folder = Folder::open(path);
  if (!folder || folder->names().empty()) {
    replaceFolder(path, pages);
    return FolderChange::Made;
  }
  const Found found = lookInto(path);
  if (found.whyNot.empty() && areSame(found.pages, pages)) return FolderChange::None;
  // A repository in the folder stays, so that the user can see the changes there.
  const bool holdsRepository = fs::exists(fs::path(path) / ".git");
  if (found.whyNot.empty() && areGenerated(found.pages)) {
    if (!holdsRepository) {
      replaceFolder(path, pages);
      return FolderChange::Replaced;
    }
    for (const SkillPage &page : found.pages) fs::remove(fs::path(path) / page.path);
  } else if (overwrite == Overwrite::OnlyGenerated) {
    throw std::runtime_error(path +
                             ": the folder exists, and its content is not what this command has "
                             "written: name another folder with --output, or add --force");
  }
  writePages(path, pages);
  return FolderChange::Replaced;
}

} // namespace skillhost
