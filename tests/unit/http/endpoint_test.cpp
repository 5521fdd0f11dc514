// SPDX-License-Identifier: Apache-2.0
// Tests requests and answers of the path of MCP over HTTP.
#include "asked.hpp"
#include "catch2.hpp"
#include "skills_in_memory.hpp"

using namespace skillhost;

namespace {

const Fields legacyFields{{"content-type", "application/json"},
                          {"accept", "application/json"},
                          {"mcp-protocol-version", "2025-11-25"}};
const std::string opening =
    R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25",)"
    R"("capabilities":{},"clientInfo":{"name":"t","version":"1"}}})";
const std::string pinging = R"({"jsonrpc":"2.0","id":2,"method":"ping"})";
const std::string listing = R"({"jsonrpc":"2.0","id":3,"method":"tools/list"})";
const std::string initialized = R"({"jsonrpc":"2.0","method":"notifications/initialized"})";

std::string modern(const std::string &method) {
  return R"({"jsonrpc":"2.0","id":1,"method":")" + method + R"(","params":{)" + modernMeta + "}}";
}
Fields modernFields(const std::string &method) {
  return {{"content-type", "application/json"},
          {"accept", "application/json"},
          {"mcp-protocol-version", "2026-07-28"},
          {"mcp-method", method}};
}
Fields bearer(const std::string &token) { return {{"authorization", "Bearer " + token}}; }

struct EndpointOfTest : ServerOfTest {
  EndpointOfTest() : endpoint(server, {}) {}
  explicit EndpointOfTest(HttpRules rules) : endpoint(server, std::move(rules)) {}
  explicit EndpointOfTest(Tokens tokens) : ServerOfTest(std::move(tokens)), endpoint(server, {}) {}

  explicit EndpointOfTest(std::shared_ptr<Source> source)
      : ServerOfTest(std::move(source)), endpoint(server, {}) {}

  Asked post(const std::string &body, const Fields &fields = legacyFields) {
    return {endpoint, "POST", fields, body};
  }
  std::string openSession(const Fields &further = {}) {
    return post(opening, with(legacyFields, further)).field("Mcp-Session-Id");
  }

  McpEndpoint endpoint;
};

} // namespace

TEST_CASE("a session lives from its handshake to its end") {
  EndpointOfTest of;
  const std::string session = of.openSession();
  REQUIRE(!session.empty());
  CHECK(session.size() <= 1024);
  CHECK(of.openSession() != session);
  const Fields own = with(legacyFields, {{"mcp-session-id", session}});
  CHECK(of.post(pinging, own).status() == 200);
  CHECK(of.post(initialized, own).status() == 202);
  CHECK(of.post(listing, own).body().at("result").contains("tools"));
  CHECK(Asked(of.endpoint, "DELETE", own).status() == 204);
  const Asked after = of.post(pinging, own);
  CHECK(after.status() == 404);
  CHECK(after.body().at("id") == 2);
  CHECK(Asked(of.endpoint, "DELETE", own).status() == 404);
  CHECK(Asked(of.endpoint, "DELETE", legacyFields).status() == 400);
}

TEST_CASE("a request of no session is answered, one of another's is not") {
  EndpointOfTest of;
  CHECK(of.post(pinging).status() == 200);
  CHECK(of.post(listing).status() == 200);
  CHECK(of.post(initialized).status() == 202);
  const Fields foreign = with(legacyFields, {{"mcp-session-id", std::string(32, '0')}});
  CHECK(of.post(pinging, foreign).status() == 404);
  CHECK(of.post(initialized, foreign).status() == 404);
  CHECK(Asked(of.endpoint, "GET", with(foreign, {{"accept", "text/event-stream"}})).status() ==
        405); // the first Accept counts
  CHECK(Asked(of.endpoint, "GET",
              {{"accept", "text/event-stream"}, {"mcp-session-id", std::string(32, '0')}})
            .status() == 404);
}

