// SPDX-License-Identifier: Apache-2.0
// The registries that are asked, each with its login, its connection and its tokens. One thread.
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
  // Both outlive it.
  Registries(const Settings &settings, const std::string &agent)
      : settings_(settings), agent_(agent) {}

  // A refresh begins: all may be asked, with the logins of now, but for those that want to be left
  // alone for longer.
  void begin();
  // Throws remote::RemoteError when the file of logins cannot be used, and what leaveAlone() was
  // given for this one.
  oci::Registry &of(const Reference &reference);
  // The registry is not asked again by this refresh, and not before the time that it named in
  // `why` is over.
  void leaveAlone(const Reference &reference, const remote::RemoteError &why);

private:
  oci::Credentials credentialsFor(const Reference &reference);

  const Settings &settings_;
  const std::string &agent_;
  struct Known {
    oci::Credentials credentials;
    std::unique_ptr<oci::Registry> registry;
  };
  // One registry may be asked with several logins.
  std::map<std::string, std::vector<Known>> registries_;
  std::map<std::string, oci::Registry *> chosen_;   // by repository, in this refresh
  std::optional<std::string> logins_;               // the file, as it is in this refresh
  std::map<std::string, remote::RemoteError> left_; // by registry, in this refresh
  struct Wait {
    std::chrono::steady_clock::time_point end;
    std::string why;
  };
  std::map<std::string, Wait> waits_; // by registry
};

} // namespace skillhost::oci_source
