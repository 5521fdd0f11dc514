// SPDX-License-Identifier: Apache-2.0
// Forwards the kind "skh.search/1", as long as the index is in the runner that was filled.
#include "process/proxy_instance.hpp"
#include "process/text.hpp"

#include <exception>

namespace skillhost::process {
namespace {

std::function<skh_status(std::uint64_t)> gate(ProxyInstance &instance, Operation operation,
                                              const skh_call *call) {
  return [&instance, operation, call](std::uint64_t runner) {
    const skh_status status = instance.index.admit(operation, runner);
    if (status == SKH_STALE)
      reportFailure(call, "the index was lost with its process: put everything again");
    if (status == SKH_UNAVAILABLE)
      reportFailure(call, "the index was lost with its process and is not complete again yet");
    return status;
  };
}

skh_status change(ProxyInstance &instance, Operation operation, const skh_call *call,
                  Packer &packer) {
  Receiver receiver;
  receiver.admit = gate(instance, operation, call);
  const skh_status status = callRunner(instance.supervisor, operation, call, packer, receiver);
  if (receiver.runnerEnded) instance.index.onLossReported();
  return status;
}

skh_status put(void *self, const skh_call *call, const skh_entry_text *entry) noexcept try {
  Packer packer = request(Operation::Put, call);
  for (const skh_str text : {entry->id, entry->revision, entry->name, entry->description,
                             entry->body, entry->attributes})
    packer.text(toStringView(text));
  return change(ProxyInstance::of(self), Operation::Put, call, packer);
} catch (const std::exception &why) {
  reportFailure(call, why.what());
  return SKH_FAILED;
}

skh_status remove(void *self, const skh_call *call, skh_str id) noexcept try {
  Packer packer = request(Operation::Remove, call);
  packer.text(toStringView(id));
  return change(ProxyInstance::of(self), Operation::Remove, call, packer);
} catch (const std::exception &why) {
  reportFailure(call, why.what());
  return SKH_FAILED;
}

skh_status commit(void *self, const skh_call *call, skh_str generation) noexcept try {
  Packer packer = request(Operation::Commit, call);
  packer.text(toStringView(generation));
  ProxyInstance &instance = ProxyInstance::of(self);
  const skh_status status = change(instance, Operation::Commit, call, packer);
  if (status == SKH_OK) instance.index.onCommitted(toStringView(generation));
  return status;
} catch (const std::exception &why) {
  reportFailure(call, why.what());
  return SKH_FAILED;
}

skh_status generation(void *self, const skh_call *call, const skh_bytes *out) noexcept try {
  Packer packer = request(Operation::Generation, call);
  ProxyInstance &instance = ProxyInstance::of(self);
  std::string answer;
  Receiver receiver;
  receiver.admit = gate(instance, Operation::Generation, call);
  receiver.onRecord = [&answer](Receiver &, Record record, Unpacker &from) {
    if (record == Record::Bytes) answer += from.text();
    return record == Record::Bytes && answer.size() <= maxRecordBytes;
  };
  const skh_status status =
      callRunner(instance.supervisor, Operation::Generation, call, packer, receiver);
  if (status != SKH_OK) return status;
  instance.index.confirmGeneration(answer);
  return answer.empty() ? SKH_OK : out->write(out, answer.data(), answer.size());
} catch (const std::exception &why) {
  reportFailure(call, why.what());
  return SKH_FAILED;
}

skh_status held(void *self, const skh_call *call, const skh_held_entries *out) noexcept try {
  Packer packer = request(Operation::Held, call);
  ProxyInstance &instance = ProxyInstance::of(self);
  Receiver receiver;
  receiver.admit = gate(instance, Operation::Held, call);
  receiver.onRecord = [out](Receiver &own, Record record, Unpacker &from) {
    if (record != Record::Held) return false;
    const std::string_view id = from.text(), revision = from.text();
    if (from.good() && own.sinkStatus == SKH_OK)
      own.sinkStatus = out->add(out, toSkhStr(id), toSkhStr(revision));
    return true;
  };
  const skh_status status =
      callRunner(instance.supervisor, Operation::Held, call, packer, receiver);
  if (status == SKH_OK) instance.index.onEntriesListed();
  return status;
} catch (const std::exception &why) {
  reportFailure(call, why.what());
  return SKH_FAILED;
}

skh_status query(void *self, const skh_call *call, skh_str text, skh_str filter,
                 std::uint32_t limit, const skh_hits *out) noexcept try {
  Packer packer = request(Operation::Query, call);
  packer.text(toStringView(text));
  packer.text(toStringView(filter));
  packer.u32(limit);
  ProxyInstance &instance = ProxyInstance::of(self);
  Receiver receiver;
  receiver.admit = gate(instance, Operation::Query, call);
  receiver.onRecord = [out](Receiver &own, Record record, Unpacker &from) {
    if (record != Record::Hit) return false;
    skh_hit hit{};
    hit.size = sizeof hit;
    hit.id = toSkhStr(from.text());
    hit.score = from.number();
    hit.snippet = toSkhStr(from.text());
    // A single hit may be refused, but more hits than requested stop the answer.
    if (from.good() && own.sinkStatus == SKH_OK && out->add(out, &hit) == SKH_TOO_LARGE)
      own.sinkStatus = SKH_TOO_LARGE;
    return true;
  };
  return callRunner(instance.supervisor, Operation::Query, call, packer, receiver);
} catch (const std::exception &why) {
  reportFailure(call, why.what());
  return SKH_FAILED;
}

skh_status about(Operation operation, Packer &packer, void *self, const skh_call *call,
                 const skh_bytes *out) {
  ProxyInstance &instance = ProxyInstance::of(self);
  Receiver receiver = bytesInto(*out);
  receiver.admit = gate(instance, operation, call);
  return callRunner(instance.supervisor, operation, call, packer, receiver);
}

skh_status explain(void *self, const skh_call *call, skh_str text, skh_str id,
                   const skh_bytes *out) noexcept try {
  Packer packer = request(Operation::Explain, call);
  packer.text(toStringView(text));
  packer.text(toStringView(id));
  return about(Operation::Explain, packer, self, call, out);
} catch (const std::exception &why) {
  reportFailure(call, why.what());
  return SKH_FAILED;
}

skh_status settle(void *self, const skh_call *call, const skh_bytes *out) noexcept try {
  Packer packer = request(Operation::Settle, call);
  return about(Operation::Settle, packer, self, call, out);
} catch (const std::exception &why) {
  reportFailure(call, why.what());
  return SKH_FAILED;
}

} // namespace

const skh_held forwardingHeld{sizeof(skh_held), SKH_HELD_MAGIC, &held};
const skh_explain forwardingExplain{sizeof(skh_explain), SKH_EXPLAIN_MAGIC, &explain, &settle};
const skh_search forwardingSearch{sizeof(skh_search), 0,     &put, &remove, &commit,
                                  &generation,        &query};

} // namespace skillhost::process
