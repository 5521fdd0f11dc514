// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"
#include "client_config.hpp"
#include "client_config_options.hpp"
#include "command_line/given.hpp"
#include "file_change.hpp"
#include "made_up.hpp"
#include "settings/written.hpp"

#include <nlohmann/json.hpp>

#include <sstream>

using namespace made_up;

namespace {

ClientInvocation invocationFor(const std::string &client, const std::string &executable,
                               const std::vector<std::string> &arguments) {
  ClientInvocation wanted;
  wanted.client = client;
  wanted.server.executable = executable;
  wanted.server.arguments = arguments;
  return wanted;
}

ClientSnippet snippetFor(const std::string &client, const std::string &executable,
                         const std::vector<std::string> &arguments) {
  return *clientSnippet(invocationFor(client, executable, arguments));
}

std::string exampleFile(const std::string &name) {
  std::ifstream file(PROJECT_ROOT "/examples/clients/" + name);
  std::ostringstream content;
  content << file.rdbuf();
  return content.str();
}

Result<ClientInvocation> told(const Machine &machine, const std::vector<std::string> &arguments) {
  const Result<ParsedArguments> given =
      parseArguments(serverWith({clientConfigDescription()}), arguments);
  if (!given) return given.failure();
  return clientConfigInvocation(*given, machine.surroundings);
}

} // namespace

TEST_CASE("a snippet repeats the options with absolute paths") {
  const Machine machine;
  const auto run = told(machine, {"client-config", "vscode", "--skills-dir", "a", "--skills-dir",
                                  "~/b", "--config", "c.yaml", "--strict", "--expose", "both", "-v",
                                  "--set", "page_size=5", "--hidden"});
  REQUIRE(run);
  const auto made = clientSnippet(*run);
  REQUIRE(made);
  const Result<Json> snippet = parseJson(made->text);
  REQUIRE(snippet);
  const Json &server = (*snippet)["servers"]["skillhost"];
  CHECK(server["type"] == "stdio");
  CHECK(server["command"] == "/usr/bin/skillhost");
  const std::string &folder = machine.folder;
  CHECK(server["args"] == Json({"--hidden", "--verbose", "--config", folder + "/c.yaml",
                                "--skills-dir", folder + "/a", "--skills-dir", folder + "/home/b",
                                "--expose", "both", "--strict", "--set", "page_size=5"}));
  // The snippet must start a server with the same settings.
  const auto arguments = server["args"].get<std::vector<std::string>>();
  machine.write("c.yaml", "");
  const auto started = Machine::parse(arguments);
  REQUIRE(started);
  const auto again = readConfiguration(*givenSettings(*started), machine.surroundings);
  REQUIRE(again);
  CHECK(again->configuration.sources.size() == 2);
  CHECK(again->configuration.strict);
}

TEST_CASE("a folder whose path is not UTF-8 is refused, because an entry cannot hold it") {
  Machine machine;
  machine.surroundings.workingDirectory += "/odd\xff";
  const auto run = told(machine, {"client-config", "cursor", "--skills-dir", "skills"});
  REQUIRE_FALSE(run);
  CHECK(run.failure().message == machine.folder + "/odd\xff/skills: is not UTF-8: rename the " +
                                     "folder, or link to it from a path that is");
}

TEST_CASE("a program in the cache of uvx or npx is advised to be installed") {
  const std::string inUv = "/home/a/.cache/uv/archive-v0/x/lib/python3.11/site-packages/"
                           "skillhost_mcp/tree/bin/skillhost";
  CHECK(cachedProgramAdvice(inUv).find("`uvx skillhost-mcp`") != std::string::npos);
  CHECK(
      cachedProgramAdvice("/home/a/.npm/_npx/1/node_modules/skillhost-mcp-linux-x64/bin/skillhost")
          .find("`npm install -g skillhost-mcp`") != std::string::npos);
  for (const char *lasting :
       {"/usr/bin/skillhost",
        "/home/a/.local/share/uv/tools/skillhost-mcp/lib/python3.11/site-packages/skillhost_mcp/"
        "tree/bin/skillhost",
        "/usr/lib/node_modules/skillhost-mcp/node_modules/skillhost-mcp-linux-x64/bin/skillhost"})
    CHECK(cachedProgramAdvice(lasting).empty());
}

