// SPDX-License-Identifier: Apache-2.0
#include "plugin/event_queue.hpp"

#include "base/log.hpp"
#include "ground/bind_weak.hpp"
#include "ground/counted.hpp"
#include "ground/time_reading.hpp"
#include "ground/utf8.hpp"
#include "plugin_calls/plugin_timer.hpp"

#include <algorithm>
#include <bit>
#include <exception>
#include <ranges>
#include <utility>

namespace skillhost {
namespace {

constexpr std::size_t maxEventTextBytes = 8192,
                      maxEventJsonBytes = 64U << 10U; // limits from observer.h
constexpr std::size_t maxBatchBytes = 1U << 20U;      // bytes

std::string_view cut(std::string_view text) noexcept { return cutUtf8(text, maxEventTextBytes); }

std::string objectOf(std::string_view members) {
  std::string object;
  if (members.empty() || members.size() + 2 > maxEventJsonBytes) return object;
  return object.append("{").append(members).append("}");
}

} // namespace

EventQueue::EventQueue(std::string name, EventQueueLimits limits)
    : Observer(event::callEnded | event::refused | event::catalogueChanged | event::auditRecord |
               event::logRecord),
      name_(std::move(name)), limits_(limits),
      delivered_(
          metrics::all().counter({"skillhost_observer_events_total", {{"instance", name_}}})),
      lostInAll_(metrics::all().counter({"skillhost_observer_lost_total", {{"instance", name_}}})) {
}

void EventQueue::attach(Result<std::shared_ptr<ObserverPlugin>> plugin) {
  {
    const std::scoped_lock lock(mutex_);
    narrow(plugin ? (*plugin)->wants() : 0);
    leaveOutUnwanted();
    isAttached_ = true;
    if (!plugin) {
      fail(plugin.failure().message);
      isToldFailing_ = true; // the caller that could not make the plugin has already logged it
      return;
    }
    plugin_ = *std::move(plugin);
    lostInAll_.add(static_cast<double>(lostOf(wants())));
    isScheduled_ = !events_.empty();
    if (!isScheduled_) return;
  }
  schedule(limits_.gathering);
}

void EventQueue::stop(std::chrono::milliseconds maxWait) {
  std::shared_ptr<ObserverPlugin> plugin;
  std::uint64_t left = 0;
  {
    std::unique_lock lock(mutex_);
    isEnding_ = true;
    narrow(0);
    changed_.wait_for(lock, maxWait, [this] { return !plugin_ || (events_.empty() && out_ == 0); });
    plugin = std::exchange(plugin_, nullptr);
    left = out_;
    for (const ObservedEvent &one : events_) {
      if (one.kind == 0) continue;
      count(one.kind);
      ++left;
    }
    events_.clear();
  }
  if (!plugin) return;
  // This is logged before stop(), because a plugin that hangs may end the process there.
  if (left != 0)
    log::warning("plugin", name_ + ": " + counted(left, "event") + " did not reach the plugin");
  plugin->stop();
}

template <class Make> void EventQueue::put(EventMask kind, const Make &make) noexcept try {
  if ((wants() & kind) == 0) return;
  ObservedEvent event = make();
  if (event.time == 0) event.time = millisecondsNow();
  bool schedules = false, tells = false;
  {
    const std::scoped_lock lock(mutex_);
    if ((wants() & kind) == 0) return;
    if (events_.size() >= limits_.events || bytes_ + event.bytes() > limits_.bytes) {
      lose(kind);
      tells = plugin_ && isFailing_ != isToldFailing_;
    } else {
      bytes_ += event.bytes();
      events_.push_back(std::move(event));
    }
    if (plugin_ && !isScheduled_) schedules = isScheduled_ = true;
  }
  if (schedules) schedule(limits_.gathering);
  // reportState() must not run on this thread, which may be writing a line of the log.
  if (tells)
    pluginTimer().after(std::chrono::milliseconds(0), bindWeak(this, &EventQueue::reportState));
} catch (const std::exception &) {
  // There is no memory for the event, so it counts as lost.
  const std::scoped_lock lock(mutex_);
  count(kind);
}

void EventQueue::putUse(EventMask kind, const UseView &use) noexcept {
  put(kind, [&] {
    ObservedEvent event(kind, {cut(use.skill), cut(use.source), cut(use.path), cut(use.digest),
                               cut(use.issuer), cut(use.person), cut(use.client), cut(use.outcome),
                               cut(use.text)});
    event.detail = static_cast<std::int32_t>(use.kind);
    event.time = use.time;
    event.number = use.microseconds;
    return event;
  });
}

// This library does not know catalogues. NOLINTNEXTLINE(performance-unnecessary-value-param)
void EventQueue::catalogueChanged(std::shared_ptr<const Catalogue> /*now*/,
                                  std::uint64_t generation) noexcept {
  put(event::catalogueChanged, [&] {
    ObservedEvent event(event::catalogueChanged, {});
    event.number = generation;
    return event;
  });
}

void EventQueue::auditRecord(const AuditRecord &record) noexcept {
  put(event::auditRecord, [&] {
    return ObservedEvent(event::auditRecord, {cut(record.event), objectOf(record.members)});
  });
}

void EventQueue::logRecord(LogLevel level, std::string_view part, std::string_view text,
                           std::string_view members) noexcept {
  put(event::logRecord, [&] {
    ObservedEvent event(event::logRecord, {cut(part), cut(text), objectOf(members)});
    event.detail = static_cast<std::int32_t>(level);
    return event;
  });
}

ObserverState EventQueue::condition(EventMask events) const {
  const std::scoped_lock lock(mutex_);
  return {isFailing_, lostOf(events)};
}

void EventQueue::schedule(std::chrono::milliseconds span) noexcept try {
  pluginTimer().after(span, bindWeak(this, &EventQueue::drain));
} catch (const std::exception &) {
  // There is no memory for the timer. The next event tries again.
  const std::scoped_lock lock(mutex_);
  isScheduled_ = false;
}

void EventQueue::drain() noexcept {
  Batch batch;
  try {
    std::shared_ptr<ObserverPlugin> plugin;
    {
      const std::scoped_lock lock(mutex_);
      isScheduled_ = false;
      if (!plugin_ || events_.empty()) return;
      batch = take();
      out_ = batch->size();
      isScheduled_ = true;
      plugin = plugin_;
    }
    CallOptions options;
    options.deadline = Deadline::after(limits_.deadline);
    plugin->deliver(std::move(options), batch,
                    [self = shared_from_this(), batch, begun = Clock::now()](
                        const Status &accepted) { self->finished(batch, begun, accepted); });
  } catch (const std::exception &why) {
    if (batch) finished(batch, Clock::now(), {Fault::Internal, why.what()});
  }
}

void EventQueue::finished(const Batch &batch, Clock::time_point begun,
                          const Status &accepted) noexcept try {
  bool goesOn = false;
  {
    const std::scoped_lock lock(mutex_);
    isScheduled_ = false;
    out_ = 0;
    if (accepted) {
      const bool isQuick = Clock::now() - begun <= limits_.quick;
      maxEvents_ = isQuick ? std::min(maxEvents_ * 2, limits_.batch)
                           : std::max<std::size_t>(maxEvents_ / 2, 1);
      delivered_.add(static_cast<double>(std::count_if(
          batch->begin(), batch->end(), [](const auto &one) { return one.kind != 0; })));
      // A plugin that is too slow for the events does not count as recovered after each batch.
      if (events_.size() <= limits_.events / 2) isFailing_ = false;
    } else {
      if (accepted.failure().fault == Fault::Unavailable && !isEnding_)
        putBack(*batch);
      else
        loseAll(*batch);
      // stop() cancels the batches that it does not wait for, and logs them itself.
      if (accepted.failure().fault != Fault::Cancelled) fail(accepted.failure().message);
    }
    isScheduled_ = goesOn = plugin_ && !events_.empty();
    changed_.notify_all();
  }
  reportState();
  if (goesOn) schedule(accepted ? std::chrono::milliseconds(0) : limits_.pause);
} catch (const std::exception &) {
  // There is no memory. The next event tries again.
}

// Logs whether the queue fails, once for each change, and sets the reason for the operator.
void EventQueue::reportState() noexcept try {
  std::string trouble, lost;
  std::shared_ptr<ObserverPlugin> plugin;
  {
    const std::scoped_lock lock(mutex_);
    if (std::exchange(isToldFailing_, isFailing_) == isFailing_) return;
    if (isFailing_) trouble = "the plugin cannot take events now: " + why_;
    if (const std::uint64_t all = lostOf(~EventMask{0}); all != 0)
      lost = "; lost since the start: " + counted(all, "event");
    plugin = plugin_;
  }
  if (trouble.empty())
    log::info("plugin", name_ + ": the plugin takes events again" + lost);
  else
    log::warning("plugin", name_ + ": " + trouble);
  if (plugin) plugin->setTrouble(std::move(trouble));
} catch (const std::exception &) {
  // There is no memory for the line. The metrics still count the lost events.
}

void EventQueue::lose(EventMask kind) {
  if (events_.empty() || events_.back().kind != 0) events_.push_back(ObservedEvent::loss());
  events_.back().addLost(kind);
  count(kind);
  fail("they come faster than the plugin takes them");
}

void EventQueue::count(EventMask kind) {
  ++lost_.at(static_cast<std::size_t>(std::countr_zero(kind)));
  if (isAttached_) lostInAll_.add();
}

std::uint64_t EventQueue::lostOf(EventMask kinds) const noexcept {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < lost_.size(); ++i)
    if (((kinds >> i) & 1U) != 0) sum += lost_[i];
  return sum;
}

