// SPDX-License-Identifier: Apache-2.0
// Tests which handler answers a path, and which checks precede it.
#include "asked.hpp"
#include "catch2.hpp"
#include "http/http_routes.hpp"
#include "http/route_claims.hpp"
#include "route_table.hpp"

#include <stdexcept>

using namespace skillhost;

namespace {

constexpr auto folder = HttpRoute::Extent::Folder;

class HandlerOfTest final : public RouteHandler {
public:
  HandlerOfTest(std::string name, std::vector<HttpRoute> routes)
      : name_(std::move(name)), routes_(std::move(routes)) {}
  std::string name() const override { return name_; }
  std::vector<HttpRoute> routes() const override { return routes_; }
  void handle(const std::shared_ptr<HttpExchange> &exchange,
              const PrincipalPointer &caller) override {
    exchange->respond({200, plainTextType, {}, Fragments(caller ? caller->subject : name_)});
  }

private:
  const std::string name_;
  const std::vector<HttpRoute> routes_;
};

struct ServerWithHandlers {
  explicit ServerWithHandlers(std::vector<HttpRoute> routes, HttpRules given = rules())
      : own(std::move(given)), of(Tokens{{{"reader", {"skills:read"}}, {"stranger", {}}}}),
        mcp(of.server, own) {
    this->routes.emplace(parts(), std::vector<std::shared_ptr<RouteHandler>>{
                                      std::make_shared<HandlerOfTest>("one", std::move(routes))});
  }
  static HttpRules rules() {
    HttpRules made;
    made.hosts = {"skills.example.org"};
    return made;
  }
  HttpParts parts() { return {of.library, *of.access, of.server, mcp, own}; }
  HttpResponse ask(const std::string &method, const std::string &path,
                   const std::string &token = {},
                   const std::string &host = "skills.example.org") const {
    HttpRequest request;
    request.method = method;
    request.path = path;
    request.peer = "192.0.2.1:4711";
    request.fields.push_back({"host", host});
    const std::string credential = "Bearer " + token;
    if (!token.empty()) request.fields.push_back({"authorization", credential});
    const auto exchange = std::make_shared<RecordingExchange>(std::move(request));
    routes->handle(exchange);
    REQUIRE(exchange->responses.size() == 1);
    return exchange->responses[0];
  }

  const HttpRules own;
  ServerOfTest of;
  McpEndpoint mcp;
  std::optional<HttpRoutes> routes;
};

// Returns the reason why the server refuses to start with these handlers; "" when it starts.
std::string refusalOf(const std::vector<std::vector<HttpRoute>> &claims, HttpRules rules = {}) {
  ServerOfTest of;
  const Access open{AccessSettings{}, nullptr};
  McpEndpoint mcp(of.server, rules);
  std::vector<std::shared_ptr<RouteHandler>> handlers;
  for (const std::vector<HttpRoute> &routes : claims)
    handlers.push_back(
        std::make_shared<HandlerOfTest>("handler " + std::to_string(handlers.size() + 1), routes));
  try {
    const HttpRoutes made({of.library, open, of.server, mcp, rules}, std::move(handlers));
  } catch (const std::runtime_error &why) {
    return why.what();
  }
  return {};
}

HttpRoute routeWith(std::optional<Permission> need) { return {"/a", {}, {"GET", "HEAD"}, need}; }

} // namespace

TEST_CASE("a path leads to the route that has it, a folder to all below it") {
  RouteTable table;
  table.add({"/a"}, "one", {});
  table.add({"/a/", folder}, "two", {});
  table.add({"/b/c/", folder}, "three", {});
  const auto owner = [&](std::string_view path) {
    const RouteTable::Entry *const found = table.find(path);
    return found == nullptr ? std::string() : found->owner;
  };
  CHECK(owner("/a") == "one");
  CHECK(owner("/a/") == "two");
  CHECK(owner("/a/b/c") == "two");
  CHECK(owner("/b/c/") == "three");
  CHECK(owner("/b/c/d") == "three");
  for (const char *const none : {"", "/", "/ab", "/A", "/b", "/b/", "/b/c", "a", "//a"})
    CHECK(owner(none).empty());
}

