// SPDX-License-Identifier: Apache-2.0
// Observers are parts beside the server that are notified of its events, and change nothing in it.
#pragma once

#include "plugin/use.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

namespace skillhost {

class Catalogue;
struct Skill;

// A set of events, one bit each.
using EventMask = std::uint32_t;
namespace event {
inline constexpr EventMask callEnded = 1U << 0U;
inline constexpr EventMask refused = 1U << 1U;
inline constexpr EventMask entryRead = 1U << 2U;
inline constexpr EventMask catalogueChanged = 1U << 3U;
inline constexpr EventMask auditRecord = 1U << 4U;
inline constexpr EventMask logRecord = 1U << 5U; // reported by the log, see EventQueue
inline constexpr EventMask filesMoved = 1U << 6U;
} // namespace event

// Describes one event of the audit. The caller owns its texts.
struct AuditRecord {
  std::string_view event;   // "refused" and its like
  std::string_view members; // of a JSON object that describes the event without its time
};

// The state of an observer. The default value means that it works and has lost nothing.
struct ObserverState {
  bool failing = false;   // it cannot do its work, or is losing events
  std::uint64_t lost = 0; // events since the start
};

// Any thread: functions are called where the event happens, several at a time. The caller waits,
// and a client may wait for the caller. So a function returns at once: it copies what it needs into
// a bounded queue, and a thread of the observer's own does the work. It counts the events that find
// no room. Its arguments may be destroyed when it has returned.
class Observer {
public:
  // The observer is notified of the events in `wants` and of no others.
  explicit Observer(EventMask wants) noexcept : wants_(wants) {}
  virtual ~Observer() = default;
  Observer(const Observer &) = delete;
  Observer &operator=(const Observer &) = delete;
  EventMask wants() const noexcept { return wants_.load(std::memory_order_relaxed); }

  // Called after the answer to a call that used a skill, or that was refused because its client
  // sends too many requests.
  virtual void callEnded(const UseView & /*use*/) noexcept {}
  // The access layer has refused a caller. `use.kind` is UseKind::Refusal, and `use.outcome` is the
  // code of the fault.
  virtual void refused(const UseView & /*use*/) noexcept {}
  // Called when a SKILL.md was read as `skill`. A later catalogue may contain the skill.
  virtual void entryRead(const Skill & /*skill*/, std::string_view /*bytes*/) noexcept {}
  // This catalogue is served from now on, and observers may keep it. `generation` is its number,
  // for observers that do not know catalogues. NOLINTNEXTLINE(performance-unnecessary-value-param)
  virtual void catalogueChanged(std::shared_ptr<const Catalogue> /*now*/,
                                std::uint64_t /*generation*/) noexcept {}
  virtual void auditRecord(const AuditRecord & /*record*/) noexcept {}
  // Its files were moved away, so the observer opens them again before it writes the next time. May
  // be called by a signal handler.
  virtual void filesMoved() noexcept {}

  // Returns the state for these events only, as far as the observer counts them separately.
  virtual ObserverState state(EventMask /*events*/) const { return {}; }

protected:
  // From now on the observer is notified only of those wanted events that are in `events`. Any
  // thread.
  void narrow(EventMask events) noexcept { wants_.fetch_and(events, std::memory_order_relaxed); }

private:
  std::atomic<EventMask> wants_;
};

// The observers of a server, for code that reports events. A copy has the same observers. Any
// thread.
class Observers {
public:
  Observers() = default; // nobody observes
  explicit Observers(std::vector<std::shared_ptr<Observer>> all) : all_(std::move(all)) {}
  // Returns these observers and `more`.
  Observers with(std::shared_ptr<Observer> more) const {
    auto all = all_;
    all.push_back(std::move(more));
    return Observers(std::move(all));
  }

  // False if no observer wants any of these events, so that the caller need not prepare them.
  bool anyWants(EventMask events) const noexcept {
    return std::any_of(all_.begin(), all_.end(),
                       [events](const auto &one) { return (one->wants() & events) != 0; });
  }

  void callEnded(const UseView &use) const noexcept {
    notifyEach(event::callEnded, [&](Observer &one) { one.callEnded(use); });
  }
  void refused(const UseView &use) const noexcept {
    notifyEach(event::refused, [&](Observer &one) { one.refused(use); });
  }
  void entryRead(const Skill &skill, std::string_view bytes) const noexcept {
    notifyEach(event::entryRead, [&](Observer &one) { one.entryRead(skill, bytes); });
  }
  void catalogueChanged(const std::shared_ptr<const Catalogue> &now,
                        std::uint64_t generation) const noexcept {
    notifyEach(event::catalogueChanged,
               [&](Observer &one) { one.catalogueChanged(now, generation); });
  }
  void auditRecord(const AuditRecord &record) const noexcept {
    notifyEach(event::auditRecord, [&](Observer &one) { one.auditRecord(record); });
  }
  // May be called by a signal handler.
  void filesMoved() const noexcept {
    notifyEach(event::filesMoved, [](Observer &one) { one.filesMoved(); });
  }

  // Says whether an observer of these events fails, and how many records all of them have lost.
  ObserverState state(EventMask events) const {
    ObserverState sum;
    for (const auto &one : all_) {
      if ((one->wants() & events) == 0) continue;
      const ObserverState state = one->state(events);
      sum.failing = sum.failing || state.failing;
      sum.lost += state.lost;
    }
    return sum;
  }

private:
  template <class Notify> void notifyEach(EventMask events, Notify notify) const noexcept {
    for (const auto &one : all_)
      if ((one->wants() & events) != 0) notify(*one);
  }

  std::vector<std::shared_ptr<Observer>> all_;
};

} // namespace skillhost