// Counts the events as lost, and puts the loss before the waiting events, so that the plugin is
// notified of it at its place.
void EventQueue::loseAll(const ObservedEvents &events) {
  ObservedEvent loss = ObservedEvent::loss();
  for (const ObservedEvent &one : events) {
    if (one.kind == 0) {
      loss.addLost(one);
    } else {
      loss.addLost(one.kind);
      count(one.kind);
    }
  }
  if (loss.lostKinds() != 0) events_.push_front(std::move(loss));
}

void EventQueue::putBack(const ObservedEvents &events) {
  for (const ObservedEvent &one : events | std::views::reverse) {
    events_.push_front(one);
    bytes_ += one.bytes();
  }
}

void EventQueue::fail(std::string_view why) {
  if (why.starts_with(name_ + ": ")) why.remove_prefix(name_.size() + 2);
  if (!std::exchange(isFailing_, true)) why_ = why;
}

// Drops events and losses that the plugin does not want. Before it had a plugin, the queue kept all
// of them.
void EventQueue::leaveOutUnwanted() {
  const EventMask wanted = wants();
  std::erase_if(events_, [&](ObservedEvent &one) {
    if (one.kind == 0) one.keepLost(wanted);
    const bool isWanted = one.kind == 0 ? one.lostKinds() != 0 : (one.kind & wanted) != 0;
    if (!isWanted) bytes_ -= one.bytes();
    return !isWanted;
  });
  for (std::size_t i = 0; i < lost_.size(); ++i)
    if (((wanted >> i) & 1U) == 0) lost_[i] = 0;
}

std::shared_ptr<ObservedEvents> EventQueue::take() {
  auto batch = std::make_shared<ObservedEvents>();
  batch->reserve(std::min(maxEvents_, events_.size()));
  std::size_t bytes = 0;
  while (!events_.empty() && batch->size() < maxEvents_ &&
         (batch->empty() || bytes + events_.front().bytes() <= maxBatchBytes)) {
    bytes += events_.front().bytes();
    batch->push_back(std::move(events_.front()));
    events_.pop_front();
  }
  bytes_ -= bytes;
  return batch;
}

} // namespace skillhost
