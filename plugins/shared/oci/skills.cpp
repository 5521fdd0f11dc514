// SPDX-License-Identifier: Apache-2.0
#include "skills.hpp"

#include "ground/document_names.hpp"
#include "paths/collisions.hpp"
#include "paths/names.hpp"

#include <algorithm>
#include <stdexcept>

namespace skillhost::oci {
namespace {

constexpr std::string_view entryFile = "SKILL.md";
constexpr int maxLinks = 8;              // links in a row
constexpr std::size_t maxFindings = 100; // limit of findings for one artefact

using archive::LayeredEntry;
using archive::LayeredKind;
using archive::LayeredTree;

struct Member {
  std::string path;   // relative to the skill
  std::string source; // file of the tree that holds the bytes
  bool executable = false;
};

std::string folderOf(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return std::string(slash == path.npos ? std::string_view{} : path.substr(0, slash));
}

// Returns `path` relative to the folder that contains it.
std::string within(const std::string &folder, const std::string &path) {
  return path.substr(folder.empty() ? 0 : folder.size() + 1);
}

[[noreturn]] void refuse(const std::string &path, const std::string &why) {
  throw std::runtime_error("\"" + paths::printable(path.substr(0, 100)) + "\" " + why);
}

class Finding {
public:
  Finding(const std::vector<archive::Layer> &layers, const SkillLimits &limits,
          const std::function<void()> &checkpoint)
      : layers_(layers), limits_(limits),
        layerLimits_{limits.entries, limits.unpacked, archive::maxRatio, checkpoint},
        tree_(archive::listLayers(layers, layerLimits_)) {}

  FoundSkills run() {
    for (const auto &[path, entry] : tree_)
      if (path == entryFile || path.ends_with("/" + std::string(entryFile))) add(folderOf(path));
    for (const auto &[path, entry] : tree_) {
      if (const auto owner = ownerOf(path);
          owner != members_.end() && kindOfPath(within(owner->first, path)) != NameKind::Litter)
        owner->second.push_back(path);
      if (layerLimits_.checkpoint) layerLimits_.checkpoint();
    }
    for (const auto &[folder, paths] : members_) {
      choose(folder, paths);
      if (layerLimits_.checkpoint) layerLimits_.checkpoint();
    }
    const auto bytes = archive::readLayered(layers_, tree_, wanted_, layerLimits_);
    for (const auto &[folder, members] : chosen_) {
      FoundSkill skill{folder, {}};
      for (const Member &one : members) {
        if (one.path != entryFile && isLfsPointer(bytes.at(one.source)))
          tell("\"" + paths::printable(paths::joined(folder, one.path)) +
               "\" left out: it is a pointer of Git LFS, and the file itself is not in the "
               "artefact");
        else
          skill.files.push_back({one.path, bytes.at(one.source), one.executable});
      }
      found_.skills.push_back(std::move(skill));
    }
    return std::move(found_);
  }

private:
  using Members = std::map<std::string, std::vector<std::string>>; // folder → paths

  void add(std::string folder) {
    if (members_.size() < limits_.skills)
      members_.try_emplace(std::move(folder));
    else if (members_.size() == limits_.skills && !isFull_) {
      isFull_ = true;
      tell("there are more than " + std::to_string(limits_.skills) +
           " skills (max_skills): the others are left out");
    }
  }

  Members::iterator ownerOf(const std::string &path) {
    for (std::string folder = folderOf(path);; folder = folderOf(folder)) {
      if (const auto owner = members_.find(folder); owner != members_.end()) return owner;
      if (folder.empty()) return members_.end();
    }
  }

  void choose(const std::string &folder, const std::vector<std::string> &paths) {
    try {
      std::vector<Member> members = membersOf(folder, paths);
      for (const Member &one : members) wanted_.insert(one.source);
      chosen_.emplace_back(folder, std::move(members));
    } catch (const std::runtime_error &error) {
      tell((folder.empty() ? "the skill" : "the skill " + paths::printable(folder)) +
           " left out: " + error.what());
    }
  }

  std::vector<Member> membersOf(const std::string &folder, const std::vector<std::string> &paths) {
    if (paths.size() > limits_.files)
      throw std::runtime_error("it has " + std::to_string(paths.size()) + " files, and may have " +
                               std::to_string(limits_.files) + " (max_skill_files)");
    std::vector<Member> members;
    std::vector<std::string> names;
    std::uint64_t bytes = 0;
    for (const std::string &path : paths) {
      Member member{within(folder, path), path, false};
      if (!paths::servable(path)) refuse(member.path, "is a name that cannot be served");
      if (path.size() > archive::maxPathBytes ||
          static_cast<std::size_t>(std::count(path.begin(), path.end(), '/')) >
              archive::maxSegments)
        refuse(member.path, "is too long a path");
      member.source = resolve(folder, path);
      const LayeredEntry &file = tree_.at(member.source);
      member.executable = file.executable;
      if (file.size > limits_.bytes - bytes)
        refuse(member.path, "makes it more than the " + std::to_string(limits_.bytes) +
                                " bytes that it may have (max_skill_bytes)");
      bytes += file.size;
      // Links become copies, so all skills together are limited to the bytes that may be unpacked.
      if (bytes > limits_.unpacked - bytes_)
        refuse(member.path, "makes the artefact more than the " + std::to_string(limits_.unpacked) +
                                " bytes that it may have (max_unpacked_bytes)");
      names.push_back(member.path);
      members.push_back(std::move(member));
    }
    if (const std::string twin = paths::firstCollision(names); !twin.empty())
      refuse(twin, "differs from another file only in case or Unicode form");
    bytes_ += bytes;
    return members;
  }

  // Follows links from a path to the file.
  std::string resolve(const std::string &folder, const std::string &path) const {
    const std::string prefix = folder.empty() ? "" : folder + "/";
    std::string at = path;
    for (int steps = 0;; ++steps) {
      const auto found = tree_.find(at);
      if (found == tree_.end() || !at.starts_with(prefix))
        refuse(path, "is a link that leads to no file of the skill");
      if (found->second.kind == LayeredKind::file) return at;
      if (found->second.kind == LayeredKind::other) refuse(path, "is neither a file nor a folder");
      if (steps == maxLinks) refuse(path, "is a link that leads in a circle");
      at = found->second.target;
    }
  }

  void tell(std::string text) {
    if (found_.findings.size() < maxFindings) found_.findings.push_back(std::move(text));
  }

  const std::vector<archive::Layer> &layers_;
  const SkillLimits &limits_;
  const archive::LayerLimits layerLimits_;
  const LayeredTree tree_;
  Members members_;
  bool isFull_ = false;
  std::uint64_t bytes_ = 0; // bytes of the chosen skills
  std::vector<std::pair<std::string, std::vector<Member>>> chosen_;
  std::set<std::string> wanted_;
  FoundSkills found_;
};

} // namespace

FoundSkills findSkills(const std::vector<archive::Layer> &layers, const SkillLimits &limits,
                       const std::function<void()> &checkpoint) {
  return Finding(layers, limits, checkpoint).run();
}

} // namespace skillhost::oci
