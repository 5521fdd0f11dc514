// SPDX-License-Identifier: Apache-2.0
#include "skill_files.hpp"

#include "beneath/beneath.hpp"
#include "beneath/top_link.hpp"
#include "ground/document_names.hpp"
#include "ground/text.hpp"
#include "paths/names.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <set>
#include <string_view>

namespace skillhost::app {
namespace {

namespace fs = std::filesystem;

bool namesEntry(const std::string &name) { return asciiLowered(name) == "skill.md"; }

// Returns true if the folder, or one below, has an entry. Follows no link.
bool holdsSkill(const std::string &folder) {
  std::size_t left = 10'000; // entries
  std::error_code error;
  fs::recursive_directory_iterator at(folder, error);
  for (; !error && at != fs::recursive_directory_iterator() && left != 0; at.increment(error)) {
    --left;
    if (namesEntry(at->path().filename().string())) return true;
  }
  return false;
}

std::string canonicalOf(const std::string &path) {
  std::error_code error;
  const fs::path canonical = fs::canonical(path, error);
  return error ? path : canonical.string();
}

class SkillSearch {
public:
  SkillSearch(const std::string &path, HiddenFolders hidden,
              const std::vector<std::string> &linkTargets, SkillFiles &found)
      : root_{path, canonicalOf(path),
              Descriptor(::open(path.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC))},
        hidden_(hidden), linkTargets_(linkTargets), found_(found) {}

  void run() {
    visit("", "");
    if (followed_) passOverForeign();
  }

private:
  using Place = std::pair<dev_t, ino_t>;
  enum class Kind : std::uint8_t { Folder, File, Other };

  std::string absolute(const std::string &path) const {
    return path.empty() ? root_.path : (fs::path(root_.path) / path).string();
  }

  // Opens a path below the target of a followed link, or below the folder itself.
  beneath::Opened open(const std::string &path) const {
    const std::size_t slash = path.find('/');
    const auto link = links_.find(path.substr(0, slash));
    if (link == links_.end()) return openBeneath(root_, path, O_PATH);
    beneath::Opened target = openTarget(link->second);
    if (target.error != 0) return target;
    const beneath::Root root{absolute(link->first), link->second.target,
                             std::move(target.descriptor)};
    return openBeneath(root, slash == path.npos ? "" : path.substr(slash + 1), O_PATH);
  }

  // Returns the followed links directly in the folder that lead out of it.
  std::vector<std::string> followedOutside(bool isSkill) {
    std::vector<std::string> followed;
    for (const std::string &name : outside_) {
      if (isSkill) {
        found_.passedOver.emplace_back(absolute(name), "it leads out of " + root_.path);
        continue;
      }
      beneath::TopLink link = checkTopLink(root_, name, linkTargets_);
      if (!link.refusal.empty()) {
        found_.passedOver.emplace_back(absolute(name),
                                       "it leads out of " + root_.path + ", and " + link.refusal);
        continue;
      }
      if (hidden_ == HiddenFolders::PassOver && name.starts_with('.')) continue;
      found_.followed.emplace_back(absolute(name), link.target);
      links_.emplace(name, std::move(link));
      followed.push_back(name);
      followed_ = true;
    }
    outside_.clear();
    return followed;
  }

  // Returns the kind of a link's target; Other, with a reason, if a server would not follow the
  // link.
  Kind follow(const std::string &path) {
    const beneath::Opened target = open(path);
    struct stat status{};
    if (target.error == EXDEV && path.find('/') == path.npos) {
      outside_.push_back(path);
      return Kind::Other;
    }
    if (target.error != 0) {
      found_.passedOver.emplace_back(absolute(path), target.error == EXDEV
                                                         ? "it leads out of " + root_.path
                                                         : std::strerror(target.error));
      return Kind::Other;
    }
    if (::fstat(target.descriptor.number(), &status) != 0) return Kind::Other;
    followed_ = true;
    if (S_ISREG(status.st_mode)) return Kind::File;
    if (!S_ISDIR(status.st_mode)) {
      found_.passedOver.emplace_back(absolute(path), "it leads to neither a file nor a folder");
      return Kind::Other;
    }
    if (std::find(above_.begin(), above_.end(), Place{status.st_dev, status.st_ino}) ==
        above_.end())
      return Kind::Folder;
    found_.passedOver.emplace_back(absolute(path), "it leads to a folder it lies in");
    return Kind::Other;
  }

