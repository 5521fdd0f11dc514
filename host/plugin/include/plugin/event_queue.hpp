// SPDX-License-Identifier: Apache-2.0
// Queues events of the server for one plugin that observes it, and hands them over in batches. The
// queue is bounded, so that nobody who tells of an event waits for the plugin.
#pragma once

#include "plugin/observer.hpp"
#include "plugin/observer_plugin.hpp"

#include "base/fault.hpp"
#include "base/metrics.hpp"

#include <array>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

namespace skillhost {

struct EventQueueLimits {
  std::size_t events = 4096, bytes = 4U << 20U; // that may wait
  std::size_t batch = 256;                      // events that are handed over at once
  std::chrono::milliseconds deadline{10'000};   // of a batch
  std::chrono::milliseconds quick{250};         // in which a batch is to be done, else it is halved
  std::chrono::milliseconds gathering{20};      // from an event until it is handed over
  std::chrono::milliseconds pause{1'000};       // from a failure until the next batch
};

// Any thread. Owned by std::shared_ptr.
class EventQueue final : public Observer, public std::enable_shared_from_this<EventQueue> {
public:
  // It keeps events until it has a plugin.
  explicit EventQueue(std::string name, EventQueueLimits limits = {});

  const std::string &name() const noexcept { return name_; }
  // Tells this plugin of the events that wait, and of all that follow. A failure means that there
  // will be no plugin: then it keeps nothing. Called once.
  void attach(Result<std::shared_ptr<ObserverPlugin>> plugin);
  // Hands over the events that wait, for at most so long, and stops the plugin. Later events are
  // dropped. Not on an executor's own thread.
  void stop(std::chrono::milliseconds longest);

  void callEnded(const UseView &use) noexcept override { putUse(event::callEnded, use); }
  void refused(const UseView &use) noexcept override { putUse(event::refused, use); }
  void auditRecord(const AuditRecord &record) noexcept override;
  // Takes the number of the catalogue alone, as this library does not know catalogues.
  void newCatalogue(std::uint64_t generation) noexcept;
  // Takes a line of the log; `members` are those of a JSON object. It leaves out the lines of the
  // plugin itself, and those in which the host speaks of the plugin.
  void logRecord(LogLevel level, std::string_view part, std::string_view text,
                 std::string_view members) noexcept;
  // It fails as long as events are lost, or the plugin does not take them.
  ObserverState state(EventMask events) const override;

private:
  using Batch = std::shared_ptr<const ObservedEvents>;
  using Clock = std::chrono::steady_clock;

  void putUse(EventMask kind, const UseView &use) noexcept;
  template <class Make> void put(EventMask kind, const Make &make) noexcept;
  void schedule(std::chrono::milliseconds span) noexcept;
  void drain() noexcept;
  void finished(const Batch &batch, Clock::time_point begun, const Status &taken) noexcept;
  void tell() noexcept;
  // The caller of these holds the lock.
  void lose(EventMask kind);
  void loseAll(const ObservedEvents &events);
  void putBack(const ObservedEvents &events);
  void count(EventMask kind);
  void fail(std::string_view why);
  std::uint64_t lostOf(EventMask kinds) const noexcept;
  void leaveOutUnwanted();
  std::shared_ptr<ObservedEvents> take();

  const std::string name_;
  const EventQueueLimits limits_;
  metrics::Counter &delivered_, &lostInAll_;
  mutable std::mutex mutex_; // of all that follows
  std::condition_variable changed_;
  std::deque<ObservedEvent> events_;
  std::size_t bytes_ = 0; // of the events
  std::size_t most_ = 1;  // events of the next batch
  std::shared_ptr<ObserverPlugin> plugin_;
  bool isScheduled_ = false; // the timer will call drain(), or a batch is with the plugin
  std::size_t out_ = 0;      // events of the batch that is with the plugin
  bool isAttached_ = false, isEnding_ = false, isFailing_ = false, isToldFailing_ = false;
  std::string why_;                     // it is failing
  std::array<std::uint64_t, 8> lost_{}; // by the bit of event::
};

} // namespace skillhost
