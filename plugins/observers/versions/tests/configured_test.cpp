// SPDX-License-Identifier: Apache-2.0
// Tests the settings of versions that are read from the configuration.
#include "configured.hpp"

#include "catch2.hpp"

#include <nlohmann/json.hpp>

using namespace skillhost;
using namespace skillhost::app;

TEST_CASE("a setting of versions that nobody wrote is the library's own") {
  const VersionSettings made = versionSettings(Configuration()), own;
  CHECK(made.maxVersionsPerSkill == own.maxVersionsPerSkill);
  CHECK(made.keepDays == own.keepDays);
  CHECK(made.maxBytes == own.maxBytes);
}

TEST_CASE("a source has another history if a text of its settings is another one") {
  Configuration configuration;
  configuration.sources.resize(3);
  configuration.sources[0].name = "team";
  configuration.sources[0].config = {{"url", "https://example.org/skills"}, {"depth", 1}};
  configuration.sources[1].name = "other";
  configuration.sources[2].name = "off";
  configuration.sources[2].enabled = false;
  const auto marks = versionMarks(configuration);
  CHECK(marks.size() == 2);
  CHECK(marks.contains("other"));
  configuration.sources[0].config["depth"] = 2;
  CHECK(versionMarks(configuration) == marks);
  configuration.sources[0].config["url"] = "https://example.org/others";
  CHECK(versionMarks(configuration).at("team") != marks.at("team"));
}
