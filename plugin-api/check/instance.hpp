// SPDX-License-Identifier: Apache-2.0
// Creates an instance of a plugin for a check, and checks the state of the process after its end.
#pragma once

#include "probe.hpp"
#include "process_state.hpp"
#include "stand_in.hpp"

#include <cstdint>
#include <functional>
#include <string>

namespace skillhost::check {

// Returns the deadline of calls in checks that are not about deadlines.
StandInCall::Clock::time_point patience();

struct Created {
  skh_status status = SKH_FAILED;
  void *self = nullptr;
  std::string message; // message of fail()
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

// Fails if threads, signal handlers or processes exist that did not exist `before`, or if
// descriptors are missing. Ends such processes.
void expectAsBefore(const ProcessState &before);

// Creates an instance, passes it to `body`, destroys it, and expects the previous state of the
// process. Skips the check if create() needs a configuration and there is none. The host has the
// given minor.
void withInstance(Probe &probe, const skh_plugin &plugin, const std::string &cacheDirectory,
                  const std::function<void(Instance &)> &body, std::uint32_t minor = SKH_ABI_MINOR);
// Does the same for every plugin of `kind` in the file. Skips the check if there is none.
void eachInstance(Probe &probe, std::string_view kind, const std::function<void(Instance &)> &body);

// Returns a call by the host of `instance` that is neither cancelled nor late.
StandInCall patientCall(const Instance &instance);

// Returns " (message)" for the message of a call's last fail(), or nothing, as one line for a
// terminal.
std::string inBrackets(const std::string &message);

} // namespace skillhost::check
