// SPDX-License-Identifier: Apache-2.0
#include "observer_instance.hpp"

#include <skillhost/observer.h>

#include <bit>

namespace skillhost {
namespace {

static_assert(SKH_EVENT_CALL_ENDED == event::callEnded && SKH_EVENT_REFUSED == event::refused &&
                  SKH_EVENT_CATALOGUE_CHANGED == event::catalogueChanged &&
                  SKH_EVENT_AUDIT_RECORD == event::auditRecord &&
                  SKH_EVENT_LOG_RECORD == event::logRecord,
              "as EventMask");
static_assert(SKH_USE_LOAD == static_cast<int>(UseKind::Load) &&
                  SKH_USE_READ == static_cast<int>(UseKind::Read) &&
                  SKH_USE_SEARCH == static_cast<int>(UseKind::Search) &&
                  SKH_USE_REFUSAL == static_cast<int>(UseKind::Refusal),
              "as UseKind");

std::int32_t rawLevel(std::int32_t level) noexcept {
  constexpr std::int32_t lowest = SKH_DEBUG - static_cast<std::int32_t>(LogLevel::Debug);
  static_assert(SKH_ERROR == lowest + static_cast<std::int32_t>(LogLevel::Error));
  return lowest + level;
}

skh_status tellUse(const Instance &instance, const skh_call *call, const ObservedEvent &observed) {
  const auto &ops = instance.operations<skh_observer>();
  const auto text = [&](std::size_t index) { return borrow(observed.text(index)); };
  const skh_use use{sizeof use,
                    static_cast<std::uint32_t>(observed.detail),
                    observed.time,
                    static_cast<std::uint32_t>(observed.number),
                    0,
                    text(0),
                    text(1),
                    text(2),
                    text(3),
                    text(4),
                    text(5),
                    text(6),
                    text(7),
                    text(8)};
  return observed.kind == event::callEnded ? ops.call_ended(instance.self(), call, &use)
                                           : ops.refused(instance.self(), call, &use);
}

skh_status tell(const Instance &instance, const skh_call *call, const ObservedEvent &observed) {
  const auto &ops = instance.operations<skh_observer>();
  void *const self = instance.self();
  switch (observed.kind) {
  case event::catalogueChanged:
    return ops.catalogue_changed(self, call, observed.number);
  case event::auditRecord: {
    const skh_audit_record record{sizeof record, 0, observed.time, borrow(observed.text(0)),
                                  borrow(observed.text(1))};
    return ops.audit_record(self, call, &record);
  }
  case event::logRecord: {
    const skh_log_record record{sizeof record,
                                rawLevel(observed.detail),
                                observed.time,
                                borrow(observed.text(0)),
                                borrow(observed.text(1)),
                                borrow(observed.text(2))};
    return ops.log_record(self, call, &record);
  }
  case 0:
    return ops.lost == nullptr
               ? SKH_OK
               : ops.lost(self, call, observed.lostKinds(), observed.lost(observed.lostKinds()));
  default:
    return tellUse(instance, call, observed);
  }
}

Result<Done> tellAll(const Instance &instance, const CallFrame &frame,
                     const ObservedEvents &events) {
  const skh_call *const call = frame.raw();
  const auto &ops = instance.operations<skh_observer>();
  skh_status status = SKH_OK;
  for (const ObservedEvent &one : events) {
    // A batch that the host has given up counts as lost, so it ends here.
    status = call->cancelled(call) != 0 ? skh_status{SKH_CANCELLED} : tell(instance, call, one);
    if (status != SKH_OK) break;
  }
  if (status == SKH_OK && ops.flush != nullptr) status = ops.flush(instance.self(), call);
  if (status == SKH_OK) return Done{};
  return frame.failure(status, instance.name(), "observe");
}

} // namespace

ObservedEvent::ObservedEvent(EventMask kindOfIt, std::initializer_list<std::string_view> texts)
    : kind(kindOfIt) {
  std::size_t size = 0;
  for (const std::string_view text : texts) size += text.size();
  bytes_.reserve(size);
  std::size_t index = 0;
  for (const std::string_view text : texts) {
    counts_.at(index++) = static_cast<std::uint32_t>(text.size());
    bytes_ += text;
  }
}

std::string_view ObservedEvent::text(std::size_t index) const noexcept {
  std::size_t begin = 0;
  for (std::size_t i = 0; i < index; ++i) begin += counts_[i];
  return std::string_view(bytes_).substr(begin, counts_[index]);
}

void ObservedEvent::addLost(EventMask kindOfOne) {
  ++counts_.at(static_cast<std::size_t>(std::countr_zero(kindOfOne)));
}

void ObservedEvent::addLost(const ObservedEvent &loss) {
  for (std::size_t i = 0; i < counts_.size(); ++i) counts_[i] += loss.counts_[i];
}

void ObservedEvent::keepLost(EventMask kinds) noexcept {
  for (std::size_t i = 0; i < counts_.size(); ++i)
    if (((kinds >> i) & 1U) == 0) counts_[i] = 0;
}

std::uint64_t ObservedEvent::lost(EventMask kinds) const noexcept {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < counts_.size(); ++i)
    if (((kinds >> i) & 1U) != 0) sum += counts_[i];
  return sum;
}

EventMask ObservedEvent::lostKinds() const noexcept {
  EventMask kinds = 0;
  for (std::size_t i = 0; i < counts_.size(); ++i)
    if (counts_[i] != 0) kinds |= EventMask{1} << i;
  return kinds;
}

EventMask ObserverInstance::wants() const noexcept {
  return instance_->operations<skh_observer>().wants &
         (event::callEnded | event::refused | event::catalogueChanged | event::auditRecord |
          event::logRecord);
}

void ObserverInstance::deliver(CallOptions options, std::shared_ptr<const ObservedEvents> events,
                               ResultCallback<Done> answer) {
  auto work = [instance = instance_.get(), events = std::move(events)](const CallFrame &frame) {
    return tellAll(*instance, frame, *events);
  };
  instance_->call<Done>(std::move(options), "observe", std::move(work), answer);
}

} // namespace skillhost
