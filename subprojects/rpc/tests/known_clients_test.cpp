// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"
#include "rpc/known_clients.hpp"

#include <nlohmann/json.hpp>

#include <string>

using namespace skillhost;

TEST_CASE("hosts of agents are known by the names they send, whatever stands behind them") {
  for (const std::string name : {"claude-code",
                                 "claude-ai",
                                 "claude-ai (via mcp-remote 0.1.37)",
                                 "Visual Studio Code",
                                 "Visual Studio Code - Insiders",
                                 "cursor-vscode",
                                 "Cursor",
                                 "codex-mcp-client",
                                 "gemini-cli-mcp-client",
                                 "gemini-cli-mcp-client-skills",
                                 "goose",
                                 "goose-desktop",
                                 "windsurf-client",
                                 "Windsurf",
                                 "opencode",
                                 "Zed",
                                 "github-copilot-developer",
                                 "JetBrains-IU/copilot-intellij",
                                 "@librechat/api-client",
                                 "@cline-core",
                                 "Roo Code",
                                 "antigravity-client",
                                 "LMSTUDIO",
                                 "LM Studio",
                                 "lm-studio/0.3.30",
                                 "pi-coding-agent"})
    CHECK(resultFormFor(name) == ResultForm::Text);
}

TEST_CASE("programs, and clients that nobody knows, are sent both forms") {
  for (const std::string name : {"", "mcp", "skillhost-test", "inspector-client",
                                 "conformance-test-client", "example-client", "zedd", "gooseberry",
                                 "my-cursor", "claudette", "(claude)", "spring-ai-mcp-client"})
    CHECK(resultFormFor(name) == ResultForm::Both);
  CHECK(resultFormFor(std::string(100'000, 'c')) == ResultForm::Both);
  CHECK(resultFormFor("\xFF\xFE") == ResultForm::Both);
}

TEST_CASE("a result is as long as the client shows its model, and as the tool declares where that "
          "counts") {
  CHECK(shownCharacters("claude-code", 500'000) == 500'000);
  CHECK(shownCharacters("claude-code (via mcp-remote 0.1.37)", 70'000) == 70'000);
  CHECK(shownCharacters("codex-mcp-client", 500'000) == 40'000);
  CHECK(shownCharacters("gemini-cli-mcp-client", 500'000) == 40'000);
  CHECK(shownCharacters("opencode", 500'000) == 51'200);
  CHECK(shownCharacters("Qwen Code", 500'000) == 25'000);
  for (const std::string name : {"", "claude-ai", "claude-codes", "mcp", "Zed"})
    CHECK(shownCharacters(name, 500'000) == 100'000);
}

TEST_CASE("a client says its name or does not") {
  CHECK(clientName(Json{{"clientInfo", {{"name", "x"}}}}, "clientInfo") == "x");
  for (const Json &none : {Json::object(), Json{{"clientInfo", nullptr}}, Json{{"clientInfo", "x"}},
                           Json{{"clientInfo", {{"name", 7}}}}})
    CHECK(clientName(none, "clientInfo").empty());
}
