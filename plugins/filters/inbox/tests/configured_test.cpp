// SPDX-License-Identifier: Apache-2.0
// Tests that wrong settings of the inbox are reported with the place where they were written.
#include "catch2.hpp"
#include "inbox/configured.hpp"

#include <nlohmann/json.hpp>

using namespace skillhost;

TEST_CASE("a wrong setting of the inbox is reported with its place") {
  app::Configuration configuration;
  configuration.features.set("inbox.folder", "/srv/team/inbox");
  configuration.features.set("inbox.source", "team");
  configuration.places = {{"inbox.folder", "skillhost.yaml:3:5"},
                          {"inbox.source", "skillhost.yaml:4:5"}};
  CHECK_THROWS_WITH(inbox::inboxSettings(configuration),
                    "skillhost.yaml:4:5: inbox.source: there is no source with the name \"team\"");
  app::SourceConfiguration team;
  team.name = "team";
  team.config = {{"directories", {"/srv/team"}}};
  configuration.sources = {team};
  CHECK_THROWS_WITH(inbox::inboxSettings(configuration),
                    Catch::Matchers::StartsWith("skillhost.yaml:3:5: inbox.folder: /srv/team/inbox "
                                                "must not lie in /srv/team"));
}