  Kind kindOf(const fs::directory_entry &entry, const std::string &path) {
    std::error_code ignored;
    if (entry.is_symlink(ignored)) return follow(path);
    if (entry.is_directory(ignored)) return Kind::Folder;
    return entry.is_regular_file(ignored) ? Kind::File : Kind::Other;
  }

  // Records the names that a server skips, and drops the folders among them. The files stay,
  // because they may be read or executed where they are.
  void passOverUnusable(std::vector<std::string> &below, const std::vector<std::string> &files,
                        bool isInSkill) {
    const auto isUsable = [](const std::string &path) {
      return paths::servable(std::string_view(path).substr(path.rfind('/') + 1));
    };
    std::erase_if(below, [&](const std::string &path) {
      if (isUsable(path)) return false;
      if (holdsSkill(absolute(path)))
        found_.unusableFolders.push_back(absolute(path));
      else if (isInSkill)
        found_.unusableNames.push_back(absolute(path));
      return true;
    });
    if (!isInSkill) return;
    for (const std::string &file : files)
      if (!isUsable(file)) found_.unusableNames.push_back(file);
  }

  // Finds the entry of one folder, then visits its folders. `owner` is the document of the
  // surrounding skill. The length of a path limits the depth.
  void visit(const std::string &folder, std::string owner) {
    std::error_code error;
    fs::directory_iterator entries(absolute(folder), error);
    struct stat status{};
    if (error || ::stat(absolute(folder).c_str(), &status) != 0) {
      found_.unreadable.emplace_back(absolute(folder), error ? error.message() : "it has vanished");
      return;
    }
    above_.emplace_back(status.st_dev, status.st_ino);
    std::vector<std::string> below, files, passedOver;
    std::string document, noDocument; // the second one has the name, but is no file
    for (const fs::directory_entry &entry : entries) {
      const std::string name = entry.path().filename().string();
      const std::string path = folder.empty() ? name : folder + '/' + name;
      if (name == ".git") {
        passedOver.push_back(path);
        continue;
      }
      const Kind kind = kindOf(entry, path);
      if (namesEntry(name) &&
          (kind == Kind::Folder || (kind == Kind::Other && !entry.is_symlink(error))))
        noDocument = path;
      if (kind == Kind::Folder) {
        const bool isLooked = hidden_ == HiddenFolders::LookInto || !name.starts_with('.');
        (isLooked ? below : passedOver).push_back(path);
        if (!isLooked && !entry.is_symlink(error)) found_.hidden.search(absolute(path), path);
      } else if (kind == Kind::File) {
        files.push_back(absolute(path));
        // SKILL.md in this spelling comes first, or else the first name in the order of bytes.
        const bool better =
            document.empty() || name == "SKILL.md" ||
            (fs::path(document).filename() != "SKILL.md" && files.back() < document);
        if (namesEntry(name) && better) document = files.back();
      }
    }
    if (document.empty() && !noDocument.empty())
      found_.unreadable.emplace_back(absolute(noDocument),
                                     "it is no file, so its folder is no skill for a server");
    if (!document.empty()) {
      found_.documents.push_back(document);
      owner = document;
    }
    if (!owner.empty()) {
      dropNoDocuments(below, owner, Kind::Folder);
      dropNoDocuments(files, owner, Kind::File);
      dropNoDocuments(passedOver, owner, Kind::Folder);
      passOverUnusable(below, files, true);
      std::vector<std::string> &hiddenOnes = found_.hiddenFolders[owner];
      for (const std::string &path : passedOver) hiddenOnes.push_back(absolute(path));
      std::vector<std::string> &all = found_.files[owner];
      all.insert(all.end(), files.begin(), files.end());
    }
    if (folder.empty()) {
      const std::vector<std::string> followed = followedOutside(!owner.empty());
      below.insert(below.end(), followed.begin(), followed.end());
    }
    if (owner.empty()) {
      passOverUnusable(below, files, false);
      tellOfLinkTexts(files);
    }
    for (const std::string &one : below) visit(one, owner);
    above_.pop_back();
  }

