// SPDX-License-Identifier: Apache-2.0
// Keeps the shared state of replicas in Valkey or Redis.
#pragma once

#include "engine/engine.hpp"
#include "messages/subscriptions.hpp"
#include "scripts.hpp"
#include "settings.hpp"

#include <skillhost/state.hpp>

#include <atomic>

namespace skillhost::valkey {

// Any thread may call any method; state.h specifies each of them.
class ValkeyState final : public skh::State {
public:
  // Does not connect. Throws skh::Error(SKH_INVALID).
  ValkeyState(skh::Host host, const skh::Call &call);

  void check(const skh::Call &call) override;
  std::optional<std::string> get(const skh::Call &call, std::string_view key, Span expiry) override;
  void put(const skh::Call &call, std::string_view key, std::string_view value,
           Span expiry) override;
  bool compareAndSet(const skh::Call &call, std::string_view key,
                     std::optional<std::string_view> expected, std::string_view value,
                     Span expiry) override;
  Erased erase(const skh::Call &call, std::string_view key,
               std::optional<std::string_view> expected) override;
  std::int64_t add(const skh::Call &call, std::string_view key, std::int64_t delta,
                   Span expiry) override;
  void publish(const skh::Call &call, std::string_view channel, std::string_view payload) override;
  void subscribe(const skh::Call &call, std::string_view channel) override;
  bool unsubscribe(const skh::Call &call, std::string_view channel) override;
  void receive(const skh::Call &call, const skh::StateMessages &out) override;

private:
  // Counts the result of an operation. An error reply becomes an exception.
  template <class Body> auto counted(Body &&body);
  Reply ask(std::string_view key, std::string_view command, const Limit &limit,
            Repeat repeat = Repeat::Never);
  Reply run(const Script &script, std::string_view key,
            std::initializer_list<std::string_view> arguments, const Limit &limit);
  Limit limitOf(const skh::Call &call) const { return {call, settings_.timeout}; }

  const skh::Host host_;
  std::atomic<bool> hasWarned_{false}; // set by check()
  Settings settings_;
  Tally tally_;
  Engine engine_;
  Subscriptions subscriptions_;
};

} // namespace skillhost::valkey
