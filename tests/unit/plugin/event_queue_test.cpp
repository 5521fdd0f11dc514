// SPDX-License-Identifier: Apache-2.0
// Tests that events reach a plugin in order and in batches, and that lost events are counted and
// reported at their place.
#include "base/fault.hpp"
#include "catch2.hpp"
#include "plugin/event_queue.hpp"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

using namespace skillhost;

namespace {

constexpr std::chrono::seconds maxWait{20};

// Keeps batches until the test takes them, and answers as the test says.
class ScriptedObserver final : public ObserverPlugin {
public:
  explicit ScriptedObserver(EventMask wants) : wants_(wants) {}
  const std::string &name() const noexcept override { return name_; }
  EventMask wants() const noexcept override { return wants_; }
  void deliver(CallOptions /*options*/, std::shared_ptr<const ObservedEvents> events,
               ResultCallback<Done> answer) override {
    const std::scoped_lock lock(mutex_);
    waiting_.emplace_back(std::move(events), std::move(answer));
    changed_.notify_all();
  }
  void setTrouble(std::string text) override {
    const std::scoped_lock lock(mutex_);
    troubles_.push_back(std::move(text));
    changed_.notify_all();
  }
  void stop() override { isStopped = true; }

  // Waits until there is a batch, and does not answer it.
  void await() {
    std::unique_lock lock(mutex_);
    REQUIRE(changed_.wait_for(lock, maxWait, [this] { return !waiting_.empty(); }));
  }
  // Waits for the next batch, answers it, and returns it in words.
  std::string take(const Status &answer = Done{}) {
    std::unique_lock lock(mutex_);
    REQUIRE(changed_.wait_for(lock, maxWait, [this] { return !waiting_.empty(); }));
    auto [events, tell] = std::move(waiting_.front());
    waiting_.erase(waiting_.begin());
    lock.unlock();
    std::string words;
    for (const ObservedEvent &one : *events)
      words += (words.empty() ? "" : " ") +
               (one.kind == 0 ? "lost:" + std::to_string(one.lost(one.lostKinds()))
                : one.kind == event::catalogueChanged ? std::to_string(one.number)
                                                      : std::string(one.text(0)));
    tell(answer);
    return words;
  }
  // Takes batches until one ends with this event, and returns all of them.
  std::string takeUntil(const std::string &last) {
    std::string all;
    while (!all.ends_with(last)) all += (all.empty() ? "" : " ") + take();
    return all;
  }
  bool isTold(const std::string &trouble) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, maxWait,
                             [&] { return !troubles_.empty() && troubles_.back() == trouble; });
  }
  std::size_t troubles() {
    const std::scoped_lock lock(mutex_);
    return troubles_.size();
  }

  std::atomic<bool> isStopped{false};

private:
  const EventMask wants_;
  const std::string name_ = "journal";
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::pair<std::shared_ptr<const ObservedEvents>, ResultCallback<Done>>> waiting_;
  std::vector<std::string> troubles_;
};

UseView useOf(std::string_view skill) {
  UseView use;
  use.skill = skill;
  return use;
}

struct QueueAndPlugin {
  explicit QueueAndPlugin(EventMask wants = event::callEnded | event::catalogueChanged,
                          EventQueueLimits limits = quickly())
      : plugin(std::make_shared<ScriptedObserver>(wants)),
        queue(std::make_shared<EventQueue>("journal", limits)) {}
  static EventQueueLimits quickly() {
    EventQueueLimits limits;
    limits.gathering = limits.pause = std::chrono::milliseconds(1);
    return limits;
  }
  void attach() { queue->attach(std::shared_ptr<ObserverPlugin>(plugin)); }
  std::uint64_t lost() const { return queue->condition(~EventMask{0}).lost; }

  std::shared_ptr<ScriptedObserver> plugin;
  std::shared_ptr<EventQueue> queue;
};

EventQueueLimits atMost(std::size_t events) {
  EventQueueLimits limits = QueueAndPlugin::quickly();
  limits.events = events;
  return limits;
}

} // namespace

