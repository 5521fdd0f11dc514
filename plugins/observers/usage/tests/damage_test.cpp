// SPDX-License-Identifier: Apache-2.0
// Tests files that cannot be used: figures are lost then, and that is logged.
#include "database/sqlite.hpp"
#include "recorded.hpp"
#include "usage_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>

using namespace skillhost;

namespace {

void writeText(const std::string &path, const std::string &text) {
  std::filesystem::create_directories(std::filesystem::path(path).parent_path());
  std::ofstream(path, std::ios::binary) << text;
}

double lostIn(metrics::Registry &registry) {
  return registry.counter({"skillhost_usage_lost_total", {}}).value();
}

// Returns true if anybody holds a lock on the file. Closing the file releases all locks of this
// process, so call it last.
bool isLocked(const std::string &path) {
  const int file = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
  REQUIRE(file >= 0);
  struct flock lock{};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  // A lock of an open file description conflicts with those of its own process, too.
  REQUIRE(::fcntl(file, F_OFD_GETLK, &lock) == 0);
  ::close(file);
  return lock.l_type != F_UNLCK;
}

} // namespace

TEST_CASE("who opens the file takes no lock from who has it open already") {
  const UsageFolder folder;
  {
    UsageRecorder recorder(folder.settings(), quickly());
    recorder.record(loadOf("pdf"));
  }
  Database reader(folder.path, Database::Mode::Read);
  CHECK(reader.number("SELECT count(*) FROM events") == 1);
  const Database writer(folder.path, Database::Mode::Write); // it has read nothing yet
  CHECK(isLocked(folder.path));
}

TEST_CASE("a file that is no database is somebody else's, and left as it is") {
  const UsageFolder folder;
  writeText(folder.path, "listen: 127.0.0.1:8080\n" + std::string(8'192, '#'));
  metrics::Registry registry;
  {
    UsageRecorder recorder(folder.settings(), quickly(), registry);
    recorder.record(loadOf("pdf"));
    CHECK(recorder.flush(usagePatience));
  }
  CHECK(lostIn(registry) == 1);
  CHECK_FALSE(std::filesystem::exists(folder.path + ".damaged"));
  std::ifstream file(folder.path);
  std::string line;
  std::getline(file, line);
  CHECK(line == "listen: 127.0.0.1:8080");
}

TEST_CASE("which file was found damaged is known, though another has taken its place") {
  const UsageFolder folder;
  {
    UsageRecorder recorder(folder.settings(), quickly());
    recorder.record(loadOf("pdf"));
  }
  UsageFile file(folder.path, UsageSettings{}.maxBytes);
  CHECK(file.isInPlace()); // before anybody has read from it
  std::filesystem::rename(folder.path, folder.path + ".damaged");
  writeText(folder.path, "");
  CHECK_FALSE(file.isInPlace());
}

TEST_CASE("a file whose pages are damaged is set aside once that shows") {
  const UsageFolder folder;
  {
    UsageRecorder recorder(folder.settings(), quickly());
    for (int i = 0; i < 5'000; ++i) recorder.record(loadOf("skill-" + std::to_string(i)));
  }
  const auto size = static_cast<std::streamoff>(std::filesystem::file_size(folder.path));
  {
    std::fstream file(folder.path, std::ios::in | std::ios::out | std::ios::binary);
    // This overwrites everything but the first page, which identifies the file.
    file.seekp(4'096);
    const std::string rubbish(static_cast<std::size_t>(size - 4'096), '\x5a');
    file << rubbish;
  }
  {
    UsageRecorder recorder(folder.settings(), quickly());
    recorder.record(loadOf("pdf"));
    CHECK(recorder.flush(usagePatience));
  }
  CHECK(std::filesystem::exists(folder.path + ".damaged"));
  const std::vector<UsageRow> rows = rowsOf(folder.path);
  REQUIRE(rows.size() == 1);
  CHECK(rows[0].key == "pdf");
}

TEST_CASE("a file of a newer version, and another program's database, is left as it is") {
  const UsageFolder folder;
  {
    UsageRecorder recorder(folder.settings(), quickly());
    recorder.record(loadOf("pdf"));
  }
  {
    Database database(folder.path, Database::Mode::Write);
    SECTION("newer") { database.run("PRAGMA user_version=3"); }
    SECTION("another program's") { database.run("PRAGMA application_id=7"); }
  }
  metrics::Registry registry;
  {
    UsageRecorder recorder(folder.settings(), quickly(), registry);
    recorder.record(loadOf("chart"));
    CHECK(recorder.flush(usagePatience));
    CHECK(lostIn(registry) == 1);
  }
  CHECK_FALSE(std::filesystem::exists(folder.path + ".damaged"));
  Database database(folder.path, Database::Mode::Read);
  CHECK(database.number("SELECT count(*) FROM events") == 1);
  CHECK(usageRows(folder.path, {}).failure().fault == Fault::OperationFailed);
}

TEST_CASE("what a locked file does not take is written when it is free") {
  const UsageFolder folder;
  {
    UsageRecorder recorder(folder.settings(), quickly());
    recorder.record(loadOf("pdf"));
  }
  metrics::Registry registry;
  UsageRecorder recorder(folder.settings(), quickly(), registry);
  {
    Database other(folder.path, Database::Mode::Write);
    other.run("BEGIN EXCLUSIVE");
    recorder.record(loadOf("pdf"));
    CHECK_FALSE(recorder.flush(std::chrono::milliseconds(1'500))); // it has waited a second once
    other.run("ROLLBACK");
  }
  CHECK(recorder.flush(usagePatience));
  CHECK(lostIn(registry) == 0);
  CHECK(rowsOf(folder.path).at(0).loads == 2);
}

TEST_CASE("a file that was removed or moved away is made anew") {
  const UsageFolder folder;
  UsageRecorder recorder(folder.settings(), quickly());
  recorder.record(loadOf("pdf"));
  REQUIRE(recorder.flush(usagePatience));
  std::filesystem::rename(folder.path, folder.path + ".before");
  for (const char *beside : {"-wal", "-shm"}) std::filesystem::remove(folder.path + beside);
  recorder.record(loadOf("chart"));
  REQUIRE(recorder.flush(usagePatience));
  const std::vector<UsageRow> rows = rowsOf(folder.path);
  REQUIRE(rows.size() == 1);
  CHECK(rows[0].key == "chart");
}

TEST_CASE("where no file can be made events are lost and counted") {
  const UsageFolder folder;
  writeText(folder.folder.path() + "/cache", "a file in the place of the folder");
  metrics::Registry registry;
  {
    UsageRecorder recorder(folder.settings(), quickly(), registry);
    recorder.record(loadOf("pdf"));
    CHECK(recorder.flush(usagePatience));
  }
  CHECK(lostIn(registry) == 1);
}

TEST_CASE("who reads what is no regular file is told so, and waits for nobody") {
  const UsageFolder folder;
  std::filesystem::create_directories(std::filesystem::path(folder.path).parent_path());
  REQUIRE(::mkfifo(folder.path.c_str(), 0600) == 0);
  const Result<std::vector<UsageRow>> rows = usageRows(folder.path, UsageQuestion{});
  REQUIRE_FALSE(rows);
  CHECK(rows.failure().message.find("is not a regular file") != std::string::npos);
}
