// SPDX-License-Identifier: Apache-2.0
// A host that records the reports of a plugin, a call, and a remote that a test controls.
#pragma once

#include "remote/followed.hpp"

#include <atomic>
#include <condition_variable>
#include <map>
#include <mutex>
#include <vector>

namespace skillhost::remote::test {

using Clock = std::chrono::steady_clock;

// Collects the reports of all threads in a test. Any thread may use it.
class Diary {
public:
  void write(const std::string &line);
  void count(const std::string &name, double by);
  // Throws std::runtime_error if the line does not appear within 100 s, which only a busy machine
  // needs.
  void await(const std::string &line, std::size_t times = 1);
  std::size_t times(const std::string &line); // number of lines that begin with it
  std::vector<std::string> lines();
  double metric(const std::string &name);

private:
  std::size_t countOf(const std::string &line) const;

  std::mutex mutex_;
  std::condition_variable written_;
  std::vector<std::string> lines_;
  std::map<std::string, double> metrics_;
};

// Records its log as "log: …" and its gauges as "gauge: …".
class LentHost : public skh_host {
public:
  explicit LentHost(Diary &diary);
  skh::Host get() const { return skh::Host(this); }
  Diary &diary;
};

// Records its progress as "progress: <bytes> <what>".
class LentCall : public skh_call {
public:
  explicit LentCall(Diary &diary, Clock::time_point deadline = Clock::time_point::max());
  skh::Call get() const { return skh::Call(this); }
  Diary &diary;
  bool isCancelled = false;
};

// Records each call of the follower by name: "load", "look", "measure", "publish" and "tidy".
class Remote final : public Followed {
public:
  using Answer = std::function<void(Operation &)>;

  explicit Remote(Diary &diary) : diary_(diary) {}
  bool hasKept = false;       // content is left from the last run
  bool isCacheBroken = false; // load() throws
  bool isFinal = false;       // the remote need not be asked
  bool isPartly = false;      // a look that fails also finds something
  bool isEager = false;       // a look publishes something before it asks

  // Sets the result of the next looks, one call for each. Later looks find something new.
  void then(Answer answer);
  // Returns an answer that waits for letGo(), or for the follower to stop.
  Answer held();
  void letGo();
  // Times when looks began and ended, with or without success.
  std::vector<Clock::time_point> began(), ended();

  void load() override;
  void refresh(Operation &operation, const std::function<void()> &publishNow) override;
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