TEST_CASE("what happened before there is a plugin is told in order, if it wants it") {
  QueueAndPlugin made;
  made.queue->callEnded(useOf("a"));
  made.queue->auditRecord({"refused", R"("event":"refused")"});
  made.queue->refused(useOf("b"));
  made.queue->catalogueChanged(nullptr, 7);
  made.attach();
  made.queue->auditRecord({"refused", R"("event":"refused")"});
  made.queue->callEnded(useOf("c"));
  CHECK(made.plugin->takeUntil("c") == "a 7 c");
  CHECK(made.lost() == 0);
  CHECK(made.queue->wants() == (event::callEnded | event::catalogueChanged));
}

TEST_CASE("batches grow while they are quick") {
  QueueAndPlugin made(event::callEnded);
  for (int i = 0; i < 7; ++i) made.queue->callEnded(useOf(std::to_string(i)));
  made.attach();
  CHECK(made.plugin->take() == "0");
  CHECK(made.plugin->take() == "1 2");
  CHECK(made.plugin->take() == "3 4 5 6");
}

TEST_CASE("a batch that takes long makes the next one smaller") {
  EventQueueLimits limits = QueueAndPlugin::quickly();
  limits.quick = std::chrono::milliseconds(-1); // every batch takes longer than this
  QueueAndPlugin made(event::callEnded, limits);
  for (int i = 0; i < 3; ++i) made.queue->callEnded(useOf(std::to_string(i)));
  made.attach();
  CHECK(made.plugin->take() == "0");
  CHECK(made.plugin->take() == "1");
  CHECK(made.plugin->take() == "2");
}

TEST_CASE("events beyond the queue are counted, and told where they are missing") {
  QueueAndPlugin made(event::callEnded, atMost(3));
  made.attach();
  made.queue->callEnded(useOf("held"));
  made.plugin->await();
  for (int i = 0; i < 8; ++i) made.queue->callEnded(useOf(std::to_string(i)));
  CHECK(made.plugin->isTold(
      "the plugin cannot take events now: they come faster than the plugin takes them"));
  CHECK(made.queue->condition(event::callEnded).failing);
  CHECK(made.lost() == 5);
  CHECK(made.plugin->takeUntil("lost:5") == "held 0 1 2 lost:5");
  CHECK(made.plugin->isTold(""));
  CHECK_FALSE(made.queue->condition(event::callEnded).failing);
  CHECK(made.plugin->troubles() == 2);
  made.queue->callEnded(useOf("last"));
  CHECK(made.plugin->take() == "last");
}

TEST_CASE("losses are counted by the kind of event") {
  QueueAndPlugin made(event::callEnded | event::auditRecord, atMost(1));
  made.queue->callEnded(useOf("a"));
  made.queue->callEnded(useOf("b"));
  made.queue->auditRecord({"refused", {}});
  made.queue->refused(useOf("c"));
  made.attach();
  CHECK(made.queue->condition(event::callEnded).lost == 1);
  CHECK(made.queue->condition(event::auditRecord).lost == 1);
  CHECK(made.queue->condition(event::refused).lost == 0); // the plugin does not want these events
  CHECK(made.plugin->takeUntil("lost:2") == "a lost:2");
}

