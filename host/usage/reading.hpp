// SPDX-License-Identifier: Apache-2.0
// The file of usage, for who asks: what it is asked is answered from one moment. One thread; throws
// UsageError.
#pragma once

#include "sqlite.hpp"
#include "usage/report.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace skillhost {

// Who has loaded or read a skill, how often, and when last.
struct SkillUser {
  std::string source, path, principal;
  std::uint64_t count = 0;
  std::int64_t last = 0; // Unix milliseconds
};

class UsageReading {
public:
  // `isEnough`: see Database::stopWhen(); none: never.
  explicit UsageReading(const std::string &path, std::function<bool()> isEnough = {});

  // As usageRows() and unusedSkills(). `among`: a JSON array of ids of skills; of others no event
  // is counted, but those of no skill are. Empty: all.
  std::vector<UsageRow> rows(const UsageQuestion &question, const std::string &among = {});
  std::vector<ServedSkill> unused(const UsageQuestion &question,
                                  const std::vector<ServedSkill> &served);

  // Of each skill in the time of the question, the most frequent first.
  std::vector<SkillUser> users(const UsageQuestion &question);

private:
  Database database_;
};

Failure usageFailure(const std::string &path, const UsageError &why);

} // namespace skillhost
