// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"
#include "command_line/client_config.hpp"
#include "configuration/written.hpp"
#include "made_up.hpp"

#include <sstream>

using namespace made_up;

TEST_CASE("a snippet repeats the options with absolute paths") {
  const Machine machine;
  const auto run = machine.run({"client-config", "vscode", "--skills-dir", "a", "--skills-dir",
                                "~/b", "--config", "c.yaml", "--strict", "--expose", "both", "-v",
                                "--set", "page_size=5", "--hidden"});
  REQUIRE(run);
  const Result<Json> snippet = parseJson(run->text);
  REQUIRE(snippet);
  const Json &server = (*snippet)["servers"]["skillhost"];
  CHECK(server["type"] == "stdio");
  CHECK(server["command"] == "/usr/bin/skillhost");
  const std::string &folder = machine.folder;
  CHECK(server["args"] == Json({"--hidden", "--verbose", "--config", folder + "/c.yaml",
                                "--skills-dir", folder + "/a", "--skills-dir", folder + "/home/b",
                                "--expose", "both", "--strict", "--set", "page_size=5"}));
  // The snippet starts what it was made from.
  const auto arguments = server["args"].get<std::vector<std::string>>();
  machine.write("c.yaml", "");
  const auto again = machine.run(arguments);
  REQUIRE(again);
  CHECK(again->configuration.sources.size() == 2);
  CHECK(again->configuration.strict);
}

TEST_CASE("words are quoted for the shell, and every other form is well formed") {
  const std::vector<std::string> arguments{"--skills-dir", "/it's mine"};
  CHECK(clientSnippet("claude-code", "/opt/skill host", arguments).text ==
        "claude mcp add --scope user skillhost -- '/opt/skill host' --skills-dir "
        "'/it'\\''s mine'\n");
  for (const char *client : {"claude-desktop", "cursor", "json"}) {
    const Result<Json> json = parseJson(clientSnippet(client, "/s", arguments).text);
    INFO(client);
    REQUIRE(json);
    CHECK((*json)["mcpServers"]["skillhost"]["args"] == Json(arguments));
  }
  const Result<Written> goose = readDocument(clientSnippet("goose", "/s", arguments).text);
  REQUIRE(goose);
  const Written *extension = goose->find("extensions")->find("skillhost");
  REQUIRE(extension != nullptr);
  CHECK(extension->find("cmd")->text == "/s");
  CHECK(extension->find("args")->items.at(1).text == "/it's mine");
}

TEST_CASE("the examples for clients are what the command prints") {
  const std::vector<std::pair<std::string, std::string>> files{
      {"claude-code", "claude-code.sh"},
      {"json", "claude-code.mcp.json"},
      {"claude-desktop", "claude_desktop_config.json"},
      {"vscode", "vscode.mcp.json"},
      {"cursor", "cursor.mcp.json"},
      {"goose", "goose.yaml"}};
  for (const auto &[client, name] : files) {
    std::ifstream file(PROJECT_ROOT "/examples/clients/" + name);
    std::ostringstream content;
    content << file.rdbuf();
    INFO(name);
    CHECK(content.str() ==
          clientSnippet(client, "/usr/local/bin/skillhost", {"--skills-dir", "/home/you/skills"})
              .text);
  }
}