TEST_CASE("a batch that was not taken is lost, unless the plugin says that it comes back") {
  QueueAndPlugin made(event::callEnded);
  made.attach();
  made.queue->callEnded(useOf("a"));
  CHECK(made.plugin->take({Fault::Unavailable, "journal: observe: away"}) == "a");
  CHECK(made.plugin->isTold("the plugin cannot take events now: observe: away"));
  CHECK(made.plugin->take({Fault::Unavailable, "journal: observe: away"}) == "a");
  CHECK(made.plugin->take() == "a");
  CHECK(made.plugin->isTold(""));
  CHECK(made.lost() == 0);
  made.queue->callEnded(useOf("b"));
  CHECK(made.plugin->take({Fault::OperationFailed, "journal: observe: disk full"}) == "b");
  CHECK(made.plugin->isTold("the plugin cannot take events now: observe: disk full"));
  CHECK(made.lost() == 1);
  made.queue->callEnded(useOf("c"));
  CHECK(made.plugin->takeUntil("c") == "lost:1 c");
  CHECK(made.plugin->isTold(""));
  // If a loss is not taken either, it is reported again, but counted only once.
  made.queue->callEnded(useOf("d"));
  made.plugin->take({Fault::OperationFailed, "no"});
  CHECK(made.plugin->take({Fault::OperationFailed, "no"}) == "lost:1");
  CHECK(made.plugin->take() == "lost:1");
  CHECK(made.lost() == 2);
}

TEST_CASE("a plugin that could not be made is told nothing, and is said to fail") {
  QueueAndPlugin made;
  made.queue->callEnded(useOf("a"));
  made.queue->attach({Fault::NotFound, "there is none"});
  CHECK(made.queue->wants() == 0);
  CHECK(made.queue->condition(event::callEnded).failing);
  CHECK(made.lost() == 0);
  made.queue->stop(maxWait);
}

TEST_CASE("the end hands over what waits, and takes no longer than it may") {
  QueueAndPlugin made(event::callEnded);
  made.attach();
  made.queue->callEnded(useOf("a"));
  std::thread taking([&] { CHECK(made.plugin->take() == "a"); });
  made.queue->stop(maxWait);
  taking.join();
  CHECK(made.plugin->isStopped);
  CHECK(made.lost() == 0);
  made.queue->callEnded(useOf("b")); // the plugin receives no more events
  CHECK(made.lost() == 0);
}

TEST_CASE("the end of a plugin that does not come back is not waited for") {
  QueueAndPlugin made(event::callEnded);
  made.attach();
  made.queue->callEnded(useOf("a"));
  made.queue->callEnded(useOf("b"));
  made.queue->stop(std::chrono::milliseconds(1));
  CHECK(made.plugin->isStopped);
  CHECK(made.lost() >= 1);
}

TEST_CASE("texts are cut, and JSON that is too long is left out") {
  const std::string text(10'000, 'x'), members = "\"a\":\"" + std::string(70'000, 'x') + '"';
  const auto queue = std::make_shared<EventQueue>("journal", QueueAndPlugin::quickly());
  class Keeping final : public ObserverPlugin {
  public:
    const std::string &name() const noexcept override { return name_; }
    EventMask wants() const noexcept override { return event::callEnded | event::auditRecord; }
    void deliver(CallOptions /*options*/, std::shared_ptr<const ObservedEvents> events,
                 ResultCallback<Done> answer) override {
      const std::scoped_lock lock(mutex);
      for (const ObservedEvent &one : *events) kept.push_back(one);
      answer(Done{});
      changed.notify_all();
    }
    void setTrouble(std::string /*text*/) override {}
    void stop() override {}
    std::mutex mutex;
    std::condition_variable changed;
    ObservedEvents kept;

  private:
    const std::string name_ = "journal";
  };
  const auto plugin = std::make_shared<Keeping>();
  queue->attach(std::shared_ptr<ObserverPlugin>(plugin));
  queue->callEnded(useOf(text));
  queue->auditRecord({"managed", members});
  queue->auditRecord({"managed", R"("event":"managed")"});
  std::unique_lock lock(plugin->mutex);
  REQUIRE(plugin->changed.wait_for(lock, maxWait, [&] { return plugin->kept.size() == 3; }));
  CHECK(plugin->kept[0].text(0).size() == 8192);
  CHECK(plugin->kept[0].text(7) == "ok");
  CHECK(plugin->kept[0].time > 1'700'000'000'000);
  CHECK(plugin->kept[1].text(0) == "managed");
  CHECK(plugin->kept[1].text(1).empty());
  CHECK(plugin->kept[2].text(1) == R"({"event":"managed"})");
}
