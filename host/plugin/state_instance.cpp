// SPDX-License-Identifier: Apache-2.0
#include "state_instance.hpp"

#include "message_sink.hpp"
#include "sinks.hpp"

#include <skillhost/state.h>

#include <charconv>
#include <initializer_list>

namespace skillhost {
namespace {

using Span = StateBackend::Span;

constexpr std::size_t expectedValue = 1024;
constexpr std::size_t maxNumberBytes = 20; // digits of an int64_t, and its sign
// A wait ends at its deadline, so the deadline alone does not show that a plugin hangs. This delay
// after it does.
constexpr std::chrono::milliseconds lateness{1'000};

// Refuses a request that no plugin is asked for, because not every plugin could fulfil it.
std::optional<Failure> refusal(const Instance &instance, std::string_view what,
                               std::string_view key,
                               std::initializer_list<std::string_view> values = {},
                               Span expiry = Span::zero()) {
  const std::string where = instance.name() + ": " + std::string(what) + ": ";
  if (key.empty() || key.size() > StateBackend::maxKeyBytes)
    return Failure{Fault::InvalidInput, where + "a key or channel has 1 to " +
                                            std::to_string(StateBackend::maxKeyBytes) +
                                            " bytes, not " + std::to_string(key.size())};
  for (const std::string_view value : values)
    if (value.size() > StateBackend::maxValueBytes)
      return Failure{Fault::TooLarge, where + "a value or message has at most " +
                                          std::to_string(StateBackend::maxValueBytes) +
                                          " bytes, not " + std::to_string(value.size())};
  if (expiry < Span::zero())
    return Failure{Fault::InvalidInput, where + "an expiry is no time in the past"};
  return std::nullopt;
}

std::uint64_t expiryOf(Span span) noexcept { return static_cast<std::uint64_t>(span.count()); }

// These return the meaning of a status that is no failure; nothing if it is one.
std::optional<Done> onlyDone(skh_status status) noexcept {
  return status == SKH_OK ? std::optional(Done{}) : std::nullopt;
}
std::optional<bool> falseWhenStale(skh_status status) noexcept {
  return status == SKH_OK || status == SKH_STALE ? std::optional(status == SKH_OK) : std::nullopt;
}
std::optional<bool> falseWhenAbsent(skh_status status) noexcept {
  return status == SKH_OK || status == SKH_NOT_FOUND ? std::optional(status == SKH_OK)
                                                     : std::nullopt;
}
std::optional<StateErased> erased(skh_status status) noexcept {
  if (status == SKH_OK) return StateErased::Yes;
  if (status == SKH_NOT_FOUND) return StateErased::Absent;
  return status == SKH_STALE ? std::optional(StateErased::Other) : std::nullopt;
}

// Makes a call whose status is its whole answer. `what` is a literal.
template <class T, class Ask>
void callFor(Instance &instance, CallOptions options, std::string_view what, Ask ask,
             std::optional<T> (*meaningOf)(skh_status) noexcept, const ResultCallback<T> &answer) {
  auto work = [&instance, what, meaningOf, ask = std::move(ask)](CallFrame &frame) -> Result<T> {
    const skh_status status = ask(instance.operations<skh_state>(), instance.self(), frame.raw());
    if (const std::optional<T> meaning = meaningOf(status)) return *meaning;
    return frame.failure(status, instance.name(), what);
  };
  instance.call<T>(std::move(options), what, std::move(work), answer);
}

skh_str borrowed(const std::optional<std::string> &text) noexcept {
  return text ? borrow(*text) : skh_str{};
}

Result<std::optional<std::string>> getNow(const Instance &instance, CallFrame &frame,
                                          const std::string &key, Span expiry) {
  BytesSink sink(frame, StateBackend::maxValueBytes, expectedValue);
  const skh_status status = instance.operations<skh_state>().get(
      instance.self(), frame.raw(), borrow(key), expiryOf(expiry), sink.raw());
  if (sink.hasOverflowed())
    return {Fault::TooLarge, instance.name() + ": get: a value of more than " +
                                 std::to_string(StateBackend::maxValueBytes) + " bytes"};
  if (status == SKH_NOT_FOUND) return std::optional<std::string>();
  if (status != SKH_OK) return frame.failure(status, instance.name(), "get");
  return std::optional(std::move(sink.bytes()));
}

Result<std::int64_t> addNow(const Instance &instance, CallFrame &frame, const std::string &key,
                            std::int64_t delta, Span expiry) {
  BytesSink sink(frame, maxNumberBytes, maxNumberBytes);
  const skh_status status = instance.operations<skh_state>().add(
      instance.self(), frame.raw(), borrow(key), delta, expiryOf(expiry), sink.raw());
  if (status != SKH_OK && !sink.hasOverflowed())
    return frame.failure(status, instance.name(), "add");
  std::int64_t sum = 0;
  const std::string &text = sink.bytes();
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), sum);
  if (sink.hasOverflowed() || fault != std::errc() || end != text.data() + text.size())
    return {Fault::OperationFailed,
            instance.name() + ": add: what the plugin wrote is no number of 64 bits"};
  return sum;
}

// `waiting` has the deadline that the plugin gets, `frame` a later one.
Result<std::vector<StateMessage>> receiveNow(const Instance &instance, const CallFrame &frame,
                                             const CallOptions &waiting) {
  const CallFrame waitingFrame(waiting);
  MessageSink sink(frame);
  const skh_status status =
      instance.operations<skh_state>().receive(instance.self(), waitingFrame.raw(), sink.raw());
  if (!sink.fault().empty())
    return {Fault::OperationFailed, instance.name() + ": receive: " + std::string(sink.fault())};
  // A plugin that reports the end of its wait by these names has waited all the same.
  const bool hasWaited = (status == SKH_DEADLINE || status == SKH_CANCELLED) &&
                         waiting.deadline.passed() && !waiting.cancel.cancelled();
  if (status != SKH_OK && !hasWaited)
    return waitingFrame.failure(status, instance.name(), "receive");
  return std::move(sink.messages);
}

// The right to call receive(), which one caller has at a time: until the plugin has come back, or
// until it is certain that it will not be called. Any thread.
class ReceiveTurn {
public:
  // Returns null if another caller has it.
  static std::shared_ptr<ReceiveTurn> take(const std::shared_ptr<std::atomic<bool>> &isTaken) {
    return isTaken->exchange(true) ? nullptr : std::make_shared<ReceiveTurn>(isTaken);
  }
  explicit ReceiveTurn(std::shared_ptr<std::atomic<bool>> isTaken) : isTaken_(std::move(isTaken)) {}
  ~ReceiveTurn() { end(); }
  ReceiveTurn(const ReceiveTurn &) = delete;
  ReceiveTurn &operator=(const ReceiveTurn &) = delete;

