// SPDX-License-Identifier: Apache-2.0
// Tests that a plugin's lines reach the log truncated and limited, and that the number of dropped
// ones is logged.
#include "base/log.hpp"
#include "catch2.hpp"
#include "plugin_log.hpp"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <vector>

using namespace skillhost;

namespace {

// Keeps the lines of the log as long as it exists.
class Heard {
public:
  Heard() {
    log::listen([this](LogLevel, std::string_view part, std::string_view text) {
      // The lock is held until the notification, because a waiter may destroy this object.
      const std::scoped_lock lock(mutex_);
      lines_.push_back("[" + std::string(part) + "] " + std::string(text));
      changed_.notify_all();
    });
  }
  ~Heard() { log::listen(nullptr); }
  Heard(const Heard &) = delete;
  Heard &operator=(const Heard &) = delete;

  std::vector<std::string> lines() const {
    const std::scoped_lock lock(mutex_);
    return lines_;
  }
  bool hears(const std::string &line) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, std::chrono::seconds(20), [&] {
      return std::find(lines_.begin(), lines_.end(), line) != lines_.end();
    });
  }

private:
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::string> lines_;
};

// The rates add nothing while a test runs.
constexpr PluginLog::Limits threeLines{1e-9, 3, 1e-9, 1e6};
constexpr PluginLog::Limits tenBytes{1e-9, 100, 1e-9, 10};

} // namespace

TEST_CASE("lines beyond the limit are dropped, and their number is said without another line") {
  Heard heard;
  PluginLog said("notes", {}, "notes", log::Audience::All, threeLines);
  for (int i = 0; i < 5; ++i) said.write(LogLevel::Info, std::to_string(i));
  CHECK(heard.lines() == std::vector<std::string>{"[notes] 0", "[notes] 1", "[notes] 2"});
  CHECK(heard.hears("[plugin] notes: 2 lines dropped: it says too much"));
}

TEST_CASE("bytes are limited beside lines, and the end says what was dropped") {
  Heard heard;
  {
    PluginLog said("notes", "it wrote: ", "its process", log::Audience::All, tenBytes);
    said.write(LogLevel::Info, "1234567");
    said.write(LogLevel::Info, "1234567");
    said.write(LogLevel::Info, "123");
  }
  CHECK(heard.lines() == std::vector<std::string>{"[notes] it wrote: 1234567",
                                                  "[notes] it wrote: 123",
                                                  "[plugin] its process: 1 line dropped: it says "
                                                  "too much"});
}

TEST_CASE("what is below the log's level costs nothing of the limit") {
  Heard heard;
  PluginLog said("notes", {}, "notes", log::Audience::All, threeLines);
  for (int i = 0; i < 100; ++i) said.write(LogLevel::Debug, "unheard");
  said.write(LogLevel::Info, "heard");
  CHECK(heard.lines() == std::vector<std::string>{"[notes] heard"});
}

TEST_CASE("a long line is cut between characters and marked") {
  Heard heard;
  PluginLog said("notes", {}, "notes", log::Audience::All);
  said.write(LogLevel::Info, std::string(maxPluginLineBytes, 'x'));
  said.write(LogLevel::Info, std::string(maxPluginLineBytes - 1, 'x') + "\xe2\x82\xac after");
  const std::vector<std::string> lines = heard.lines();
  REQUIRE(lines.size() == 2);
  CHECK(lines[0] == "[notes] " + std::string(maxPluginLineBytes, 'x'));
  CHECK(lines[1] == "[notes] " + std::string(maxPluginLineBytes - 1, 'x') + "... [truncated]");
}

TEST_CASE("what is for the log alone is told to nobody else") {
  Heard heard;
  PluginLog quiet("notes", {}, "notes", log::Audience::Log);
  PluginLog loud("notes", {}, "notes", log::Audience::All);
  quiet.write(LogLevel::Error, "secret");
  loud.write(LogLevel::Error, "heard");
  CHECK(heard.lines() == std::vector<std::string>{"[notes] heard"});
}
