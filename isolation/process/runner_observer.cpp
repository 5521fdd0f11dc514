// SPDX-License-Identifier: Apache-2.0
#include "process/runner_observer.hpp"

#include "process/text.hpp"

#include <skillhost/observer.h>

namespace skillhost::process {
namespace {

skh_status tellUse(const RunningPlugin &running, std::uint32_t event, Unpacker &from,
                   const skh_call *call) {
  const auto &ops = *static_cast<const skh_observer *>(running.plugin->ops);
  skh_use use{};
  use.size = sizeof use;
  use.kind = from.u32();
  use.time_ms = from.i64();
  use.microseconds = from.u32();
  for (skh_str *text : {&use.skill, &use.source, &use.path, &use.digest, &use.issuer, &use.person,
                        &use.client, &use.outcome, &use.text})
    *text = toSkhStr(from.text());
  if (!from.good()) return SKH_INVALID;
  return event == SKH_EVENT_CALL_ENDED ? ops.call_ended(running.self, call, &use)
                                       : ops.refused(running.self, call, &use);
}

skh_status tellRecord(const RunningPlugin &running, Unpacker &from, const skh_call *call) {
  skh_audit_record record{};
  record.size = sizeof record;
  record.time_ms = from.i64();
  record.event = toSkhStr(from.text());
  record.record_json = toSkhStr(from.text());
  if (!from.good()) return SKH_INVALID;
  return static_cast<const skh_observer *>(running.plugin->ops)
      ->audit_record(running.self, call, &record);
}

skh_status tellLine(const RunningPlugin &running, Unpacker &from, const skh_call *call) {
  skh_log_record record{};
  record.size = sizeof record;
  record.level = from.i32();
  record.time_ms = from.i64();
  for (skh_str *text : {&record.part, &record.message, &record.fields_json})
    *text = toSkhStr(from.text());
  if (!from.good()) return SKH_INVALID;
  return static_cast<const skh_observer *>(running.plugin->ops)
      ->log_record(running.self, call, &record);
}

// The host sends only events that the plugin wants, so the plugin has the function for each.
skh_status tellOne(const RunningPlugin &running, Unpacker &from, const skh_call *call) {
  const auto &ops = *static_cast<const skh_observer *>(running.plugin->ops);
  const std::uint32_t event = from.u32();
  if (event != 0 && (ops.wants & event) == 0) return SKH_INVALID;
  switch (event) {
  case 0: {
    const std::uint32_t events = from.u32();
    const std::uint64_t count = from.u64();
    if (!from.good()) return SKH_INVALID;
    return ops.lost == nullptr ? SKH_OK : ops.lost(running.self, call, events, count);
  }
  case SKH_EVENT_CALL_ENDED:
  case SKH_EVENT_REFUSED:
    return tellUse(running, event, from, call);
  case SKH_EVENT_AUDIT_RECORD:
    return tellRecord(running, from, call);
  case SKH_EVENT_LOG_RECORD:
    return tellLine(running, from, call);
  case SKH_EVENT_CATALOGUE_CHANGED: {
    const std::uint64_t generation = from.u64();
    return from.good() ? ops.catalogue_changed(running.self, call, generation) : SKH_INVALID;
  }
  default:
    return SKH_INVALID;
  }
}

} // namespace

skh_status performObserver(const RunningPlugin &running, Operation operation, Unpacker &from,
                           const RunnerCall &call) {
  if (operation != Operation::Observe) return SKH_UNSUPPORTED;
  const auto &ops = *static_cast<const skh_observer *>(running.plugin->ops);
  while (from.hasMore()) {
    if (call.raw()->cancelled(call.raw()) != 0) return SKH_CANCELLED;
    if (const skh_status status = tellOne(running, from, call.raw()); status != SKH_OK)
      return status;
  }
  if (!from.good()) return SKH_INVALID;
  return ops.flush == nullptr ? SKH_OK : ops.flush(running.self, call.raw());
}

} // namespace skillhost::process
