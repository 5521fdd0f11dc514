// SPDX-License-Identifier: Apache-2.0
// The runner lends this host to its plugin. Its outbox sends everything to the real host on the
// control socket.
#pragma once

#include "process/frame_socket.hpp"
#include "process/runner_outbox.hpp"
#include "process/runner_upstream.hpp"
#include "process/start.hpp"

#include <skillhost/health.h>
#include <skillhost/pin.h>
#include <skillhost/plugin.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <string_view>

namespace skillhost::process {

class RunnerHost {
public:
  RunnerHost(const Start &start, FrameSocket &control);
  RunnerHost(const RunnerHost &) = delete;
  RunnerHost &operator=(const RunnerHost &) = delete;

  const skh_host *raw() const noexcept { return &raw_.base; }
  // Sends what the plugin tells, and the frames that the runner itself sends on the control socket.
  RunnerOutbox &outbox() noexcept { return outbox_; }
  // Reports that the instance is created, and whether it has asked for its pin and its upstream.
  void tellReady();
  void tellRefused(skh_status status, std::string_view why);

private:
  struct Raw {
    skh_host base;
    RunnerHost *owner;
  };
  struct RawHealth {
    skh_health base;
    RunnerHost *owner;
  };
  static RunnerHost &of(const skh_host *raw) noexcept;
  static void tellHealth(const skh_health *raw, int32_t state, skh_str why) noexcept;
  static void log(const skh_host *raw, int32_t level, skh_str message) noexcept;
  static void metric(const skh_host *raw, int32_t kind, skh_str name, double value) noexcept;
  static void changed(const skh_host *raw) noexcept;
  static const void *extension(const skh_host *raw, const char *id) noexcept;

  RunnerOutbox outbox_;
  const skh_pin pin_;
  const RawHealth health_;
  std::unique_ptr<RunnerUpstream> upstream_; // null unless the plugin is configured as a filter
  std::atomic<std::uint8_t> asked_{0};       // askedForPin, askedForUpstream
  Raw raw_;
};

} // namespace skillhost::process
