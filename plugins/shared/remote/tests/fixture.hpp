// SPDX-License-Identifier: Apache-2.0
// A host that remembers what it was told, a call, and a remote that does as the test says.
#pragma once

#include "remote/followed.hpp"

#include <atomic>
#include <condition_variable>
#include <map>
#include <mutex>
#include <vector>

namespace skillhost::remote::test {

using Clock = std::chrono::steady_clock;

// What all of a test's threads report; any thread.
class Diary {
public:
  void write(const std::string &line);
  void count(const std::string &name, double by);
  // Throws std::runtime_error when it does not come within 100 s, which only a busy machine needs.
  void await(const std::string &line, std::size_t times = 1);
  std::size_t times(const std::string &line); // how often, as the beginning of a line
  std::vector<std::string> lines();
  double metric(const std::string &name);

private:
  std::size_t countOf(const std::string &line) const;

  std::mutex mutex_;
  std::condition_variable written_;
  std::vector<std::string> lines_;
  std::map<std::string, double> metrics_;
};

// Its log goes to the diary as "log: …", its gauges as "gauge: …".
class LentHost : public skh_host {
public:
  explicit LentHost(Diary &diary);
  skh::Host get() const { return skh::Host(this); }
  Diary &diary;
};

// Its progress goes to the diary as "progress: <bytes> <what>".
class LentCall : public skh_call {
public:
  explicit LentCall(Diary &diary, Clock::time_point deadline = Clock::time_point::max());
  skh::Call get() const { return skh::Call(this); }
  Diary &diary;
  bool isCancelled = false;
};

// Each call of the follower goes to the diary by its name: "load", "look", "measure", "publish"
// and "tidy".
class Remote final : public Followed {
public:
  using Answer = std::function<void(Operation &)>;

  explicit Remote(Diary &diary) : diary_(diary) {}
  bool hasKept = false;       // something is there from last time
  bool isCacheBroken = false; // load() throws
  bool isFinal = false;       // there is no need to ask
  bool isPartly = false;      // a look that fails brings something too
  bool isEager = false;       // a look publishes something before it asks

  // What the next looks do, each once; afterwards each finds something.
  void then(Answer answer);
  // An answer that comes when the test lets it, or never, when the follower is stopped.
  Answer held();
  void letGo();
  // When looks began and ended, however.
  std::vector<Clock::time_point> began(), ended();

  void load() override;
  void look(Operation &operation, const std::function<void()> &publishNow) override;
  void measure() override { diary_.write("measure"); }
  void publish() override;
  void tidy(const Checkpoint &checkpoint) override;
  bool isServing() const override { return isServing_; }
  std::string serving() const override { return "something"; }
  std::int64_t checked() const override { return checked_; }
  bool isSettled() const override { return isFinal; }

private:
  Diary &diary_;
  std::mutex mutex_;
  std::condition_variable letGo_;
  bool isLetGo_ = false;
  std::vector<Answer> answers_;
  std::vector<Clock::time_point> began_, ended_;
  bool isReady_ = false;
  std::atomic<bool> isServing_ = false;
  std::int64_t checked_ = 0;
};

} // namespace skillhost::remote::test
