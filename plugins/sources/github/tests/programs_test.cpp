// SPDX-License-Identifier: Apache-2.0
// Tests which programs the host expects the plugin to start, according to its schema.
#include "catch2.hpp"
#include "started_program.hpp"

#include <fstream>
#include <iterator>
#include <string>

using skillhost::startedProgram;

TEST_CASE("the schema of github says when a program is started") {
  std::ifstream file(GITHUB_SCHEMA);
  const std::string schema{std::istreambuf_iterator<char>(file), {}};
  REQUIRE_FALSE(schema.empty());
  for (const char *url :
       {"ssh://git@host/a/b.git", "SSH://host/a", "git@github.com:a/b.git", "me@host:b"})
    CHECK(startedProgram(schema, std::string(R"({"url": ")") + url + "\"}") == "ssh");
  for (const char *url : {"https://host/a/b@c:d", "owner/name", "file:///srv/a@b:c", "/srv/a@b:c",
                          "https://host:8443/a/b", "http://localhost:1/a"})
    CHECK(startedProgram(schema, std::string(R"({"url": ")") + url + "\"}").empty());
  CHECK(startedProgram(schema, R"({"url": "a/b", "token_command": ["gh", "auth", "token"]})") ==
        "that of token_command");
  CHECK(startedProgram(schema, R"({"url": "a/b", "token_command": []})").empty());
}
