// SPDX-License-Identifier: Apache-2.0
// The file of usage, for who asks: what it is asked is answered from one moment. One thread; throws
// DatabaseError.
#pragma once

#include "database/sqlite.hpp"
#include "usage/report.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace skillhost {

// The fields that events have in common. The digest is left out, because no report shows it.
struct UsageSubject {
  UseKind kind = UseKind::Load;
  std::string skill, source, path, principal, client, outcome;
};

// Events of one subject, day and text that was asked for, added up. Two files that hold different
// events come to the same cells as one file that holds all of them.
struct UsageCell {
  std::int64_t day = 0;             // since 1970
  std::optional<std::string> asked; // that was asked for and not found
  // The newest in Unix milliseconds; the time spent in microseconds.
  std::int64_t count = 0, newest = 0, spent = 0;
};

// Takes each subject, and after it the cells that it has.
struct CellSink {
  std::function<void(const UsageSubject &)> subject;
  std::function<void(const UsageCell &)> cell;
};

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
  // Of a file in which nothing stands.
  explicit UsageReading(std::function<bool()> isEnough);

  // Names the file and its copies: the figures of a file that is given twice count once.
  const std::string &identity() const noexcept { return identity_; }
  // All that it has from `since` until before `until`.
  void cells(std::int64_t since, std::int64_t until, const CellSink &sink);
  // What is put into it counts from then on as if it stood in the file. It must be of the time of
  // the questions that follow.
  CellSink others();

  // As usageRows() and unusedSkills(). `among`: a JSON array of ids of skills; of others no event
  // is counted, but those of no skill are. Empty: all.
  std::vector<UsageRow> rows(const UsageQuestion &question, const std::string &among = {});
  std::vector<ServedSkill> unused(const UsageQuestion &question,
                                  const std::vector<ServedSkill> &served);

  // Of each skill in the time of the question, the most frequent first.
  std::vector<SkillUser> users(const UsageQuestion &question);

private:
  struct Others {
    explicit Others(Database &database);
    Statement subject, cell;
    std::int64_t subjects = 0; // the id of the last one
  };

  Database database_;
  std::string uses_ = "count"; // see usesOfRow()
  std::string identity_;
  std::optional<Others> others_;
};

Failure usageFailure(const std::string &path, const DatabaseError &why);

} // namespace skillhost
