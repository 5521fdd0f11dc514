// SPDX-License-Identifier: Apache-2.0
// Wraps SQLite: a connection, and statements that are prepared once. One thread at a time. All of
// it throws DatabaseError.
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
  // Write: makes the file where there is none, mode 0600. Read: changes nothing but temporary
  // tables, which are not in the file. Memory: there is no file, whatever the path.
  enum class Mode : std::uint8_t { Write, Read, Memory };
  Database(const std::string &path, Mode mode);

  // How long it waits for another process, in milliseconds.
  void waitFor(int milliseconds) noexcept;
  // What runs asks this again and again, and fails with Stopped once it is true.
  void stopWhen(std::function<bool()> isEnough);
  void run(const char *sql);
  std::int64_t number(const char *sql); // of the first column of the first row; 0: there is none

private:
  friend class Statement;
  struct Close {
    void operator()(sqlite3 *connection) const noexcept;
  };
  std::unique_ptr<std::function<bool()>> isEnough_; // at one place: the connection points to it
  std::unique_ptr<sqlite3, Close> connection_;
};

class Statement {
public:
  Statement(Database &database, const std::string &sql);

  // From 1. The bytes of a text stay where they are until the next reset().
  Statement &bind(int place, std::int64_t number);
  Statement &bind(int place, std::string_view text);
  Statement &bindNothing(int place);
  bool step();           // true: there is a row
  std::int64_t run();    // steps to the end, then resets; how many rows it has changed
  void reset() noexcept; // for the next use
  std::int64_t number(int column) const noexcept; // from 0
  std::string text(int column) const;

private:
  struct End {
    void operator()(sqlite3_stmt *statement) const noexcept;
  };
  std::unique_ptr<sqlite3_stmt, End> statement_;
};

// From its making on the connection writes; what was written is undone unless commit() is called.
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

// The path, whose folder is made where there is none. Throws DatabaseError.
std::string withDatabaseFolder(const std::string &path);
// Takes the file away from where it is, as PATH.damaged, in place of the one before; what SQLite
// keeps beside it goes with it. False when that cannot be done.
bool setDatabaseAside(const std::string &path);

} // namespace skillhost