TEST_CASE("a request that names two sessions is of neither") {
  EndpointOfTest of;
  const std::string session = of.openSession();
  const Fields two = with(legacyFields, {{"mcp-session-id", session}, {"mcp-session-id", session}});
  CHECK(of.post(pinging, two).status() == 404);
  CHECK(of.post(initialized, two).status() == 404);
  CHECK(Asked(of.endpoint, "DELETE", two).status() == 404);
  CHECK(Asked(of.endpoint, "GET",
              {{"accept", "text/event-stream"},
               {"mcp-session-id", session},
               {"mcp-session-id", session}})
            .status() == 404);
  CHECK(of.post(pinging, with(legacyFields, {{"mcp-session-id", session}})).status() == 200);
}

TEST_CASE("a session is its owner's alone") {
  EndpointOfTest of(Tokens{{{"ada", {"skills:read"}}, {"bob", {"skills:read"}}}});
  const std::string session = of.openSession(bearer("ada"));
  const auto ping = [&](const std::string &who) {
    return of.post(pinging, with(with(legacyFields, {{"mcp-session-id", session}}), bearer(who)));
  };
  CHECK(ping("ada").status() == 200);
  CHECK(ping("bob").status() == 404);
  CHECK(Asked(of.endpoint, "DELETE", with({{"mcp-session-id", session}}, bearer("bob"))).status() ==
        404);
  CHECK(ping("ada").status() == 200);
}

TEST_CASE("the stream of a session") {
  EndpointOfTest of;
  const std::string session = of.openSession();
  const Fields own{{"accept", "text/event-stream"}, {"mcp-session-id", session}};
  CHECK(Asked(of.endpoint, "GET", own).exchange->opened == 1);
  CHECK(Asked(of.endpoint, "GET", {{"accept", "TEXT/Event-Stream"}, {"mcp-session-id", session}})
            .exchange->opened == 1);
  for (const Fields &wrong :
       {Fields{{"accept", "text/event-stream"}}, Fields{{"mcp-session-id", session}},
        Fields{{"accept", "application/json"}, {"mcp-session-id", session}}}) {
    const Asked asked(of.endpoint, "GET", wrong);
    CHECK(asked.status() == 405);
    CHECK(asked.field("Allow") == "POST");
  }
  // The rest of a request at another server is no reason to close the client's stream.
  CHECK(Asked(of.endpoint, "GET", with(own, {{"last-event-id", "7-1"}})).status() == 404);
  // An event of another server is no reason to refuse a stream.
  CHECK(Asked(of.endpoint, "GET", with(own, {{"last-event-id", "nonsense"}})).exchange->opened ==
        1);
}

TEST_CASE("media types are read as the standard has them") {
  EndpointOfTest of;
  const auto status = [&](const char *type, const char *accept) {
    return of.post(pinging, {{"content-type", type}, {"accept", accept}}).status();
  };
  for (const char *type : {"application/json", "Application/JSON", "application/json;charset=utf-8",
                           "application/json ; charset=utf-8"})
    CHECK(status(type, "application/json") == 200);
  for (const char *type : {"", "text/plain", "application/json5", "application/jsonx;a=b"})
    CHECK(status(type, "application/json") == 415);
  for (const char *accept : {"application/json, text/event-stream", "*/*", "APPLICATION/*",
                             "text/html;q=0.1, application/json"})
    CHECK(status("application/json", accept) == 200);
  for (const char *accept : {"", "text/html", "application/json;q=0", "text/plain, image/*"})
    CHECK(status("application/json", accept) == 406);
  CHECK(of.post(pinging, {{"content-type", "application/json"}}).status() == 200);
  CHECK(of.post(pinging, {{"accept", "application/json"}}).status() == 415);
}

TEST_CASE("a client that takes streams alone is answered by one") {
  EndpointOfTest of;
  const Asked asked =
      of.post(pinging, {{"content-type", "application/json"}, {"accept", "text/event-stream"}});
  CHECK(asked.status() == 0);
  CHECK(asked.exchange->opened == 1);
  REQUIRE(asked.exchange->events.size() == 1);
  CHECK(Json::parse(asked.exchange->events[0].second).contains("result"));
  CHECK(asked.exchange->closed == 1);
}

