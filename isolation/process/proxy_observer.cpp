// SPDX-License-Identifier: Apache-2.0
// Forwards the kind "skh.observer/1". The host process collects the events of a batch, and sends
// them to the runner in one request when the host ends the batch.
#include "process/proxy_instance.hpp"
#include "process/text.hpp"

#include <exception>

namespace skillhost::process {
namespace {

// Returns the batch of this call. If the deadline differs, the host has given up the previous
// batch: it is dropped, and a new one begins.
Packer &batchOf(ProxyInstance &instance, const skh_call *call) {
  if (instance.batch.size() == 0 || instance.batchDeadline != call->deadline_ns)
    instance.batch = request(Operation::Observe, call);
  instance.batchDeadline = call->deadline_ns;
  return instance.batch;
}

template <class Pack>
skh_status gather(void *self, const skh_call *call, std::uint32_t event, const Pack &pack) noexcept
    try {
  Packer &batch = batchOf(ProxyInstance::of(self), call);
  batch.u32(event);
  pack(batch);
  return SKH_OK;
} catch (const std::exception &why) {
  reportFailure(call, why.what());
  return SKH_FAILED;
}

skh_status gatherUse(void *self, const skh_call *call, std::uint32_t event,
                     const skh_use &use) noexcept {
  return gather(self, call, event, [&](Packer &batch) {
    batch.u32(use.kind);
    batch.i64(use.time_ms);
    batch.u32(use.microseconds);
    for (const skh_str text : {use.skill, use.source, use.path, use.digest, use.issuer, use.person,
                               use.client, use.outcome, use.text})
      batch.text(toStringView(text));
  });
}

skh_status callEnded(void *self, const skh_call *call, const skh_use *use) noexcept {
  return gatherUse(self, call, SKH_EVENT_CALL_ENDED, *use);
}

skh_status refused(void *self, const skh_call *call, const skh_use *use) noexcept {
  return gatherUse(self, call, SKH_EVENT_REFUSED, *use);
}

skh_status auditRecord(void *self, const skh_call *call, const skh_audit_record *record) noexcept {
  return gather(self, call, SKH_EVENT_AUDIT_RECORD, [&](Packer &batch) {
    batch.i64(record->time_ms);
    batch.text(toStringView(record->event));
    batch.text(toStringView(record->record_json));
  });
}

skh_status catalogueChanged(void *self, const skh_call *call, uint64_t generation) noexcept {
  return gather(self, call, SKH_EVENT_CATALOGUE_CHANGED,
                [&](Packer &batch) { batch.u64(generation); });
}

skh_status logRecord(void *self, const skh_call *call, const skh_log_record *record) noexcept {
  return gather(self, call, SKH_EVENT_LOG_RECORD, [&](Packer &batch) {
    batch.i32(record->level);
    batch.i64(record->time_ms);
    for (const skh_str text : {record->part, record->message, record->fields_json})
      batch.text(toStringView(text));
  });
}

skh_status lost(void *self, const skh_call *call, uint32_t events, uint64_t count) noexcept {
  return gather(self, call, 0, [&](Packer &batch) {
    batch.u32(events);
    batch.u64(count);
  });
}

skh_status flush(void *self, const skh_call *call) noexcept try {
  ProxyInstance &instance = ProxyInstance::of(self);
  Packer batch = std::move(batchOf(instance, call));
  instance.batch.clear();
  Receiver receiver;
  const skh_status status =
      callRunner(instance.supervisor, Operation::Observe, call, batch, receiver);
  // If the process died, the batch may be the cause, so the host must not offer it again.
  return receiver.runnerEnded ? SKH_FAILED : status;
} catch (const std::exception &why) {
  reportFailure(call, why.what());
  return SKH_FAILED;
}

} // namespace

const skh_observer forwardingObserver{
    sizeof(skh_observer), 0,          &callEnded, &refused, &auditRecord,
    &catalogueChanged,    &logRecord, &lost,      &flush};

} // namespace skillhost::process
