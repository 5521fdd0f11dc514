// SPDX-License-Identifier: Apache-2.0
// A setting that protects or records is refused by a build without what carries it out.
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

using Names = std::vector<std::string_view>;
using Set = std::function<void(Configuration &)>;

Configuration with(const Set &set) {
  Configuration configuration;
  set(configuration);
  return configuration;
}

} // namespace

TEST_CASE("a setting whose filter is not built is refused by its name") {
  const std::array<std::pair<std::string, Set>, 2> settings{
      {{"lock", [](Configuration &made) { made.locked = true; }},
       {"review", [](Configuration &made) { made.trust.rules.emplace_back(); }}}};
  for (const auto &[name, set] : settings) {
    const Configuration configuration = with(set);
    const Names others{"another"};
    CHECK_THROWS_WITH(requireFilters(configuration, others),
                      Catch::Contains("the filter \"" + name + "\""));
    const Names built{"another", name};
    CHECK_NOTHROW(requireFilters(configuration, built));
  }
  CHECK_NOTHROW(requireFilters(Configuration{}, Names{}));
}

TEST_CASE("the line says where the setting was written, and there is one for each") {
  const Configuration configuration = with([](Configuration &made) {
    made.locked = true;
    made.places["locked"] = "/etc/skillhost.yaml:3:1";
    made.trust.rules.emplace_back();
  });
  CHECK_THROWS_WITH(requireFilters(configuration, Names{}),
                    Catch::Contains("/etc/skillhost.yaml:3:1") && Catch::Contains("\n") &&
                        Catch::Contains("trust.rules"));
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
