// SPDX-License-Identifier: Apache-2.0
// Tests of messages of a client on stdio: the handshake, ids, faults, and rights.
#include "catch2.hpp"
#include "conversation.hpp"
#include "mcp/authorization.hpp"

using namespace skillhost;

namespace {

std::string initializeWith(const std::string &version) {
  return R"({"protocolVersion":")" + version +
         R"(","capabilities":{},"clientInfo":{"name":"t","version":"1"}})";
}

} // namespace

TEST_CASE("the handshake agrees on the version that is asked for, or on the newest") {
  for (const std::string version : {"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"}) {
    ServerOfTest of;
    StdioClient client(of);
    const Json result = client.ask("initialize", initializeWith(version)).at("result");
    CHECK(result.at("protocolVersion") == version);
    CHECK(result.at("serverInfo").at("version") == "1.2.3");
    CHECK(result.at("capabilities").contains("tools"));
    CHECK(result.at("instructions").get<std::string>().find("load_skill") != std::string::npos);
  }
  for (const std::string version : {"2026-07-28", "1999-01-01", ""}) {
    ServerOfTest of;
    StdioClient client(of);
    const Json answer = client.ask("initialize", initializeWith(version));
    INFO(answer.dump());
    CHECK(answer.at("result").at("protocolVersion") == "2025-11-25");
  }
  ServerOfTest of;
  StdioClient client(of);
  CHECK(client.ask("initialize", R"({"capabilities":{}})").at("error").at("code") == -32602);
  CHECK(client.ask("initialize", R"({"protocolVersion":7})").at("error").at("code") == -32602);
  // A failed handshake has agreed on nothing, so the next one may.
  CHECK(client.ask("initialize", initializeWith("2025-06-18")).contains("result"));
}

TEST_CASE("an id comes back as it was, and nothing else is one") {
  ServerOfTest of;
  StdioClient client(of);
  for (const std::string id :
       {"1", "0", "-7", "9007199254740993", R"("a")", R"("")", R"("\u00e9 \"x\"")", R"("1")"}) {
    const Json answer = client.ask("ping", "{}", id);
    CHECK(answer.at("id") == Json::parse(id));
    CHECK(answer.contains("result"));
  }
  for (const std::string id : {"null", "1.5", "true", "[]", "{}"}) {
    const Json answer = client.ask("ping", "{}", id);
    INFO(id);
    CHECK(answer.at("id").is_null());
    CHECK(answer.at("error").at("code") == -32600);
  }
  const std::string longest(1024, 'x'), longer(1025, 'x');
  CHECK(client.ask("ping", "{}", '"' + longest + '"').contains("result"));
  CHECK(client.ask("ping", "{}", '"' + longer + '"').at("error").at("code") == -32600);
}

TEST_CASE("what is no message is refused by what is wrong with it") {
  ServerOfTest of;
  StdioClient client(of);
  const auto code = [&](const char *line) {
    const Json answer = client.say(line);
    INFO(line);
    REQUIRE(answer.is_object());
    CHECK(answer.at("jsonrpc") == "2.0");
    return answer.at("error").at("code").get<int>();
  };
  CHECK(code("{") == -32700);
  CHECK(code("") == -32700);
  CHECK(code("{\"a\":\"\xff\"}") == -32700);
  CHECK(code("[]") == -32600);
  CHECK(code("7") == -32600);
  CHECK(code(R"({"id":1,"method":"ping"})") == -32600);
  CHECK(code(R"({"jsonrpc":"1.0","id":1,"method":"ping"})") == -32600);
  CHECK(code(R"({"jsonrpc":"2.0","id":1})") == -32600);
  CHECK(code(R"({"jsonrpc":"2.0","id":1,"method":7})") == -32600);
  CHECK(code(R"({"jsonrpc":"2.0","id":1,"id":2,"method":"ping"})") == -32600);
  CHECK(code(R"({"jsonrpc":"2.0","id":1,"method":"ping","params":[]})") == -32602);
  CHECK(code(R"([{"jsonrpc":"2.0","id":1,"method":"ping"}])") == -32600);
  client.session().refuseTooLong(100, "null");
  CHECK(client.sent.back().at("error").at("message").get<std::string>().find("100 bytes") !=
        std::string::npos);
  // None of these has ended the conversation.
  CHECK(client.ask("ping").contains("result"));
}

