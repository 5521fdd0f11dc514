// SPDX-License-Identifier: Apache-2.0
// Reports about the figures of a file. It only reads; a server may be writing meanwhile.
#pragma once

#include "ground/json.hpp"
#include "ground/result.hpp"
#include "usage/use.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace skillhost {

// Query groups by the text of searches that found nothing.
enum class UsageBy : std::uint8_t { Skill, Client, Day, Principal, Query };
inline constexpr std::array<std::string_view, 5> usageByNames{"skill", "client", "day", "principal",
                                                              "query"};

struct UsageQuestion {
  std::int64_t since = 0, until = INT64_MAX; // in Unix milliseconds; `until` is excluded
  UsageBy by = UsageBy::Skill;
  std::optional<UseKind> kind; // none: all kinds
  std::string skill;           // its name or its id, <source>/<path>; empty: all
  std::size_t limit = 0;       // rows; 0: all
};

struct UsageRow {
  // The name of the skill, the client, 2026-07-28, the principal or the text.
  std::string key;
  std::string source, path; // of a skill; empty if there is none or it is unknown
  std::uint64_t loads = 0, reads = 0, searches = 0, refusals = 0;
  std::uint64_t unchanged = 0;               // loads of a skill that the client had already
  std::uint64_t nothing = 0;                 // searches that found nothing
  std::uint64_t failures = 0;                // of all but refusals
  std::uint64_t principals = 0, clients = 0; // number of different ones
  std::int64_t last = 0;                     // Unix milliseconds
  std::uint64_t meanMicroseconds = 0;
  std::uint64_t all() const noexcept { return loads + reads + searches + refusals; }
};

// Returns the rows, the most used first; days in their order. Several files count as one; a file or
// its copy that is given twice counts once. Fails with NotFound if there is no file; other failures
// name the file and the error. It may take seconds for millions of events, so do not call it on a
// thread that serves requests.
Result<std::vector<UsageRow>> usageRows(const std::vector<std::string> &paths,
                                        const UsageQuestion &question);
inline Result<std::vector<UsageRow>> usageRows(const std::string &path,
                                               const UsageQuestion &question) {
  return usageRows(std::vector{path}, question);
}

// A skill that is served: the name that its author gave it, and its place.
struct ServedSkill {
  std::string name, source, path;
};
// Returns those of `served` that nobody has loaded or read in the time of the question, in their
// order.
Result<std::vector<ServedSkill>> unusedSkills(const std::vector<std::string> &paths,
                                              const UsageQuestion &question,
                                              const std::vector<ServedSkill> &served);
inline Result<std::vector<ServedSkill>> unusedSkills(const std::string &path,
                                                     const UsageQuestion &question,
                                                     const std::vector<ServedSkill> &served) {
  return unusedSkills(std::vector{path}, question, served);
}

// Returns an identity that a file and its copies share. Fails like usageRows().
Result<std::string> usageFileId(const std::string &path);

// Returns a whole report as JSON: {"since","until","totals":{…},"days":[…],"skills":[{…,
// "used_by":[…]}],"clients":[…],"principals":[…],"failing":[…],"not_found":[…],"unused":[…],
// "unused_total"}; each list but days has at most question.limit entries. `served` are the skills
// that the reader sees. With ServedAlone, other skills are not named and their events not counted,
// and searches that found nothing are left out. Fails like usageRows(), but without a file the
// report is empty. `isEnough` is called now and then; when it returns true, the answer is a
// failure.
enum class UsageOf : std::uint8_t { All, ServedAlone };
Result<Json> usageSummary(const std::string &path, const UsageQuestion &question,
                          const std::vector<ServedSkill> &served, UsageOf of,
                          const std::function<bool()> &isEnough = {});

} // namespace skillhost
