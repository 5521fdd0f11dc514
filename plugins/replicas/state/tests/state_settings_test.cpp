// SPDX-License-Identifier: Apache-2.0
// Tests the section `state`: refusals, warnings, and the secrets that are never shown.
#include "catch2.hpp"
#include "configuration/describe.hpp"
#include "made_up.hpp"

using namespace made_up;

namespace {

const std::string http = "transport: http\n";
const std::string secret = "0123456789abcdef0123456789abcdef";

std::string state(const std::string &members) { return "state: {" + members + "}\n"; }

bool warns(const LoadedConfiguration &read, const std::string &words) {
  return std::any_of(read.warnings.begin(), read.warnings.end(),
                     [&](const std::string &one) { return contains(one, words); });
}

} // namespace

TEST_CASE("each process keeps its own unless a plugin is named") {
  const Machine machine;
  const auto read = machine.read(http);
  REQUIRE(read);
  CHECK(read->configuration.state.plugin == "memory");
  CHECK(read->configuration.state.prefix == "skillhost");
  CHECK_FALSE(read->configuration.state.isShared(read->configuration.transport));
  CHECK_FALSE(warns(*read, "state"));
}

TEST_CASE("a plugin, its secret by reference, and a prefix") {
  Machine machine;
  machine.surroundings.variables["SHARED"] = secret;
  const auto read =
      machine.read(http + state("plugin: valkey, secret: env:SHARED, prefix: Team_a.1-x, "
                                "config: {address: \"127.0.0.1:1\", password: pass-1234}"));
  REQUIRE(read);
  const StateConfiguration &section = read->configuration.state;
  CHECK(section.plugin == "valkey");
  CHECK(section.secret == secret);
  CHECK(section.prefix == "Team_a.1-x");
  CHECK(section.config.at("address") == "127.0.0.1:1");
  CHECK(section.isShared(read->configuration.transport));
  const std::string shown = printedConfiguration(read->configuration, read->file);
  CHECK_FALSE(contains(shown, secret));
  CHECK_FALSE(contains(shown, "pass-1234"));
  CHECK(contains(shown, "address: \"127.0.0.1:1\""));
}

TEST_CASE("the secret may be in a file, or in the environment's variable of the key") {
  Machine machine;
  machine.write("secret", secret + "\n");
  const auto read = machine.read(http + state("plugin: valkey, secret: \"${file:secret}\""));
  REQUIRE(read);
  CHECK(read->configuration.state.secret == secret);
  machine.surroundings.variables["SKILLHOST_STATE_SECRET"] = secret;
  const auto again = machine.read(http + state("plugin: valkey"));
  REQUIRE(again);
  CHECK(again->configuration.state.secret == secret);
}

TEST_CASE("a plugin without a good secret is refused, once, and the secret is not shown") {
  Machine machine;
  machine.surroundings.variables["SHORT"] = "not-long-enough";
  CHECK(contains(machine.problem(http + state("plugin: valkey")),
                 "skillhost.yaml:2:17: state.plugin: the replicas need a secret"));
  const std::string named = machine.problem(http + state("plugin: valkey, secret: env:SHORT"));
  CHECK(contains(named, "state.secret: what env:SHORT names must have at least 32 bytes"));
  CHECK_FALSE(contains(named, "not-long-enough"));
  CHECK_FALSE(contains(named, "the replicas need"));
  const std::string literal = machine.problem(http + state("plugin: valkey, secret: abcdefgh"));
  CHECK(contains(literal, "state.secret: the value must have at least 32 bytes"));
  CHECK_FALSE(contains(literal, "abcdefgh"));
}

TEST_CASE("a prefix is of few characters") {
  const Machine machine;
  for (const char *const wrong : {"\"a:b\"", "\"a b\"", "\"\"", "ä", "\"*\""}) {
    INFO(wrong);
    CHECK(contains(machine.problem(http + state(std::string("prefix: ") + wrong)), "state.prefix"));
  }
  CHECK(contains(machine.problem(http + state("prefix: " + std::string(65, 'a'))), "state.prefix"));
}

TEST_CASE("what does nothing is told: a plugin on stdio, settings without a plugin") {
  const Machine machine;
  const auto stdio = machine.read(state("plugin: valkey, secret: " + secret));
  REQUIRE(stdio);
  CHECK(warns(*stdio, "state.plugin: a server on stdio leaves it alone"));
  CHECK_FALSE(stdio->configuration.state.isShared(stdio->configuration.transport));
  const auto idle = machine.read(http + state("config: {address: \"127.0.0.1:1\"}"));
  REQUIRE(idle);
  CHECK(warns(*idle, "state.config: is not used"));
  const auto alone = machine.read(state("secret: " + secret));
  REQUIRE(alone);
  CHECK(warns(*alone, "state.secret: is not used"));
  // The secret opens session ids after a restart.
  const auto lasting = machine.read(http + state("secret: " + secret));
  REQUIRE(lasting);
  CHECK_FALSE(warns(*lasting, "state.secret"));
}
