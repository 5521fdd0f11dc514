// SPDX-License-Identifier: Apache-2.0
#include "state.hpp"

#include "refusal.hpp"
#include "trial.hpp"

#include <charconv>
#include <type_traits>

namespace skillhost::valkey {
namespace {

constexpr std::size_t maxKeyBytes = 512, maxValueBytes = std::size_t{1} << 20U;
constexpr int maxReceivedMessages = 1'024;

void checkKey(std::string_view key, const char *what) {
  if (key.empty() || key.size() > maxKeyBytes)
    throw skh::Error(SKH_INVALID, std::string(what) + " must have 1 to " +
                                      std::to_string(maxKeyBytes) + " bytes, and has " +
                                      std::to_string(key.size()));
}

void checkValue(std::string_view value, const char *what) {
  if (value.size() > maxValueBytes)
    throw skh::Error(SKH_TOO_LARGE, std::string(what) + " has " + std::to_string(value.size()) +
                                        " bytes; at most " + std::to_string(maxValueBytes) +
                                        " can be stored");
}

[[noreturn]] void refuseAnswer(const char *command) {
  throw skh::Error(SKH_FAILED, std::string("the engine answers ") + command +
                                   " with something that is no answer to it");
}

std::int64_t sumIn(const Reply &reply) {
  std::int64_t sum = 0;
  const char *const end = reply.text.data() + reply.text.size();
  const auto [read, error] = std::from_chars(reply.text.data(), end, sum);
  if (reply.kind != Reply::Kind::Text || error != std::errc{} || read != end)
    refuseAnswer("the counting");
  return sum;
}

} // namespace

ValkeyState::ValkeyState(skh::Host host, const skh::Call & /*call*/)
    : host_(host), settings_(skh::Config(host), host), engine_(settings_, tally_, host),
      subscriptions_(engine_, settings_, tally_, host) {}

template <class Body> auto ValkeyState::counted(Body &&body) {
  try {
    if constexpr (std::is_void_v<decltype(body())>) {
      body();
      tally_.done.add();
    } else {
      auto result = body();
      tally_.done.add();
      return result;
    }
  } catch (const skh::Error &error) {
    if (error.status() == SKH_UNAVAILABLE)
      tally_.unavailable.add();
    else if (error.status() == SKH_DEADLINE || error.status() == SKH_CANCELLED)
      tally_.late.add();
    else
      tally_.failed.add();
    throw;
  }
}

Reply ValkeyState::ask(std::string_view key, std::string_view command, const Limit &limit,
                       Repeat repeat) {
  Reply reply = engine_.ask(key, command, limit, repeat);
  throwError(reply, "the engine says");
  return reply;
}

Reply ValkeyState::run(const Script &script, std::string_view key,
                       std::initializer_list<std::string_view> arguments, const Limit &limit) {
  const std::string command = scriptCommand("EVALSHA", script.digest, key, arguments);
  Reply reply = engine_.ask(key, command, limit);
  // The script was not run. Each engine learns it once and forgets it at a restart.
  if (reply.isError() && refusalOf(reply.text) == Refusal::NoScript)
    reply = engine_.ask(key, scriptCommand("EVAL", script.body, key, arguments), limit);
  throwError(reply, "the engine says");
  return reply;
}

void ValkeyState::check(const skh::Call &call) {
  Trial(settings_, engine_, host_, hasWarned_)
      .run(Limit(call, settings_.connectTimeout + settings_.timeout));
}

std::optional<std::string> ValkeyState::get(const skh::Call &call, std::string_view key,
                                            Span expiry) {
  return counted([&]() -> std::optional<std::string> {
    checkKey(key, "a key");
    Reply reply = expiry.count() > 0
                      ? ask(key, commandOf({"GETEX", key, "PX", std::to_string(expiry.count())}),
                            limitOf(call), Repeat::IfLost)
                      : ask(key, commandOf({"GET", key}), limitOf(call), Repeat::IfLost);
    if (reply.kind == Reply::Kind::Nil) return std::nullopt;
    if (reply.kind != Reply::Kind::Text) refuseAnswer("GET");
    if (reply.text.size() > maxValueBytes)
      throw skh::Error(SKH_CORRUPT, "the value under the key is larger than any of skillhost's");
    return std::move(reply.text);
  });
}

void ValkeyState::put(const skh::Call &call, std::string_view key, std::string_view value,
                      Span expiry) {
  counted([&] {
    checkKey(key, "a key");
    checkValue(value, "a value");
    const Reply reply = ask(
        key,
        expiry.count() > 0 ? commandOf({"SET", key, value, "PX", std::to_string(expiry.count())})
                           : commandOf({"SET", key, value}),
        limitOf(call));
    if (!reply.isStatus("OK")) refuseAnswer("SET");
  });
}

bool ValkeyState::compareAndSet(const skh::Call &call, std::string_view key,
                                std::optional<std::string_view> expected, std::string_view value,
                                Span expiry) {
  return counted([&] {
    checkKey(key, "a key");
    checkValue(value, "a value");
    if (expected) checkValue(*expected, "the expected value");
    const std::string span = std::to_string(expiry.count());
    if (expected) {
      const Reply reply = run(compareAndSetScript(), key, {*expected, value, span}, limitOf(call));
      if (reply.kind != Reply::Kind::Integer) refuseAnswer("the comparison");
      return reply.integer == 1;
    }
    const Reply reply = ask(key,
                            expiry.count() > 0 ? commandOf({"SET", key, value, "NX", "PX", span})
                                               : commandOf({"SET", key, value, "NX"}),
                            limitOf(call));
    if (reply.kind == Reply::Kind::Nil) return false;
    if (!reply.isStatus("OK")) refuseAnswer("SET");
    return true;
  });
}

skh::State::Erased ValkeyState::erase(const skh::Call &call, std::string_view key,
                                      std::optional<std::string_view> expected) {
  return counted([&] {
    checkKey(key, "a key");
    if (expected) checkValue(*expected, "the expected value");
    const Reply reply = expected ? run(compareAndEraseScript(), key, {*expected}, limitOf(call))
                                 : ask(key, commandOf({"DEL", key}), limitOf(call));
    if (reply.kind != Reply::Kind::Integer) refuseAnswer("DEL");
    if (reply.integer == 1) return Erased::Yes;
    return expected && reply.integer == 0 ? Erased::Other : Erased::Absent;
  });
}

std::int64_t ValkeyState::add(const skh::Call &call, std::string_view key, std::int64_t delta,
                              Span expiry) {
  return counted([&] {
    checkKey(key, "a key");
    return sumIn(run(addScript(), key, {std::to_string(delta), std::to_string(expiry.count())},
                     limitOf(call)));
  });
}

void ValkeyState::publish(const skh::Call &call, std::string_view channel,
                          std::string_view payload) {
  counted([&] {
    checkKey(channel, "a channel");
    checkValue(payload, "a payload");
    // Uses the node that would have a key of that name. Each channel thus has one node, which keeps
    // the order of messages.
    const Reply reply = ask(channel, commandOf({"PUBLISH", channel, payload}), limitOf(call));
    if (reply.kind != Reply::Kind::Integer) refuseAnswer("PUBLISH");
  });
}

void ValkeyState::subscribe(const skh::Call &call, std::string_view channel) {
  counted([&] {
    checkKey(channel, "a channel");
    subscriptions_.add(std::string(channel),
                       Limit(call, settings_.connectTimeout + settings_.timeout));
  });
}

bool ValkeyState::unsubscribe(const skh::Call & /*call*/, std::string_view channel) {
  return subscriptions_.remove(std::string(channel));
}

void ValkeyState::receive(const skh::Call &call, const skh::StateMessages &out) {
  MessageQueue &queue = subscriptions_.queue();
  std::optional<Message> message;
  while (!(message = queue.take(call.remaining(Limit::slice)))) {
    // Checks the deadline first, because a host may cancel a call whose deadline has passed.
    if (call.remaining(Limit::slice).count() <= 0) return;
    call.point();
  }
  for (int count = 0; message; ++count) {
    try {
      out.add({message->channel, message->payload, message->followsLoss});
    } catch (...) {
      queue.giveBack(*std::move(message));
      throw;
    }
    message =
        count + 1 < maxReceivedMessages ? queue.take(std::chrono::milliseconds{0}) : std::nullopt;
  }
}

} // namespace skillhost::valkey
