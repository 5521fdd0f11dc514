// SPDX-License-Identifier: Apache-2.0
#include "stand_in.hpp"

#include "ground/guarded.hpp"
#include "ground/shown.hpp"

#include <cstddef>
#include <cstdint>
#include <set>

namespace skillhost::check {
namespace {

int64_t nanoseconds(StandInCall::Clock::time_point at) {
  if (at == StandInCall::never()) return INT64_MAX;
  return std::chrono::duration_cast<std::chrono::nanoseconds>(at.time_since_epoch()).count();
}

Guarded<std::set<const skh_call *>> &runningCalls() {
  static Guarded<std::set<const skh_call *>> all;
  return all;
}

constexpr std::string_view traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
                           tracestate = "skillhost-check=1";

// Returns the size of a call in a host of that minor.
constexpr std::uint32_t callSize(std::uint32_t minor) noexcept {
  return minor == 0 ? offsetof(skh_call, traceparent) : sizeof(skh_call);
}

} // namespace

StandInHost::StandInHost(std::string configuration, std::string cacheDirectory,
                         std::optional<std::string> snapshot, Upstream upstream,
                         std::uint32_t minor)
    : configuration_(std::move(configuration)), cacheDirectory_(std::move(cacheDirectory)),
      snapshot_(std::move(snapshot)), minor_(minor), upstreamLending_(upstream),
      pin_({sizeof(skh_pin), SKH_PIN_SNAPSHOT, borrow(snapshot_ ? *snapshot_ : std::string_view{})},
           this),
      health_({sizeof(skh_health), 0, &tellHealth}, this),
      raw_({sizeof(skh_host), minor, borrow("skillhost-check"), borrow("1.0.0"), borrow("check"),
            borrow(configuration_), borrow(cacheDirectory_), &log, &metric, &changed, &extension},
           this) {}

void StandInHost::keep(std::string_view text) noexcept try {
  const std::scoped_lock lock(mutex_);
  said_.emplace_back(text);
} catch (...) {
  // Out of memory: the line is lost.
}

std::string StandInHost::said() const {
  const std::scoped_lock lock(mutex_);
  std::string all;
  for (const std::string &one : said_) all.append(one).append("\n");
  return all;
}

std::string StandInHost::shownLines() const {
  const std::scoped_lock lock(mutex_);
  std::string all;
  for (const std::string &one : said_) all.append(shownLine(one)).append("\n");
  return all;
}

unsigned StandInHost::changes() const {
  const std::scoped_lock lock(mutex_);
  return changes_;
}

void StandInHost::log(const skh_host *raw, int32_t, skh_str message) noexcept {
  Placed<skh_host>::owner<StandInHost>(raw).keep(view(message));
}

void StandInHost::metric(const skh_host *raw, int32_t, skh_str name, double) noexcept {
  Placed<skh_host>::owner<StandInHost>(raw).keep(view(name));
}

void StandInHost::changed(const skh_host *raw) noexcept {
  auto &host = Placed<skh_host>::owner<StandInHost>(raw);
  const std::scoped_lock lock(host.mutex_);
  ++host.changes_;
}

void StandInHost::tellHealth(const skh_health *raw, int32_t, skh_str why) noexcept {
  Placed<skh_health>::owner<StandInHost>(raw).keep(view(why));
}

bool StandInHost::askedForPin() const {
  const std::scoped_lock lock(mutex_);
  return askedForPin_;
}

bool StandInHost::askedForUpstream() const {
  const std::scoped_lock lock(mutex_);
  return askedForUpstream_;
}

const void *StandInHost::extension(const skh_host *raw, const char *id) noexcept {
  if (id == nullptr) return nullptr;
  auto &host = Placed<skh_host>::owner<StandInHost>(raw);
  const std::scoped_lock lock(host.mutex_);
  if (std::string_view(id) == SKH_UPSTREAM) {
    host.askedForUpstream_ = true;
    return host.upstreamLending_ == Upstream::Lent ? host.upstream_.raw() : nullptr;
  }
  if (std::string_view(id) == SKH_HEALTH)
    return host.minor_ == SKH_ABI_MINOR ? host.health_.get() : nullptr;
  if (std::string_view(id) != SKH_PIN) return nullptr;
  host.askedForPin_ = true;
  return host.snapshot_ ? host.pin_.get() : nullptr;
}

StandInCall::StandInCall(Clock::time_point deadline, Clock::time_point cancelledAt,
                         std::uint32_t minor)
    : deadline_(deadline), cancelledAt_(cancelledAt),
      raw_({callSize(minor), 0, nanoseconds(deadline), &cancelled, &progress, &fail,
            borrow(traceparent), borrow(tracestate)},
           this, callSize(minor)) {
  runningCalls().with([this](auto &all) { all.insert(raw()); });
}

StandInCall::~StandInCall() { excludeUpstream(); }

void StandInCall::excludeUpstream() const {
  runningCalls().with([this](auto &all) { all.erase(raw()); });
}

bool StandInCall::runs(const skh_call *raw) {
  return runningCalls().with([raw](const auto &all) { return all.contains(raw); });
}

bool StandInCall::unwanted() const noexcept {
  const Clock::time_point now = Clock::now();
  return (deadline_ != never() && now >= deadline_) ||
         (cancelledAt_ != never() && now >= cancelledAt_);
}

std::string StandInCall::message() const {
  const std::scoped_lock lock(mutex_);
  return message_;
}

std::string StandInCall::said() const {
  const std::scoped_lock lock(mutex_);
  return said_;
}

unsigned StandInCall::asked() const {
  const std::scoped_lock lock(mutex_);
  return asked_;
}

int32_t StandInCall::cancelled(const skh_call *raw) noexcept {
  auto &call = Placed<skh_call>::owner<StandInCall>(raw);
  const std::scoped_lock lock(call.mutex_);
  ++call.asked_;
  return call.unwanted() ? 1 : 0;
}

void StandInCall::progress(const skh_call *raw, uint64_t, uint64_t, skh_str what) noexcept try {
  auto &call = Placed<skh_call>::owner<StandInCall>(raw);
  const std::scoped_lock lock(call.mutex_);
  call.said_.append(view(what)).append("\n");
} catch (...) {
  // Out of memory: the line is lost.
}

void StandInCall::fail(const skh_call *raw, skh_str message) noexcept try {
  auto &call = Placed<skh_call>::owner<StandInCall>(raw);
  const std::scoped_lock lock(call.mutex_);
  call.message_ = view(message);
  call.said_.append(view(message)).append("\n");
} catch (...) {
  // Out of memory: the line is lost.
}

} // namespace skillhost::check
