// SPDX-License-Identifier: Apache-2.0
// The file of usage, for its writer. Two tables: what many uses have in common stands once, so that
// a row of uses takes some 30 bytes. One thread; throws DatabaseError.
#pragma once

#include "database/sqlite.hpp"
#include "usage_queue.hpp"

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace skillhost {

// An entry as it is written: the principal as it is to stand there.
struct UsageLine {
  UsageEntry entry;
  std::string principal;
};

class UsageFile {
public:
  // Makes the file, and its folder, where there is none. What stands in it is looked at by
  // prepare(), so that who finds it damaged knows which file that is.
  UsageFile(const std::string &path, std::size_t maxBytes);

  // Before anything else; once it has come to its end it does nothing more. A file of an older
  // version becomes one of this version.
  void prepare();
  // All of them in one transaction, or none.
  void append(std::span<const UsageLine> lines);
  // Removes the rows that were written first, a few thousand at most: up to the first one of a
  // time between `oldest` and `now` (Unix milliseconds), and as many as it takes until the file
  // keeps its bound. Whether there is more to remove.
  bool prune(std::int64_t oldest, std::int64_t now);
  // Whether the path still leads to this file: somebody may have removed it or moved it away.
  bool isInPlace() const noexcept;

private:
  void makeTables();
  void giveIdentity();
  void addCounts();
  std::int64_t subjectOf(const UsageLine &line);
  // The last row of each subject in a transaction, by the id of the subject.
  using Newest = std::unordered_map<std::int64_t, std::pair<const UsageLine *, std::int64_t>>;
  void noteNewest(const Newest &newest);
  bool isCrowded();

  const std::string path_;
  const std::int64_t maxBytes_;
  Database database_;
  dev_t device_ = 0;
  ino_t inode_ = 0;
  bool prepared_ = false;
  std::int64_t pageBytes_ = 4096;
  // The ids of subjects, by all they consist of; emptied when there are many.
  std::unordered_map<std::string, std::int64_t> subjects_;
  std::string key_; // of the one that is looked for
};

// What every connection that writes or reads has to find. Throws DatabaseError: Foreign,
// Damaged.
void checkUsageVersion(Database &database);
inline constexpr std::int64_t usageVersion = 2;
// What a row of `events` counts, in SQL: in version 1 it was one use, and had no number.
const char *usesOfRow(Database &database);
// Makes the tables in a database that has none.
void layUsageTables(Database &database);
// The id that the file was given by who first wrote into it; empty when nobody has yet.
std::string usageIdentity(Database &database);

} // namespace skillhost
