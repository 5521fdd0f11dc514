// SPDX-License-Identifier: Apache-2.0
#include "entries.hpp"

#include "ground/document_names.hpp"
#include "ground/json_member.hpp"
#include "ground/percent.hpp"
#include "mcp_client/conversation.hpp"
#include "mcp_client/listed_skill.hpp"
#include "paths/collisions.hpp"
#include "paths/names.hpp"
#include "way.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

namespace skillhost::mcp_source {
namespace {

constexpr std::string_view scheme = "skill://";
constexpr const char *entryName = "SKILL.md";
constexpr std::size_t maxPathBytes = 512, maxSegments = 16, maxFindings = 100;

bool isPath(const std::string &path) {
  return !path.empty() && path.size() <= maxPathBytes && paths::servableBelow(path) &&
         std::count(path.begin(), path.end(), '/') < std::ptrdiff_t{maxSegments};
}

std::optional<std::string> idOf(const std::string &uri) {
  const std::string folder = folderOfUri(uri);
  if (!folder.starts_with(scheme)) return std::nullopt;
  std::optional<std::string> id = decodeStrictPercents(folder.substr(scheme.size()));
  return id && isPath(*id) ? id : std::nullopt;
}

class Reading {
public:
  explicit Reading(const Settings &settings)
      : settings_(settings),
        server_(wayName(settings.command.empty() ? settings.shownServer : settings.identity)) {}

  Entries run(const std::vector<Json> &listed) {
    for (const Json &entry : listed)
      if (const std::string why = take(entry); !why.empty())
        note(shownWords(memberText(entry, "uri")) + " left out: " + why);
    if (returned_ > 0)
      entries_.findings.push_back(
          std::to_string(returned_) + (returned_ == 1 ? " skill" : " skills") +
          " left out, such as " + shownWords(firstReturned_) +
          ": they were read from this server before, and are back through " +
          shownWords(returnedThrough_) +
          ". Each is a source of the other; to end that, remove a source or set its exclude");
    if (unsaid_ > 0)
      entries_.findings.push_back(std::to_string(unsaid_) + " further skills are left out");
    for (StoredSkill &skill : entries_.skills)
      std::erase_if(skill.documents, [&](const StoredDocument &document) {
        return isOfInnerSkill(skill.id, document.path);
      });
    return std::move(entries_);
  }

private:
  // Returns the reason why the entry is left out; "" if it is taken or nobody wants it.
  std::string take(const Json &entry) {
    ListedSkill listed;
    if (std::string wrong = readListedSkill(entry, listed); !wrong.empty()) return wrong;
    const std::optional<std::string> id = idOf(listed.uri);
    if (!id) return "its URI is no skill:// with a path that can be served";
    folders_.insert(*id);
    if (!settings_.selection.takes(*id)) return {};
    const Json &facts = memberOf(memberOf(entry, "_meta"), "org.skillhost/facts");
    const std::string_view before = memberText(facts, "through");
    if (passes(before, server_)) return noteReturned(listed.uri, facts);
    if (serversOf(before) >= maxServersOfWay)
      return "it came through more than " + std::to_string(maxServersOfWay) + " servers";
    StoredSkill skill{*id, listed.uri, listed.folder, 0, {}, wayThrough(server_, before)};
    if (std::string wrong = takeFiles(listed, skill); !wrong.empty()) return wrong;
    if (!ids_.insert(*id).second) return "another skill has its path";
    entries_.skills.push_back(std::move(skill));
    return {};
  }

  std::string takeFiles(ListedSkill &listed, StoredSkill &skill) const {
    const Limits &limits = settings_.limits;
    if (listed.files.size() > limits.maxSkillFiles)
      return "it has more than " + std::to_string(limits.maxSkillFiles) +
             " files (max_skill_files)";
    std::uint64_t bytes = 0;
    std::vector<std::string> names;
    for (auto &[path, file] : listed.files) {
      if (!isPath(path)) return "\"" + shownWords(path) + "\" is no path that can be served";
      if (!file.size) return "the server does not say the size of " + shownWords(path);
      if (*file.size > limits.maxSkillBytes - bytes)
        return "it has more than " + std::to_string(limits.maxSkillBytes) +
               " bytes (max_skill_bytes)";
      bytes += *file.size;
      if (kindOfPath(path) == NameKind::Litter) continue;
      names.push_back(path);
      skill.documents.push_back({path, std::move(file.uri), std::move(file.digest), *file.size});
    }
    if (!listed.files.contains(entryName)) return "the server does not list its SKILL.md";
    if (const std::string twin = paths::firstCollision(names); !twin.empty())
      return "\"" + shownWords(twin) + "\" differs from another file only in case or Unicode form";
    return {};
  }

  // Counts the skills that came back, because a finding for each would say the same.
  std::string noteReturned(const std::string &uri, const Json &facts) {
    if (returned_++ == 0) {
      firstReturned_ = uri;
      returnedThrough_ = memberText(facts, "server");
    }
    return {};
  }

  bool isOfInnerSkill(const std::string &skill, const std::string &path) const {
    for (std::size_t end = path.find('/'); end != path.npos; end = path.find('/', end + 1))
      if (folders_.contains(skill + '/' + path.substr(0, end))) return true;
    return false;
  }

  void note(std::string text) {
    if (entries_.findings.size() < maxFindings)
      entries_.findings.push_back(std::move(text));
    else
      ++unsaid_;
  }

  const Settings &settings_;
  const std::string server_; // its name in ways
  std::size_t returned_ = 0; // skills that were read from this server before
  std::string firstReturned_, returnedThrough_;
  std::set<std::string> ids_;     // of skills that are taken
  std::set<std::string> folders_; // also of those that are left out
  std::size_t unsaid_ = 0;
  Entries entries_;
};

} // namespace

Entries readEntries(const std::vector<Json> &listed, const Settings &settings) {
  return Reading(settings).run(listed);
}

} // namespace skillhost::mcp_source