TEST_CASE("methods that this path does not know") {
  EndpointOfTest of;
  for (const char *method : {"PUT", "PATCH", "HEAD", "TRACE", "post"}) {
    const Asked asked(of.endpoint, method, legacyFields, pinging);
    CHECK(asked.status() == 405);
    CHECK(asked.field("Allow") == "POST, GET, DELETE, OPTIONS");
  }
  CHECK(Asked(of.endpoint, "OPTIONS", {}).status() == 204);
}

TEST_CASE("where a request comes from is looked at first") {
  HttpRules rules;
  rules.hosts = {"localhost"};
  EndpointOfTest of(std::move(rules));
  CHECK(of.post(pinging, with(legacyFields, {{"host", "localhost:80"}})).status() == 200);
  const Asked rebound = of.post(pinging, with(legacyFields, {{"host", "evil.example"}}));
  CHECK(rebound.status() == 403);
  CHECK(rebound.code() == -31007);
  CHECK(of.post(pinging,
                with(legacyFields, {{"host", "localhost"}, {"origin", "https://evil.example"}}))
            .status() == 403);
  CHECK(Asked(of.endpoint, "DELETE", {{"host", "evil.example"}}).status() == 403);
}

TEST_CASE("what is no message is answered with 400") {
  EndpointOfTest of;
  CHECK(of.post("{").status() == 400);
  CHECK(of.post("{").code() == -32700);
  CHECK(of.post("[]").code() == -32600);
  CHECK(of.post("").status() == 400);
  const Asked wrong = of.post(R"({"jsonrpc":"2.0","id":"x","method":"ping","params":[]})");
  CHECK(wrong.status() == 400);
  CHECK(wrong.code() == -32602);
  CHECK(wrong.body().at("id") == "x");
}

TEST_CASE("the head and the body of a modern request say the same") {
  EndpointOfTest of;
  CHECK(of.post(modern("tools/list"), modernFields("tools/list")).status() == 200);
  const Asked unknown = of.post(modern("no/such"), modernFields("no/such"));
  CHECK(unknown.status() == 404);
  CHECK(unknown.code() == -32601);
  const Asked other = of.post(modern("tools/list"), modernFields("prompts/list"));
  CHECK(other.status() == 400);
  CHECK(other.code() == -32020);
  Fields lacking = modernFields("tools/list");
  lacking.pop_back();
  CHECK(of.post(modern("tools/list"), lacking).code() == -32020);
  Fields older = modernFields("tools/list");
  older[2].second = "2025-11-25";
  CHECK(of.post(modern("tools/list"), older).code() == -32020);
  CHECK(of.post(listing,
                {{"content-type", "application/json"}, {"mcp-protocol-version", "1999-01-01"}})
            .code() == -32022);
  CHECK(of.post(modern("initialize"), modernFields("initialize")).status() == 404);
}

TEST_CASE("over HTTP every request shows its token") {
  EndpointOfTest of(Tokens{{{"reader", {"skills:read"}}, {"guest", {}}}});
  for (const std::string &body : {opening, pinging, listing, initialized}) {
    const Asked asked = of.post(body);
    CHECK(asked.status() == 401);
    CHECK(asked.field("WWW-Authenticate").starts_with("Bearer"));
  }
  CHECK(of.post(listing, with(legacyFields, bearer("nobody"))).status() == 401);
  CHECK(of.post(listing, with(legacyFields, bearer("nobody")))
            .field("WWW-Authenticate")
            .find("invalid_token") != std::string::npos);
  CHECK(of.post(listing, with(legacyFields, {{"authorization", "Bearer "}})).status() == 400);
  CHECK(of.post(listing, with(legacyFields, with(bearer("reader"), bearer("reader")))).status() ==
        400);
  CHECK(of.post(listing, with(legacyFields, bearer("reader"))).status() == 200);
  const Asked guest = of.post(listing, with(legacyFields, bearer("guest")));
  CHECK(guest.status() == 403);
  CHECK(guest.code() == -31007);
  CHECK(guest.body().at("id") == 3);
  CHECK(guest.field("WWW-Authenticate").find("insufficient_scope") != std::string::npos);
  CHECK(of.post(pinging, with(legacyFields, bearer("guest"))).status() == 200);
  CHECK(Asked(of.endpoint, "GET", with({{"accept", "text/event-stream"}}, bearer("guest")))
            .status() == 403);
}

