// SPDX-License-Identifier: Apache-2.0
// An engine of shared state in memory, for tests of its users: several replicas use the same one,
// each by a StateBackend of its own.
#pragma once

#include "awaited.hpp"
#include "plugin/state.hpp"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace skillhost {

class StateEngine {
public:
  using Clock = std::chrono::steady_clock;
  using Span = StateBackend::Span;

  std::mutex mutex;
  struct Value {
    std::string bytes;
    Clock::time_point until = Clock::time_point::max();
  };
  std::map<std::string, Value> values; // guarded by the lock, like the following members
  std::map<std::string, std::pair<std::int64_t, Clock::time_point>> counters;
  bool away = false;      // every call fails
  bool full = false;      // writes of a value fail
  bool forgetful = false; // compare-and-set succeeds, and its answer is lost
  bool silent = false;    // reads of a value stay unanswered as long as it is set
  bool failing = false;   // reads of a value fail, although the engine is there
  // Takes the answers to reads of a value, which the test gives later; null: each is given at once.
  Awaited<std::function<void()>> *late = nullptr;
  std::vector<std::function<void()>> unanswered;
  std::size_t operations = 0; // all calls except receive()
  std::size_t writes = 0;     // writes of values
  std::size_t refused = 0;    // calls refused because it is away, except check()
  Clock::duration turned{};   // time by which a test has turned the clock forward

  Clock::time_point now() const { return Clock::now() + turned; }
  Clock::time_point after(Span span) const {
    return span.count() == 0 ? Clock::time_point::max() : now() + span;
  }
  Value *find(const std::string &key) {
    const auto found = values.find(key);
    if (found == values.end()) return nullptr;
    if (now() < found->second.until) return &found->second;
    values.erase(found);
    return nullptr;
  }

  struct Inbox {
    std::condition_variable come;
    std::set<std::string> channels;
    std::deque<StateMessage> messages;
  };
  std::set<Inbox *> inboxes;

  void setAway(bool isAway) {
    const std::scoped_lock lock(mutex);
    away = isAway;
    if (isAway) return;
    for (Inbox *inbox : inboxes) {
      inbox->messages.push_back({{}, {}, true});
      inbox->come.notify_all();
    }
  }
  // When silence ends, answers the waiting reads with a failure: the engine is away.
  void setSilent(bool isSilent) {
    std::vector<std::function<void()>> late;
    {
      const std::scoped_lock lock(mutex);
      silent = isSilent;
      late.swap(unanswered);
    }
    for (const auto &one : late) one();
  }
};

// Answers on the caller's thread, unless it is silent; receive() answers on a thread of its own.
class StateInMemory final : public StateBackend {
public:
  explicit StateInMemory(std::shared_ptr<StateEngine> engine) : engine_(std::move(engine)) {
    const std::scoped_lock lock(engine_->mutex);
    engine_->inboxes.insert(&inbox_);
  }
  ~StateInMemory() override { StateInMemory::stop(); }

  const std::string &name() const noexcept override { return name_; }
  void setRemark(std::string) override {}
  void stop() override {
    {
      const std::scoped_lock lock(engine_->mutex);
      stopped_ = true;
      engine_->inboxes.erase(&inbox_);
      inbox_.come.notify_all();
    }
    if (receiver_.joinable()) receiver_.join();
  }

