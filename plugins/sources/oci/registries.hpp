// SPDX-License-Identifier: Apache-2.0
// The registries of one refresh, each with its login, its connection and its tokens. One thread.
#pragma once

#include "settings.hpp"

#include "oci/registry.hpp"

#include <map>
#include <memory>

namespace skillhost::oci_source {

class Registries {
public:
  // Both outlive it.
  Registries(const Settings &settings, const std::string &agent)
      : settings_(settings), agent_(agent) {}

  // Throws remote::RemoteError when the file of logins cannot be used, and what leaveAlone() was
  // given for this one.
  oci::Registry &of(const Reference &reference);
  // The registry is not asked again by this refresh: for what it said, or because it says nothing.
  void leaveAlone(const Reference &reference, const remote::RemoteError &why);

private:
  oci::Credentials credentialsFor(const std::string &registry) const;

  const Settings &settings_;
  const std::string &agent_;
  std::map<std::string, std::unique_ptr<oci::Registry>> registries_;
  std::map<std::string, remote::RemoteError> left_;
};

} // namespace skillhost::oci_source
