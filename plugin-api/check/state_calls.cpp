// SPDX-License-Identifier: Apache-2.0
#include "state_calls.hpp"

#include <unistd.h>

namespace skillhost::check {

MessageSink::MessageSink()
    : raw_({sizeof(skh_messages), 0, &SinkFunction<&MessageSink::add>::call}, this) {}

skh_status MessageSink::add(const skh_message *message) {
  const std::scoped_lock lock(mutex_);
  TakenMessage copy;
  copy.channel = view(message->channel);
  copy.payload = view(message->payload);
  copy.isLost = (message->flags & SKH_MESSAGES_LOST) != 0;
  if (fault.empty() && message->size < sizeof(skh_message))
    fault = "a message of " + std::to_string(message->size) + " bytes of struct";
  if (fault.empty() && copy.channel.empty() && !copy.isLost) fault = "a message without a channel";
  if (fault.empty() && (message->flags & ~std::uint32_t{SKH_MESSAGES_LOST}) != 0)
    fault = "a message with flags that state.h does not know";
  messages.push_back(std::move(copy));
  return SKH_OK;
}

template <class Body> skh_status StateUser::ask(std::string_view what, const Body &body) {
  probe_.step(what);
  const StandInCall call(patience(), StandInCall::never(), minor_);
  const skh_status status = body(call.raw());
  message_ = inBrackets(call.message());
  return status;
}

skh_status StateUser::check() {
  return ask("check()", [&](const skh_call *call) { return operations_.check(self_, call); });
}

StateUser::Got StateUser::get(std::string_view key, std::uint64_t expiry) {
  ByteSink sink(maxStateValueBytes);
  Got got;
  got.status = ask("get()", [&](const skh_call *call) {
    return operations_.get(self_, call, borrow(key), expiry, sink.raw());
  });
  got.bytes = std::move(sink.bytes);
  return got;
}

skh_status StateUser::put(std::string_view key, std::string_view value, std::uint64_t expiry) {
  return ask("put()", [&](const skh_call *call) {
    return operations_.put(self_, call, borrow(key), borrow(value), expiry);
  });
}

skh_status StateUser::compareAndSet(std::string_view key, std::optional<std::string_view> expected,
                                    std::string_view value, std::uint64_t expiry) {
  const skh_str lent = expected ? borrow(*expected) : skh_str{};
  return ask("compare_and_set()", [&](const skh_call *call) {
    return operations_.compare_and_set(self_, call, borrow(key), expected ? &lent : nullptr,
                                       borrow(value), expiry);
  });
}

skh_status StateUser::erase(std::string_view key, std::optional<std::string_view> expected) {
  const skh_str lent = expected ? borrow(*expected) : skh_str{};
  return ask("erase()", [&](const skh_call *call) {
    return operations_.erase(self_, call, borrow(key), expected ? &lent : nullptr);
  });
}

StateUser::Got StateUser::add(std::string_view key, std::int64_t delta, std::uint64_t expiry) {
  ByteSink sink(maxStateValueBytes);
  Got got;
  got.status = ask("add()", [&](const skh_call *call) {
    return operations_.add(self_, call, borrow(key), delta, expiry, sink.raw());
  });
  got.bytes = std::move(sink.bytes);
  return got;
}

skh_status StateUser::publish(std::string_view channel, std::string_view payload) {
  return ask("publish()", [&](const skh_call *call) {
    return operations_.publish(self_, call, borrow(channel), borrow(payload));
  });
}

skh_status StateUser::publishMeanwhile(std::string_view channel, std::string_view payload) const {
  const StandInCall call(patience(), StandInCall::never(), minor_);
  return operations_.publish(self_, call.raw(), borrow(channel), borrow(payload));
}

skh_status StateUser::subscribe(std::string_view channel) {
  return ask("subscribe()", [&](const skh_call *call) {
    return operations_.subscribe(self_, call, borrow(channel));
  });
}

skh_status StateUser::unsubscribe(std::string_view channel) {
  return ask("unsubscribe()", [&](const skh_call *call) {
    return operations_.unsubscribe(self_, call, borrow(channel));
  });
}

StateUser::Received StateUser::receive(const StandInCall &call) {
  probe_.step("receive()");
  MessageSink sink;
  Received received;
  received.status = operations_.receive(self_, call.raw(), sink.raw());
  message_ = inBrackets(call.message());
  if (!sink.fault.empty()) fail("receive() gives " + sink.fault);
  if (sink.messages.size() > 1024)
    fail("receive() gives " + std::to_string(sink.messages.size()) + " messages at once",
         "at most 1,024: the host calls it again");
  received.messages = std::move(sink.messages);
  return received;
}

StateUser::Received StateUser::receive(Milliseconds span) {
  const StandInCall call(StandInCall::Clock::now() + span, StandInCall::never(), minor_);
  return receive(call);
}

std::string statePrefix() {
  static unsigned count = 0;
  const auto now = std::chrono::system_clock::now().time_since_epoch().count();
  return "skillhost-check:" + std::to_string(now) + ':' + std::to_string(::getpid()) + ':' +
         std::to_string(++count) + ':';
}

} // namespace skillhost::check
