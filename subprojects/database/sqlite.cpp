// SPDX-License-Identifier: Apache-2.0
#include "database/sqlite.hpp"

#include <fcntl.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>
#include <utility>

namespace skillhost {
namespace {

DatabaseError::Kind kindOf(int code) {
  switch (code & 0xff) {
  case SQLITE_CORRUPT:
    return DatabaseError::Kind::Damaged;
  case SQLITE_NOTADB: // not a database: a configuration or a log, for instance
    return DatabaseError::Kind::Foreign;
  case SQLITE_BUSY:
  case SQLITE_LOCKED:
    return DatabaseError::Kind::Busy;
  case SQLITE_INTERRUPT:
    return DatabaseError::Kind::Stopped;
  case SQLITE_FULL:
    return DatabaseError::Kind::Full;
  default:
    return DatabaseError::Kind::Other;
  }
}

// SQLite reports a full disk, or a limit of the process, as a write error.
[[noreturn]] void fail(int code, sqlite3 *connection) {
  const int reason = connection == nullptr ? 0 : ::sqlite3_system_errno(connection);
  const bool noRoom =
      (code & 0xff) == SQLITE_IOERR && (reason == ENOSPC || reason == EFBIG || reason == EDQUOT);
  std::string why = connection == nullptr ? ::sqlite3_errstr(code) : ::sqlite3_errmsg(connection);
  if ((code & 0xff) == SQLITE_IOERR || (code & 0xff) == SQLITE_CANTOPEN)
    if (reason != 0) why += " (" + std::generic_category().message(reason) + ")";
  throw DatabaseError(noRoom ? DatabaseError::Kind::Full : kindOf(code), why);
}

// SQLite gives the files that it makes beside the database the mode of that file. An existing file
// is not opened, because closing it would release the locks of another connection in this process.
void makeFile(const std::string &path) {
  const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NONBLOCK, 0600);
  if (file < 0) {
    const int reason = errno;
    if (reason == EEXIST) return;
    throw DatabaseError(reason == ENOSPC ? DatabaseError::Kind::Full : DatabaseError::Kind::Other,
                        std::generic_category().message(reason));
  }
  ::close(file);
}

// A reader makes no file, and must not wait for a writer of a FIFO.
void requireFile(const std::string &path) {
  struct stat found{};
  if (::stat(path.c_str(), &found) == 0) {
    if (S_ISREG(found.st_mode)) return;
    throw DatabaseError(DatabaseError::Kind::Other, "is not a regular file");
  }
  const int reason = errno;
  if (reason == ENOENT || reason == ENOTDIR)
    throw DatabaseError(DatabaseError::Kind::Absent, "there is no such file");
  throw DatabaseError(DatabaseError::Kind::Other, std::generic_category().message(reason));
}

} // namespace

void Database::Close::operator()(sqlite3 *connection) const noexcept {
  ::sqlite3_close_v2(connection);
}

