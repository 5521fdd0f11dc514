// SPDX-License-Identifier: Apache-2.0
// Kills runners again and again under load. Every call must get one answer, another instance must
// not be disturbed, and nothing may be left over. It kills 50 times, or 1,000 times with
// SKILLHOST_LONG_TESTS=1.
#include "catch2.hpp"
#include "long_tests.hpp"
#include "processes.hpp"
#include "running.hpp"

#include "base/log.hpp"

#include <algorithm>
#include <atomic>
#include <thread>

using namespace skillhost;
using namespace running;

namespace {

// Repeats a request as soon as it is answered, on several executors at once, until it is stopped.
class Load {
public:
  explicit Load(Running &source) : source_(source), document_(list(source)->documents.at(0)) {
    for (int i = 0; i < 4; ++i)
      threads_.emplace_back([this] {
        while (!stop_) ask();
      });
  }
  ~Load() { stop(); }
  Load(const Load &) = delete;
  Load &operator=(const Load &) = delete;
  void stop() {
    stop_ = true;
    for (std::thread &thread : threads_)
      if (thread.joinable()) thread.join();
  }

  std::atomic<std::uint64_t> good{0}, unavailable{0}, wrong{0}, doubled{0};

private:
  void ask() {
    auto answers = std::make_shared<std::atomic<int>>(0);
    // Shared, because the thread that sets the promise may still use it after it is read.
    auto promise = std::make_shared<std::promise<Result<std::string>>>();
    source_.source->read({}, document_, 1000, [promise, answers](Result<std::string> got) {
      if (++*answers == 1) promise->set_value(std::move(got));
    });
    const Result<std::string> answer = promise->get_future().get();
    if (*answers != 1) ++doubled;
    if (answer)
      ++(*answer == "text" ? good : wrong);
    else
      ++(answer.failure().fault == Fault::Unavailable ? unavailable : wrong);
  }

  Running &source_;
  const Document document_;
  std::atomic<bool> stop_{false};
  std::vector<std::thread> threads_;
};

} // namespace

TEST_CASE("runners killed under load cost no answer, no neighbour and no resource") {
  const int kills = longTests() ? 1000 : 50;
  const Json config{{"documents", {document("a", "text")}}};
  log::start(LogLevel::Error, log::Format::Text); // each kill logs a warning
  {
    Running first = start(scripted, config); // creates everything that exists only once
    REQUIRE(list(first));
  }
  const std::size_t descriptorsBefore = openDescriptors(), threadsBefore = threads();
  {
    Running neighbour = start(scripted, config);
    const std::vector<pid_t> spared = runners();
    REQUIRE(spared.size() == 1);
    Running victim = start(scripted, config);
    Load quiet(neighbour), load(victim);
    for (int i = 0; i < kills; ++i) {
      const std::uint64_t seen = load.good;
      while (load.good < seen + 8) std::this_thread::yield(); // the runner is running and busy
      for (const pid_t one : runners())
        if (one != spared[0]) killAndWait(one);
    }
    load.stop();
    quiet.stop();
    CHECK(load.wrong == 0);
    CHECK(load.doubled == 0);
    CHECK(load.good > static_cast<std::uint64_t>(kills));
    CHECK(quiet.good > 0);
    CHECK(quiet.wrong + quiet.unavailable + quiet.doubled == 0);
    const std::vector<pid_t> after = runners();
    CHECK(std::find(after.begin(), after.end(), spared[0]) != after.end());
    CHECK(after.size() <= 2);
    UNSCOPED_INFO(kills << " kills, " << load.good << " answers, " << load.unavailable
                        << " unavailable");
  }
  CHECK(runners().empty());
  CHECK(openDescriptors() == descriptorsBefore);
  // The kernel removes a joined thread from its list a moment later.
  const auto patience = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  while (threads() > threadsBefore && std::chrono::steady_clock::now() < patience)
    std::this_thread::yield();
  CHECK(threads() == threadsBefore);
}
