// SPDX-License-Identifier: Apache-2.0
// A command's session with one registry. The failure of a step names the step.
#pragma once

#include "http_client/signal_guard.hpp"
#include "oci/registry.hpp"
#include "registry_options.hpp"

#include <functional>
#include <string>

namespace skillhost {

// Used by one thread only. Failures throw std::runtime_error with the reference, the step, and the
// registry's answer.
class RegistrySession {
public:
  explicit RegistrySession(const RegistrySettings &settings);

  const oci::Reference &reference() const noexcept { return settings_.reference; }
  // `what` describes the work, such as "reading the tag".
  template <class Work> auto step(const std::string &what, const Work &work) {
    try {
      return work(registry_, operation_);
    } catch (const std::exception &) {
      explain(what);
    }
  }

private:
  // Throws the current exception again with the step in its message.
  [[noreturn]] void explain(const std::string &what) const;

  const RegistrySettings &settings_;
  const web::SignalGuard guard_; // a peer may close its connection
  remote::Operation operation_;
  oci::Registry registry_;
};

} // namespace skillhost
