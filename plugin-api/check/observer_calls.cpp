// SPDX-License-Identifier: Apache-2.0
#include "observer_calls.hpp"

#include <skillhost/observer.h>

namespace skillhost::check {
namespace {

constexpr std::int64_t sampleTime = 1'790'000'000'000; // Unix milliseconds

Placed<skh_use> useOf(std::uint32_t kind, std::string_view text) {
  const skh_str some = borrow(text);
  return {{sizeof(skh_use), kind, sampleTime, 1'234, 0, some, some, some, some, some, some, some,
           some, some},
          nullptr};
}

} // namespace

skh_status tellBatch(const Instance &instance, const StandInCall &call, const SampleEvents &sample,
                     std::size_t rounds, std::string &where) {
  const auto &ops = instance.operations<skh_observer>();
  void *const self = instance.self;
  const auto use = useOf(SKH_USE_LOAD, sample.text), refusal = useOf(SKH_USE_REFUSAL, sample.text);
  const Placed<skh_audit_record> audit(
      {sizeof(skh_audit_record), 0, sampleTime, borrow(sample.text), borrow(sample.json)}, nullptr);
  const Placed<skh_log_record> line({sizeof(skh_log_record), SKH_INFO, sampleTime,
                                     borrow(sample.text), borrow(sample.text), borrow(sample.json)},
                                    nullptr);
  skh_status status = SKH_OK;
  const auto tell = [&](std::uint32_t event, const char *function, const auto &make) {
    if (status != SKH_OK || (ops.wants & event) != event) return;
    where = function;
    status = make();
  };
  for (std::size_t i = 0; i < rounds; ++i) {
    tell(SKH_EVENT_CALL_ENDED, "call_ended()",
         [&] { return ops.call_ended(self, call.raw(), use.get()); });
    tell(SKH_EVENT_REFUSED, "refused()",
         [&] { return ops.refused(self, call.raw(), refusal.get()); });
    tell(SKH_EVENT_AUDIT_RECORD, "audit_record()",
         [&] { return ops.audit_record(self, call.raw(), audit.get()); });
    tell(SKH_EVENT_CATALOGUE_CHANGED, "catalogue_changed()",
         [&] { return ops.catalogue_changed(self, call.raw(), i + 1); });
    tell(SKH_EVENT_LOG_RECORD, "log_record()",
         [&] { return ops.log_record(self, call.raw(), line.get()); });
  }
  if (ops.lost != nullptr)
    tell(0, "lost()", [&] { return ops.lost(self, call.raw(), ops.wants, 3); });
  if (ops.flush != nullptr) tell(0, "flush()", [&] { return ops.flush(self, call.raw()); });
  return status;
}

} // namespace skillhost::check
