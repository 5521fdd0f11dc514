// SPDX-License-Identifier: Apache-2.0
#include "process/runner_state.hpp"

#include "process/runner_sinks.hpp"
#include "process/text.hpp"

#include <skillhost/state.h>

namespace skillhost::process {
namespace {

// Unpacks an optional text into `text`. Returns null if it is absent.
const skh_str *unpackOptional(Unpacker &from, skh_str &text) {
  if (from.u8() == 0) return nullptr;
  text = toSkhStr(from.text());
  return &text;
}

skh_status get(const RunningPlugin &running, const skh_state &ops, Unpacker &from,
               RunnerCall &call) {
  const skh_str key = toSkhStr(from.text());
  const std::uint64_t expiry = from.u64();
  if (!from.good()) return SKH_INVALID;
  BytesSender sender(call);
  return ops.get(running.self, call.raw(), key, expiry, &sender.base);
}

skh_status put(const RunningPlugin &running, const skh_state &ops, Unpacker &from,
               const RunnerCall &call) {
  const skh_str key = toSkhStr(from.text());
  const skh_str value = toSkhStr(from.text());
  const std::uint64_t expiry = from.u64();
  return from.good() ? ops.put(running.self, call.raw(), key, value, expiry) : SKH_INVALID;
}

skh_status compareAndSet(const RunningPlugin &running, const skh_state &ops, Unpacker &from,
                         const RunnerCall &call) {
  const skh_str key = toSkhStr(from.text());
  skh_str text{};
  const skh_str *const expected = unpackOptional(from, text);
  const skh_str value = toSkhStr(from.text());
  const std::uint64_t expiry = from.u64();
  if (!from.good()) return SKH_INVALID;
  return ops.compare_and_set(running.self, call.raw(), key, expected, value, expiry);
}

skh_status erase(const RunningPlugin &running, const skh_state &ops, Unpacker &from,
                 const RunnerCall &call) {
  const skh_str key = toSkhStr(from.text());
  skh_str text{};
  const skh_str *const expected = unpackOptional(from, text);
  return from.good() ? ops.erase(running.self, call.raw(), key, expected) : SKH_INVALID;
}

skh_status add(const RunningPlugin &running, const skh_state &ops, Unpacker &from,
               RunnerCall &call) {
  const skh_str key = toSkhStr(from.text());
  const std::int64_t delta = from.i64();
  const std::uint64_t expiry = from.u64();
  if (!from.good()) return SKH_INVALID;
  BytesSender sender(call);
  return ops.add(running.self, call.raw(), key, delta, expiry, &sender.base);
}

skh_status onChannel(const RunningPlugin &running, const skh_state &ops, Operation operation,
                     Unpacker &from, const RunnerCall &call) {
  const skh_str channel = toSkhStr(from.text());
  const skh_str payload = operation == Operation::Publish ? toSkhStr(from.text()) : skh_str{};
  if (!from.good()) return SKH_INVALID;
  if (operation == Operation::Publish)
    return ops.publish(running.self, call.raw(), channel, payload);
  return operation == Operation::Subscribe ? ops.subscribe(running.self, call.raw(), channel)
                                           : ops.unsubscribe(running.self, call.raw(), channel);
}

} // namespace

skh_status performState(const RunningPlugin &running, Operation operation, Unpacker &from,
                        RunnerCall &call) {
  const auto &ops = *static_cast<const skh_state *>(running.plugin->ops);
  switch (operation) {
  case Operation::Check:
    return ops.check(running.self, call.raw());
  case Operation::Get:
    return get(running, ops, from, call);
  case Operation::Put:
    return put(running, ops, from, call);
  case Operation::CompareAndSet:
    return compareAndSet(running, ops, from, call);
  case Operation::Erase:
    return erase(running, ops, from, call);
  case Operation::Add:
    return add(running, ops, from, call);
  case Operation::Publish:
  case Operation::Subscribe:
  case Operation::Unsubscribe:
    return onChannel(running, ops, operation, from, call);
  case Operation::Receive: {
    MessagesSender sender(call);
    return ops.receive(running.self, call.raw(), &sender.base);
  }
  default:
    return SKH_UNSUPPORTED;
  }
}

} // namespace skillhost::process