TEST_CASE("no path is that of two routes, and the refusal names both") {
  const HttpRoute path{"/a/b"}, inside{"/a/", folder};
  const auto both = [](const HttpRoute &first, const HttpRoute &second) {
    RouteTable table;
    table.add(first, "one", {});
    try {
      table.add(second, "two", {});
    } catch (const std::runtime_error &why) {
      return std::string(why.what());
    }
    return std::string();
  };
  CHECK(both(path, inside) ==
        "two claimed /a/, and one claimed /a/b: a path cannot belong to both");
  CHECK(both(inside, path) ==
        "two claimed /a/b, and one claimed /a/: a path cannot belong to both");
  CHECK_FALSE(both(path, path).empty());
  CHECK_FALSE(both(inside, inside).empty());
  CHECK_FALSE(both(inside, {"/a/", HttpRoute::Extent::Path}).empty());
  CHECK_FALSE(both(inside, {"/a/c/", folder}).empty());
  CHECK_FALSE(both(inside, {"/", folder}).empty());
  RouteTable table;
  table.add(inside, "one", {});
  CHECK_THROWS_WITH(table.add(path, "one", {}),
                    "one claimed /a/b and, as another route of its own, /a/: a path cannot belong "
                    "to both");
  CHECK(both(path, {"/a/bc"}).empty());
  CHECK(both(path, {"/a/b/", folder}).empty());
  CHECK(both(inside, {"/a"}).empty());
}

TEST_CASE("a route begins with a slash, and a folder ends with one") {
  for (const HttpRoute &wrong : {HttpRoute{""}, HttpRoute{"a"}, HttpRoute{"/a", folder}}) {
    RouteTable table;
    CHECK_THROWS_AS(table.add(wrong, "one", {}), std::runtime_error);
  }
}

TEST_CASE("no handler takes what is the server's, or another handler's") {
  CHECK(refusalOf({{{"/a"}, {"/b/", folder}}, {{"/a/", folder}, {"/c"}}}).empty());
  CHECK(refusalOf({{{"/mcp"}}}) ==
        "handler 1 claimed /mcp, and MCP (http.path) claimed /mcp: a path cannot belong to both");
  for (const char *const taken :
       {"/mcp/", "/healthz", "/readyz", "/.well-known/oauth-protected-resource",
        "/.well-known/oauth-protected-resource/mcp"})
    CHECK(refusalOf({{{taken}}}).starts_with("handler 1 claimed " + std::string(taken) + ", and "));
  for (const char *const taken : {"/", "/mcp/", "/.well-known/"})
    CHECK(refusalOf({{{taken, folder}}}).starts_with("handler 1 claimed "));
  CHECK(refusalOf({{{"/a"}}, {{"/b"}, {"/a"}}}) ==
        "handler 2 claimed /a, and handler 1 claimed /a: a path cannot belong to both");
  CHECK(refusalOf({{{"/a/b"}}, {{"/a/", folder}}}).starts_with("handler 2 claimed /a/, and "));
  HttpRules elsewhere;
  elsewhere.path = "/a/b";
  CHECK(refusalOf({{{"/mcp"}}}, elsewhere).empty());
  CHECK(refusalOf({{{"/a/", folder}}}, elsewhere) ==
        "handler 1 claimed /a/, and MCP (http.path) claimed /a/b: a path cannot belong to both");
  elsewhere.path = "/healthz";
  CHECK(refusalOf({}, elsewhere).find("MCP (http.path) claimed /healthz") != std::string::npos);
}

TEST_CASE("another method is answered with those that there are, before anybody is asked") {
  HttpRoute route = routeWith(Permission::Read);
  route.onOtherMethod = {{"Cache-Control", "no-store"}};
  const ServerWithHandlers server({route, {"/posted", {}, {"POST"}}, {"/any"}});
  const HttpResponse refused = server.ask("POST", "/a", {}, "foreign.example");
  CHECK(refused.status == 405);
  CHECK(refused.body.text() == "only GET, HEAD\n");
  CHECK(refused.fields == HttpFields{{"Allow", "GET, HEAD"}, {"Cache-Control", "no-store"}});
  const HttpResponse posted = server.ask("GET", "/posted");
  CHECK(posted.status == 405);
  CHECK(posted.body.text() == "only POST\n");
  CHECK(posted.fields == HttpFields{{"Allow", "POST"}});
  for (const char *const method : {"GET", "POST", "BREW"})
    CHECK(server.ask(method, "/any").status == 200);
  for (const char *const probe : {"/healthz", "/readyz"})
    CHECK(server.ask("POST", probe).fields == HttpFields{{"Allow", "GET, HEAD"}});
}

TEST_CASE("a handler is asked by those who may have what it tells") {
  const ServerWithHandlers reading({routeWith(Permission::Read)});
  CHECK(reading.ask("GET", "/a").status == 401);
  CHECK(reading.ask("GET", "/a", "wrong").status == 401);
  CHECK(reading.ask("GET", "/a", "stranger").status == 403);
  CHECK(reading.ask("GET", "/a", "reader", "foreign.example").status == 403);
  CHECK(reading.ask("GET", "/a", "reader").body.text() == "reader");
  CHECK(reading.ask("HEAD", "/a", "reader").status == 200);
  const ServerWithHandlers managing({routeWith(Permission::Manage)});
  CHECK(managing.ask("GET", "/a", "reader").status == 403);
}

