// SPDX-License-Identifier: Apache-2.0
#include "foreign_files.hpp"

#include "paths/names.hpp"
#include "real_path.hpp"

#include <algorithm>
#include <string_view>
#include <unordered_map>

namespace skillhost::filesystem {
namespace {

class ForeignFiles {
public:
  ForeignFiles(const std::vector<std::unique_ptr<Folder>> &folders, Warnings &warnings)
      : warnings_(warnings) {
    for (const std::unique_ptr<Folder> &folder : folders)
      if (!folder->entry.empty()) skills_.emplace(folder->real, folder.get());
  }

  // The folder must have an owner.
  void drop(Folder &folder) {
    if (const Folder *const link = linkAbove(folder); link != nullptr)
      if (const std::string why = leadsTo(*folder.owner, folder.real); !why.empty()) {
        warn(*link, {}, why);
        std::erase_if(folder.files, [](const FoundFile &file) { return file.real.empty(); });
      }
    std::erase_if(folder.files, [&](const FoundFile &file) {
      if (file.real.empty()) return false;
      const std::string why = leadsTo(*folder.owner, folderOf(file.real));
      if (why.empty()) return false;
      warn(folder, file.name, why);
      // Without its entry it is not a skill.
      if (folder.owner == &folder && file.name == folder.entry) folder.listed = false;
      return true;
    });
  }

private:
  // Returns the link within its skill that leads to the folder; nullptr if there is none.
  static const Folder *linkAbove(const Folder &folder) {
    for (const Folder *at = &folder; at != folder.owner; at = at->parent)
      if (at->linked) return at;
    return nullptr;
  }

  // Says where a link leads whose target is in the folder `real`: into another skill or out of its
  // own. Empty if it stays in the skill of `owner`.
  std::string leadsTo(const Folder &owner, std::string_view real) const {
    for (; !real.empty(); real = folderOf(real)) {
      if (real == owner.real) return {};
      if (const auto found = skills_.find(real); found != skills_.end())
        return "into another skill, " + paths::printable(found->second->real);
    }
    return "out of its skill";
  }

  void warn(const Folder &folder, std::string_view name, const std::string &where) {
    std::string path = folder.root->path;
    const std::string within = folder.within();
    for (const std::string_view part : {std::string_view(within), name})
      if (!part.empty()) path.append(path.ends_with('/') ? "" : "/").append(part);
    warnings_.warnOnce(path, "skipped: the symbolic link leads " + where +
                                 ": put a copy in its place, or link the folder of a whole skill");
  }

  Warnings &warnings_;
  std::unordered_map<std::string_view, const Folder *> skills_; // by real folder
};

} // namespace

void dropForeignFiles(const std::vector<std::unique_ptr<Folder>> &folders, Warnings &warnings) {
  const bool anyLink = std::any_of(folders.begin(), folders.end(), [](const auto &folder) {
    return folder->linked || folder->holdsLinks;
  });
  if (!anyLink) return; // the usual case
  ForeignFiles foreign(folders, warnings);
  for (const std::unique_ptr<Folder> &folder : folders)
    if (folder->owner != nullptr && !folder->files.empty()) foreign.drop(*folder);
}

} // namespace skillhost::filesystem
