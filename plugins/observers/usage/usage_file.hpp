// SPDX-License-Identifier: Apache-2.0
// The file of usage, for its writer. It has two tables: the common fields of many uses are stored
// once, so a row of uses takes about 30 bytes. One thread; throws DatabaseError.
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

// An entry with the principal in the form that is stored.
struct UsageLine {
  UsageEntry entry;
  std::string principal;
};

class UsageFile {
public:
  // Creates the file and its folder if they do not exist. The content is examined by prepare(), so
  // that a caller who finds damage knows which file it is.
  UsageFile(const std::string &path, std::size_t maxBytes);

  // Call it before anything else; after it has succeeded once it does nothing. Converts a file of
  // an older version to this version.
  void prepare();
  // Adds all lines in one transaction, or none.
  void append(std::span<const UsageLine> lines);
  // Removes the oldest rows, at most a few thousand: up to the first row with a time between
  // `oldest` and `now` (Unix milliseconds), and further ones until the file is within its limit.
  // Returns true if there is more to remove.
  bool prune(std::int64_t oldest, std::int64_t now);
  // Returns true if the path still leads to this file: somebody may have removed or moved it.
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
  // The ids of subjects by all of their fields; cleared when there are many.
  std::unordered_map<std::string, std::int64_t> subjects_;
  std::string key_; // the key of the subject that is looked up
};

// Checks that the database is one of usage and of a known version. Every connection has to call it.
// Throws DatabaseError: Foreign, Damaged.
void checkUsageVersion(Database &database);
inline constexpr std::int64_t usageVersion = 2;
// Returns the number of uses in a row of `events` as SQL: in version 1 a row was one use and had no
// number.
const char *usesOfRow(Database &database);
// Creates the tables in a database that has none.
void layUsageTables(Database &database);
// Returns the id that the first writer gave the file; empty if it has none yet.
std::string usageIdentity(Database &database);

} // namespace skillhost
