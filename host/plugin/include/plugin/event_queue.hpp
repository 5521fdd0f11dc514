// SPDX-License-Identifier: Apache-2.0
// Queues events of the server for one observer plugin, and hands them over in batches. The queue is
// bounded, so that no thread that reports an event waits for the plugin.
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
  std::size_t events = 4096, bytes = 4U << 20U; // limits for the waiting events
  std::size_t batch = 256;                      // maximum number of events in a batch
  std::chrono::milliseconds deadline{10'000};   // for a batch
  std::chrono::milliseconds quick{250}; // a batch that takes longer halves the size of the next one
  std::chrono::milliseconds gathering{20}; // time from an event until it is handed over
  std::chrono::milliseconds pause{1'000};  // time from a failure until the next batch
};

// Functions may be called on any thread. Owned by a std::shared_ptr.
class EventQueue final : public Observer, public std::enable_shared_from_this<EventQueue> {
public:
  // The queue keeps events until attach() gives it a plugin.
  explicit EventQueue(std::string name, EventQueueLimits limits = {});

  const std::string &name() const noexcept { return name_; }
  // Starts to hand over the waiting events, and all that follow, to this plugin. A failure means
  // that there will be no plugin, and the queue drops its events. Call it once.
  void attach(Result<std::shared_ptr<ObserverPlugin>> plugin);
  // Hands over the waiting events, for at most `maxWait`, and stops the plugin. Later events are
  // dropped. Must not be called on an executor's own thread.
  void stop(std::chrono::milliseconds maxWait);

  void callEnded(const UseView &use) noexcept override { putUse(event::callEnded, use); }
  void refused(const UseView &use) noexcept override { putUse(event::refused, use); }
  void auditRecord(const AuditRecord &record) noexcept override;
  void catalogueChanged(std::shared_ptr<const Catalogue> now,
                        std::uint64_t generation) noexcept override;
  // Receives a line of the log; `members` are the members of a JSON object. The caller leaves out
  // the lines of observers and about them.
  void logRecord(LogLevel level, std::string_view part, std::string_view text,
                 std::string_view members) noexcept;
  // Reports a failure while events are being lost or the plugin does not accept them, and how many
  // of these events were lost. It is not state(), because what a plugin loses is no fault of the
  // audit's file.
  ObserverState condition(EventMask events) const;

private:
  using Batch = std::shared_ptr<const ObservedEvents>;
  using Clock = std::chrono::steady_clock;

  void putUse(EventMask kind, const UseView &use) noexcept;
  template <class Make> void put(EventMask kind, const Make &make) noexcept;
  void schedule(std::chrono::milliseconds span) noexcept;
  void drain() noexcept;
  void finished(const Batch &batch, Clock::time_point begun, const Status &taken) noexcept;
  void reportState() noexcept;
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
  mutable std::mutex mutex_; // protects all members below
  std::condition_variable changed_;
  std::deque<ObservedEvent> events_;
  std::size_t bytes_ = 0;     // size of the waiting events
  std::size_t maxEvents_ = 1; // maximum size of the next batch
  std::shared_ptr<ObserverPlugin> plugin_;
  bool isScheduled_ = false; // the timer will call drain(), or a batch is with the plugin
  std::size_t out_ = 0;      // number of events in the batch that is with the plugin
  bool isAttached_ = false, isEnding_ = false, isFailing_ = false, isToldFailing_ = false;
  std::string why_;                     // reason for the failure
  std::array<std::uint64_t, 8> lost_{}; // counts of lost events, by the bit of event::
};

} // namespace skillhost
