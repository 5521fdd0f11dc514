// SPDX-License-Identifier: Apache-2.0
// skillhost/state.hpp - C++20 convenience over state.h: the kind "skh.state/1". Header only.
//
//   class Etcd final : public skh::State { public: Etcd(skh::Host, const skh::Call &); ... };
//   SKH_PLUGIN(skh::state<Etcd>("org.example.etcd", "1.0.0", "State in etcd", schema, SKH_NETWORK))
//
// As in plugin.hpp, methods may throw, and views passed to them are valid until they return.
#pragma once

#include <skillhost/plugin.hpp>
#include <skillhost/state.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace skh {

struct StateMessage {
  std::string_view channel{}, payload{};
  bool lost = false; // messages may have been lost before this one
};

class StateMessages {
public:
  explicit StateMessages(const skh_messages *raw) noexcept : raw_(raw) {}
  void add(const StateMessage &message) const {
    const skh_message raw{sizeof raw, message.lost ? std::uint32_t{SKH_MESSAGES_LOST} : 0U,
                          borrow(message.channel), borrow(message.payload)};
    check(raw_->add(raw_, &raw), "message refused");
  }

private:
  const skh_messages *raw_;
};

// See state.h for the promises of each method. A span of zero means no expiry and extends nothing.
class State {
public:
  using Span = std::chrono::milliseconds;

  virtual ~State() = default;
  virtual void check(const Call &) = 0;
  // Returns nothing if there is no value.
  virtual std::optional<std::string> get(const Call &, std::string_view key, Span expiry) = 0;
  virtual void put(const Call &, std::string_view key, std::string_view value, Span expiry) = 0;
  // If `expected` is nothing, there must be no value. Returns false if the present value differs;
  // nothing was done then.
  virtual bool compareAndSet(const Call &, std::string_view key,
                             std::optional<std::string_view> expected, std::string_view value,
                             Span expiry) = 0;
  enum class Erased { Yes, Absent, Other }; // Other: the value was not the expected one
  // If `expected` is nothing, erases whatever is there.
  virtual Erased erase(const Call &, std::string_view key,
                       std::optional<std::string_view> expected) = 0;
  virtual std::int64_t add(const Call &, std::string_view key, std::int64_t delta, Span expiry) = 0;
  virtual void publish(const Call &, std::string_view channel, std::string_view payload) = 0;
  virtual void subscribe(const Call &, std::string_view channel) = 0;
  // Returns false if the channel was not subscribed to.
  virtual bool unsubscribe(const Call &, std::string_view channel) = 0;
  virtual void receive(const Call &, const StateMessages &) = 0;
};

template <class T> struct StateOps {
  static State::Span span(std::uint64_t milliseconds) noexcept {
    constexpr std::uint64_t longest = INT64_MAX / 1'000'000; // must also fit as nanoseconds
    return State::Span{static_cast<std::int64_t>(milliseconds < longest ? milliseconds : longest)};
  }
  static std::optional<std::string_view> optional(const skh_str *text) noexcept {
    return text == nullptr ? std::nullopt : std::optional(view(*text));
  }
  static T &of(void *self) noexcept { return *static_cast<T *>(self); }

  static skh_status check(void *self, const skh_call *c) noexcept {
    return guard(c, [&] { of(self).check(Call{c}); });
  }
  static skh_status get(void *self, const skh_call *c, skh_str key, std::uint64_t expiry,
                        const skh_bytes *out) noexcept {
    bool isThere = false;
    const skh_status status = guard(c, [&] {
      const std::optional<std::string> value = of(self).get(Call{c}, view(key), span(expiry));
      isThere = value.has_value();
      if (value) Bytes{out}.write(*value);
    });
    return status == SKH_OK && !isThere ? skh_status{SKH_NOT_FOUND} : status;
  }
  static skh_status put(void *self, const skh_call *c, skh_str key, skh_str value,
                        std::uint64_t expiry) noexcept {
    return guard(c, [&] { of(self).put(Call{c}, view(key), view(value), span(expiry)); });
  }
  static skh_status compareAndSet(void *self, const skh_call *c, skh_str key,
                                  const skh_str *expected, skh_str value,
                                  std::uint64_t expiry) noexcept {
    bool isSet = false;
    const skh_status status = guard(c, [&] {
      isSet =
          of(self).compareAndSet(Call{c}, view(key), optional(expected), view(value), span(expiry));
    });
    return status == SKH_OK && !isSet ? skh_status{SKH_STALE} : status;
  }
  static skh_status erase(void *self, const skh_call *c, skh_str key,
                          const skh_str *expected) noexcept {
    auto erased = State::Erased::Yes;
    const skh_status status =
        guard(c, [&] { erased = of(self).erase(Call{c}, view(key), optional(expected)); });
    if (status != SKH_OK || erased == State::Erased::Yes) return status;
    return erased == State::Erased::Absent ? SKH_NOT_FOUND : SKH_STALE;
  }
  static skh_status add(void *self, const skh_call *c, skh_str key, std::int64_t delta,
                        std::uint64_t expiry, const skh_bytes *out) noexcept {
    return guard(c, [&] {
      Bytes{out}.write(std::to_string(of(self).add(Call{c}, view(key), delta, span(expiry))));
    });
  }
  static skh_status publish(void *self, const skh_call *c, skh_str channel,
                            skh_str payload) noexcept {
    return guard(c, [&] { of(self).publish(Call{c}, view(channel), view(payload)); });
  }
  static skh_status subscribe(void *self, const skh_call *c, skh_str channel) noexcept {
    return guard(c, [&] { of(self).subscribe(Call{c}, view(channel)); });
  }
  static skh_status unsubscribe(void *self, const skh_call *c, skh_str channel) noexcept {
    bool was = true;
    const skh_status status = guard(c, [&] { was = of(self).unsubscribe(Call{c}, view(channel)); });
    return status == SKH_OK && !was ? skh_status{SKH_NOT_FOUND} : status;
  }
  static skh_status receive(void *self, const skh_call *c, const skh_messages *out) noexcept {
    return guard(c, [&] { of(self).receive(Call{c}, StateMessages{out}); });
  }
  static constexpr skh_state table{sizeof(skh_state), 0,       &check, &get,     &put,
                                   &compareAndSet,    &erase,  &add,   &publish, &subscribe,
                                   &unsubscribe,      &receive};
};

template <class T>
constexpr skh_plugin state(const char *id, const char *version, const char *summary,
                           const char *schema, std::uint32_t flags = 0,
                           const char *licence = "Apache-2.0") {
  return describe<T>(SKH_STATE_KIND, &StateOps<T>::table, id, version, summary, schema, flags,
                     licence);
}

} // namespace skh
