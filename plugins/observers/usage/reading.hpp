// SPDX-License-Identifier: Apache-2.0
// Reads the file of usage. All answers are from the same moment. One thread; throws DatabaseError.
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

// The sum of the events of one subject, day and searched text. Two files with different events
// result in the same cells as one file with all of them.
struct UsageCell {
  std::int64_t day = 0;             // since 1970
  std::optional<std::string> asked; // text of a search that found nothing
  // The newest in Unix milliseconds; the time spent in microseconds.
  std::int64_t count = 0, newest = 0, spent = 0;
};

// Receives each subject, followed by its cells.
struct CellSink {
  std::function<void(const UsageSubject &)> subject;
  std::function<void(const UsageCell &)> cell;
};

// A principal that has loaded or read a skill, with the number of times and the last time.
struct SkillUser {
  std::string source, path, principal;
  std::uint64_t count = 0;
  std::int64_t last = 0; // Unix milliseconds
};

class UsageReading {
public:
  // `isEnough` is described at Database::stopWhen(); it may be empty.
  explicit UsageReading(const std::string &path, std::function<bool()> isEnough = {});
  // Makes the reading of an empty file.
  explicit UsageReading(std::function<bool()> isEnough);

  // Names the file and its copies, so that a file that is given twice counts once.
  const std::string &identity() const noexcept { return identity_; }
  // Passes the events from `since` until before `until` to `sink`, added up in cells.
  void cells(std::int64_t since, std::int64_t until, const CellSink &sink);
  // Returns a sink. Cells that it receives count from then on as part of the file. They must be
  // from the time of the questions that follow.
  CellSink others();

  // These work like usageRows() and unusedSkills(). `among` is a JSON array of ids of skills:
  // events of other skills are not counted, but events without a skill are. If it is empty, all
  // count.
  std::vector<UsageRow> rows(const UsageQuestion &question, const std::string &among = {});
  std::vector<ServedSkill> unused(const UsageQuestion &question,
                                  const std::vector<ServedSkill> &served);

  // Returns the users of each skill in the time of the question, the most frequent first.
  std::vector<SkillUser> users(const UsageQuestion &question);

private:
  struct Others {
    explicit Others(Database &database);
    Statement subject, cell;
    std::int64_t subjects = 0; // id of the last one
  };

  Database database_;
  std::string uses_ = "count"; // see usesOfRow()
  std::string identity_;
  std::optional<Others> others_;
};

Failure usageFailure(const std::string &path, const DatabaseError &why);

} // namespace skillhost