  // Reports files that git wrote in place of a link: these may have been meant as skills.
  void tellOfLinkTexts(const std::vector<std::string> &files) {
    for (const std::string &file : files)
      if (std::string target = beneath::linkTextIn(file); !target.empty())
        found_.asText.emplace_back(file, std::move(target));
  }

  // Removes litter and secret files of the skill of `owner`, and records them. Among litter files,
  // only compiled Python can be executed.
  void dropNoDocuments(std::vector<std::string> &paths, const std::string &owner, Kind what) {
    std::erase_if(paths, [&](const std::string &path) {
      const NameKind kind = kindOfName(std::string_view(path).substr(path.rfind('/') + 1));
      if (kind == NameKind::Secret) found_.secrets.push_back(absolute(path));
      if (kind == NameKind::Litter &&
          (what == Kind::Folder || path.ends_with(".pyc") || path.ends_with(".pyo")))
        found_.litter[owner].push_back(absolute(path));
      return kind != NameKind::Document;
    });
  }

  // Removes files that links bring into a skill from outside its folder, because no server serves
  // them.
  void passOverForeign() {
    std::set<std::string> skills; // real paths
    for (const std::string &document : found_.documents)
      skills.insert(canonicalOf(fs::path(document).parent_path().string()));
    std::vector<std::string> gone;
    for (auto &[document, files] : found_.files) {
      const std::string own = canonicalOf(fs::path(document).parent_path().string());
      std::erase_if(files, [&, &entry = document](const std::string &file) {
        const std::string real = canonicalOf(file);
        const std::string other = skillOf(real, skills);
        if (other == own) {
          const NameKind kind = kindOfPath(std::string_view(real).substr(own.size() + 1));
          if (kind == NameKind::Secret) found_.secrets.push_back(file);
          return kind != NameKind::Document;
        }
        found_.passedOver.emplace_back(file, other.empty()
                                                 ? "it leads out of its skill"
                                                 : "it leads into another skill, " + other);
        if (file == entry) gone.push_back(entry);
        return true;
      });
    }
    for (const std::string &document : gone) {
      std::erase(found_.documents, document);
      found_.files.erase(document);
    }
  }

  // Returns the nearest skill folder that contains the file; empty: none.
  static std::string skillOf(const std::string &file, const std::set<std::string> &skills) {
    for (fs::path at = fs::path(file).parent_path();; at = at.parent_path()) {
      if (skills.contains(at.string())) return at.string();
      if (at == at.parent_path()) return {};
    }
  }

  const beneath::Root root_;
  const HiddenFolders hidden_;
  const std::vector<std::string> &linkTargets_;
  SkillFiles &found_;
  std::vector<std::string> outside_;              // links directly in the folder that leave it
  std::map<std::string, beneath::TopLink> links_; // followed links by name
  bool followed_ = false;                         // true once a link was followed
  std::vector<Place> above_;                      // folders above the current one
};

} // namespace

SkillFiles findSkillFiles(const std::string &path, HiddenFolders hidden,
                          const std::vector<std::string> &linkTargets) {
  SkillFiles found;
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (fs::is_directory(status))
    SkillSearch(path, hidden, linkTargets, found).run();
  else if (std::string target = beneath::linkTextIn(path); !target.empty())
    found.asText.emplace_back(path, std::move(target));
  else if (fs::is_regular_file(status))
    found.documents.push_back(path);
  else
    found.unreadable.emplace_back(path, error ? error.message() : "not a file or folder");
  std::sort(found.documents.begin(), found.documents.end());
  for (auto *const lists : {&found.files, &found.hiddenFolders, &found.litter})
    for (auto &[document, paths] : *lists) std::sort(paths.begin(), paths.end());
  return found;
}

} // namespace skillhost::app
