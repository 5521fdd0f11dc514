// SPDX-License-Identifier: Apache-2.0
// Tests calls of an instance whose plugin hangs on a named pipe, or checks for its cancellation.
#include "base/metrics.hpp"
#include "catch2.hpp"
#include "plugin/registry.hpp"
#include "plugin_calls/executor.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <future>
#include <thread>
#include <vector>

using namespace skillhost;
using namespace std::chrono_literals;

namespace {

// The named pipe that "block" reads; while a writer has it open, no call hangs on it.
struct Pipe {
  const std::string path =
      (std::filesystem::temp_directory_path() / ("skillhost-pipe-" + std::to_string(::getpid())))
          .string();
  Pipe() {
    ::unlink(path.c_str());
    REQUIRE(::mkfifo(path.c_str(), 0600) == 0);
  }
  ~Pipe() { ::unlink(path.c_str()); }
  // Releases all calls that hang on it; returns false when none hangs at this moment.
  bool release() const {
    const int writer = ::open(path.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC);
    return writer >= 0 && ::close(writer) == 0;
  }
};

struct Made {
  PluginRegistry plugins{{FIXTURE_FOLDER}};
  std::shared_ptr<Source> source;
  Made(const std::string &action, const std::string &pipe, std::uint32_t threads = 0) {
    InstanceConfiguration wanted{"stuck",
                                 "scripted",
                                 R"({"documents":[{"skill":"a","text":"x"}],"list":{"do":")" +
                                     action + R"(","fifo":")" + pipe + R"("}})",
                                 {}};
    wanted.run.threads = threads;
    auto made = plugins.makeSource(wanted);
    REQUIRE(made);
    source = *std::move(made);
  }
  std::future<Result<Snapshot>> list(std::chrono::milliseconds span, CancelToken cancel = {}) {
    auto answered = std::make_shared<std::promise<Result<Snapshot>>>();
    source->list({Deadline::after(span), cancel, nullptr},
                 [answered](Result<Snapshot> result) { answered->set_value(std::move(result)); });
    return answered->get_future();
  }
  PluginState state() {
    for (const PluginDescription &one : plugins.describe(false))
      if (one.instance == "stuck") return one.state;
    return PluginState::Found;
  }
};

// Returns how often the plugin has been asked to list, ever.
double listings() {
  for (const auto &one : metrics::all().snapshot())
    if (one.name.name == "skillhost_plugin_scripted_list" &&
        one.name.labels == metrics::Labels{{"instance", "stuck"}})
      return one.number;
  return 0;
}

// Releases the hanging calls, and ends the source when no thread is lost any more. A source that
// ends earlier abandons its instance, which a search for leaks reports.
void letGo(Made &made, const Pipe &pipe) {
  std::atomic<bool> over{false};
  std::thread releaser([&] {
    while (!over)
      if (!pipe.release()) std::this_thread::yield();
  });
  while (PluginExecutor::totalLostThreads() != 0) std::this_thread::yield();
  made.source.reset();
  over = true;
  releaser.join();
}

} // namespace

TEST_CASE("a hanging call is answered at its deadline, its late result is dropped") {
  const Pipe pipe;
  Made made("block", pipe.path);
  const auto begun = Deadline::Clock::now();
  const Result<Snapshot> result = made.list(30ms).get();
  CHECK(Deadline::Clock::now() - begun >= 30ms);
  REQUIRE_FALSE(result);
  CHECK(result.failure().fault == Fault::ToolTimeout);
  CHECK(result.failure().message.find("stuck: list") != std::string::npos);
  letGo(made, pipe);
}

TEST_CASE("after three that never came back the next are refused at once, until one does") {
  const Pipe pipe;
  Made made("block", pipe.path);
  // Some calls may return, when they were late before they were blocked; in all, three calls must
  // stay lost.
  while (made.state() != PluginState::Broken) CHECK_FALSE(made.list(5ms).get());
  // A call a second later is let through as a probe, and does not return either.
  Fault fault = Fault::ToolTimeout;
  while (fault == Fault::ToolTimeout) fault = made.list(5ms).get().failure().fault;
  CHECK(fault == Fault::Unavailable);
  CHECK(PluginExecutor::totalLostThreads() >= 3);
  letGo(made, pipe);
}

