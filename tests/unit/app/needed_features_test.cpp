// SPDX-License-Identifier: Apache-2.0
// Tests that a build without a feature refuses a setting that protects or records by it.
#include "needed_features.hpp"

#include "app/source_filter.hpp"
#include "catch2.hpp"
#include "features.hpp"

#include <array>
#include <functional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

using namespace skillhost;
using namespace skillhost::app;

namespace {

using BuiltNames = std::vector<std::string_view>;
using Set = std::function<void(Configuration &)>;

Configuration with(const Set &set) {
  Configuration configuration;
  set(configuration);
  return configuration;
}

// Returns the text of the refusal; "" when there is none.
std::string refusal(const Configuration &configuration, const BuiltNames &built) {
  try {
    requireFilters(configuration, built);
    return {};
  } catch (const std::runtime_error &why) {
    return why.what();
  }
}

bool holds(const std::string &text, const std::string &part) {
  return text.find(part) != std::string::npos;
}

} // namespace

TEST_CASE("a setting whose filter is not built is refused by its name") {
  const std::array<std::pair<std::string, Set>, 2> settings{
      {{"lock", [](Configuration &made) { made.locked = true; }},
       {"review", [](Configuration &made) { made.trust.rules.emplace_back(); }}}};
  for (const auto &[name, set] : settings) {
    const Configuration configuration = with(set);
    CHECK(holds(refusal(configuration, {"another"}), "the filter \"" + name + "\""));
    CHECK(refusal(configuration, {"another", name}).empty());
  }
  CHECK(refusal(Configuration{}, {}).empty());
}

TEST_CASE("the line says where the setting was written, and there is one for each") {
  const std::string said = refusal(with([](Configuration &made) {
                                     made.locked = true;
                                     made.places["locked"] = "/etc/skillhost.yaml:3:1";
                                     made.trust.rules.emplace_back();
                                   }),
                                   {});
  CHECK(holds(said, "/etc/skillhost.yaml:3:1"));
  CHECK(holds(said, "\n"));
  CHECK(holds(said, "trust.rules"));
}

TEST_CASE("an engine that replicas share is refused where nothing shares by one") {
  Configuration configuration;
  CHECK_NOTHROW(requireSharedStore(configuration, {}));
  configuration.state.plugin = "valkey";
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

TEST_CASE("a setting whose observer is not built ends the start") {
  for (const Set &set :
       {Set([](Configuration &made) { made.access.auditLog = "/tmp/audit"; }),
        Set([](Configuration &made) { made.telemetry.endpoint = "http://127.0.0.1:1"; })}) {
    const Configuration configuration = with(set);
    CHECK_THROWS_AS(Features({}, configuration), std::runtime_error);
  }
  CHECK_NOTHROW(Features({}, Configuration{}));
}
