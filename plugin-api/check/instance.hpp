// SPDX-License-Identifier: Apache-2.0
// An instance of a plugin in a check, and what the process must look like when it is gone.
#pragma once

#include "probe.hpp"
#include "process_state.hpp"
#include "stand_in.hpp"

#include <functional>
#include <string>

namespace skillhost::check {

// When a call that nothing is wrong with has to be back, and is told so.
StandInCall::Clock::time_point patience();

struct Created {
  skh_status status = SKH_FAILED;
  void *self = nullptr;
  std::string message; // of fail()
};
Created create(Probe &probe, const skh_plugin &plugin, const StandInHost &host);

struct Instance {
  const skh_plugin &plugin;
  StandInHost &host;
  void *self;
  template <class Operations> const Operations &operations() const noexcept {
    return *static_cast<const Operations *>(plugin.ops);
  }
};

// Fails when threads, handlers or processes are left that were not there `before`, or descriptors
// gone; ends such processes.
void expectAsBefore(const ProcessState &before);

// Creates an instance, lets `body` use it, destroys it, and expects all as before. Skips the check
// when create() wants a configuration and there is none.
void withInstance(Probe &probe, const skh_plugin &plugin, const std::string &cacheDirectory,
                  const std::function<void(Instance &)> &body);
// The same for every plugin of `kind` in the file; skips the check when there is none.
void eachInstance(Probe &probe, std::string_view kind, const std::function<void(Instance &)> &body);

// " (message)" of a call's last fail(), or nothing.
std::string inBrackets(const std::string &message);

} // namespace skillhost::check