TEST_CASE("words are quoted for the shell, and every other form is well formed") {
  const std::vector<std::string> arguments{"--skills-dir", "/it's mine"};
  CHECK(
      snippetFor("claude-code", "/opt/skill host", arguments).text ==
      R"(claude mcp add-json --scope user skillhost '{"type":"stdio","command":"/opt/skill host",)"
      R"("args":["--skills-dir","/it'\''s mine"],"alwaysLoad":true}')"
      "\n");
  for (const char *client : {"claude-desktop", "cursor", "json"}) {
    const Result<Json> json = parseJson(snippetFor(client, "/s", arguments).text);
    INFO(client);
    REQUIRE(json);
    CHECK((*json)["mcpServers"]["skillhost"]["args"] == Json(arguments));
  }
  const Result<Written> goose = readDocument(snippetFor("goose", "/s", arguments).text);
  REQUIRE(goose);
  const Written *extension = goose->find("extensions")->find("skillhost");
  REQUIRE(extension != nullptr);
  CHECK(extension->find("cmd")->text == "/s");
  CHECK(extension->find("args")->items.at(1).text == "/it's mine");
}

TEST_CASE("the examples for clients are what the command prints") {
  const std::vector<std::pair<std::string, std::string>> files{
      {"claude-code", "claude-code.sh"},
      {"claude-desktop", "claude_desktop_config.json"},
      {"vscode", "vscode.mcp.json"},
      {"cursor", "cursor.mcp.json"},
      {"windsurf", "windsurf.mcp_config.json"},
      {"zed", "zed.settings.json"},
      {"codex", "codex.config.toml"},
      {"gemini-cli", "gemini.settings.json"},
      {"opencode", "opencode.json"},
      {"goose", "goose.yaml"}};
  const std::vector<std::string> arguments{"--skills-dir", "/home/you/skills"};
  for (const auto &[client, name] : files) {
    INFO(name);
    CHECK(exampleFile(name) == snippetFor(client, "/usr/local/bin/skillhost", arguments).text);
  }
  // For a project's file, --write writes the same.
  CHECK(exampleFile("claude-code.mcp.json") ==
        *textToMerge(invocationFor("claude-code", "/usr/local/bin/skillhost", arguments)));
}

TEST_CASE("Claude Code alone is told to wait for the server, unless its user says otherwise") {
  const Machine machine;
  const std::string file = machine.folder + "/home/.claude.json";
  const auto write = [&](const std::vector<std::string> &more) {
    std::vector<std::string> words{"client-config", "claude-code", "--write"};
    words.insert(words.end(), more.begin(), more.end());
    const auto run = told(machine, words);
    REQUIRE(run);
    CHECK(run->file == file);
    CHECK(configureClient(*run) == 0);
    return (*edit::read(edit::Format::Json, *edit::textOf(file)))["mcpServers"]["skillhost"];
  };
  CHECK(write({"--skills-dir", "/s"})["alwaysLoad"] == true);
  CHECK(write({"--url", "https://s.example/mcp"})["alwaysLoad"] == true);
  CHECK(write({"--url", "https://s.example/mcp", "--connect"})["alwaysLoad"] == true);
  machine.write("home/.claude.json",
                R"({"mcpServers": {"skillhost": {"command": "old", "alwaysLoad": false}}})");
  const Json now = write({"--skills-dir", "/s"});
  CHECK(now["alwaysLoad"] == false);
  CHECK(now["command"] == "/usr/bin/skillhost");
  ClientServer local;
  local.executable = "/s";
  for (const Client &client : clients())
    if (client.name != "claude-code") {
      INFO(client.name);
      const auto made = entryFor(client, local, "skillhost");
      REQUIRE(made);
      CHECK(!made->contains("alwaysLoad"));
    }
}