  void begin() noexcept { begun_ = true; }
  bool begun() const noexcept { return begun_; }
  void end() noexcept {
    if (!ended_.exchange(true)) *isTaken_ = false;
  }

private:
  const std::shared_ptr<std::atomic<bool>> isTaken_;
  std::atomic<bool> begun_{false}, ended_{false};
};

} // namespace

void StateInstance::check(CallOptions options, ResultCallback<Done> answer) {
  auto ask = [](const skh_state &state, void *self, const skh_call *call) {
    return state.check(self, call);
  };
  callFor(*instance_, std::move(options), "check", std::move(ask), &onlyDone, answer);
}

void StateInstance::get(CallOptions options, std::string key, Span expiry,
                        ResultCallback<std::optional<std::string>> answer) {
  if (auto why = refusal(*instance_, "get", key, {}, expiry)) return answer(*std::move(why));
  auto work = [instance = instance_.get(), expiry, key = std::move(key)](CallFrame &frame) {
    return getNow(*instance, frame, key, expiry);
  };
  instance_->call<std::optional<std::string>>(std::move(options), "get", std::move(work), answer);
}

void StateInstance::put(CallOptions options, std::string key, std::string value, Span expiry,
                        ResultCallback<Done> answer) {
  if (auto why = refusal(*instance_, "put", key, {value}, expiry)) return answer(*std::move(why));
  auto ask = [key = std::move(key), value = std::move(value),
              expiry](const skh_state &state, void *self, const skh_call *call) {
    return state.put(self, call, borrow(key), borrow(value), expiryOf(expiry));
  };
  callFor(*instance_, std::move(options), "put", std::move(ask), &onlyDone, answer);
}

