// SPDX-License-Identifier: Apache-2.0
#include "needed_features.hpp"

#include "configuration/named_sources.hpp"

#include <algorithm>
#include <initializer_list>
#include <stdexcept>
#include <string>

namespace skillhost::app {
namespace {

struct Needed {
  const char *key;
  bool isSet;
  std::string_view feature; // the name of its folder
};

void require(const Configuration &configuration, std::span<const std::string_view> built,
             const char *kind, std::initializer_list<Needed> all) {
  std::string lacking;
  for (const Needed &one : all)
    if (one.isSet && std::find(built.begin(), built.end(), one.feature) == built.end())
      lacking += (lacking.empty() ? "" : "\n") + placedKey(configuration, one.key) + ": the " +
                 kind + " \"" + std::string(one.feature) +
                 "\" that carries it out is not in this build of skillhost: take the key out, or "
                 "use a build that has it";
  if (!lacking.empty()) throw std::runtime_error(lacking);
}

} // namespace

void requireFilters(const Configuration &configuration, std::span<const std::string_view> built) {
  require(configuration, built, "filter",
          {{"locked", configuration.locked, "lock"},
           {"trust.rules", !configuration.trust.rules.empty(), "review"}});
}

void requireSharedStore(const Configuration &configuration, const SharedStoreKinds &built) {
  if (built.empty())
    require(configuration, {}, "replica feature",
            {{"state.plugin", configuration.state.isShared(Transport::Http), "state"}});
}

void requireObservers(const Configuration &configuration, std::span<const std::string_view> built) {
  require(configuration, built, "observer",
          {{"access.audit_log", configuration.access.auditLog.has_value(), "audit_file"},
           {"telemetry.otlp_endpoint", configuration.telemetry.endpoint.has_value(), "otlp"}});
}

} // namespace skillhost::app
