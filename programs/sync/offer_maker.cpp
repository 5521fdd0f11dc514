// SPDX-License-Identifier: Apache-2.0
#include "skill_source.hpp"

#include "ground/document_names.hpp"
#include "ground/utf8.hpp"
#include "mcp_client/listed_skill.hpp"
#include "paths/collisions.hpp"
#include "skillmd/name_rules.hpp"
#include "store/names.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace skillhost::sync {
namespace {

constexpr std::size_t maxFiles = 2'000;
constexpr std::uint64_t maxBytes = std::uint64_t{256} << 20U; // of one skill

// Returns the reason why no folder can hold the files; empty if there is none.
std::string faultIn(const FileStates &files) {
  if (files.size() > maxFiles) return "it has more than 2,000 files";
  if (!files.contains("SKILL.md")) return "it has no SKILL.md";
  std::uint64_t bytes = 0;
  std::vector<std::string> paths;
  paths.reserve(files.size());
  for (const auto &[path, file] : files) {
    if (const std::string wrong = store::faultInPath(path); !wrong.empty())
      return "its file " + path + ": " + wrong;
    // The files are sorted, so a file that is also a folder stands before the files in it.
    for (std::size_t slash = path.find('/'); slash != std::string::npos;
         slash = path.find('/', slash + 1))
      if (files.contains(path.substr(0, slash)))
        return path.substr(0, slash) + " is both a file and a folder";
    bytes += std::min(file.size, maxBytes);
    if (bytes > maxBytes) return "it has more than 256 MiB";
    paths.push_back(path);
  }
  if (const std::string twice = paths::firstCollision(paths); !twice.empty())
    return twice + " has the same name as another of its files on some file systems";
  return {};
}

} // namespace

std::string otherNameWords(std::string_view written) {
  return "its SKILL.md has another name, \"" + std::string(cutUtf8(written, 200)) +
         "\", under which agents would list it";
}

// Another folder may have the name, so the URIs decide if both are known.
bool LeftOut::mayBe(const std::string &writtenName, const std::string &writtenUri) const {
  if (uri.empty() || writtenUri.empty()) return name == writtenName;
  return uri.ends_with('/') ? writtenUri.starts_with(uri) : writtenUri == uri;
}

void OfferMaker::leaveOut(std::string name, std::string why, std::string uri) {
  if (known_.insert(name + '\0' + uri + '\0' + why).second)
    offer_.leftOut.push_back({std::move(name), std::move(why), std::move(uri)});
}

void OfferMaker::leaveOutUnnamed(std::string shown, std::string why) {
  offer_.whyIncomplete = "the name of a skill that is left out is not known";
  leaveOut(std::move(shown), std::move(why));
}

void OfferMaker::leaveOutDamaged(const std::string &folder, std::string why, std::string uri) {
  if (!uri.empty() || brokenNameRule(folder).empty())
    leaveOut(folder, std::move(why), std::move(uri));
  else
    leaveOutUnnamed(folder, std::move(why));
}

bool OfferMaker::add(OfferedSkill skill) {
  std::erase_if(skill.files,
                [](const auto &file) { return kindOfPath(file.first) != NameKind::Document; });
  const std::string_view rule = brokenNameRule(skill.name);
  std::string wrong =
      rule.empty() ? faultIn(skill.files) : "no agent takes this name: " + std::string(rule);
  if (wrong.empty() && byName_.contains(skill.name)) wrong = "another skill has the same name";
  if (!wrong.empty()) {
    leaveOut(std::move(skill.name), std::move(wrong), folderOfUri(skill.uri));
    return false;
  }
  std::string name = skill.name;
  byName_.emplace(std::move(name), std::move(skill));
  return true;
}

Offer OfferMaker::finish() && {
  for (auto &[name, skill] : byName_) offer_.skills.push_back(std::move(skill));
  if (offer_.skills.empty()) offer_.whyIncomplete = "there are no skills";
  return std::move(offer_);
}

} // namespace skillhost::sync
