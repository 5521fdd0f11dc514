// SPDX-License-Identifier: Apache-2.0
// Holds the registries, each with its login, connection and tokens. Only one thread may use it.
#pragma once

#include "settings.hpp"

#include "oci/registry.hpp"

#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace skillhost::oci_source {

class Registries {
public:
  // Both arguments must outlive it.
  Registries(const Settings &settings, const std::string &agent)
      : settings_(settings), agent_(agent) {}

  // Begins a refresh: all registries may be asked again, with the present logins, except those that
  // asked for a longer pause. Each helper is asked at most once.
  void beginRefresh();
  // Returns the registry of the reference. Throws remote::RemoteError if the file of logins cannot
  // be used, and the error given to pauseRegistry() for this registry.
  oci::Registry &of(const Reference &reference);
  // Prevents further requests to the registry in this refresh, and before the pause in `why` has
  // passed.
  void pauseRegistry(const Reference &reference, const remote::RemoteError &why);

private:
  oci::Login loginFor(const Reference &reference);

  const Settings &settings_;
  const std::string &agent_;
  struct Known {
    oci::Login login;
    std::unique_ptr<oci::Registry> registry;
  };
  // A registry may be used with several logins.
  std::map<std::string, std::vector<Known>> registries_;
  std::map<std::string, oci::Registry *> chosen_; // by repository, for this refresh
  std::optional<std::string> logins_;             // content of the file in this refresh
  std::map<std::string, remote::RemoteError> pausedRegistries_; // by registry, for this refresh
  struct Wait {
    std::chrono::steady_clock::time_point end;
    std::string why;
  };
  std::map<std::string, Wait> waits_; // by registry
};

} // namespace skillhost::oci_source