  void check(CallOptions, ResultCallback<Done> answer) override {
    Result<Done> result = [&]() -> Result<Done> {
      const std::scoped_lock lock(engine_->mutex);
      if (stopped_ || engine_->away) return {Fault::Unavailable, "the engine is away"};
      return Done{};
    }();
    answer(std::move(result));
  }
  void get(CallOptions, std::string key, Span expiry,
           ResultCallback<std::optional<std::string>> answer) override {
    if (const std::scoped_lock lock(engine_->mutex); engine_->silent) {
      engine_->unanswered.push_back(
          [answer] { answer({Fault::Unavailable, "the engine is away"}); });
      return;
    }
    if (const std::scoped_lock lock(engine_->mutex); engine_->late != nullptr) {
      const StateEngine::Value *const found = engine_->find(key);
      engine_->late->push([answer, value = found != nullptr ? std::optional(found->bytes)
                                                            : std::nullopt] { answer(value); });
      return;
    }
    with<std::optional<std::string>>(answer, [&]() -> Result<std::optional<std::string>> {
      if (engine_->failing) return {Fault::OperationFailed, "the engine cannot read"};
      StateEngine::Value *const found = engine_->find(key);
      if (found == nullptr) return std::optional<std::string>();
      if (expiry.count() != 0) found->until = engine_->after(expiry);
      return std::optional(found->bytes);
    });
  }
  void put(CallOptions, std::string key, std::string value, Span expiry,
           ResultCallback<Done> answer) override {
    with<Done>(answer, [&]() -> Result<Done> {
      if (engine_->full) return {Fault::OperationFailed, "the engine is full"};
      engine_->values[key] = {value, engine_->after(expiry)};
      ++engine_->writes;
      return Done{};
    });
  }
  void compareAndSet(CallOptions, std::string key, std::optional<std::string> expected,
                     std::string value, Span expiry, ResultCallback<bool> answer) override {
    with<bool>(answer, [&]() -> Result<bool> {
      if (engine_->full) return {Fault::OperationFailed, "the engine is full"};
      const StateEngine::Value *const found = engine_->find(key);
      if ((found != nullptr) != expected.has_value()) return false;
      if (found != nullptr && found->bytes != *expected) return false;
      engine_->values[key] = {value, engine_->after(expiry)};
      ++engine_->writes;
      if (engine_->forgetful) return {Fault::ToolTimeout, "the engine did not answer in time"};
      return true;
    });
  }
  void erase(CallOptions, std::string key, std::optional<std::string> expected,
             ResultCallback<StateErased> answer) override {
    with<StateErased>(answer, [&] {
      const StateEngine::Value *const found = engine_->find(key);
      if (found == nullptr) return StateErased::Absent;
      if (expected && found->bytes != *expected) return StateErased::Other;
      engine_->values.erase(key);
      return StateErased::Yes;
    });
  }
  void add(CallOptions, std::string key, std::int64_t delta, Span expiry,
           ResultCallback<std::int64_t> answer) override {
    with<std::int64_t>(answer, [&] {
      auto &[sum, until] = engine_->counters[key];
      if (until <= engine_->now()) {
        sum = 0;
        until = engine_->after(expiry);
      }
      return sum += delta;
    });
  }
  void publish(CallOptions, std::string channel, std::string payload,
               ResultCallback<Done> answer) override {
    with<Done>(answer, [&] {
      for (StateEngine::Inbox *inbox : engine_->inboxes)
        if (inbox->channels.contains(channel)) {
          inbox->messages.push_back({channel, payload, false});
          inbox->come.notify_all();
        }
      return Done{};
    });
  }
  void subscribe(CallOptions, std::string channel, ResultCallback<Done> answer) override {
    with<Done>(answer, [&] {
      inbox_.channels.insert(channel);
      return Done{};
    });
  }
  void unsubscribe(CallOptions, std::string channel, ResultCallback<bool> answer) override {
    with<bool>(answer, [&] { return inbox_.channels.erase(channel) == 1; });
  }
  void receive(CallOptions options, ResultCallback<std::vector<StateMessage>> answer) override {
    const std::scoped_lock lock(engine_->mutex);
    if (stopped_) return;
    asked_.push_back({options.deadline, std::move(answer)});
    if (!receiver_.joinable()) receiver_ = std::thread([this] { serve(); });
    inbox_.come.notify_all();
  }

private:
  template <class T, class Body> void with(const ResultCallback<T> &answer, const Body &body) {
    Result<T> result = [&]() -> Result<T> {
      const std::scoped_lock lock(engine_->mutex);
      if (stopped_ || engine_->away) {
        ++engine_->refused;
        return {Fault::Unavailable, "the engine is away"};
      }
      ++engine_->operations;
      return Result<T>(body());
    }();
    answer(std::move(result));
  }

  struct Asked {
    Deadline deadline;
    ResultCallback<std::vector<StateMessage>> answer;
  };
  void serve() {
    std::unique_lock lock(engine_->mutex);
    while (!stopped_) {
      if (asked_.empty() || inbox_.messages.empty() || engine_->away) {
        inbox_.come.wait(lock);
        continue;
      }
      const Asked asked = std::move(asked_.front());
      asked_.pop_front();
      std::vector<StateMessage> come(inbox_.messages.begin(), inbox_.messages.end());
      inbox_.messages.clear();
      lock.unlock();
      asked.answer(std::move(come));
      lock.lock();
    }
  }

  const std::string name_ = "memory";
  const std::shared_ptr<StateEngine> engine_;
  StateEngine::Inbox inbox_; // guarded by the engine's lock, like the following members
  std::deque<Asked> asked_;
  bool stopped_ = false;
  std::thread receiver_;
};

} // namespace skillhost
