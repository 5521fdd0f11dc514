// SPDX-License-Identifier: Apache-2.0
// Sinks of a runner. They answer as the host's sinks would, and send what they accept.
#pragma once

#include "process/runner_call.hpp"

#include <skillhost/held.h>
#include <skillhost/plugin.h>
#include <skillhost/state.h>

namespace skillhost::process {

// Each has the struct of plugin.h as its first member, so that one pointer converts to the other.
struct BytesSender {
  explicit BytesSender(RunnerCall &call);
  skh_bytes base;
  RunnerCall *call;
};

struct DocumentsSender {
  explicit DocumentsSender(RunnerCall &call);
  skh_documents base;
  RunnerCall *call;
  bool done = false;
};

struct HitsSender {
  HitsSender(RunnerCall &call, std::uint32_t limit);
  skh_hits base;
  RunnerCall *call;
  std::uint32_t left;
};

struct HeldSender {
  explicit HeldSender(RunnerCall &call);
  skh_held_entries base;
  RunnerCall *call;
};

struct MessagesSender {
  explicit MessagesSender(RunnerCall &call);
  skh_messages base;
  RunnerCall *call;
};

struct PrincipalsSender {
  explicit PrincipalsSender(RunnerCall &call);
  skh_principals base;
  RunnerCall *call;
};

} // namespace skillhost::process
