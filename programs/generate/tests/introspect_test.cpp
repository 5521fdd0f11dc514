// SPDX-License-Identifier: Apache-2.0
// Tests conversations with servers that behave in unexpected ways.
#include "catch2.hpp"

#include "base/fault.hpp"
#include "generate/introspect.hpp"

#include <deque>
#include <functional>
#include <utility>

using namespace skillhost;

namespace {

// Returns a server's answers to a message; empty: none. "END" ends the server.
using Script = std::function<std::vector<std::string>(const Json &message)>;

class ScriptedServer final : public ServerChannel {
public:
  explicit ScriptedServer(Script script) : script_(std::move(script)) {}
  Status send(std::string_view message, Deadline) override {
    const Json json = Json::parse(message);
    if (!json.contains("method")) return Done{}; // an answer of ours
    for (std::string &line : script_(json)) waiting_.push_back(std::move(line));
    return Done{};
  }
  Result<std::string> receive(Deadline) override {
    if (waiting_.empty()) return {Fault::ToolTimeout, "no answer in time"};
    std::string line = std::move(waiting_.front());
    waiting_.pop_front();
    if (line == "END") return {Fault::Unavailable, "server ended with exit code 3"};
    return line;
  }

private:
  const Script script_;
  std::deque<std::string> waiting_;
};

std::string result(const Json &to, const Json &value) {
  return Json{{"jsonrpc", "2.0"}, {"id", to["id"]}, {"result", value}}.dump();
}
std::string error(const Json &to, int code, const char *words = "no") {
  return Json{{"jsonrpc", "2.0"}, {"id", to["id"]}, {"error", {{"code", code}, {"message", words}}}}
      .dump();
}

// Makes a legacy server with tools; `tools` answers tools/list.
Script legacy(Script tools) {
  return [tools = std::move(tools)](const Json &message) -> std::vector<std::string> {
    if (message["method"] == "initialize")
      return {result(message, {{"protocolVersion", "2025-06-18"},
                               {"capabilities", {{"tools", Json::object()}}},
                               {"serverInfo", {{"name", "s"}, {"version", "1"}}}})};
    if (message["method"] == "tools/list") return tools(message);
    if (!message.contains("id")) return {};
    return {error(message, -32601)};
  };
}

Result<ServerDescription> asked(const Script &script, int *opened = nullptr) {
  return introspect(
      [script, opened]() -> Result<std::unique_ptr<ServerChannel>> {
        if (opened != nullptr) ++*opened;
        return {std::make_unique<ScriptedServer>(script)};
      },
      Deadline::after(std::chrono::seconds(20)), "1");
}

Json tool(const char *name) { return {{"name", name}, {"inputSchema", {{"type", "object"}}}}; }

} // namespace

