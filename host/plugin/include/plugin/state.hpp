// SPDX-License-Identifier: Apache-2.0
// An instance that keeps what the replicas of a service share, as the host calls it. state.h of the
// plugin interface says what each operation promises.
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
  // The most bytes of a key or channel, and of a value or payload; more is InvalidInput or
  // TooLarge.
  static constexpr std::size_t maxKeyBytes = 512, maxValueBytes = 1U << 20U;

  virtual ~StateBackend() = default;

  virtual const std::string &name() const noexcept = 0;
  // Ends the executor: cancels the calls that wait or run, and refuses later ones. Must not be
  // called on an executor's own thread.
  virtual void stop() = 0;
  // Sets the text that an operator sees beside the state of the instance; may be empty. Any thread.
  virtual void setRemark(std::string text) = 0;

  // Any of these fails with Unavailable if the engine cannot be reached; the operation may have
  // been done.
  virtual void check(CallOptions options, ResultCallback<Done> answer) = 0;
  // Returns nothing if there is no value.
  virtual void get(CallOptions options, std::string key, Span expiry,
                   ResultCallback<std::optional<std::string>> answer) = 0;
  virtual void put(CallOptions options, std::string key, std::string value, Span expiry,
                   ResultCallback<Done> answer) = 0;
  // Returns false, and does nothing, if the value is not `expected` (nothing: there is no value).
  virtual void compareAndSet(CallOptions options, std::string key,
                             std::optional<std::string> expected, std::string value, Span expiry,
                             ResultCallback<bool> answer) = 0;
  // Without `expected`, any value is erased.
  virtual void erase(CallOptions options, std::string key, std::optional<std::string> expected,
                     ResultCallback<StateErased> answer) = 0;
  virtual void add(CallOptions options, std::string key, std::int64_t delta, Span expiry,
                   ResultCallback<std::int64_t> answer) = 0;
  virtual void publish(CallOptions options, std::string channel, std::string payload,
                       ResultCallback<Done> answer) = 0;
  virtual void subscribe(CallOptions options, std::string channel, ResultCallback<Done> answer) = 0;
  virtual void unsubscribe(CallOptions options, std::string channel,
                           ResultCallback<bool> answer) = 0;
  // Waits until the deadline for a message. If there is none, it returns an empty list, up to a
  // second later. One call at a time, else it fails with Unavailable. It takes a thread of the
  // executor while it waits, one that other calls do not need. After a failure messages may have
  // been lost.
  virtual void receive(CallOptions options, ResultCallback<std::vector<StateMessage>> answer) = 0;
};

} // namespace skillhost
