// SPDX-License-Identifier: Apache-2.0
// Forwards the kind "skh.state/1". No call that changes something is repeated. Subscriptions
// outlive the runner in which they were made.
#include "process/proxy_instance.hpp"
#include "process/text.hpp"

#include <exception>
#include <span>
#include <string>

namespace skillhost::process {
namespace {

constexpr std::chrono::milliseconds lateness{750}; // shorter than the host's own, see WaitingCall

void packOptional(Packer &packer, const skh_str *text) {
  packer.u8(text != nullptr ? 1 : 0);
  if (text != nullptr) packer.text(toStringView(*text));
}

// Forwards a request whose answer is only a status.
skh_status forward(void *self, Operation operation, const skh_call *call, Packer &packer) {
  Receiver receiver;
  return callRunner(ProxyInstance::of(self).supervisor, operation, call, packer, receiver);
}

skh_status checkState(void *self, const skh_call *call) noexcept try {
  Packer packer = request(Operation::Check, call);
  return forward(self, Operation::Check, call, packer);
} catch (const std::exception &why) {
  reportFailure(call, why.what());
  return SKH_FAILED;
}

skh_status get(void *self, const skh_call *call, skh_str key, uint64_t expiry,
               const skh_bytes *value) noexcept try {
  Packer packer = request(Operation::Get, call);
  packer.text(toStringView(key));
  packer.u64(expiry);
  Receiver receiver = bytesInto(*value);
  return callRunner(ProxyInstance::of(self).supervisor, Operation::Get, call, packer, receiver);
} catch (const std::exception &why) {
  reportFailure(call, why.what());
  return SKH_FAILED;
}

skh_status put(void *self, const skh_call *call, skh_str key, skh_str value,
               uint64_t expiry) noexcept try {
  Packer packer = request(Operation::Put, call);
  packer.text(toStringView(key));
  packer.text(toStringView(value));
  packer.u64(expiry);
  return forward(self, Operation::Put, call, packer);
} catch (const std::exception &why) {
  reportFailure(call, why.what());
  return SKH_FAILED;
}

skh_status compareAndSet(void *self, const skh_call *call, skh_str key, const skh_str *expected,
                         skh_str value, uint64_t expiry) noexcept try {
  Packer packer = request(Operation::CompareAndSet, call);
  packer.text(toStringView(key));
  packOptional(packer, expected);
  packer.text(toStringView(value));
  packer.u64(expiry);
  return forward(self, Operation::CompareAndSet, call, packer);
} catch (const std::exception &why) {
  reportFailure(call, why.what());
  return SKH_FAILED;
}

skh_status erase(void *self, const skh_call *call, skh_str key, const skh_str *expected) noexcept
    try {
  Packer packer = request(Operation::Erase, call);
  packer.text(toStringView(key));
  packOptional(packer, expected);
  return forward(self, Operation::Erase, call, packer);
} catch (const std::exception &why) {
  reportFailure(call, why.what());
  return SKH_FAILED;
}

skh_status add(void *self, const skh_call *call, skh_str key, int64_t delta, uint64_t expiry,
               const skh_bytes *sum) noexcept try {
  Packer packer = request(Operation::Add, call);
  packer.text(toStringView(key));
  packer.i64(delta);
  packer.u64(expiry);
  Receiver receiver = bytesInto(*sum);
  return callRunner(ProxyInstance::of(self).supervisor, Operation::Add, call, packer, receiver);
} catch (const std::exception &why) {
  reportFailure(call, why.what());
  return SKH_FAILED;
}

skh_status publish(void *self, const skh_call *call, skh_str channel, skh_str payload) noexcept
    try {
  Packer packer = request(Operation::Publish, call);
  packer.text(toStringView(channel));
  packer.text(toStringView(payload));
  return forward(self, Operation::Publish, call, packer);
} catch (const std::exception &why) {
  reportFailure(call, why.what());
  return SKH_FAILED;
}

// Subscribes to a channel that is already remembered. A runner that returns SKH_UNAVAILABLE still
// has the subscription. The subscription of a runner that ended is made again, because the next
// runner has another number.
skh_status subscribeNow(ProxyInstance &instance, const skh_call *call, std::string_view channel) {
  Packer packer = request(Operation::Subscribe, call);
  packer.text(channel);
  Receiver receiver;
  receiver.admit = [&](std::uint64_t runner) {
    instance.subscriptions.recordSubscription(channel, runner);
    return skh_status{SKH_OK};
  };
  const skh_status status =
      callRunner(instance.supervisor, Operation::Subscribe, call, packer, receiver);
  if (status != SKH_OK && status != SKH_UNAVAILABLE)
    instance.subscriptions.recordSubscription(channel, 0);
  return status;
}

skh_status subscribe(void *self, const skh_call *call, skh_str channel) noexcept try {
  ProxyInstance &instance = ProxyInstance::of(self);
  bool isNew = false;
  if (!instance.subscriptions.remember(toStringView(channel), isNew)) {
    reportFailure(call, "more than " + std::to_string(Subscriptions::maxChannels) + " channels");
    return SKH_TOO_LARGE;
  }
  const skh_status status = subscribeNow(instance, call, toStringView(channel));
  if (status != SKH_OK && status != SKH_UNAVAILABLE && isNew)
    instance.subscriptions.forget(toStringView(channel));
  return status;
} catch (const std::exception &why) {
  reportFailure(call, why.what());
  return SKH_FAILED;
}

skh_status unsubscribe(void *self, const skh_call *call, skh_str channel) noexcept try {
  ProxyInstance &instance = ProxyInstance::of(self);
  Packer packer = request(Operation::Unsubscribe, call);
  packer.text(toStringView(channel));
  const skh_status status = forward(self, Operation::Unsubscribe, call, packer);
  if (status != SKH_OK && status != SKH_NOT_FOUND) return status;
  // A new runner may not know the subscription.
  return instance.subscriptions.forget(toStringView(channel)) ? SKH_OK : status;
} catch (const std::exception &why) {
  reportFailure(call, why.what());
  return SKH_FAILED;
}

// A receive() ends at its deadline. So the proxy waits a little longer for its answer than for
// other calls and does not kill the process for it. It does not pass the deadline on as a
// cancellation either, so messages received until then are still taken.
class WaitingCall {
public:
  explicit WaitingCall(const skh_call *call)
      : raw_{{sizeof(skh_call), 0, later(call->deadline_ns), &cancelled, &progress, &fail,
              call->traceparent, call->tracestate},
             call} {}
  const skh_call *raw() const noexcept { return &raw_.base; }

private:
  struct Raw {
    skh_call base;
    const skh_call *call;
  };
  static std::int64_t later(std::int64_t deadlineNs) noexcept {
    const std::int64_t more = std::chrono::nanoseconds(lateness).count();
    return deadlineNs > INT64_MAX - more ? INT64_MAX : deadlineNs + more;
  }
  static const skh_call *of(const skh_call *raw) noexcept {
    return reinterpret_cast<const Raw *>(raw)->call; // base is the first member of Raw
  }
  static int32_t cancelled(const skh_call *raw) noexcept {
    const skh_call *const call = of(raw);
    const bool waits = std::chrono::steady_clock::now() < momentOf(call->deadline_ns);
    return waits ? call->cancelled(call) : 0;
  }
  static void progress(const skh_call *raw, uint64_t done, uint64_t total, skh_str what) noexcept {
    of(raw)->progress(of(raw), done, total, what);
  }
  static void fail(const skh_call *raw, skh_str message) noexcept {
    of(raw)->fail(of(raw), message);
  }

