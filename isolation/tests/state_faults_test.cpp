// SPDX-License-Identifier: Apache-2.0
// Tests state plugins that fail: an unreachable engine, invalid answers, threads that do not return
// and processes that end.
#include "processes.hpp"
#include "state_backend.hpp"
#include "temporary_folder.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

using namespace skillhost;
using namespace running;
using namespace std::chrono_literals;

namespace {

Json faulty(const char *function, const char *what) {
  return {{"faults", {{function, {{"do", what}}}}}};
}

// The script of a plugin, which may be changed while it runs.
class Script {
public:
  Script() { write(Json::object()); }
  Json config() const { return {{"file", path()}}; }
  void write(const Json &script) const {
    std::ofstream(path() + ".new") << script.dump();
    std::filesystem::rename(path() + ".new", path());
  }

private:
  std::string path() const { return folder_.path() + "/script.json"; }
  TemporaryFolder folder_;
};

// Blocks calls of the plugin until release() writes to the pipe.
class BlockingPipe {
public:
  BlockingPipe() {
    if (::mkfifo(path().c_str(), 0600) != 0) throw std::runtime_error("no named pipe");
    descriptor_ = ::open(path().c_str(), O_RDWR | O_CLOEXEC);
  }
  ~BlockingPipe() { ::close(descriptor_); }
  BlockingPipe(const BlockingPipe &) = delete;
  BlockingPipe &operator=(const BlockingPipe &) = delete;
  std::string path() const { return folder_.path() + "/pipe"; }
  void release() const { REQUIRE(::write(descriptor_, "x", 1) == 1); }

private:
  TemporaryFolder folder_;
  int descriptor_ = -1;
};

} // namespace

TEST_CASE("an engine that is away is asked again as soon as it is back, however often it was not") {
  Script script;
  State state(eitherIsolation(), script.config());
  REQUIRE(state.put("key", "value"));
  script.write(faulty("every", "UNAVAILABLE"));
  for (int i = 0; i < 20; ++i) {
    CHECK(faultOf(state.get("key")) == Fault::Unavailable);
    CHECK(faultOf(state.put("key", "other")) == Fault::Unavailable);
  }
  CHECK(state.description().state == PluginState::Degraded);
  CHECK(faultOf(state.subscribe("news")) == Fault::Unavailable); // the subscription is remembered
  CHECK(state.receive(10ms));
  script.write(Json::object());
  CHECK(*state.get("key") == "value");
  CHECK(state.description().state == PluginState::Loaded);
  REQUIRE(state.publish("news", "back"));
  const auto got = state.receive();
  REQUIRE(got);
  REQUIRE(got->size() == 1);
}

TEST_CASE("a status that the plugin returns becomes what went wrong, with its own words") {
  const Isolation isolation = eitherIsolation();
  const std::vector<std::pair<const char *, Fault>> all{{"UNAVAILABLE", Fault::Unavailable},
                                                        {"CORRUPT", Fault::Corrupt},
                                                        {"DENIED", Fault::Denied},
                                                        {"INVALID", Fault::InvalidInput},
                                                        {"UNSUPPORTED", Fault::NotImplemented},
                                                        {"FAILED", Fault::OperationFailed},
                                                        {"throw", Fault::OperationFailed}};
  for (const auto &[what, fault] : all) {
    INFO(what);
    State state(isolation, {{"faults",
                             {{"every", {{"do", what}, {"message", "why it is so"}}},
                              {"receive", {{"do", what}}}}}});
    const Status put = state.put("key", "value");
    CHECK(faultOf(put) == fault);
    CHECK(contains(put.failure().message, "why it is so"));
    CHECK(faultOf(state.check()) == fault);
    CHECK(faultOf(state.get("key")) == fault);
    CHECK(faultOf(state.compareAndSet("key", std::nullopt, "")) == fault);
    CHECK(faultOf(state.erase("key")) == fault);
    CHECK(faultOf(state.add("key", 1)) == fault);
    CHECK(faultOf(state.unsubscribe("channel")) == fault);
    CHECK(faultOf(state.receive()) == fault);
  }
}

TEST_CASE("answers that break the rules are no answers") {
  const Isolation isolation = eitherIsolation();
  CHECK(faultOf(State(isolation, faulty("get", "too_large")).get("key")) == Fault::TooLarge);
  for (const char *what : {"garbage", "overflow"}) {
    INFO(what);
    CHECK(faultOf(State(isolation, faulty("add", what)).add("key", 1)) == Fault::OperationFailed);
  }
  for (const char *what : {"garbage", "too_large", "flood"}) {
    INFO(what);
    CHECK(faultOf(State(isolation, faulty("receive", what)).receive()) == Fault::OperationFailed);
  }
}