TEST_CASE("a call that looks whether it is cancelled ends in time, and costs no thread") {
  Made made("await_cancel", "");
  const CancelToken cancel;
  auto waiting = made.list(1h, cancel);
  cancel.cancel();
  CHECK(waiting.get().failure().fault == Fault::Cancelled);
  CHECK(made.list(5ms).get().failure().fault == Fault::ToolTimeout);
  CHECK(PluginExecutor::totalLostThreads() == 0);
  CHECK(made.state() != PluginState::Broken);
}

TEST_CASE("as many calls run at once as the configuration says") {
  const Pipe pipe;
  Made made("block", pipe.path, 7);
  const double before = listings();
  std::vector<std::future<Result<Snapshot>>> waiting;
  for (int i = 0; i < 8; ++i) waiting.push_back(made.list(1h));
  const Deadline patience = Deadline::after(60s);
  while (listings() < before + 7 && !patience.passed()) std::this_thread::yield();
  CHECK(listings() == before + 7); // the eighth waits for one of them
  for (auto &one : waiting)
    while (one.wait_for(0s) != std::future_status::ready)
      if (!pipe.release()) std::this_thread::yield();
  for (auto &one : waiting) CHECK(one.get());
}

TEST_CASE("what an instance tells of itself is its state, whatever it tells") {
  const auto described = [](const std::string &health) {
    PluginRegistry plugins({FIXTURE_FOLDER});
    const auto made = plugins.makeSource({"told", "scripted", "{\"health\":" + health + "}", {}});
    REQUIRE(made);
    plugins.waitUntilStarted(Deadline::after(1ms));
    for (PluginDescription &one : plugins.describe(false))
      if (one.instance == "told") return one;
    return PluginDescription{};
  };
  CHECK(described("[]").state == PluginState::Loaded);
  PluginDescription one = described(R"([{"state":2,"why":"no model"}])");
  CHECK(one.state == PluginState::Degraded);
  CHECK(one.reason == "no model");
  one = described(R"([{"state":2,"why":"no model"},{"state":1,"why":"it is read"}])");
  CHECK(one.state == PluginState::Loaded);
  CHECK(one.reason == "it is read");
  one = described(R"([{"state":2,"why":"no model"},{"state":0,"why":""}])");
  CHECK(one.state == PluginState::Loaded);
  CHECK(one.reason.empty());
  // An unknown state counts as bad, and bytes that are no text are replaced.
  one = described(R"([{"state":77,"why":{"hex":"61ff62"}}])");
  CHECK(one.state == PluginState::Degraded);
  CHECK(one.reason == "a\xef\xbf\xbd"
                      "b");
  CHECK(described(R"([{"state":-1,"why":""}])").reason == "the plugin gives no reason");
  one = described("[{\"state\":2,\"why\":\"" + std::string(999, 'x') + "\u00e9\"}]");
  CHECK(one.reason == std::string(999, 'x'));
}

TEST_CASE("who waits for an instance to have started does so until it has, or to the deadline") {
  PluginRegistry plugins({FIXTURE_FOLDER});
  const auto made =
      plugins.makeSource({"told", "scripted", R"({"health":[{"state":1,"why":"soon"}]})", {}});
  REQUIRE(made);
  const auto begun = Deadline::Clock::now();
  plugins.waitUntilStarted(Deadline::after(20ms));
  CHECK(Deadline::Clock::now() - begun >= 20ms);
}

TEST_CASE(
    "when the host stops, nobody waits for a create() that hangs, and none is begun for long") {
  const Pipe pipe;
  PluginRegistry plugins{{FIXTURE_FOLDER}};
  const auto make = [&](const std::string &name) {
    return plugins.makeSource(
        {name, "scripted", R"({"create":{"do":"block","fifo":")" + pipe.path + R"("}})", {}});
  };
  auto hanging = std::async(std::launch::async, make, "stuck");
  CHECK(hanging.wait_for(std::chrono::milliseconds(200)) == std::future_status::timeout);
  CHECK_FALSE(plugins.stopsMaking());
  plugins.stopMaking();
  REQUIRE(hanging.wait_for(std::chrono::seconds(10)) == std::future_status::ready);
  const auto made = hanging.get();
  REQUIRE_FALSE(made);
  CHECK(made.failure().fault == Fault::Cancelled);
  CHECK(made.failure().message == "stuck (test.scripted): create: the host stops");
  CHECK(plugins.stopsMaking());
  const auto late = make("late");
  REQUIRE_FALSE(late);
  CHECK(late.failure().fault == Fault::Cancelled);
  // The call hangs until the process exits, as it does in a server that stops.
}
