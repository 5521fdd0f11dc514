// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"
#include "configuration/describe.hpp"
#include "made_up.hpp"
#include "settings/secrets.hpp"

using namespace made_up;

namespace {

std::string source(const std::string &config) {
  return "sources:\n  - name: a\n    plugin: p\n    config: " + config + "\n";
}

} // namespace

TEST_CASE("references become what they name, and are never shown") {
  Machine machine;
  machine.surroundings.variables["TOKEN"] = "tok-123456";
  machine.write("secrets/pass", "p@ss-word\n");
  const auto read = machine.read(source("{header: \"Bearer ${env:TOKEN}!\", whole: env:TOKEN, "
                                        "pass: \"${file:secrets/pass}\", list: [env:TOKEN], "
                                        "kept: \"$${env:TOKEN} ${HOME} $x\"}"));
  REQUIRE(read);
  const Json &config = read->configuration.sources.at(0).config;
  CHECK(config["header"] == "Bearer tok-123456!");
  CHECK(config["whole"] == "tok-123456");
  CHECK(config["pass"] == "p@ss-word");
  CHECK(config["list"][0] == "tok-123456");
  CHECK(config["kept"] == "${env:TOKEN} ${HOME} $x");
  const std::string shown = printedConfiguration(read->configuration, read->file);
  CHECK_FALSE(contains(shown, "tok-123456"));
  CHECK_FALSE(contains(shown, "p@ss-word"));
  CHECK(contains(shown, "Bearer ***masked***!"));
}

TEST_CASE("a literal under a secret's name is masked too, and so is the search's config") {
  const Machine machine;
  const auto read =
      machine.read("search:\n  config: {api_key: abcdefgh, note: uses abcdefgh}\n" +
                   source("{github_token: ghp_literal, url: x, auth: {Password: ab}}"));
  REQUIRE(read);
  const std::string shown = printedConfiguration(read->configuration, "");
  CHECK_FALSE(contains(shown, "ghp_literal"));
  CHECK_FALSE(contains(shown, "abcdefgh"));
  CHECK(contains(shown, "Password: \"***masked***\""));
  CHECK(contains(shown, "url: x"));
}

TEST_CASE("every key that is a secret is masked") {
  Machine machine;
  machine.surroundings.variables["TOKEN"] = "tok-0123456789abcdef0123456789abcdef";
  const auto read = machine.read("auth: {oauth_client_id: id, oauth_client_secret: sec-12345}\n"
                                 "state: {secret: env:TOKEN}\n");
  REQUIRE(read);
  const std::string shown = printedConfiguration(read->configuration, read->file);
  for (const char *const secret : {"tok-0123", "sec-12345"}) CHECK_FALSE(contains(shown, secret));
}

TEST_CASE("a password in a URL is masked, and a name that is no secret is not") {
  CHECK(maskedUrl("https://me:sekret@git.example.org/a@b") == "https://***@git.example.org/a@b");
  CHECK(maskedUrl("HTTP://tok-0123@h?x") == "HTTP://***@h?x");
  CHECK(maskedUrl("ssh://git:sekret@h/a") == "ssh://***@h/a");
  for (const char *const plain : {"ssh://git@h/a", "git@h:a/b", "https://h/a@b", "a/b@v1", ""})
    CHECK(maskedUrl(plain) == plain);
  const Machine machine;
  const auto read = machine.read(source("{url: \"https://me:sekret@git.example.org/a.git\"}"));
  REQUIRE(read);
  const std::string shown = printedConfiguration(read->configuration, read->file);
  CHECK_FALSE(contains(shown, "sekret"));
  CHECK(contains(shown, "https://***@git.example.org/a.git"));
}

