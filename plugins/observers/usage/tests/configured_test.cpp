// SPDX-License-Identifier: Apache-2.0
// Tests the settings of usage that are read from the configuration.
#include "usage/configured.hpp"

#include "app/observer_feature.hpp"
#include "catch2.hpp"

using namespace skillhost;
using namespace skillhost::app;

namespace skillhost::app {
ObserverFeatureKind usageFeature();
}

TEST_CASE("a setting of usage that nobody wrote is the library's own") {
  const UsageSettings made = usageSettings(Configuration()), own;
  CHECK(made.keepDays == own.keepDays);
  CHECK(made.maxBytes == own.maxBytes);
  CHECK(made.principals == own.principals);
  CHECK(made.queries == own.queries);
}

TEST_CASE("usage is recorded as the configuration says") {
  Configuration configuration;
  FeatureSettings &settings = configuration.features;
  settings.set("usage.path", "/var/lib/use.sqlite");
  settings.set("usage.keep_days", 7);
  settings.set("usage.max_bytes", 20'000'000);
  settings.set("usage.principals", "names");
  settings.set("usage.queries", false);
  UsageSettings made = usageSettings(configuration);
  CHECK(made.path == "/var/lib/use.sqlite");
  CHECK(made.keepDays == 7);
  CHECK(made.maxBytes == 20'000'000);
  CHECK(made.principals == UsageSettings::Principals::Names);
  CHECK_FALSE(made.queries);
  settings.set("usage.principals", "none");
  CHECK(usageSettings(configuration).principals == UsageSettings::Principals::None);
}

TEST_CASE("usage and versions cannot share a file") {
  if (!FeatureSettings::isDeclared("versions.path")) return; // this build is without versions
  Configuration configuration;
  configuration.features.set("usage.path", "/proc/none/a.sqlite");
  configuration.features.set("versions.path", "/proc/none/a.sqlite");
  configuration.places["usage.path"] = "skillhost.yaml:7:3";
  CHECK_THROWS_WITH(usageFeature().make(configuration),
                    "skillhost.yaml:7:3: usage.path: /proc/none/a.sqlite is also the file of "
                    "versions.path: name another one");
  configuration.features.set("versions.enabled", false);
  CHECK_NOTHROW(usageFeature().make(configuration));
}
