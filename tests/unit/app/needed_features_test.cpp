// SPDX-License-Identifier: Apache-2.0
// Tests that a build without a feature through which replicas share state refuses state.plugin, and
// that a build with two of them does not start.
#include "needed_features.hpp"

#include "catch2.hpp"

#include <stdexcept>
#include <string>

using namespace skillhost;
using namespace skillhost::app;

namespace {

bool holds(const std::string &text, const std::string &part) {
  return text.find(part) != std::string::npos;
}

} // namespace

TEST_CASE("an engine that replicas share is refused where nothing shares by one") {
  Configuration configuration;
  CHECK_NOTHROW(checkSharedStores(configuration, {}));
  configuration.state.plugin = "valkey";
  CHECK_NOTHROW(checkSharedStores(configuration, {})); // stdio has one process
  configuration.transport = Transport::Http;
  configuration.places["state.plugin"] = "/etc/skillhost.yaml:4:3";
  try {
    checkSharedStores(configuration, {});
    FAIL("it is let through");
  } catch (const std::runtime_error &why) {
    CHECK(
        holds(why.what(), "/etc/skillhost.yaml:4:3: state.plugin: this build of skillhost has no"));
  }
  CHECK_NOTHROW(checkSharedStores(configuration, {{.name = "state", .make = nullptr}}));
}

TEST_CASE("two features through which replicas share state are refused, whatever is configured") {
  const SharedStoreKind one{.name = "state", .make = nullptr};
  const SharedStoreKind other{.name = "another", .make = nullptr};
  CHECK_NOTHROW(checkSharedStores({}, {one}));
  try {
    checkSharedStores({}, {one, other});
    FAIL("the second one would be ignored");
  } catch (const std::runtime_error &why) {
    CHECK(holds(why.what(), "such as state and another: build it with one of them"));
  }
}
