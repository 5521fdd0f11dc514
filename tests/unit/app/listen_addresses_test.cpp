// SPDX-License-Identifier: Apache-2.0
// Tests which addresses other machines can reach, according to the configuration.
#include "catch2.hpp"
#include "listen_addresses.hpp"

using namespace skillhost::app;

TEST_CASE("what is reachable from elsewhere") {
  Configuration configuration;
  const auto reachable = [&](std::vector<std::string> listen) {
    configuration.http.listen = std::move(listen);
    return reachableFromElsewhere(configuration);
  };
  configuration.transport = Transport::Http;
  for (const char *local : {"127.0.0.1", "127.0.0.1:7801", "127.200.0.9", "localhost",
                            "localhost:80", "[::1]", "[::1]:7801", "unix:/run/skillhost.sock"})
    CHECK_FALSE(reachable({local}));
  for (const char *open : {"0.0.0.0", "0.0.0.0:80", "[::]", "10.0.0.7", "[2001:db8::1]:80",
                           "skills.example.org", "systemd", "127.example.org", "1270.0.0.1"}) {
    CHECK(reachable({open}));
    CHECK(reachable({"127.0.0.1", open}));
  }
  configuration.transport = Transport::Stdio;
  CHECK_FALSE(reachable({"0.0.0.0"}));
}

TEST_CASE("a path of MCP that no client could ask for is refused") {
  Configuration configuration;
  for (const char *good : {"/", "/mcp", "/mcp/", "/a/b-c_d.e~f/0Z"}) {
    configuration.http.path = good;
    CHECK_NOTHROW(httpSettings(configuration));
  }
  const std::vector<std::pair<std::string, std::string>> wrong = {
      {"mcp", "must begin with a slash"}, {"/x?y", "\"?\" at character 3"},
      {"/a b", "\" \" at character 3"},   {"/\u00fc", "\"\u00fc\" at character 2"},
      {"/a#b", "\"#\" at character 3"},   {"/%6dcp", "\"%\" at character 2"},
      {"//mcp", "\"/\" at character 2"},  {"/a//?", "\"/\" at character 4"}};
  for (const auto &[path, words] : wrong) {
    configuration.http.path = path;
    CHECK_THROWS_WITH(httpSettings(configuration), Catch::Matchers::Contains(words));
  }
}