  const Raw raw_;
};

Receiver messagesInto(const skh_messages *out) {
  Receiver receiver;
  receiver.onRecord = [out](Receiver &own, Record record, Unpacker &from) {
    if (record != Record::Message) return false;
    skh_message message{};
    message.size = sizeof message;
    message.flags = from.u32();
    message.channel = toSkhStr(from.text());
    message.payload = toSkhStr(from.text());
    if (from.good() && own.sinkStatus == SKH_OK) own.sinkStatus = out->add(out, &message);
    return true;
  };
  return receiver;
}

// Repeats all subscriptions and reports that messages may have been lost meanwhile.
skh_status subscribeAgain(ProxyInstance &instance, const skh_call *call,
                          std::span<const std::string> channels, const skh_messages &out) {
  for (const std::string &channel : channels) {
    const skh_status status = subscribeNow(instance, call, channel);
    if (status != SKH_OK && status != SKH_UNAVAILABLE) return status;
  }
  const skh_message lost{sizeof lost, SKH_MESSAGES_LOST, {}, {}};
  return out.add(&out, &lost);
}

skh_status receive(void *self, const skh_call *call, const skh_messages *out) noexcept try {
  ProxyInstance &instance = ProxyInstance::of(self);
  Packer packer = request(Operation::Receive, call);
  std::vector<std::string> missing;
  Receiver receiver = messagesInto(out);
  receiver.admit = [&](std::uint64_t runner) {
    missing = instance.subscriptions.missing(runner);
    return missing.empty() ? skh_status{SKH_OK} : skh_status{SKH_STALE};
  };
  const WaitingCall waiting(call);
  const skh_status status =
      callRunner(instance.supervisor, Operation::Receive, waiting.raw(), packer, receiver);
  return missing.empty() ? status : subscribeAgain(instance, call, missing, *out);
} catch (const std::exception &why) {
  reportFailure(call, why.what());
  return SKH_FAILED;
}

} // namespace

const skh_state forwardingState{sizeof(skh_state), 0,       &checkState, &get,     &put,
                                &compareAndSet,    &erase,  &add,        &publish, &subscribe,
                                &unsubscribe,      &receive};

} // namespace skillhost::process
