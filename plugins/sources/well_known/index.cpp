// SPDX-License-Identifier: Apache-2.0
#include "index.hpp"

#include "archive/packed.hpp"
#include "ground/hexadecimal.hpp"
#include "ground/json.hpp"
#include "http_client/web_address.hpp"
#include "paths/names.hpp"

#include <nlohmann/json.hpp>

#include <skillhost/plugin.hpp>

#include <algorithm>
#include <optional>
#include <set>

namespace skillhost::well_known {
namespace {

constexpr std::string_view knownSchema =
    "https://schemas.agentskills.io/discovery/0.2.0/schema.json";
constexpr std::string_view digestPrefix = "sha256:";
constexpr const char *skillFile = "SKILL.md";
constexpr std::size_t maxFindings = 100;
constexpr std::size_t shownBytes = 80; // shown part of a text written by a stranger

std::string quotedText(std::string_view text) {
  const bool whole = text.size() <= shownBytes;
  return "\"" + paths::printable(text.substr(0, shownBytes)) + (whole ? "\"" : "…\"");
}

const std::string *textOf(const Json &entry, const char *key) {
  const auto found = entry.find(key);
  return found == entry.end() ? nullptr : found->get_ptr<const std::string *>();
}

bool isDigest(std::string_view text) {
  if (!text.starts_with(digestPrefix)) return false;
  text.remove_prefix(digestPrefix.size());
  return isHexadecimal(text, 64);
}

bool isFilePath(const std::string &path) {
  return path.size() <= archive::maxPathBytes && paths::servableBelow(path) &&
         std::count(path.begin(), path.end(), '/') < std::ptrdiff_t{archive::maxSegments};
}

class Reading {
public:
  Reading(const std::string &url, const IndexRules &rules, bool isVerified)
      : url_(url), rules_(rules), maxSkills_(rules.maxSkills) {
    index_.isVerified = isVerified;
  }

  Index run(const Json &skills) {
    for (std::size_t i = 0; i < skills.size(); ++i) {
      if (index_.entries.size() == maxSkills_) {
        note("skills[" + std::to_string(i) + "] and what follows, " +
             std::to_string(skills.size() - i) + " entries, left out: there may be " +
             std::to_string(maxSkills_) + " (max_skills)");
        break;
      }
      const std::string where = "skills[" + std::to_string(i) + "]";
      if (const std::string why = take(skills[i]); !why.empty())
        note(where + (name_ == nullptr ? "" : " " + quotedText(*name_)) + " left out: " + why);
    }
    if (unsaid_ > 0)
      index_.findings.push_back(std::to_string(unsaid_) + " further entries are wrong");
    return std::move(index_);
  }

private:
  // Returns the fault of the entry; "" if it was accepted.
  std::string take(const Json &entry) {
    name_ = nullptr;
    if (!entry.is_object()) return "it is no object";
    name_ = textOf(entry, "name");
    if (name_ == nullptr) return "name: must be a text";
    if (!isSkillName(*name_))
      return "name: must be 1 to 64 of a-z, 0-9 and -, without - at an end or twice in a row";
    if (textOf(entry, "description") == nullptr) return "description: must be a text";
    return index_.isVerified ? takeVerified(entry) : takeUnverified(entry);
  }

  std::string takeVerified(const Json &entry) {
    const std::string *const type = textOf(entry, "type");
    if (type == nullptr) return "type: must be a text";
    const bool isArchive = *type == "archive";
    if (!isArchive && *type != "skill-md")
      return "type: " + quotedText(*type) +
             R"( is none that is known: "skill-md" and "archive" are)";
    const std::string *const digest = textOf(entry, "digest");
    if (digest == nullptr || !isDigest(*digest))
      return "digest: must be sha256: and 64 digits 0-9 a-f";
    const std::string *const reference = textOf(entry, "url");
    if (reference == nullptr) return "url: must be a text";
    const auto address = web::readWebAddress(*reference, url_);
    if (!address) return "url: " + quotedText(*reference) + " is no address of http or https";
    if (!names_.insert(*name_).second) return "an earlier entry has that name";
    index_.entries.push_back({*name_, isArchive ? ArtefactKind::archive : ArtefactKind::document,
                              address->url, digest->substr(digestPrefix.size())});
    return {};
  }

  // An entry of version 0.1.0 lists files in a folder of its name beside the index.
  std::string takeUnverified(const Json &entry) {
    const auto listed = entry.find("files");
    if (listed == entry.end() || !listed->is_array()) return "files: must be a list";
    if (listed->size() > rules_.maxSkillFiles)
      return "files: there may be " + std::to_string(rules_.maxSkillFiles) + " (max_skill_files)";
    std::set<std::string> paths;
    for (const Json &one : *listed) {
      const std::string *const path = one.get_ptr<const std::string *>();
      if (path == nullptr) return "files: must be texts";
      if (!isFilePath(*path)) return "files: " + quotedText(*path) + " is no path of a file";
      if (!paths.insert(*path).second) return "files: " + quotedText(*path) + " occurs twice";
    }
    if (!paths.contains(skillFile)) return "files: SKILL.md is not among them";
    const auto address = web::readWebAddress(*name_ + "/" + skillFile, url_);
    if (!address) return "its address cannot be asked";
    if (!names_.insert(*name_).second) return "an earlier entry has that name";
    index_.entries.push_back(
        {*name_, ArtefactKind::archive, address->url, "", {paths.begin(), paths.end()}});
    return {};
  }

  void note(std::string text) {
    if (index_.findings.size() < maxFindings)
      index_.findings.push_back(std::move(text));
    else
      ++unsaid_;
  }

  const std::string &url_;
  const IndexRules &rules_;
  const std::size_t maxSkills_;
  const std::string *name_ = nullptr; // of the current entry
  std::size_t unsaid_ = 0;
  std::set<std::string> names_;
  Index index_;
};

[[noreturn]] void refuse(const std::string &url, const std::string &why) {
  throw skh::Error(SKH_UNAVAILABLE, url + " " + why);
}

} // namespace

bool isSkillName(std::string_view name) noexcept {
  const auto fits = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
  };
  return !name.empty() && name.size() <= 64 && std::all_of(name.begin(), name.end(), fits) &&
         name.front() != '-' && name.back() != '-' && name.find("--") == name.npos;
}

Index readIndex(std::string_view text, const std::string &url, const IndexRules &rules) {
  const std::optional<Json> document = readJsonObject(text);
  if (!document)
    refuse(url, "is no index: it must be a JSON object, in valid UTF-8, without a name twice in "
                "one object");
  const std::string *const schema = textOf(*document, "$schema");
  if (schema == nullptr && !rules.allowUnverified)
    refuse(url, "has no $schema: that is version 0.1.0, which has no digests to verify what is "
                "fetched by; allow_unverified: true serves it without");
  if (schema != nullptr && *schema != knownSchema)
    refuse(url, "is of a version that is not known: its $schema is " + quotedText(*schema) +
                    ", not \"" + std::string(knownSchema) + "\"");
  const auto skills = document->find("skills");
  if (skills == document->end() || !skills->is_array()) refuse(url, "has no list \"skills\"");
  return Reading(url, rules, schema != nullptr).run(*skills);
}

} // namespace skillhost::well_known
