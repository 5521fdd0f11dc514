// SPDX-License-Identifier: Apache-2.0
// What the figures of a file come to. Reads only; a server may be writing meanwhile.
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

// Query: what was asked for and not found.
enum class UsageBy : std::uint8_t { Skill, Client, Day, Principal, Query };
inline constexpr std::array<std::string_view, 5> usageByNames{"skill", "client", "day", "principal",
                                                              "query"};

struct UsageQuestion {
  std::int64_t since = 0, until = INT64_MAX; // Unix milliseconds, the second not among them
  UsageBy by = UsageBy::Skill;
  std::optional<UseKind> kind; // none: all
  std::string skill;           // its name or id, <source>/<path>; empty: all
  std::size_t limit = 0;       // rows; 0: all
};

struct UsageRow {
  std::string key;          // the skill's name, the client, 2026-07-28, the principal, the text
  std::string source, path; // of a skill; empty: none, or it was not known
  std::uint64_t loads = 0, reads = 0, searches = 0, refusals = 0;
  std::uint64_t unchanged = 0;               // of the loads: the client had it already
  std::uint64_t nothing = 0;                 // of the searches: nothing was found
  std::uint64_t failures = 0;                // of all but refusals
  std::uint64_t principals = 0, clients = 0; // different ones
  std::int64_t last = 0;                     // Unix milliseconds
  std::uint64_t meanMicroseconds = 0;
  std::uint64_t all() const noexcept { return loads + reads + searches + refusals; }
};

// The most used first; days in their order. NotFound when there is no file, else the failure names
// it and what is wrong. May take seconds for millions of events: not for a thread that serves.
// Of several files: as if all of it stood in one. A file that comes twice, or its copy, counts
// once.
Result<std::vector<UsageRow>> usageRows(const std::vector<std::string> &paths,
                                        const UsageQuestion &question);
inline Result<std::vector<UsageRow>> usageRows(const std::string &path,
                                               const UsageQuestion &question) {
  return usageRows(std::vector{path}, question);
}

// A skill that is served: as its author names it, and where it is.
struct ServedSkill {
  std::string name, source, path;
};
// Those of `served` that nobody has loaded or read in the time of the question, in their order.
Result<std::vector<ServedSkill>> unusedSkills(const std::vector<std::string> &paths,
                                              const UsageQuestion &question,
                                              const std::vector<ServedSkill> &served);
inline Result<std::vector<ServedSkill>> unusedSkills(const std::string &path,
                                                     const UsageQuestion &question,
                                                     const std::vector<ServedSkill> &served) {
  return unusedSkills(std::vector{path}, question, served);
}

// By which a file that comes twice, or its copy, is known. Fails as usageRows().
Result<std::string> usageFileId(const std::string &path);

// All of it for a page, as JSON: {"since","until","totals":{…},"days":[…],"skills":[{…,
// "used_by":[…]}],"clients":[…],"principals":[…],"failing":[…],"not_found":[…],"unused":[…],
// "unused_total"}; at most question.limit entries of each list but days. `served`: what its reader
// sees; ServedAlone: of other skills nothing is told, and nothing that
// was done with them is counted, nor what was asked for and not found. Fails as usageRows();
// without a file all is empty. `isEnough` is asked now and then: once it is true the answer is a
// failure.
enum class UsageOf : std::uint8_t { All, ServedAlone };
Result<Json> usageSummary(const std::string &path, const UsageQuestion &question,
                          const std::vector<ServedSkill> &served, UsageOf of,
                          const std::function<bool()> &isEnough = {});

} // namespace skillhost