TEST_CASE("a notification is never answered") {
  ServerOfTest of;
  StdioClient client(of);
  for (const char *line :
       {R"({"jsonrpc":"2.0","method":"notifications/initialized"})",
        R"({"jsonrpc":"2.0","method":"no/such"})",
        R"({"jsonrpc":"2.0","method":"tools/list","params":7})",
        R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":9}})",
        R"({"jsonrpc":"2.0","id":4,"result":{}})"}) {
    INFO(line);
    CHECK(client.say(line).is_null());
  }
}

TEST_CASE("a method belongs to its era") {
  ServerOfTest of;
  StdioClient client(of);
  const Json unknown = client.ask("no/such/method");
  CHECK(unknown.at("error").at("code") == -32601);
  CHECK(unknown.at("error").at("message") == "Method not found: no/such/method");
  StdioClient fresh(of);
  CHECK(fresh.ask("server/discover").at("error").at("code") == -32602); // lacks its _meta
  const Json discovered = client.ask("server/discover", "{" + modernMeta + "}").at("result");
  CHECK(discovered.at("supportedVersions") == Json{"2026-07-28"});
  CHECK(discovered.at("resultType") == "complete");
  for (const std::string method :
       {"initialize", "ping", "logging/setLevel", "resources/subscribe", "list_tools"})
    CHECK(client.ask(method, "{" + modernMeta + "}").at("error").at("code") == -32601);
  StdioClient legacy(of);
  legacy.ask("initialize", initializeWith("2025-11-25"));
  for (const std::string method : {"server/discover", "subscriptions/listen"})
    CHECK(legacy.ask(method).at("error").at("code") == -32601);
  CHECK(legacy.ask("tools/list").at("result").contains("tools"));
}

TEST_CASE("a version that nobody speaks is told with those that are spoken") {
  ServerOfTest of;
  StdioClient client(of);
  const Json error =
      client
          .ask("tools/list", R"({"_meta":{"io.modelcontextprotocol/protocolVersion":"2030-01-01",)"
                             R"("io.modelcontextprotocol/clientCapabilities":{}}})")
          .at("error");
  CHECK(error.at("code") == -32022);
  CHECK(error.at("data").at("supported") == Json{"2026-07-28"});
  CHECK(error.at("data").at("requested") == "2030-01-01");
}

TEST_CASE("a cursor that was not given is refused, and so is a tool that is not there") {
  ServerOfTest of;
  StdioClient client(of);
  client.ask("initialize", initializeWith("2025-11-25"));
  for (const std::string method :
       {"tools/list", "prompts/list", "resources/list", "resources/templates/list"}) {
    INFO(method);
    CHECK(client.ask(method, R"({"cursor":"nonsense"})").at("error").at("code") == -32602);
    CHECK(client.ask(method, R"({"cursor":7})").at("error").at("code") == -32602);
    CHECK(client.ask(method).contains("result"));
  }
  CHECK(client.ask("tools/call", R"({"name":"no_such_tool","arguments":{}})")
            .at("error")
            .at("code") == -32602);
  CHECK(client.ask("tools/call", R"({"arguments":{}})").at("error").at("code") == -32602);
  const Json failed =
      client.ask("tools/call", R"({"name":"load_skill","arguments":{"skill_name":"no-such"}})")
          .at("result");
  CHECK(failed.at("isError") == true);
  CHECK(failed.at("structuredContent").at("error").at("code") == "NOT_FOUND");
}

TEST_CASE("the older dialect speaks in the numbers of HTTP") {
  ServerOfTest of;
  StdioClient client(of);
  CHECK(client.ask("call_tool", "{}").at("error").at("code") == 400);
  CHECK(client.ask("call_tool", R"({"name":7})").at("error").at("code") == 400);
  CHECK(client.ask("call_tool", R"({"name":"no-such"})").at("error").at("code") == 404);
  CHECK(client.ask("list_tools").at("result").at("tools") == Json::array());
}

TEST_CASE("nothing is sent once a session is closed") {
  ServerOfTest of;
  StdioClient client(of);
  client.ask("initialize", initializeWith("2025-11-25"));
  CHECK(client.session().waitUntilIdle(std::chrono::milliseconds(0)));
  client.session().close();
  CHECK(client.ask("ping").is_null());
  CHECK(client.ask("tools/list").is_null());
}

