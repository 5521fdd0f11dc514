// SPDX-License-Identifier: Apache-2.0
// A source and a folder of skills for tests.
#pragma once

#include "folder_sync.hpp"
#include "ground/sha256.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <stdexcept>
#include <string>
#include <utility>

namespace skillhost::sync {

// A source that offers the skills that a test gives it.
class MadeSource final : public SkillSource {
public:
  std::map<std::string, FileBytes> skills; // by name
  std::string name = "https://skills.example/mcp";
  std::map<std::string, std::string> uris; // of the folders, by the skills' names
  std::string whyIncomplete;
  std::vector<LeftOut> leftOut;
  std::function<void(const std::string &skill)> beforeReading = [](const std::string &) {};
  std::function<void(FileBytes &bytes)> falsify = [](FileBytes &) {};

  std::string origin(const std::string &) const override { return name; }
  Offer offer() override {
    OfferMaker maker;
    for (const auto &[skill, files] : skills) {
      OfferedSkill one{skill, {}};
      one.uri = uris.contains(skill) ? uris.at(skill) : std::string();
      for (const auto &[path, bytes] : files)
        one.files[path] = {sha256Hex(bytes), path.ends_with(".sh"), bytes.size()};
      maker.add(std::move(one));
    }
    Offer offer = std::move(maker).finish();
    offer.whyIncomplete = whyIncomplete;
    offer.leftOut.insert(offer.leftOut.end(), leftOut.begin(), leftOut.end());
    return offer;
  }
  FileBytes read(const OfferedSkill &skill) override {
    beforeReading(skill.name);
    FileBytes bytes = skills.at(skill.name);
    falsify(bytes);
    return bytes;
  }
  void awaitChange(std::chrono::milliseconds) override {}
};

// A folder that is removed at the end.
class MadeFolder {
public:
  explicit MadeFolder(const std::filesystem::path &above = std::filesystem::temp_directory_path()) {
    std::string name = (above / "skillhost-sync-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
    path = std::filesystem::canonical(name).string();
  }
  MadeFolder(const MadeFolder &) = delete;
  MadeFolder &operator=(const MadeFolder &) = delete;
  ~MadeFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }

  void write(const std::string &file, const std::string &bytes) const {
    std::filesystem::create_directories(std::filesystem::path(path + '/' + file).parent_path());
    std::ofstream(path + '/' + file, std::ios::binary) << bytes;
  }
  std::string read(const std::string &file) const {
    std::ifstream in(path + '/' + file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  bool has(const std::string &file) const { return std::filesystem::exists(path + '/' + file); }
  // All names in the folder, sorted, without the manifest.
  std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (const auto &entry : std::filesystem::directory_iterator(path))
      if (entry.path().filename() != manifestName) all.push_back(entry.path().filename().string());
    std::sort(all.begin(), all.end());
    return all;
  }

  std::string path;
};

inline std::string skillText(const std::string &name, const std::string &words = "Says hello.") {
  return "---\nname: " + name + "\ndescription: " + words + "\n---\n" + words + '\n';
}

// Returns what was planned, by the name of the skill.
inline std::map<std::string, Action> actionsIn(const FolderOutcome &outcome) {
  std::map<std::string, Action> actions;
  for (const SyncedSkill &skill : outcome.skills) actions[skill.plan.name] = skill.plan.action;
  return actions;
}

inline std::string failuresIn(const FolderOutcome &outcome) {
  std::string all;
  for (const SyncedSkill &skill : outcome.skills)
    if (!skill.failure.empty()) all += skill.plan.name + ": " + skill.failure + '\n';
  return all;
}

} // namespace skillhost::sync
