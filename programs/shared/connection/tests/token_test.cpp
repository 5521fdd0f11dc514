// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"
#include "command_output.hpp"
#include "token_source.hpp"

#include <sys/eventfd.h>
#include <unistd.h>

#include <condition_variable>
#include <filesystem>
#include <fstream>
#include <mutex>

using namespace skillhost;

namespace {

// A file that the destructor removes.
struct File {
  std::string path =
      (std::filesystem::temp_directory_path() / ("token-" + std::to_string(::getpid()))).string();
  ~File() { std::filesystem::remove(path); }
  void write(const std::string &text) const { std::ofstream(path) << text; }
};

// Counts how often a command has ended, and waits for it.
class Ends {
public:
  void one() {
    const std::scoped_lock lock(mutex_);
    ++count_;
    changed_.notify_all();
  }
  bool reach(int count) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, std::chrono::seconds(20), [&] { return count_ >= count; });
  }

private:
  std::mutex mutex_;
  std::condition_variable changed_;
  int count_ = 0;
};

} // namespace

TEST_CASE("a file is read again when it changes") {
  const File file;
  TokenSource tokens({{}, file.path, {}}, [] {});
  CHECK_FALSE(*tokens.current());
  file.write("first\n");
  REQUIRE(*tokens.current());
  CHECK(**tokens.current() == "first");
  CHECK_FALSE(tokens.renew("first"));
  file.write("  second \r\n");
  CHECK(tokens.renew("first"));
  CHECK(**tokens.current() == "second");
  file.write("two words");
  const auto wrong = tokens.current();
  REQUIRE_FALSE(*wrong);
  CHECK(wrong->failure().message.find("two words") == std::string::npos);
}

TEST_CASE("a command is run once, and again when its token is refused") {
  const File file;
  Ends ends;
  TokenSource tokens({{}, {}, "echo x >>" + file.path + "; wc -l <" + file.path},
                     [&] { ends.one(); });
  CHECK_FALSE(tokens.current()); // the command still runs
  REQUIRE(ends.reach(1));
  CHECK(**tokens.current() == "1");
  CHECK(**tokens.current() == "1");
  CHECK(tokens.renew("1"));
  CHECK_FALSE(tokens.current());
  REQUIRE(ends.reach(2));
  CHECK(**tokens.current() == "2");
}

TEST_CASE("a command that fails says so without what it printed") {
  Ends ends;
  TokenSource tokens({{}, {}, "echo secret; exit 3"}, [&] { ends.one(); });
  CHECK_FALSE(tokens.current());
  REQUIRE(ends.reach(1));
  const auto failed = tokens.current();
  REQUIRE(failed);
  REQUIRE_FALSE(*failed);
  CHECK(failed->failure().message == "the token command ended with exit code 3");
}

TEST_CASE("a command that hangs is killed, by its time and by ours") {
  const int stop = ::eventfd(0, EFD_CLOEXEC);
  // The second command has closed its output, but runs on.
  const std::string hanging[]{"sleep 60", "echo token; exec >&-; sleep 60"};
  for (const std::string &command : hanging) {
    INFO(command);
    const auto late = commandOutput(command, std::chrono::milliseconds(50), stop);
    REQUIRE_FALSE(late);
    CHECK(late.failure().message.find("50 ms") != std::string::npos);
  }
  ::eventfd_write(stop, 1);
  for (const std::string &command : hanging) {
    INFO(command);
    const auto stopped = commandOutput(command, std::chrono::seconds(60), stop);
    REQUIRE_FALSE(stopped);
    CHECK(stopped.failure().message == "was stopped");
  }
  ::close(stop);
}