void StateInstance::compareAndSet(CallOptions options, std::string key,
                                  std::optional<std::string> expected, std::string value,
                                  Span expiry, ResultCallback<bool> answer) {
  constexpr std::string_view what = "compare_and_set";
  if (auto why =
          refusal(*instance_, what, key,
                  {value, expected ? std::string_view(*expected) : std::string_view{}}, expiry))
    return answer(*std::move(why));
  auto ask = [key = std::move(key), expected = std::move(expected), value = std::move(value),
              expiry](const skh_state &state, void *self, const skh_call *call) {
    const skh_str lent = borrowed(expected);
    return state.compare_and_set(self, call, borrow(key), expected ? &lent : nullptr, borrow(value),
                                 expiryOf(expiry));
  };
  callFor(*instance_, std::move(options), what, std::move(ask), &falseWhenStale, answer);
}

void StateInstance::erase(CallOptions options, std::string key, std::optional<std::string> expected,
                          ResultCallback<StateErased> answer) {
  if (auto why = refusal(*instance_, "erase", key,
                         {expected ? std::string_view(*expected) : std::string_view{}}))
    return answer(*std::move(why));
  auto ask = [key = std::move(key), expected = std::move(expected)](
                 const skh_state &state, void *self, const skh_call *call) {
    const skh_str lent = borrowed(expected);
    return state.erase(self, call, borrow(key), expected ? &lent : nullptr);
  };
  callFor(*instance_, std::move(options), "erase", std::move(ask), &erased, answer);
}

void StateInstance::add(CallOptions options, std::string key, std::int64_t delta, Span expiry,
                        ResultCallback<std::int64_t> answer) {
  if (auto why = refusal(*instance_, "add", key, {}, expiry)) return answer(*std::move(why));
  auto work = [instance = instance_.get(), delta, expiry, key = std::move(key)](CallFrame &frame) {
    return addNow(*instance, frame, key, delta, expiry);
  };
  instance_->call<std::int64_t>(std::move(options), "add", std::move(work), answer);
}

void StateInstance::publish(CallOptions options, std::string channel, std::string payload,
                            ResultCallback<Done> answer) {
  if (auto why = refusal(*instance_, "publish", channel, {payload})) return answer(*std::move(why));
  auto ask = [channel = std::move(channel), payload = std::move(payload)](
                 const skh_state &state, void *self, const skh_call *call) {
    return state.publish(self, call, borrow(channel), borrow(payload));
  };
  callFor(*instance_, std::move(options), "publish", std::move(ask), &onlyDone, answer);
}

void StateInstance::subscribe(CallOptions options, std::string channel,
                              ResultCallback<Done> answer) {
  if (auto why = refusal(*instance_, "subscribe", channel)) return answer(*std::move(why));
  auto ask = [channel = std::move(channel)](const skh_state &state, void *self,
                                            const skh_call *call) {
    return state.subscribe(self, call, borrow(channel));
  };
  callFor(*instance_, std::move(options), "subscribe", std::move(ask), &onlyDone, answer);
}

void StateInstance::unsubscribe(CallOptions options, std::string channel,
                                ResultCallback<bool> answer) {
  if (auto why = refusal(*instance_, "unsubscribe", channel)) return answer(*std::move(why));
  auto ask = [channel = std::move(channel)](const skh_state &state, void *self,
                                            const skh_call *call) {
    return state.unsubscribe(self, call, borrow(channel));
  };
  callFor(*instance_, std::move(options), "unsubscribe", std::move(ask), &falseWhenAbsent, answer);
}

void StateInstance::receive(CallOptions options, ResultCallback<std::vector<StateMessage>> answer) {
  const auto turn = ReceiveTurn::take(receives_);
  if (!turn)
    return answer({Fault::Unavailable,
                   instance_->name() + ": receive: another call of it has not ended yet"});
  CallOptions waiting = options;
  if (!options.deadline.isNever())
    options.deadline = Deadline::at(options.deadline.at() + lateness);
  auto work = [instance = instance_.get(), waiting = std::move(waiting),
               turn](const CallFrame &frame) {
    turn->begin();
    auto received = receiveNow(*instance, frame, waiting);
    turn->end(); // before the answer, which may make the next call
    return received;
  };
  instance_->call<std::vector<StateMessage>>(
      std::move(options), "receive", std::move(work),
      [turn, answer = std::move(answer)](Result<std::vector<StateMessage>> result) {
        if (!turn->begun()) turn->end();
        answer(std::move(result));
      });
}

} // namespace skillhost