TEST_CASE("a modern server is asked in its revision, all pages, and sorted") {
  const std::string longName(5'000, 'n');
  const auto server = asked([&](const Json &message) -> std::vector<std::string> {
    const Json &meta = message["params"]["_meta"];
    if (meta["io.modelcontextprotocol/protocolVersion"] != "2026-07-28") return {"END"};
    if (message["method"] == "server/discover")
      return {result(
          message,
          {{"resultType", "complete"},
           {"supportedVersions", {"2026-07-28"}},
           {"capabilities", {{"tools", Json::object()}}},
           {"instructions", "Use me."},
           {"_meta", {{"io.modelcontextprotocol/serverInfo", {{"name", "s"}, {"title", "S"}}}}}})};
    const Json &params = message["params"];
    if (!params.contains("cursor"))
      return {result(message, {{"tools", Json::array({tool("b")})}, {"nextCursor", "2"}})};
    return {result(message, {{"tools", Json::array({tool("a"), tool("b"), 5, Json::object(),
                                                    tool(longName.c_str())})}})};
  });
  REQUIRE(server);
  CHECK(server->protocol == "2026-07-28");
  CHECK(server->title == "S");
  CHECK(server->instructions == "Use me.");
  REQUIRE(server->tools.size() == 2);
  CHECK(server->tools[0]["name"] == "a");
  CHECK(server->remarks.size() == 4);
}

TEST_CASE("a legacy server is greeted in its way") {
  const auto server = asked(legacy([](const Json &message) -> std::vector<std::string> {
    CHECK_FALSE(message["params"].contains("_meta"));
    return {result(message, {{"tools", Json::array({tool("a")})}})};
  }));
  REQUIRE(server);
  CHECK(server->protocol == "2025-06-18");
}

TEST_CASE("one that ends at what it does not know is started once more") {
  int opened = 0;
  const Script whole = legacy([](const Json &message) -> std::vector<std::string> {
    return {result(message, {{"tools", Json::array()}})};
  });
  const auto server = asked(
      [whole](const Json &message) -> std::vector<std::string> {
        if (message["method"] == "server/discover") return {"END"};
        return whole(message);
      },
      &opened);
  CHECK(server);
  CHECK(opened == 2);
}

TEST_CASE("one that says nothing to what it does not know is greeted all the same") {
  const Script whole = legacy([](const Json &message) -> std::vector<std::string> {
    return {result(message, {{"tools", Json::array()}})};
  });
  CHECK(asked([whole](const Json &message) -> std::vector<std::string> {
    if (message["method"] == "server/discover") return {};
    return whole(message);
  }));
}

TEST_CASE("noise between the answers is passed over") {
  const auto server = asked(legacy([](const Json &message) -> std::vector<std::string> {
    return {"Listening on port 80",
            "",
            "[1,2]",
            R"({"jsonrpc":"2.0","id":99,"result":{}})",
            R"({"jsonrpc":"2.0","method":"notifications/message","params":{}})",
            R"({"jsonrpc":"2.0","id":1,"method":"ping"})",
            R"({"jsonrpc":"2.0","id":2,"method":"roots/list"})",
            result(message, {{"tools", Json::array({tool("a")})}})};
  }));
  REQUIRE(server);
  CHECK(server->tools.size() == 1);
}

TEST_CASE("each way to go wrong has words of its own") {
  struct Wrong {
    const char *says;
    Script tools;
  };
  const Wrong one = GENERATE(
      Wrong{"error -32603: bro ken",
            [](const Json &m) -> std::vector<std::string> {
              return {error(m, -32603, "bro\x1Bken"), error(m, -32603)};
            }},
      Wrong{"exit code 3", [](const Json &) -> std::vector<std::string> { return {"END"}; }},
      Wrong{"no answer in time", [](const Json &) -> std::vector<std::string> { return {}; }},
      Wrong{"no list \"tools\"",
            [](const Json &m) -> std::vector<std::string> { return {result(m, {{"tools", 5}})}; }},
      Wrong{"no result that is an object",
            [](const Json &m) -> std::vector<std::string> { return {result(m, 5)}; }},
      Wrong{"in a circle",
            [](const Json &m) -> std::vector<std::string> {
              return {result(m, {{"tools", Json::array()}, {"nextCursor", "same"}})};
            }},
      Wrong{"1,000 pages",
            [count = 0](const Json &m) mutable -> std::vector<std::string> {
              return {
                  result(m, {{"tools", Json::array()}, {"nextCursor", std::to_string(++count)}})};
            }},
      Wrong{"nextCursor is no text",
            [](const Json &m) -> std::vector<std::string> {
              return {result(m, {{"tools", Json::array()}, {"nextCursor", 7}})};
            }},
      Wrong{"cannot be read",
            [](const Json &m) -> std::vector<std::string> {
              return {R"({"jsonrpc":"2.0","id":)" + m["id"].dump() + R"(,"result":)" +
                      std::string(200, '[') + std::string(200, ']') + '}'};
            }},
      Wrong{"wants to know more",
            [](const Json &m) -> std::vector<std::string> {
              return {result(m, {{"resultType", "input_required"}})};
            }},
      Wrong{"what is no MCP", [](const Json &) -> std::vector<std::string> {
              return std::vector<std::string>(1'001, "junk");
            }});
  const auto server = asked(legacy(one.tools));
  REQUIRE_FALSE(server);
  CAPTURE(server.failure().message);

  CHECK(server.failure().message.find(one.says) != std::string::npos);
  CHECK(server.failure().message.find("tools/list") != std::string::npos);
}

TEST_CASE("a list that the server declares and does not know is empty") {
  const auto server =
      asked(legacy([](const Json &m) -> std::vector<std::string> { return {error(m, -32601)}; }));
  REQUIRE(server);
  CHECK(server->remarks.size() == 1);
}

TEST_CASE("a server that lets nobody in is not asked again in another way") {
  int asks = 0;
  const auto server = asked([&asks](const Json &message) -> std::vector<std::string> {
    ++asks;
    return {error(message, describe(Fault::Denied).jsonRpc, "who are you")};
  });
  REQUIRE_FALSE(server);
  CHECK(server.failure().message == "who are you");
  CHECK(asks == 1);
}
