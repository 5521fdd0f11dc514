// SPDX-License-Identifier: Apache-2.0
#include "skill_on_disk.hpp"

#include "ground/descriptor.hpp"
#include "ground/document_names.hpp"
#include "ground/read_file.hpp"
#include "ground/sha256.hpp"
#include "store/folder.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <optional>
#include <stdexcept>
#include <string_view>

namespace skillhost::sync {
namespace {

constexpr std::size_t maxEntries = 20'000;
constexpr std::size_t maxFileBytes = std::size_t{256} << 20U;

// A folder .git is litter to those who read a skill, but somebody's work to those who write one.
bool isRepository(std::string_view name) {
  return name == ".git" || name == ".hg" || name == ".svn";
}

class Look {
public:
  SkillOnDisk found;

  void into(const store::Folder &folder, const std::string &path) {
    for (const std::string &name : folder.names()) {
      const std::string below = path.empty() ? name : path + '/' + name;
      if (++entries_ > maxEntries)
        throw std::runtime_error(folder.path() + ": there are more than 20,000 entries");
      if (isRepository(name)) {
        found.strange.push_back(below);
        continue;
      }
      if (kindOfName(name) == NameKind::Litter) continue;
      if (const std::optional<store::Folder> inside = folder.folder(name)) {
        into(*inside, below);
        continue;
      }
      at(folder, name, below);
    }
  }

private:
  void at(const store::Folder &folder, const std::string &name, const std::string &path) {
    struct stat status{};
    const std::optional<Descriptor> file = folder.file(name, status);
    if (!file || status.st_size > static_cast<off_t>(maxFileBytes)) {
      found.strange.push_back(path);
      return;
    }
    const Result<std::string> bytes = readDescriptor(file->number(), maxFileBytes);
    if (!bytes) throw std::runtime_error(folder.pathOf(name) + ": " + bytes.failure().message);
    found.files[path] = {sha256Hex(*bytes), (status.st_mode & S_IXUSR) != 0, bytes->size()};
  }

  std::size_t entries_ = 0;
};

} // namespace

SkillOnDisk lookAtSkill(const std::string &parent, const std::string &name) {
  Look look;
  const std::optional<store::Folder> above = store::Folder::open(parent);
  if (!above) return look.found;
  const std::optional<store::Folder> folder = above->folder(name);
  if (!folder) {
    struct stat status{};
    const bool isThere =
        ::fstatat(above->number(), name.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0;
    look.found.kind = isThere ? SkillOnDisk::Kind::Other : SkillOnDisk::Kind::Missing;
    return look.found;
  }
  if (folder->names().empty()) return look.found;
  look.found.kind = SkillOnDisk::Kind::Folder;
  look.into(*folder, "");
  return look.found;
}

void removeFile(const std::string &folder, const std::string &path) {
  std::optional<store::Folder> in = store::Folder::open(folder);
  std::size_t begin = 0;
  for (std::size_t slash = path.find('/'); in && slash != std::string::npos;
       slash = path.find('/', begin)) {
    in = in->folder(path.substr(begin, slash - begin));
    begin = slash + 1;
  }
  if (in) ::unlinkat(in->number(), path.substr(begin).c_str(), 0);
}

} // namespace skillhost::sync