TEST_CASE(
    "what needs no permission is for hosts of this server, unless its handler checks by itself") {
  const ServerWithHandlers open({routeWith(Permission::Nothing)});
  CHECK(open.ask("GET", "/a").body.text() == "one");
  CHECK(open.ask("GET", "/a", "wrong").body.text() == "one");
  CHECK(open.ask("GET", "/a", {}, "foreign.example").status == 403);
  const ServerWithHandlers unchecked({routeWith(std::nullopt)});
  CHECK(unchecked.ask("GET", "/a", {}, "foreign.example").body.text() == "one");
}

TEST_CASE("a path of no route is not found, whoever asks") {
  const ServerWithHandlers server({routeWith(Permission::Read)});
  for (const char *const path : {"/", "/b", "/a/", "/metrics", "/.well-known/other",
                                 "/.well-known/oauth-protected-resource/other"}) {
    const HttpResponse answer = server.ask("GET", path);
    CHECK(answer.status == 404);
    CHECK(answer.body.text() == "not found\n");
  }
  CHECK(server.ask("GET", "/.well-known/oauth-protected-resource/mcp").status == 200);
  CHECK(server.ask("GET", "/healthz").body.text() == "ok\n");
}

TEST_CASE("readiness has what the parts of the server report") {
  ServerOfTest of;
  const Access open{AccessSettings{}, nullptr};
  const HttpRules rules;
  McpEndpoint mcp(of.server, rules);
  bool isDegraded = false;
  const HttpRoutes routes({of.library, open, of.server, mcp, rules}, {},
                          {[&] {
                             Readiness told{isDegraded};
                             told.details["one"] = 1;
                             return told;
                           },
                           [] { return Readiness{}; }});
  const auto ask = [&] {
    HttpRequest request;
    request.method = "GET";
    request.path = "/readyz";
    request.peer = "192.0.2.1:4711";
    const auto exchange = std::make_shared<RecordingExchange>(std::move(request));
    routes.handle(exchange);
    CHECK(exchange->responses.at(0).status == 200);
    return exchange->responses.at(0).body.text();
  };
  CHECK(ask() == R"({"status":"ready","skills":0,"sources":0,"failed_sources":0,"one":1})"
                 "\n");
  isDegraded = true;
  CHECK(ask().starts_with(R"({"status":"degraded",)"));
}

TEST_CASE("handlers that are added later are served like the others, or not at all") {
  ServerWithHandlers server({{"/one/", folder, {"GET"}, Permission::Nothing}});
  HttpRoutes &routes = *server.routes;
  const auto handler = [](std::string name, std::vector<HttpRoute> all) {
    return std::make_shared<HandlerOfTest>(std::move(name), std::move(all));
  };
  CHECK(server.ask("GET", "/two").status == 404);
  REQUIRE(routes.add(
      {handler("two", {{"/two", HttpRoute::Extent::Path, {"GET"}, Permission::Nothing}})}));
  CHECK(server.ask("GET", "/two").body.text() == "two");
  CHECK(server.ask("GET", "/one/x").body.text() == "one");
  const Status refused =
      routes.add({handler("three", {{"/three"}}), handler("four", {{"/one/y"}})});
  REQUIRE_FALSE(refused);
  CHECK(refused.failure().message ==
        "four claimed /one/y, and one claimed /one/: a path cannot belong to both");
  CHECK(server.ask("GET", "/three").status == 404);
  CHECK_FALSE(routes.add({handler("five", {{"/mcp"}})}));
}

TEST_CASE("an unknown path may belong to a handler that is still to be added") {
  ServerWithHandlers server({{"/one"}});
  bool isComplete = false;
  server.routes.emplace(server.parts(), HttpRoutes::Handlers{}, std::vector<ReadinessReport>{},
                        [&] { return isComplete; });
  CHECK(server.ask("GET", "/two").status == 503);
  CHECK(server.ask("GET", "/.well-known/two").status == 404);
  isComplete = true;
  CHECK(server.ask("GET", "/two").status == 404);
}

TEST_CASE("routes are claimed as a server would, without one") {
  RouteClaims claims("/mcp");
  CHECK(claims.add({{"/a"}, {"/b/", folder}}, "one"));
  CHECK(claims.add({{"/c"}, {"/b/d"}}, "two").failure().message ==
        "two claimed /b/d, and one claimed /b/: a path cannot belong to both");
  CHECK(claims.add({{"/c"}}, "three")); // the second owner has claimed nothing
  CHECK(
      claims.add({{"/healthz"}}, "four").failure().message ==
      "four claimed /healthz, and the health of the server claimed /healthz: a path cannot belong "
      "to both");
}
