// SPDX-License-Identifier: Apache-2.0
// Tests the text of the server card, the names of servers, and the responses at the card's paths.
#include "asked.hpp"
#include "catch2.hpp"
#include "ground/json.hpp"
#include "http/http_routes.hpp"
#include "server_card.hpp"

#include <optional>

using namespace skillhost;

namespace {

const ServerCardTexts texts{"com.example/skills", "Skills of \"Example\".", "1.2.3"};

struct ServerWithCard {
  explicit ServerWithCard(HttpRules given) : rules(std::move(given)), mcp(of.server, rules) {
    const HttpParts parts{of.library, access, of.server, mcp, rules};
    routes.emplace(parts, std::vector<std::shared_ptr<RouteHandler>>{
                              std::make_shared<ServerCard>(texts, parts)});
  }
  static HttpRules at(const std::string &path) {
    HttpRules made;
    made.path = path;
    made.publicUrl = "https://skills.example.com/team/mcp";
    made.hosts = {"skills.example.com"};
    return made;
  }

  HttpResponse ask(const std::string &path, const std::string &method = "GET",
                   const Fields &fields = {}) {
    HttpRequest request;
    request.method = method;
    request.path = path;
    request.peer = "192.0.2.1:4711";
    request.fields.push_back({"host", "elsewhere.example.org"});
    request.fields.push_back({"origin", "https://page.example.org"});
    for (const auto &[name, value] : fields) request.fields.push_back({name, value});
    auto exchange = std::make_shared<RecordingExchange>(std::move(request));
    routes->handle(exchange);
    REQUIRE(exchange->responses.size() == 1);
    return exchange->responses[0];
  }

  ServerOfTest of;
  Access access{AccessSettings{}, nullptr};
  HttpRules rules;
  McpEndpoint mcp;
  std::optional<HttpRoutes> routes;
};

} // namespace

TEST_CASE("a server's name is a domain in reverse, a slash and a word") {
  for (const char *const name : {"com.example/skills", "io.github.some-one/Skills_2.x-y", "a.b/c",
                                 "COM.Example/-", "org.3example/4"})
    CHECK(isServerName(name));
  for (const char *const name :
       {"", "skills", "com.example", "com.example/", "/skills", "example/skills", "com./skills",
        ".example/skills", "com..example/skills", "com.-example/skills", "com.example-/skills",
        "com.example/a/b", "com.example/a b", "com.exam_ple/a", "com.example/\xc3\xa9",
        "com.example/a\n", "https://example.com/skills"})
    CHECK_FALSE(isServerName(name));
  CHECK(isServerName("a.b/" + std::string(196, 'c')));
  CHECK_FALSE(isServerName("a.b/" + std::string(197, 'c')));
}

TEST_CASE("the card says who the server is and where it is, and nothing else") {
  const Json card = Json::parse(serverCardText(texts, "HTTPS://Skills.Example.com:443/team/mcp/"));
  CHECK(card == Json::parse(R"({
    "$schema": "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json",
    "name": "com.example/skills", "version": "1.2.3", "description": "Skills of \"Example\".",
    "remotes": [{"type": "streamable-http", "url": "https://skills.example.com/team/mcp"}]})"));
}

TEST_CASE("everybody receives the card, from any page and under any name of the server") {
  ServerWithCard server(ServerWithCard::at("/mcp"));
  const std::string text = serverCardText(texts, server.rules.publicUrl);
  for (const char *const path : {"/mcp/server-card", "/.well-known/mcp/server-card.json"}) {
    const HttpResponse card = server.ask(path, "GET", {{"authorization", "Bearer wrong"}});
    CHECK(card.status == 200);
    CHECK(card.contentType == "application/mcp-server-card+json");
    CHECK(card.body.text() == text);
    CHECK(fieldOf(card, "Access-Control-Allow-Origin") == "*");
    CHECK(fieldOf(card, "Access-Control-Allow-Methods") == "GET, HEAD");
    CHECK(fieldOf(card, "Access-Control-Expose-Headers") == "ETag");
    CHECK(fieldOf(card, "Cache-Control") == "public, max-age=3600");
    CHECK(fieldOf(card, "Vary").empty());
    const HttpResponse same = server.ask(path, "GET", {{"if-none-match", fieldOf(card, "ETag")}});
    CHECK(same.status == 304);
    CHECK(same.body.size() == 0);
    CHECK(server.ask(path, "GET", {{"if-none-match", "\"other\""}}).status == 200);
    CHECK(server.ask(path, "HEAD").status == 200);
  }
}

TEST_CASE("a page may ask in advance, and other methods are refused") {
  ServerWithCard server(ServerWithCard::at("/mcp"));
  const HttpResponse allowed =
      server.ask("/mcp/server-card", "OPTIONS", {{"access-control-request-method", "GET"}});
  CHECK(allowed.status == 204);
  CHECK(fieldOf(allowed, "Allow") == "GET, HEAD, OPTIONS");
  CHECK(fieldOf(allowed, "Access-Control-Allow-Origin") == "*");
  CHECK(fieldOf(allowed, "Access-Control-Allow-Methods") == "GET, HEAD");
  CHECK(fieldOf(allowed, "Access-Control-Allow-Headers") == "Content-Type, If-None-Match");
  for (const char *const method : {"POST", "PUT", "DELETE"}) {
    const HttpResponse refused = server.ask("/mcp/server-card", method);
    CHECK(refused.status == 405);
    CHECK(fieldOf(refused, "Allow") == "GET, HEAD, OPTIONS");
    CHECK(fieldOf(refused, "Cache-Control") == "no-store");
  }
}

TEST_CASE("the card is below the path of MCP, and at no path beside it") {
  ServerWithCard server(ServerWithCard::at("/team/skills"));
  CHECK(server.ask("/team/skills/server-card").status == 200);
  for (const char *const path : {"/mcp/server-card", "/server-card", "/team/skills/server-card/",
                                 "/.well-known/mcp/", "/.well-known/mcp/server-card"})
    CHECK(server.ask(path).status == 404);
  ServerWithCard slash(ServerWithCard::at("/skills/"));
  CHECK(slash.ask("/skills/server-card").status == 200);
}
