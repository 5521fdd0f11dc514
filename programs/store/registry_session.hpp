// SPDX-License-Identifier: Apache-2.0
// One registry as a command asks it: step by step, each of which is named when it fails.
#pragma once

#include "http_client/signal_guard.hpp"
#include "oci/registry.hpp"
#include "registry_options.hpp"

#include <functional>
#include <string>

namespace skillhost {

// One thread. What fails throws std::runtime_error with the reference, the step, and what the
// registry has answered.
class RegistrySession {
public:
  explicit RegistrySession(const RegistrySettings &settings);

  const oci::Reference &reference() const noexcept { return settings_.reference; }
  // `what` is what is done, "reading the tag".
  template <class Work> auto step(const std::string &what, const Work &work) {
    try {
      return work(registry_, operation_);
    } catch (const std::exception &) {
      explain(what);
    }
  }

private:
  // Throws again what is being handled, in other words.
  [[noreturn]] void explain(const std::string &what) const;

  const RegistrySettings &settings_;
  const web::SignalGuard guard_; // the other side of a connection may be gone
  remote::Operation operation_;
  oci::Registry registry_;
};

} // namespace skillhost