TEST_CASE("managing needs more than reading") {
  EndpointOfTest of(Tokens{{{"reader", {"skills:read"}}, {"manager", {"skills:manage"}}}});
  const std::string body =
      R"({"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"get_server_stats","arguments":{}}})";
  const Asked refused = of.post(body, with(legacyFields, bearer("reader")));
  CHECK(refused.status() == 403);
  CHECK(refused.field("WWW-Authenticate").find("skills:manage") != std::string::npos);
  const Asked allowed = of.post(body, with(legacyFields, bearer("manager")));
  allowed.exchange->wait(); // the figures are computed on the thread of long requests
  CHECK(allowed.status() == 200);
}

TEST_CASE("a long list that was made before is answered without another thread") {
  constexpr int skills = 50;
  SkillsInMemory::Files files;
  for (int i = 0; i < skills; ++i) {
    const std::string name = "skill-" + std::to_string(i);
    files[{name, "SKILL.md"}] = "---\nname: " + name + "\ndescription: Does it.\n---\nDo it.\n";
  }
  EndpointOfTest of(std::make_shared<SkillsInMemory>(std::move(files)));
  const std::string body =
      R"({"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"list_skills","arguments":{"limit":49}}})";
  const Asked first = of.post(body);
  first.exchange->wait(); // made on the thread of long requests
  const Asked second = of.post(body);
  REQUIRE(second.status() == 200);
  CHECK(second.body().at("result").at("structuredContent").at("data") ==
        first.body().at("result").at("structuredContent").at("data"));
}

TEST_CASE("a request of no session states what it has") {
  EndpointOfTest of(std::make_shared<SkillsInMemory>(SkillsInMemory::Files{
      {{"greeter", "SKILL.md"}, "---\nname: greeter\ndescription: Greets.\n---\nSay hello.\n"}}));
  const auto load = [&](const std::string &further) {
    const Asked asked = of.post(
        R"({"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"load_skill","arguments":{"skill_name":"greeter")" +
        further + "}}}");
    return asked.body().at("result").at("structuredContent").at("data");
  };
  const Json first = load("");
  CHECK(first.at("status") == "loaded");
  const std::string digest = R"(,"known_digest":)" + first.at("digest").dump();
  CHECK(load("").at("status") == "loaded");
  CHECK(load(digest).at("status") == "already_loaded");
  CHECK(load(digest + R"(,"force_reload":true)").at("status") == "loaded");
  const Json changed = load(R"(,"known_digest":"another","offset":3)");
  CHECK(changed.at("content") == first.at("content")); // not the rest of the former content
}

TEST_CASE("who is refused in the older dialect hears it in the numbers of HTTP, over HTTP too") {
  EndpointOfTest of(Tokens{{{"guest", {}}}});
  const Asked refused = of.post(R"({"jsonrpc":"2.0","id":3,"method":"list_tools"})",
                                with(legacyFields, bearer("guest")));
  CHECK(refused.status() == 403);
  CHECK(refused.code() == 403);
}

TEST_CASE("a provider that is away is told apart from a refusal, over HTTP too") {
  EndpointOfTest of(Tokens{{{"reader", {"skills:read"}}}});
  of.provider->isAway = true;
  const Asked asked = of.post(listing, with(legacyFields, bearer("reader")));
  CHECK(asked.status() == 503);
  CHECK(asked.field("Retry-After") == "5");
  CHECK(asked.field("WWW-Authenticate").empty());
}