Database::Database(const std::string &path, Mode mode) {
  if (mode == Mode::Write) makeFile(path);
  if (mode == Mode::Read) requireFile(path);
  sqlite3 *opened = nullptr;
  const int flags = (mode == Mode::Read ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE) |
                    (mode == Mode::Memory ? SQLITE_OPEN_MEMORY : 0) | SQLITE_OPEN_NOMUTEX |
                    SQLITE_OPEN_PRIVATECACHE;
  const int code = ::sqlite3_open_v2(path.c_str(), &opened, flags, nullptr);
  connection_.reset(opened);
  if (code != SQLITE_OK) fail(code, opened);
  ::sqlite3_extended_result_codes(opened, 1);
  // The file may be anybody's, so nothing in it may be executed.
  ::sqlite3_db_config(opened, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  ::sqlite3_db_config(opened, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
}

void Database::waitFor(int milliseconds) noexcept {
  ::sqlite3_busy_timeout(connection_.get(), milliseconds);
}

void Database::stopWhen(std::function<bool()> isEnough) {
  constexpr int steps = 100'000; // steps of SQLite's machine, one or two milliseconds
  isEnough_ = std::make_unique<std::function<bool()>>(std::move(isEnough));
  ::sqlite3_progress_handler(
      connection_.get(), steps,
      [](void *asked) { return (*static_cast<std::function<bool()> *>(asked))() ? 1 : 0; },
      isEnough_.get());
}

void Database::run(const char *sql) {
  const int code = ::sqlite3_exec(connection_.get(), sql, nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) fail(code, connection_.get());
}

std::int64_t Database::number(const char *sql) {
  Statement statement(*this, sql);
  return statement.step() ? statement.number(0) : 0;
}

void Statement::End::operator()(sqlite3_stmt *statement) const noexcept {
  ::sqlite3_finalize(statement);
}

Statement::Statement(Database &database, const std::string &sql) {
  sqlite3_stmt *made = nullptr;
  const int code =
      ::sqlite3_prepare_v3(database.connection_.get(), sql.data(), static_cast<int>(sql.size()),
                           SQLITE_PREPARE_PERSISTENT, &made, nullptr);
  statement_.reset(made);
  if (code != SQLITE_OK) fail(code, database.connection_.get());
}

Statement &Statement::bind(int place, std::int64_t number) {
  const int code = ::sqlite3_bind_int64(statement_.get(), place, number);
  if (code != SQLITE_OK) fail(code, ::sqlite3_db_handle(statement_.get()));
  return *this;
}

Statement &Statement::bind(int place, std::string_view text) {
  // SQLite would store a null pointer as NULL.
  const char *const bytes = text.data() == nullptr ? "" : text.data();
  const int code = ::sqlite3_bind_text(statement_.get(), place, bytes,
                                       static_cast<int>(text.size()), SQLITE_STATIC);
  if (code != SQLITE_OK) fail(code, ::sqlite3_db_handle(statement_.get()));
  return *this;
}

Statement &Statement::bindNothing(int place) {
  const int code = ::sqlite3_bind_null(statement_.get(), place);
  if (code != SQLITE_OK) fail(code, ::sqlite3_db_handle(statement_.get()));
  return *this;
}

bool Statement::step() {
  const int code = ::sqlite3_step(statement_.get());
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  sqlite3 *const connection = ::sqlite3_db_handle(statement_.get());
  try {
    fail(code, connection);
  } catch (const DatabaseError &) {
    reset();
    throw;
  }
}

std::int64_t Statement::run() {
  while (step()) {}
  reset();
  return ::sqlite3_changes(::sqlite3_db_handle(statement_.get()));
}

void Statement::reset() noexcept { ::sqlite3_reset(statement_.get()); }

std::int64_t Statement::number(int column) const noexcept {
  return ::sqlite3_column_int64(statement_.get(), column);
}

std::string Statement::text(int column) const {
  const unsigned char *const bytes = ::sqlite3_column_text(statement_.get(), column);
  if (bytes == nullptr) return {};
  const auto length = static_cast<std::size_t>(::sqlite3_column_bytes(statement_.get(), column));
  return {reinterpret_cast<const char *>(bytes), length};
}

Transaction::Transaction(Database &database) : database_(database) {
  database_.run("BEGIN IMMEDIATE");
}

Transaction::~Transaction() {
  if (!open_) return;
  try {
    database_.run("ROLLBACK");
  } catch (const DatabaseError &) {
    // After some failures SQLite has already rolled back.
  }
}

void Transaction::commit() {
  database_.run("COMMIT");
  open_ = false;
}

std::string withDatabaseFolder(const std::string &path) {
  std::error_code error;
  std::filesystem::create_directories(std::filesystem::path(path).parent_path(), error);
  if (error)
    throw DatabaseError(error == std::errc::no_space_on_device ? DatabaseError::Kind::Full
                                                               : DatabaseError::Kind::Other,
                        "its folder cannot be made: " + error.message());
  return path;
}

bool setDatabaseAside(const std::string &path) {
  const std::string aside = path + ".damaged";
  if (std::rename(path.c_str(), aside.c_str()) != 0) return false;
  for (const char *beside : {"-wal", "-shm"}) {
    const std::string from = path + beside;
    if (std::rename(from.c_str(), (aside + beside).c_str()) != 0) ::unlink(from.c_str());
  }
  return true;
}

} // namespace skillhost
