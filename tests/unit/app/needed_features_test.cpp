// SPDX-License-Identifier: Apache-2.0
// Tests that a build without a feature through which replicas share state refuses state.plugin.
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
  CHECK_NOTHROW(requireSharedStore(configuration, {}));
  configuration.state.plugin = "valkey";
  CHECK_NOTHROW(requireSharedStore(configuration, {})); // stdio has one process
  configuration.transport = Transport::Http;
  configuration.places["state.plugin"] = "/etc/skillhost.yaml:4:3";
  try {
    requireSharedStore(configuration, {});
    FAIL("it is let through");
  } catch (const std::runtime_error &why) {
    CHECK(
        holds(why.what(), "/etc/skillhost.yaml:4:3: state.plugin: the replica feature \"state\""));
  }
  CHECK_NOTHROW(requireSharedStore(configuration, {{.name = "state", .make = nullptr}}));
}
