// SPDX-License-Identifier: Apache-2.0
// An instance that keeps what the replicas of a service share, as the host calls it; see state.h of
// the plugin interface for what each operation promises.
#pragma once

#include "plugin/call.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace skillhost {

struct StateMessage {
  std::string channel, payload;
  bool lost = false; // messages may have been lost before this one
};

enum class StateErased : std::uint8_t { Yes, Absent, Other };

class StateBackend {
public:
  using Span = std::chrono::milliseconds; // zero: does not expire, extends nothing
  // Bytes that one key or channel, one value or payload may have; more is InvalidInput or TooLarge.
  static constexpr std::size_t longestKey = 512, largestValue = 1U << 20U;

  virtual ~StateBackend() = default;

  virtual const std::string &name() const noexcept = 0;
  // Ends the executor: finishes what is queued, refuses everything after. Not on an executor's own
  // thread.
  virtual void stop() = 0;
  // What the operator is to see beside the state of the instance; empty: nothing. Any thread.
  virtual void remark(std::string text) = 0;

  // Unavailable everywhere: the engine cannot be reached, and what was asked may have been done.
  virtual void check(CallOptions options, Answer<Done> answer) = 0;
  // Nothing when there is none.
  virtual void get(CallOptions options, std::string key, Span expiry,
                   Answer<std::optional<std::string>> answer) = 0;
  virtual void put(CallOptions options, std::string key, std::string value, Span expiry,
                   Answer<Done> answer) = 0;
  // False: what is there is not `expected` (nothing: there is none), and nothing was done.
  virtual void compareAndSet(CallOptions options, std::string key,
                             std::optional<std::string> expected, std::string value, Span expiry,
                             Answer<bool> answer) = 0;
  // `expected` is nothing: whatever is there.
  virtual void erase(CallOptions options, std::string key, std::optional<std::string> expected,
                     Answer<StateErased> answer) = 0;
  virtual void add(CallOptions options, std::string key, std::int64_t delta, Span expiry,
                   Answer<std::int64_t> answer) = 0;
  virtual void publish(CallOptions options, std::string channel, std::string payload,
                       Answer<Done> answer) = 0;
  virtual void subscribe(CallOptions options, std::string channel, Answer<Done> answer) = 0;
  virtual void unsubscribe(CallOptions options, std::string channel, Answer<bool> answer) = 0;
  // Waits until the deadline for a message; none then is an empty list, which comes up to a second
  // later. One call at a time, else Unavailable: it takes a thread of the executor as long as it
  // waits, which the others do not miss. After a failure messages may have been lost.
  virtual void receive(CallOptions options, Answer<std::vector<StateMessage>> answer) = 0;
};

} // namespace skillhost