TEST_CASE("a server that stops answers so") {
  EndpointOfTest of;
  const std::string session = of.openSession();
  const Asked stream(of.endpoint, "GET",
                     {{"accept", "text/event-stream"}, {"mcp-session-id", session}});
  of.endpoint.close();
  CHECK(stream.exchange->closed == 1);
  const Asked asked = of.post(pinging);
  CHECK(asked.status() == 503);
  CHECK(asked.field("Retry-After") == "1");
}

TEST_CASE("a session that was dropped from memory goes on, without what it had loaded") {
  HttpRules rules;
  rules.maxSessions = 10; // two of one network
  EndpointOfTest of(std::move(rules));
  const std::string first = of.openSession();
  const Fields own = with(legacyFields, {{"mcp-session-id", first}});
  const std::string level =
      R"({"jsonrpc":"2.0","id":2,"method":"logging/setLevel","params":{"level":"info"}})";
  CHECK(of.post(level, own).status() == 200);
  const std::string second = of.openSession(), third = of.openSession();
  for (const std::string &session : {first, second, third})
    CHECK(of.post(pinging, with(legacyFields, {{"mcp-session-id", session}})).status() == 200);
  // A session that has ended does not return by its id.
  CHECK(Asked(of.endpoint, "DELETE", own).status() == 204);
  CHECK(of.post(pinging, own).status() == 404);
  CHECK(Asked(of.endpoint, "DELETE", own).status() == 404);
}

TEST_CASE("with a key of the service a session outlives a restart, with another key it does not") {
  HttpRules rules; // the rules of one process, and of the next one
  const HttpRules others{};
  const std::string session = EndpointOfTest(rules).openSession();
  const auto status = [&](EndpointOfTest &of) {
    return of.post(listing, with(legacyFields, {{"mcp-session-id", session}})).status();
  };
  EndpointOfTest restarted(rules), changed(others);
  CHECK(status(restarted) == 200);
  CHECK(status(changed) == 404);
  // The client is notified once that it may have missed messages.
  const Fields own{{"accept", "text/event-stream"}, {"mcp-session-id", session}};
  const Asked stream(restarted.endpoint, "GET", own), again(restarted.endpoint, "GET", own);
  CHECK(stream.exchange->events.size() == 3);
  CHECK(again.exchange->events.empty());
}

TEST_CASE("an id that is too old, too long or made up is of no session") {
  HttpRules rules;
  rules.sessionMaxAge = std::chrono::seconds(0);
  EndpointOfTest of(std::move(rules));
  const std::string old = of.openSession();
  for (const std::string &id : {old, old.substr(0, old.size() / 2), old + old,
                                std::string(4'096, 'a'), std::string("-"), std::string("a b")}) {
    INFO(id);
    const Fields own = with(legacyFields, {{"mcp-session-id", id}});
    CHECK(of.post(pinging, own).status() == 404);
    CHECK(of.post(initialized, own).status() == 404);
    CHECK(Asked(of.endpoint, "DELETE", own).status() == 404);
    CHECK(Asked(of.endpoint, "GET", {{"accept", "text/event-stream"}, {"mcp-session-id", id}})
              .status() == 404);
  }
}

TEST_CASE("a client may state whatever capabilities it likes") {
  EndpointOfTest of;
  const Asked asked = of.post(
      R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25",)"
      R"("capabilities":{"sampling":{},"experimental":{"x":")" +
      std::string(16U << 10U, 'y') + R"("}},"clientInfo":{"name":"t","version":"1"}}})");
  asked.exchange->wait(); // a long message is read on a thread of its own
  CHECK(asked.status() == 200);
  const std::string session = asked.field("Mcp-Session-Id");
  CHECK(session.size() <= 1024);
  CHECK(of.post(pinging, with(legacyFields, {{"mcp-session-id", session}})).status() == 200);
}
