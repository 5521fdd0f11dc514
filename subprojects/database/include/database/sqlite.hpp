// SPDX-License-Identifier: Apache-2.0
// Wraps SQLite: a connection, and statements that are prepared once. Used by one thread at a time.
// Every function throws DatabaseError.
#pragma once

#include "database/database_error.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

namespace skillhost {

class Database {
public:
  // Write: makes a missing file, with mode 0600. Read: changes only temporary tables, which are not
  // in the file. Memory: uses no file, whatever the path.
  enum class Mode : std::uint8_t { Write, Read, Memory };
  Database(const std::string &path, Mode mode);

  // Sets how long to wait for another process, in milliseconds.
  void waitFor(int milliseconds) noexcept;
  // Running statements call `isEnough` repeatedly, and fail with Stopped once it returns true.
  void stopWhen(std::function<bool()> isEnough);
  void run(const char *sql);
  std::int64_t number(const char *sql); // first column of the first row; 0: none

private:
  friend class Statement;
  struct Close {
    void operator()(sqlite3 *connection) const noexcept;
  };
  std::unique_ptr<std::function<bool()>> isEnough_; // must not move: the connection points to it
  std::unique_ptr<sqlite3, Close> connection_;
};

class Statement {
public:
  Statement(Database &database, const std::string &sql);

  // Places count from 1. The bytes of a text must stay valid until the next reset().
  Statement &bind(int place, std::int64_t number);
  Statement &bind(int place, std::string_view text);
  Statement &bindNothing(int place);
  bool step();           // true: there is a row
  std::int64_t run();    // steps to the end and resets; returns the number of changed rows
  void reset() noexcept; // prepares the next use
  std::int64_t number(int column) const noexcept; // columns count from 0
  std::string text(int column) const;

private:
  struct End {
    void operator()(sqlite3_stmt *statement) const noexcept;
  };
  std::unique_ptr<sqlite3_stmt, End> statement_;
};

// A write transaction from its construction on. The destructor undoes the writes unless commit()
// was called.
class Transaction {
public:
  explicit Transaction(Database &database);
  ~Transaction();
  Transaction(const Transaction &) = delete;
  Transaction &operator=(const Transaction &) = delete;
  void commit();

private:
  Database &database_;
  bool open_ = true;
};

// Returns the path, after making its folder if it is missing. Throws DatabaseError.
std::string withDatabaseFolder(const std::string &path);
// Renames the file to PATH.damaged, replacing an earlier one, together with the files that SQLite
// keeps beside it. Returns false if that fails.
bool setDatabaseAside(const std::string &path);

} // namespace skillhost