TEST_CASE("a team's server is written as each client names it") {
  const Machine machine;
  const auto entry = [&](const std::string &client, const std::vector<std::string> &more) {
    std::vector<std::string> words{"client-config", client, "--url", "https://s.example/mcp"};
    words.insert(words.end(), more.begin(), more.end());
    const auto run = told(machine, words);
    REQUIRE(run);
    const auto made = entryFor(*clientNamed(client), run->server, "skillhost");
    REQUIRE(made);
    return made->dump();
  };
  const std::vector<std::string> token{"--token-env", "T"};
  CHECK(
      entry("claude-code", token) ==
      R"({"type":"http","url":"https://s.example/mcp","headers":{"Authorization":"Bearer ${T}"},"alwaysLoad":true})");
  CHECK(
      entry("gemini-cli", token) ==
      R"({"type":"http","url":"https://s.example/mcp","headers":{"Authorization":"Bearer ${T}"}})");
  CHECK(entry("cursor", token) ==
        R"({"url":"https://s.example/mcp","headers":{"Authorization":"Bearer ${env:T}"}})");
  CHECK(entry("windsurf", token) ==
        R"({"serverUrl":"https://s.example/mcp","headers":{"Authorization":"Bearer ${env:T}"}})");
  CHECK(entry("codex", token) == R"({"url":"https://s.example/mcp","bearer_token_env_var":"T"})");
  CHECK(
      entry("opencode", token) ==
      R"({"type":"remote","url":"https://s.example/mcp","headers":{"Authorization":"Bearer {env:T}"}})");
  CHECK(entry("zed", {"--header", " X-Team : a "}) == entry("zed", {"--header", "X-Team: a"}));
  CHECK(entry("zed", {"--header", "X-Team: a"}) ==
        R"({"url":"https://s.example/mcp","headers":{"X-Team":"a"}})");
  CHECK(
      entry("goose", {}) ==
      R"({"enabled":true,"type":"streamable_http","name":"skillhost","uri":"https://s.example/mcp","timeout":300})");
  // Clients that cannot read a variable in a field, or support only stdio, use connect.
  CHECK(
      entry("zed", token) ==
      R"({"command":"/usr/bin/skillhost","args":["connect","https://s.example/mcp","--token-env","T"]})");
  CHECK(
      entry("vscode", token) ==
      R"({"type":"stdio","command":"/usr/bin/skillhost","args":["connect","https://s.example/mcp","--token-env","T"]})");
  CHECK(
      entry("claude-desktop", {"--token-file", "t", "--header", "A: b"}) ==
      R"({"command":"/usr/bin/skillhost","args":["connect","https://s.example/mcp","--token-file",")" +
          machine.folder + R"(/t","--header","A: b"]})");
  CHECK(
      entry("codex", {"--connect", "--token-env", "T"}) ==
      R"({"command":"/usr/bin/skillhost","args":["connect","https://s.example/mcp","--token-env","T"],"env_vars":["T"]})");

  // A variable for connect must be in connect's notation, unless the client resolves it itself.
  const auto withHeader = [&](const std::string &client, const std::string &header) {
    const auto run = told(machine, {"client-config", client, "--url", "https://s.example/mcp",
                                    "--connect", "--header", header});
    REQUIRE(run);
    return entryFor(*clientNamed(client), run->server, "skillhost");
  };
  CHECK(contains(withHeader("zed", "Authorization: Bearer ${T}").failure().message,
                 "Zed does not look up the variable T: write ${env:T}"));
  CHECK(withHeader("zed", "Authorization: Bearer ${env:T}"));
  CHECK(withHeader("zed", "X-Team: ${T}"));
  CHECK(withHeader("claude-code", "Authorization: Bearer ${T}"));

  const auto plain = told(machine, {"client-config", "zed", "--url", "http://s.example/mcp",
                                    "--token-env", "T", "--allow-plain-token"});
  REQUIRE(plain);
  CHECK(
      entryFor(*clientNamed("zed"), plain->server, "skillhost")->dump() ==
      R"({"command":"/usr/bin/skillhost","args":["connect","http://s.example/mcp","--token-env","T","--allow-plain-token"]})");

  for (const auto &[words, why] : std::vector<std::pair<std::vector<std::string>, std::string>>{
           {{"client-config"}, "cursor"},
           {{"client-config", "goose", "--token-env", "T"}, "goes with --url"},
           {{"client-config", "goose", "--allow-plain-token"}, "goes with --url"},
           // An address that connect would refuse is not written.
           {{"client-config", "vscode", "--url", "http://s.example/mcp", "--token-env", "T"},
            "--allow-plain-token when the network is trusted"},
           {{"client-config", "cursor", "--url", "http://s.example/mcp", "--token-env", "T"},
            "use https"},
           {{"client-config", "zed", "--url", "https://a:b@s.example/mcp"}, "holds a name"},
           {{"client-config", "zed", "--url", "https://x", "--header", "Mcp-Session-Id: 1"},
            "is set by skillhost itself"},
           {{"client-config", "zed", "--url", "https://x", "--header", ": a"},
            "expected \"Name: value\""},
           {{"client-config", "goose", "--url", "skills.example"}, "expected a URL"},
           {{"client-config", "goose", "--url", "https://x", "--skills-dir", "a"},
            "--skills-dir does not go with --url"},
           {{"client-config", "goose", "--url", "https://x", "--set", "page_size=5"},
            "--set does not go with --url"},
           {{"client-config", "goose", "--transport", "http"}, "use --url"},
           {{"client-config", "goose", "--set", "skills_dirs=/a:b"}, "write an absolute path"},
           {{"client-config", "goose", "--set", "project_root=./a"}, "write an absolute path"},
           {{"client-config", "goose", "--write", "--remove"}, "one of --write and --remove"},
           {{"client-config", "goose", "--project"}, "Goose has no file for one project"},
           {{"client-config", "json", "--write"}, "--file FILE"},
           {{"client-config", "zed", "--url", "https://x", "--token-env", "A", "--token-file", "b"},
            "give one"}}) {
    const auto run = told(machine, words);
    INFO(why);
    REQUIRE(!run);
    CHECK(contains(run.failure().message, why));
  }
}

TEST_CASE("what a client's file says of the server is found again, and its owner's keys stay") {
  const Machine machine;
  const std::string file = machine.write("home/.cursor/mcp.json",
                                         "{\n  \"mcpServers\": {\n    \"skillhost\": {\"command\": "
                                         "\"old\", \"disabled\": true}\n  }\n}\n");
  const auto run = told(machine, {"client-config", "cursor", "--write", "--skills-dir", "/s"});
  REQUIRE(run);
  CHECK(run->file == file);
  CHECK(configureClient(*run) == 0);
  const Json now = *edit::read(edit::Format::Json, *edit::textOf(file));
  const Json &entry = now["mcpServers"]["skillhost"];
  CHECK(entry["disabled"] == true);
  CHECK(startedServer(entry).words ==
        std::vector<std::string>{"/usr/bin/skillhost", "--skills-dir", "/s"});
  CHECK(startedServer({{"command", {"a", "b"}}}).words == std::vector<std::string>{"a", "b"});
  CHECK(startedServer({{"serverUrl", "u"}}).url == "u");
  CHECK(entryPath(*clientNamed("opencode"), {{"mcp", {{"servers", Json::object()}}}}, "x") ==
        std::vector<std::string>{"mcp", "servers", "x"});
}

TEST_CASE("folders of skills that do not exist are named") {
  const Machine machine;
  machine.write("there/.keep", "");
  const std::string file = machine.write(
      "c.yaml", "skills_dirs: [gone]\nsources:\n"
                "  - {name: later, config: {directories: [/nowhere/later], optional: true}}\n"
                "  - {name: off, enabled: false, config: {directories: [/nowhere/off]}}\n"
                "  - {name: team, config: {directories: [/nowhere/team]}}\n");
  const auto started =
      Machine::parse({"--config", file, "--skills-dir", machine.folder + "/there"});
  REQUIRE(started);
  const auto read = readConfiguration(*givenSettings(*started), machine.surroundings);
  REQUIRE(read);
  CHECK(missingFolders(read->configuration) ==
        std::vector<std::string>{machine.folder + "/gone", "/nowhere/team"});
}