TEST_CASE("what cannot be resolved is a problem that names it") {
  const Machine machine;
  CHECK(machine.problem(source("{token: env:NOT_THERE}")) ==
        "skillhost.yaml:4:21: sources[0].config.token: the environment variable NOT_THERE is not "
        "set: export it, or take the reference out");
  CHECK(contains(machine.problem(source("{a: \"${file:nope}\"}")),
                 "cannot read the secret from nope"));
  CHECK(contains(machine.problem(source("{a: \"${evn:X}\"}")), "unknown reference ${evn:X}"));
  machine.write("big", std::string(65'537, 'x'));
  CHECK(contains(machine.problem(source("{a: \"${file:big}\"}")), "at most 64 KiB"));
}

TEST_CASE("a source that is off needs no secrets") {
  const Machine machine;
  const auto read = machine.read("sources:\n  - name: a\n    config: {token: env:NOT_THERE}\n"
                                 "    enabled: false\n");
  REQUIRE(read);
  CHECK(read->configuration.sources[0].config["token"] == "env:NOT_THERE");
}

TEST_CASE("secrets that hold one another are all masked") {
  const Json config = {{"a", "secret-long"}, {"b", "x secret-long y"}, {"c", "abc"}, {"d", "abcd"}};
  const Json shown = masked(config, {"abc", "secret", "secret-long"});
  CHECK_FALSE(contains(shown.dump(), "secret"));
  CHECK_FALSE(contains(shown.dump(), "long"));
  CHECK(shown["c"] == "***masked***"); // a short text is masked as a whole
  CHECK(shown["d"] == "abcd");
}

TEST_CASE("a secret that names its variable in another syntax is refused") {
  Machine machine;
  machine.surroundings.variables["GITHUB_TOKEN"] = "ghp_0123456789";
  const auto refusal = [&](const std::string &key, const std::string &text) {
    return machine.problem("sources: [{name: a, plugin: x, config: {" + key + ": \"" + text +
                           "\"}}]\n");
  };
  CHECK(refusal("token", "${GITHUB_TOKEN}") ==
        "skillhost.yaml:1:48: sources[0].config.token: the variable GITHUB_TOKEN would not be "
        "looked up, but its name sent: write ${env:GITHUB_TOKEN} (a secret that really is this "
        "text can come from ${file:PATH})");
  for (const char *text : {"$GITHUB_TOKEN", "%GITHUB_TOKEN%", "Bearer ${GITHUB_TOKEN}",
                           "${{ secrets.GITHUB_TOKEN }}", "${{env.GITHUB_TOKEN}}"}) {
    INFO(text);
    CHECK(contains(refusal("password", text), "write ${env:GITHUB_TOKEN}"));
  }
  for (const char *text : {"${env:GITHUB_TOKEN}", "env:GITHUB_TOKEN", "$${GITHUB_TOKEN}", "$secret",
                           "%a%", "a$B", "${", "${}", "${a b}", "p$$w", "$1"}) {
    INFO(text);
    CHECK(refusal("token", text).empty());
  }
  CHECK(refusal("greeting", "${NAME}").empty()); // for a shell that the plugin may run
  // These are all places of a secret in the configuration.
  for (const char *text : {"state: {secret: '${GITHUB_TOKEN}'}\n",
                           "auth: {config: {client_secret: '${GITHUB_TOKEN}'}}\n"}) {
    INFO(text);
    CHECK(contains(machine.problem(text), "write ${env:GITHUB_TOKEN}"));
  }
  machine.surroundings.variables["MCP_OAUTH_CLIENT_SECRET"] = "${GITHUB_TOKEN}";
  CHECK(contains(machine.problem("strict: true\n"),
                 "MCP_OAUTH_CLIENT_SECRET: the variable GITHUB_TOKEN"));
}

TEST_CASE("a variable that nobody looks up is found in a secret") {
  for (const char *const text : {"$TOK", "${TOK}", "%TOK%", "${{ secrets.TOK }}", "Bearer $TOK",
                                 "Bearer ${TOK}", "basic %TOK%"})
    CHECK(unresolvedVariable(text) == "TOK");
  for (const char *const text : {"", "tok", "Bearer tok", "$tok", "${env:TOK}", "$${TOK}",
                                 "Bearer ${file:/TOK}", "a $TOK", "Bearer "})
    CHECK(unresolvedVariable(text).empty());
}
