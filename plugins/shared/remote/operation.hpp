// SPDX-License-Identifier: Apache-2.0
// Limits the cost of one refresh: time and bytes. It also carries the request to stop and the
// trace. Only one thread may use it.
#pragma once

#include <skillhost/plugin.hpp>

#include <algorithm>
#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace skillhost::remote {

// The error of a remote that refuses, with the time after which it may be asked again.
class RemoteError : public skh::Error {
public:
  explicit RemoteError(const std::string &message,
                       std::optional<std::chrono::seconds> retryAfter = std::nullopt)
      : RemoteError(SKH_UNAVAILABLE, message, retryAfter) {}
  std::optional<std::chrono::seconds> retryAfter() const noexcept { return retryAfter_; }

protected:
  RemoteError(skh_status status, const std::string &message,
              std::optional<std::chrono::seconds> retryAfter)
      : skh::Error(status, message), retryAfter_(retryAfter) {}

private:
  std::optional<std::chrono::seconds> retryAfter_;
};

// The remote does not know the client or does not let it read (401, 403).
class RefusedError : public RemoteError {
public:
  explicit RefusedError(const std::string &message,
                        std::optional<std::chrono::seconds> retryAfter = std::nullopt)
      : RemoteError(SKH_DENIED, message, retryAfter) {}
};

// No complete answer arrived. A repetition may succeed at once.
class NetworkError : public RemoteError {
public:
  using RemoteError::RemoteError;
};

// Returns the header fields that name the trace of a call, one per line; none if it belongs to no
// trace.
inline std::vector<std::string> traceLines(const skh::Call &call) {
  std::vector<std::string> lines;
  if (call.traceparent().empty()) return lines;
  lines.push_back("traceparent: " + std::string(call.traceparent()));
  if (!call.tracestate().empty()) lines.push_back("tracestate: " + std::string(call.tracestate()));
  return lines;
}

class Operation {
public:
  using Clock = std::chrono::steady_clock;

  // `received` is called with the sum of all bytes, each time more arrive.
  Operation(std::function<bool()> stopped, Clock::time_point deadline, std::uint64_t maxBytes,
            std::function<void(std::uint64_t)> received = nullptr)
      : stopped_(std::move(stopped)), deadline_(deadline), maxBytes_(maxBytes),
        received_(std::move(received)) {}

  bool isStopped() const { return stopped_(); }
  // Throws skh::Error(SKH_CANCELLED) if the operation must stop. Used after the remote has
  // answered.
  void throwIfStopped() const {
    if (stopped_()) throw skh::Error(SKH_CANCELLED, "stopped");
  }
  // Throws as throwIfStopped() does, and SKH_DEADLINE if the time is up.
  void checkpoint() const {
    throwIfStopped();
    if (Clock::now() >= deadline_)
      throw skh::Error(SKH_DEADLINE, "the remote did not answer in time (deadline_ms)");
  }
  // Returns how long to wait for the remote until the next checkpoint, in milliseconds: at most 40.
  int waitSliceMs() const {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline_ - Clock::now());
    return static_cast<int>(std::clamp<std::int64_t>(left.count(), 0, 40));
  }
  // Counts received bytes. Throws skh::Error(SKH_TOO_LARGE) beyond the limit.
  void receive(std::uint64_t bytes) {
    bytes_ += bytes;
    if (received_) received_(bytes_);
    if (bytes_ > maxBytes_)
      throw skh::Error(SKH_TOO_LARGE, "the remote sends more than " + std::to_string(maxBytes_) +
                                          " bytes (max_fetch_bytes)");
  }
  std::uint64_t bytes() const noexcept { return bytes_; }

  // Lines from traceLines(). Like a token, they are only sent to a host that the operator named.
  void setTrace(std::vector<std::string> lines) { trace_ = std::move(lines); }
  const std::vector<std::string> &trace() const noexcept { return trace_; }

private:
  std::function<bool()> stopped_;
  Clock::time_point deadline_;
  std::uint64_t maxBytes_;
  std::function<void(std::uint64_t)> received_;
  std::uint64_t bytes_ = 0;
  std::vector<std::string> trace_;
};

} // namespace skillhost::remote
