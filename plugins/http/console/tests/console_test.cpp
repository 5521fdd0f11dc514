// SPDX-License-Identifier: Apache-2.0
// Tests the responses at the paths of the console.
#include "asked.hpp"
#include "catch2.hpp"
#include "console.hpp"
#include "http/http_routes.hpp"

#include <array>

using namespace skillhost;

namespace {

constexpr std::array<ConsoleFile, 3> smallPage{{
    {"assets/index-C0ffee42.js", "text/javascript; charset=utf-8", "\"script\"", "packed script"},
    {"icon.svg", "image/svg+xml", "\"icon\"", {"packed\0icon", 11}},
    {"index.html", "text/html; charset=utf-8", "\"page\"",
     "<meta name=\"mcp-endpoint\" content=\"/mcp\" /><p>/mcp</p>"},
}};

struct ServerWithConsole {
  explicit ServerWithConsole(std::span<const ConsoleFile> files = smallPage,
                             const std::string &description = {}, const HttpRules &given = rules(),
                             std::vector<std::string> origins = {})
      : of(description.empty() ? nullptr
                               : std::make_unique<ServerOfTest>(Tokens{}, ServerParts{},
                                                                AccessSettings{}, description)),
        plain(of ? nullptr : std::make_unique<ServerOfTest>()), mcp(server().server, given) {
    const HttpParts parts{server().library, of ? *of->access : open, server().server, mcp, given};
    routes.emplace(parts, std::vector<std::shared_ptr<RouteHandler>>{
                              std::make_shared<Console>(files, parts, std::move(origins))});
  }
  ServerOfTest &server() const { return of ? *of : *plain; }
  static HttpRules rules() {
    HttpRules made;
    made.path = "/a\"&b";
    made.publicUrl = "https://skills.example.org/behind/a\"&b?c#d";
    made.hosts = {"skills.example.org"};
    return made;
  }

  HttpResponse ask(const std::string &path, const Fields &fields = {},
                   const std::string &method = "GET",
                   const std::string &host = "skills.example.org") {
    HttpRequest request;
    request.method = method;
    request.path = path;
    request.peer = "192.0.2.1:4711";
    request.fields.push_back({"host", host});
    for (const auto &[name, value] : fields) request.fields.push_back({name, value});
    auto exchange = std::make_shared<RecordingExchange>(std::move(request));
    routes->handle(exchange);
    REQUIRE(exchange->responses.size() == 1);
    return exchange->responses[0];
  }

  std::unique_ptr<ServerOfTest> of, plain;
  Access open{AccessSettings{}, nullptr};
  McpEndpoint mcp;
  std::optional<HttpRoutes> routes;
};

} // namespace

TEST_CASE("the console is found below its path, and nothing else is") {
  ServerWithConsole server;
  const HttpResponse page = server.ask("/console/", {{"accept-encoding", "gzip, deflate, br"}});
  CHECK(page.status == 200);
  CHECK(page.contentType == "text/html; charset=utf-8");
  CHECK(page.body.text() ==
        "<meta name=\"mcp-endpoint\" content=\"/behind/a&quot;&amp;b\" /><p>/mcp</p>");
  CHECK(fieldOf(page, "Content-Encoding").empty());
  CHECK(fieldOf(page, "Cache-Control") == "no-store");
  CHECK(server.ask("/console/index.html").status == 200);
  CHECK(server.ask("/console/", {}, "HEAD").status == 200);
  const HttpResponse moved = server.ask("/console");
  CHECK(moved.status == 308);
  CHECK(fieldOf(moved, "Location") == "console/");
  for (const char *const other :
       {"/console/assets/", "/console/assets", "/console/../index.html", "/console//", "/consoles",
        "/console/Index.html", "/console/%69ndex.html", "/console/index.html/"})
    CHECK(server.ask(other).status == 404);
  const HttpResponse sent = server.ask("/console/", {}, "POST");
  CHECK(sent.status == 405);
  CHECK(fieldOf(sent, "Allow") == "GET, HEAD");
}

TEST_CASE("without its files there is no console") {
  ServerWithConsole server{std::span<const ConsoleFile>()};
  for (const char *const path : {"/console", "/console/", "/console/index.html"})
    CHECK(server.ask(path).status == 404);
}

TEST_CASE("what has a digest in its name is kept for good, the rest is asked about") {
  ServerWithConsole server;
  const HttpResponse script = server.ask("/console/assets/index-C0ffee42.js");
  CHECK(fieldOf(script, "Cache-Control") == "public, max-age=31536000, immutable");
  CHECK(fieldOf(script, "X-Content-Type-Options") == "nosniff");
  CHECK(fieldOf(script, "ETag") == "\"script\"");
  CHECK(fieldOf(script, "Vary") == "Accept-Encoding");
  CHECK(fieldOf(script, "Cross-Origin-Resource-Policy") == "same-origin");
  CHECK(script.body.text() == "packed script");
  const HttpResponse icon = server.ask("/console/icon.svg");
  CHECK(fieldOf(icon, "Cache-Control") == "no-cache");
  CHECK(fieldOf(icon, "Content-Encoding") == "gzip");
  CHECK(icon.body.text() == std::string("packed\0icon", 11));
  for (const char *const known : {"\"script\"", "\"other\", W/\"script\"", "*"}) {
    const HttpResponse same =
        server.ask("/console/assets/index-C0ffee42.js", {{"if-none-match", known}});
    CHECK(same.status == 304);
    CHECK(same.body.size() == 0);
    CHECK(fieldOf(same, "ETag") == "\"script\"");
  }
  CHECK(server.ask("/console/icon.svg", {{"if-none-match", "\"script\""}}).status == 200);
}