TEST_CASE("that messages were lost comes with the next, or alone") {
  State state(eitherIsolation(), faulty("receive", "lost"));
  const auto got = state.receive();
  REQUIRE(got);
  REQUIRE(got->size() == 1);
  CHECK(got->front().lost);
  CHECK(got->front().channel.empty());

  State full(Isolation::Thread);
  REQUIRE(full.subscribe("news"));
  for (int i = 0; i < 4100; ++i) REQUIRE(full.publish("news", std::to_string(i)));
  const auto rest = full.receive();
  REQUIRE(rest);
  REQUIRE(rest->size() == 1024);
  CHECK(rest->front().lost);
  CHECK(rest->front().payload == "4");
  CHECK_FALSE(rest->at(1).lost);
}

TEST_CASE("a plugin that calls the end of its wait a deadline has waited") {
  State state(eitherIsolation(), faulty("receive", "late"));
  const auto none = state.receive(50ms);
  REQUIRE(none);
  CHECK(none->empty());
}

TEST_CASE("a wait that does not come back is given up, and nobody else waits until it has") {
  const BlockingPipe pipe;
  State state(Isolation::Thread,
              {{"faults", {{"receive", {{"do", "block"}, {"fifo", pipe.path()}}}}}});
  CHECK(faultOf(state.receive(10ms)) == Fault::ToolTimeout);
  CHECK(faultOf(state.receive(10ms)) == Fault::Unavailable);
  CHECK(state.put("key", "value"));
  pipe.release();
  pipe.release(); // for the call that receive() makes now
  const auto until = std::chrono::steady_clock::now() + State::patience;
  for (;;) {
    const auto again = state.receive(10ms);
    if (again) break;
    CHECK(again.failure().fault == Fault::Unavailable);
    REQUIRE(std::chrono::steady_clock::now() < until);
  }
}

TEST_CASE("a process that takes the place of another has every subscription") {
  State state(Isolation::Process);
  REQUIRE(state.subscribe("news"));
  REQUIRE(state.subscribe("weather"));
  CHECK(*state.unsubscribe("weather"));
  const auto got = state.receive(10ms);
  REQUIRE(got);
  CHECK(got->empty());
  const std::vector<pid_t> before = runners();
  REQUIRE(before.size() == 1);
  killAndWait(before.front());
  // State that the runner kept in its memory is lost, and messages may be lost as well.
  const auto until = std::chrono::steady_clock::now() + State::patience;
  for (;;) {
    const auto next = state.receive(1s);
    if (next && !next->empty()) {
      REQUIRE(next->size() == 1);
      CHECK(next->front().lost);
      break;
    }
    REQUIRE(std::chrono::steady_clock::now() < until);
  }
  REQUIRE(state.publish("weather", "rain"));
  REQUIRE(state.publish("news", "again"));
  const auto again = state.receive();
  REQUIRE(again);
  REQUIRE(again->size() == 1);
  CHECK(again->front().payload == "again");
  CHECK_FALSE(again->front().lost);
}

TEST_CASE("a call whose process ends is not made again when it changes something") {
  State state(Isolation::Process, faulty("put", "abort"));
  const Status put = state.put("key", "value");
  CHECK(faultOf(put) == Fault::Unavailable);
  CHECK(contains(put.failure().message, "ended before it had answered"));
  // A call that only reads is repeated.
  CHECK(*state.get("key") == std::nullopt);
}

TEST_CASE("a state plugin that may not be called twice at once is none") {
  skh_state operations{};
  operations.size = sizeof operations;
  skh_plugin plugin = {};
  plugin.size = sizeof plugin;
  plugin.kind = SKH_STATE_KIND;
  plugin.id = plugin.version = plugin.summary = plugin.licence = "x";
  plugin.ops = &operations;
  plugin.create = [](const skh_host *, const skh_call *, void **) noexcept -> skh_status {
    return SKH_OK;
  };
  plugin.destroy = [](void *) noexcept {};
  CHECK_FALSE(isComplete(plugin)); // it has no functions
  const Result<const skh_entry *> entry = openPlugin(fixtures + "/sharing.so");
  REQUIRE(entry);
  plugin.ops = (*entry)->plugins[0]->ops;
  CHECK(isComplete(plugin));
  plugin.flags = SKH_SERIAL;
  CHECK_FALSE(isComplete(plugin));
}
