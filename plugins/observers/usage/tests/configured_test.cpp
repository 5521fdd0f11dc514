// SPDX-License-Identifier: Apache-2.0
// Tests the settings of usage that are read from the configuration.
#include "usage/configured.hpp"

#include "catch2.hpp"

using namespace skillhost;
using namespace skillhost::app;

TEST_CASE("a setting of usage that nobody wrote is the library's own") {
  const UsageSettings made = usageSettings(Configuration()), own;
  CHECK(made.keepDays == own.keepDays);
  CHECK(made.maxBytes == own.maxBytes);
  CHECK(made.principals == own.principals);
  CHECK(made.queries == own.queries);
}

TEST_CASE("usage is recorded as the configuration says") {
  Configuration configuration;
  configuration.usage = {.enabled = true,
                         .path = "/var/lib/use.sqlite",
                         .keepDays = 7,
                         .maxBytes = 20'000'000,
                         .principals = UsagePrincipals::Names,
                         .queries = false};
  UsageSettings made = usageSettings(configuration);
  CHECK(made.path == "/var/lib/use.sqlite");
  CHECK(made.keepDays == 7);
  CHECK(made.maxBytes == 20'000'000);
  CHECK(made.principals == UsageSettings::Principals::Names);
  CHECK_FALSE(made.queries);
  configuration.usage.principals = UsagePrincipals::None;
  CHECK(usageSettings(configuration).principals == UsageSettings::Principals::None);
}
