// SPDX-License-Identifier: Apache-2.0
// What one refresh may cost: time, bytes, and how it is told to stop; and for which trace it is.
// One thread.
#pragma once

#include <skillhost/plugin.hpp>

#include <algorithm>
#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace skillhost::remote {

// What a remote answers when it refuses, and when it wants to be asked again.
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

// It does not know who asks, or does not let them read (401, 403).
class RefusedError : public RemoteError {
public:
  explicit RefusedError(const std::string &message,
                        std::optional<std::chrono::seconds> retryAfter = std::nullopt)
      : RemoteError(SKH_DENIED, message, retryAfter) {}
};

// No answer came, or not the whole of it: trying again may help at once.
class NetworkError : public RemoteError {
public:
  using RemoteError::RemoteError;
};

// The header fields that name the trace of a call, each as a line; none when it belongs to none.
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

  // `received` hears all bytes so far, each time there are more.
  Operation(std::function<bool()> stopped, Clock::time_point deadline, std::uint64_t mostBytes,
            std::function<void(std::uint64_t)> received = nullptr)
      : stopped_(std::move(stopped)), deadline_(deadline), mostBytes_(mostBytes),
        received_(std::move(received)) {}

  bool isStopped() const { return stopped_(); }
  // Throws skh::Error(SKH_CANCELLED) once it is unwanted: for what follows the remote's answer.
  void proceed() const {
    if (stopped_()) throw skh::Error(SKH_CANCELLED, "stopped");
  }
  // Throws as proceed(), and SKH_DEADLINE when time is up.
  void checkpoint() const {
    proceed();
    if (Clock::now() >= deadline_)
      throw skh::Error(SKH_DEADLINE, "the remote did not answer in time (deadline_ms)");
  }
  // How long to wait for the other side before the next checkpoint, in milliseconds: at most 40.
  int patience() const {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline_ - Clock::now());
    return static_cast<int>(std::clamp<std::int64_t>(left.count(), 0, 40));
  }
  // Counts; throws skh::Error(SKH_TOO_LARGE) beyond the limit.
  void receive(std::uint64_t bytes) {
    bytes_ += bytes;
    if (received_) received_(bytes_);
    if (bytes_ > mostBytes_)
      throw skh::Error(SKH_TOO_LARGE, "the remote sends more than " + std::to_string(mostBytes_) +
                                          " bytes (max_fetch_bytes)");
  }
  std::uint64_t bytes() const noexcept { return bytes_; }

  // See traceLines(): for requests to a host that the operator named, and to no other, as a token.
  void setTrace(std::vector<std::string> lines) { trace_ = std::move(lines); }
  const std::vector<std::string> &trace() const noexcept { return trace_; }

private:
  std::function<bool()> stopped_;
  Clock::time_point deadline_;
  std::uint64_t mostBytes_;
  std::function<void(std::uint64_t)> received_;
  std::uint64_t bytes_ = 0;
  std::vector<std::string> trace_;
};

} // namespace skillhost::remote