TEST_CASE("what the page needs is compressed, or it is not sent") {
  ServerWithConsole server;
  for (const char *const yes : {"gzip", "GZip", "br;q=1, gzip;q=0.001", "*", "x-gzip", "gzip;q=1.0",
                                "identity, *;q=0.5", "gzip ; q = 0.5"})
    CHECK(server.ask("/console/icon.svg", {{"accept-encoding", yes}}).status == 200);
  for (const char *const no : {"identity", "", "br", "gzip;q=0", "gzip;q=0.000", "*;q=0",
                               "gzip;q=0, *", "gzipped", "br, *;q=0.0"}) {
    const HttpResponse refused = server.ask("/console/icon.svg", {{"accept-encoding", no}});
    CHECK(refused.status == 406);
    CHECK(fieldOf(refused, "Vary") == "Accept-Encoding");
    CHECK(fieldOf(refused, "Content-Encoding").empty());
  }
  CHECK(server.ask("/console/icon.svg").status == 200);
  CHECK(server.ask("/console/", {{"accept-encoding", "identity"}}).status == 200);
}

TEST_CASE("the page may fetch from its own server alone") {
  ServerWithConsole server;
  const HttpResponse page = server.ask("/console/");
  CHECK(fieldOf(page, "Content-Security-Policy") ==
        "default-src 'none'; script-src 'self'; worker-src 'self'; style-src 'self'; img-src "
        "'self'; font-src 'self'; "
        "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
        "require-trusted-types-for 'script'; trusted-types dompurify skillhost-worker");
  CHECK(fieldOf(page, "Referrer-Policy") == "no-referrer");
  CHECK(fieldOf(page, "Cross-Origin-Opener-Policy") == "same-origin");
  CHECK(fieldOf(page, "Permissions-Policy").find("camera=()") != std::string::npos);
  CHECK(fieldOf(page, "X-Content-Type-Options") == "nosniff");
  CHECK(fieldOf(page, "Access-Control-Allow-Origin").empty());
}

TEST_CASE("and from who signs its visitors in, but no other word gets into its policy") {
  const std::string description = Json{
      {"authorization_servers",
       {"https://login.example.org:8443/realms/team?a=b", "https://a.example; script-src *",
        "https://user:word@b.example", "javascript://c.example", "https://*", "HTTP://[::1]:9/x",
        "d.example", "https://e.example'",
        "https://"}}}.dump();
  ServerWithConsole server(smallPage, description);
  const std::string policy = fieldOf(server.ask("/console/"), "Content-Security-Policy");
  CHECK(
      policy.find("; connect-src 'self' https://login.example.org:8443 HTTP://[::1]:9; base-uri") !=
      std::string::npos);
  CHECK(policy.find('*') == std::string::npos);
}

TEST_CASE("the page asks the endpoint where it is, as browsers know it") {
  HttpRules rules = ServerWithConsole::rules();
  const auto endpoint = [&] {
    return ServerWithConsole(smallPage, {}, rules).ask("/console/").body.text();
  };
  rules.publicUrl = "https://skills.example.org/skills/mcp";
  CHECK(endpoint().find("content=\"/skills/mcp\"") != std::string::npos);
  rules.publicUrl = "https://skills.example.org";
  CHECK(endpoint().find("content=\"/\"") != std::string::npos);
  rules.publicUrl.clear();
  CHECK(endpoint().find("content=\"/a&quot;&amp;b\"") != std::string::npos);
}

TEST_CASE("the page may ask further origins that the configuration names") {
  ServerWithConsole server(smallPage, {}, ServerWithConsole::rules(),
                           {"https://oauth2.example.com", "https://bad.example; script-src *"});
  const std::string policy = fieldOf(server.ask("/console/"), "Content-Security-Policy");
  CHECK(policy.find("; connect-src 'self' https://oauth2.example.com; base-uri") !=
        std::string::npos);
}

TEST_CASE("the console asks for no token, and is for hosts and pages of this server alone") {
  ServerWithConsole server(smallPage, "{}");
  CHECK(server.ask("/console/").status == 200);
  CHECK(server.ask("/console/", {{"authorization", "Bearer wrong"}}).status == 200);
  for (const char *const path : {"/console", "/console/", "/console/assets/index-C0ffee42.js"}) {
    CHECK(server.ask(path, {}, "GET", "rebound.example").status == 403);
    CHECK(server.ask(path, {{"origin", "https://evil.example"}}).status == 403);
  }
  CHECK(server.ask("/console/", {{"origin", "https://skills.example.org"}}).status == 200);
}
