// SPDX-License-Identifier: Apache-2.0
// These tests show the tools of features beside those of the server.
#include "mcp/authorization.hpp"
#include "mcp/own_tools.hpp"
#include "mcp/tool.hpp"
#include "reader.hpp"

#include <algorithm>

using namespace skillhost;

namespace {

constexpr Tool countTool{
    "count_calls",          "Count calls",          "Tells how often it was called.",
    ToolCategory::Query,    Permission::Read,       true,
    R"({"type":"object"})", R"({"type":"object"})", nullptr};
constexpr Tool decideTool{"decide",
                          "Decide",
                          "For reviewers.",
                          ToolCategory::Query,
                          Permission::Review,
                          false,
                          R"({"type":"object"})",
                          R"({"type":"object"})",
                          nullptr};

struct Features {
  int calls = 0;

  ServerParts parts(bool withholds) {
    const auto count = [this](const ToolCall &tool) {
      ++calls;
      tool.succeed(toolResult(Json{{"calls", calls}}, std::to_string(calls)));
    };
    ServerParts made;
    made.tools = {{&countTool, count}, {&decideTool, count}};
    made.withholds = withholds;
    return made;
  }
};

std::vector<std::string> toolsFor(StdioClient &client, const std::string &token = {}) {
  std::vector<std::string> names;
  const std::string params = token.empty() ? "{}" : R"({"access_token":")" + token + R"("})";
  const Json tools = client.ask("tools/list", params).at("result").at("tools");
  for (const Json &tool : tools) names.push_back(tool.at("name"));
  return names;
}

AccessSettings withReviewers() {
  AccessSettings rules;
  rules.scopes.review = "skills:review";
  return rules;
}

bool has(const std::vector<std::string> &names, const char *name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

} // namespace

TEST_CASE("a tool of a feature is listed after the server's own, and answers its calls") {
  Features features;
  ServerOfTest of(features.parts(true));
  StdioClient client(of);
  client.ask("initialize", R"({"protocolVersion":"2025-11-25","capabilities":{},)"
                           R"("clientInfo":{"name":"t","version":"1"}})");
  const std::vector<std::string> names = toolsFor(client);
  REQUIRE(names.size() > 1);
  CHECK(names.back() == "count_calls");
  for (int calls : {1, 2})
    CHECK(client.ask("tools/call", R"({"name":"count_calls","arguments":{}})")
              .at("result")
              .at("structuredContent")
              .at("data") == Json{{"calls", calls}});
  CHECK(features.calls == 2);
}

TEST_CASE("a tool for reviewers is offered to them alone, and only if skills may be withheld") {
  for (const bool withholds : {true, false}) {
    INFO(withholds);
    Features features;
    ServerOfTest of(
        Tokens{{{"reviewer", {"skills:read", "skills:review"}}, {"reader", {"skills:read"}}}},
        features.parts(withholds), withReviewers());
    StdioClient client(of);
    client.ask("initialize", R"({"protocolVersion":"2025-11-25","capabilities":{},)"
                             R"("clientInfo":{"name":"t","version":"1"}})");
    CHECK(has(toolsFor(client, "reviewer"), "decide") == withholds);
    CHECK_FALSE(has(toolsFor(client, "reader"), "decide"));
    CHECK(has(toolsFor(client, "reader"), "count_calls"));
    const auto call = [&](const std::string &token) {
      return client.ask("tools/call",
                        R"({"name":"decide","arguments":{},"access_token":")" + token + R"("})");
    };
    CHECK(call("reviewer").contains("result") == withholds);
    CHECK(call("reader").contains("error"));
    CHECK(features.calls == (withholds ? 1 : 0));
  }
  // The callers are not identified, so nobody is a reviewer.
  Features features;
  ServerOfTest of(features.parts(true));
  StdioClient client(of);
  CHECK_FALSE(has(toolsFor(client), "decide"));
}

TEST_CASE("calling a tool of a feature needs what the feature says") {
  Features features;
  const OwnTools tools(features.parts(true).tools);
  CHECK(neededPermission(tools, OwnResources(), "tools/call", {{"name", "decide"}}) ==
        Permission::Review);
  CHECK(neededPermission(tools, OwnResources(), "tools/call", {{"name", "count_calls"}}) ==
        Permission::Read);
  CHECK(neededPermission(OwnTools(), OwnResources(), "tools/call", {{"name", "decide"}}) ==
        Permission::Read);
}