TEST_CASE("on stdio a token comes with each request, and says what it may") {
  ServerOfTest of(
      Tokens{{{"reader", {"skills:read"}}, {"manager", {"skills:manage"}}, {"guest", {}}}});
  StdioClient client(of);
  // The messages that open a conversation and keep it alive need no token.
  CHECK(client.ask("initialize", initializeWith("2025-11-25")).contains("result"));
  CHECK(client.ask("ping").contains("result"));
  const auto list = [&](const std::string &token) {
    return client.ask("tools/list", R"({"access_token":")" + token + R"("})");
  };
  const auto manage = [&](const std::string &token) {
    return client.ask("tools/call",
                      R"({"name":"get_server_stats","arguments":{},"access_token":")" + token +
                          R"("})");
  };
  const Json without = client.ask("tools/list");
  CHECK(without.at("error").at("code") == -31010);
  CHECK(without.at("error").at("data").at("scope") == "skills:read");
  CHECK(list("nobody").at("error").at("code") == -31010);
  CHECK(list("reader").contains("result"));
  CHECK(list("manager").contains("result"));
  const Json guest = list("guest");
  CHECK(guest.at("error").at("code") == -31007);
  CHECK(guest.at("error").at("data").at("scope") == "skills:read");
  CHECK(manage("reader").at("error").at("code") == -31007);
  CHECK(manage("reader").at("error").at("data").at("scope") == "skills:read skills:manage");
  CHECK(manage("manager").contains("result"));
  // The token may also stand in _meta; the server does not remember it.
  CHECK(client.ask("tools/list", R"({"_meta":{"access_token":"reader"}})").contains("result"));
  CHECK(client.ask("tools/list").at("error").at("code") == -31010);
}

TEST_CASE("a provider that is away is not a refusal") {
  ServerOfTest of(Tokens{{{"reader", {"skills:read"}}}});
  StdioClient client(of);
  of.provider->isAway = true;
  const Json error = client.ask("tools/list", R"({"access_token":"reader"})").at("error");
  CHECK(error.at("code") == -31004);
  CHECK(error.at("data").at("retryable") == true);
}

TEST_CASE("who is refused in the older dialect hears it in the numbers of HTTP") {
  ServerOfTest of(Tokens{{{"guest", {}}}});
  StdioClient client(of);
  CHECK(client.ask("list_tools").at("error").at("code") == 401);
  CHECK(client.ask("list_tools", R"({"access_token":"nobody"})").at("error").at("code") == 401);
  CHECK(client.ask("list_tools", R"({"access_token":"guest"})").at("error").at("code") == 403);
}

TEST_CASE("only what opens a conversation needs no scope, and what manages needs more") {
  const Json none = Json::object();
  const OwnTools tools;
  const OwnResources resources;
  for (const char *method : {"initialize", "ping", "server/discover"}) {
    INFO(method);
    CHECK(neededPermission(tools, resources, method, none) == Permission::Nothing);
  }
  for (const char *method : {"tools/list", "tools/call", "skills/list", "subscriptions/listen",
                             "call_tool", "nobody/knows", "", "Initialize"}) {
    INFO(method);
    CHECK(neededPermission(tools, resources, method, none) == Permission::Read);
  }
  CHECK(neededPermission(tools, resources, "tools/call", {{"name", "reload_skills_directory"}}) ==
        Permission::Manage);
  CHECK(neededPermission(tools, resources, "tools/call", {{"name", "get_server_stats"}}) ==
        Permission::Manage);
  CHECK(neededPermission(tools, resources, "tools/call", {{"name", "load_skill"}}) ==
        Permission::Read);
  CHECK(neededPermission(tools, resources, "tools/call", {{"name", 7}}) == Permission::Read);
  const Json stats{{"uri", "skillhost://stats"}};
  CHECK(neededPermission(tools, resources, "resources/read", stats) == Permission::Manage);
  CHECK(neededPermission(tools, resources, "resources/subscribe", stats) == Permission::Manage);
  CHECK(neededPermission(tools, resources, "resources/read", {{"uri", "skill://a/b/SKILL.md"}}) ==
        Permission::Read);
}
