// SPDX-License-Identifier: Apache-2.0
// Tests the rules for routes and answers of handlers, and the copy of a request that they receive.
#include "base/handler_request.hpp"
#include "base/handler_rules.hpp"
#include "catch2.hpp"

#include <array>
#include <string>
#include <string_view>
#include <utility>

using namespace skillhost;

namespace {

bool has(const std::string &text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

HandlerRoute routeAt(std::string path) {
  HandlerRoute route;
  route.path = std::move(path);
  route.methods = {"GET"};
  return route;
}

template <class Change> std::string problemWith(const Change &change) {
  HandlerRoute route = routeAt("/path/");
  change(route);
  return problemOf(route);
}

} // namespace

TEST_CASE("no plugin says where clients log in") {
  for (const char *path :
       {"/.well-known/oauth-authorization-server", "/.well-known/oauth-protected-resource/x",
        "/.well-known/openid-configuration"})
    CHECK_FALSE(problemOf(routeAt(path)).empty());
  for (const char *path : {"/", "/.well-known/", "/.well-known/oauth-x/"}) {
    HandlerRoute folder = routeAt(path);
    folder.isFolder = true;
    CHECK_FALSE(problemOf(folder).empty());
  }
  CHECK(problemOf(routeAt("/.well-known/security.txt")).empty());
}

TEST_CASE("a route keeps the rules of its path") {
  for (const char *path : {"/", "/a", "/a/b.txt", "/%20", "/.well-known/x", "/a//b"})
    CHECK(problemOf(routeAt(path)).empty());
  for (const char *path :
       {"", "a", "http://a/", "/a b", "/a?b", "/a#b", "/\n", "/\x7f", "/\xc3\xbc"})
    CHECK_FALSE(problemOf(routeAt(path)).empty());
  CHECK(problemOf(routeAt('/' + std::string(199, 'a'))).empty());
  CHECK_FALSE(problemOf(routeAt('/' + std::string(200, 'a'))).empty());
  CHECK(problemWith([](HandlerRoute &route) { route.isFolder = true; }).empty());
  HandlerRoute folder = routeAt("/a");
  folder.isFolder = true;
  CHECK(has(problemOf(folder), "slash"));
  CHECK(problemOf(routeAt("\x1b[31m")).find('\x1b') == std::string::npos); // safe to log
}

TEST_CASE("a route keeps the rules of its methods, permission and sizes") {
  CHECK(methodsOf("") == std::vector<std::string>{"GET"});
  CHECK(methodsOf("GET, POST ,PUT") == std::vector<std::string>{"GET", "POST", "PUT"});
  for (const char *list : {"get", "GET POST", "GET,,POST", "CONNECT", "TRACE", "HEAD", "G@T"})
    CHECK(has(problemWith([&](HandlerRoute &route) { route.methods = methodsOf(list); }),
              "no method"));
  CHECK_FALSE(problemWith([](HandlerRoute &route) { route.permission = 4; }).empty());
  CHECK(problemWith([](HandlerRoute &route) { route.maxBody = 16U << 20U; }).empty());
  CHECK_FALSE(problemWith([](HandlerRoute &route) { route.maxBody = (16U << 20U) + 1; }).empty());
  const auto constant = [](HandlerRoute &route) { route.isConstant = true; };
  CHECK(problemWith(constant).empty());
  CHECK_FALSE(problemWith([&](HandlerRoute &route) {
                constant(route);
                route.methods = {"POST"};
              }).empty());
  CHECK(has(problemWith([&](HandlerRoute &route) {
              constant(route);
              route.fields = {{"ETag", "\"a\""}};
            }),
            "ETag"));
  CHECK_FALSE(problemWith([&](HandlerRoute &route) {
                constant(route);
                route.content.assign((4U << 20U) + 1, 'x');
              }).empty());
}

TEST_CASE("an answer keeps the rules of its status and fields") {
  for (const int status : {200, 204, 304, 404, 599}) CHECK(problemOfHead(status, {}).empty());
  for (const int status : {-1, 0, 99, 100, 101, 199, 600, 1000})
    CHECK_FALSE(problemOfHead(status, {}).empty());
  CHECK(problemOfHead(200, {{"Content-Type", "text/plain"}, {"X-A", "a\tb \xc3\xbc"}}).empty());
  for (const char *name : {"", "X A", "X:A", "X\r\nA", "\xc3\xbc"})
    CHECK(has(problemOfHead(200, {{name, "a"}}), "no token"));
  for (const char *name : {"Connection", "CONTENT-LENGTH", "Date", "keep-alive",
                           "Transfer-Encoding", "Upgrade", "TE", "Trailer", "Proxy-Connection"})
    CHECK(has(problemOfHead(200, {{name, "a"}}), "the server's own"));
  for (const char *value : {"a\r\nB: c", "a\nb", "\x01", "\x7f"})
    CHECK(has(problemOfHead(200, {{"X-A", value}}), "control character"));
  CHECK_FALSE(problemOfHead(200, {{"X-A", std::string("a\0b", 3)}}).empty());
  CHECK(problemOfHead(200, HttpFields(64, {"X-A", "a"})).empty());
  CHECK_FALSE(problemOfHead(200, HttpFields(65, {"X-A", "a"})).empty());
  CHECK_FALSE(problemOfHead(200, {{"X-A", std::string(17'000, 'a')}}).empty());
}

TEST_CASE("a failed call has the status of its fault") {
  CHECK(statusOfHandlerFault(Fault::InvalidInput) == 400);
  CHECK(statusOfHandlerFault(Fault::Denied) == 403);
  CHECK(statusOfHandlerFault(Fault::NotFound) == 404);
  CHECK(statusOfHandlerFault(Fault::TooLarge) == 413);
  CHECK(statusOfHandlerFault(Fault::Unavailable) == 503);
  CHECK(statusOfHandlerFault(Fault::Cancelled) == 503);
  CHECK(statusOfHandlerFault(Fault::ToolTimeout) == 504);
  for (const Fault fault : {Fault::Internal, Fault::OperationFailed, Fault::Corrupt, Fault::Stale,
                            Fault::NotImplemented, Fault::Unauthenticated})
    CHECK(statusOfHandlerFault(fault) == 500);
}

TEST_CASE("browsers are told once not to guess the type of an answer") {
  HttpFields fields;
  forbidSniffing(fields);
  CHECK(fields == HttpFields{{"X-Content-Type-Options", "nosniff"}});
  fields = {{"x-content-TYPE-options", "none"}};
  forbidSniffing(fields);
  CHECK(fields.size() == 1);
}

TEST_CASE("a handler receives a request without its credentials") {
  HttpRequest request;
  request.method = "HEAD";
  request.path = "/a";
  request.query = "b=c";
  request.peer = "192.0.2.1:4711";
  request.fields = {{"host", "a"},           {"authorization", "Bearer x"},
                    {"cookie", "a=b"},       {"x-user", "ada"},
                    {"x-field", "1"},        {"x-field", "2"},
                    {"content-length", "12"}};
  const std::array<std::string, 1> credentials{"x-user"};
  const HandlerRequest copy = handlerRequestOf(request, credentials);
  CHECK(copy.method == "GET");
  CHECK(copy.path == "/a");
  CHECK(copy.query == "b=c");
  CHECK(copy.peer == "192.0.2.1:4711");
  CHECK(copy.fields ==
        HttpFields{{"host", "a"}, {"x-field", "1"}, {"x-field", "2"}, {"content-length", "12"}});
  CHECK(copy.bodyLength == 12);
  REQUIRE(copy.body);
  request.fields = {{"transfer-encoding", "chunked"}};
  CHECK_FALSE(handlerRequestOf(request, {}).bodyLength);
  request.fields.clear();
  CHECK(handlerRequestOf(request, {}).bodyLength == 0);
}
