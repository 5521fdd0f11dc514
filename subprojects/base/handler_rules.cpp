// SPDX-License-Identifier: Apache-2.0
#include "base/handler_rules.hpp"

#include "base/fault.hpp"
#include "ground/text.hpp"

#include <algorithm>
#include <array>

namespace skillhost {
namespace {

constexpr std::size_t maxPathBytes = 200, maxMethodBytes = 20, maxMethods = 16;
constexpr std::size_t maxFieldBytes = 16U << 10U;
constexpr std::size_t maxContent = 4U << 20U; // bytes of a constant
constexpr std::uint64_t maxBodyOfRoute = 16U << 20U;
constexpr std::uint32_t lastPermission = 3;

// RFC 8414, RFC 9728 and OpenID Connect Discovery.
constexpr std::array<std::string_view, 2> loginPaths{"/.well-known/oauth-",
                                                     "/.well-known/openid-configuration"};

// The host and the transport write these fields, or they belong to one connection.
constexpr std::array<std::string_view, 9> fieldsOfHost{
    "connection", "content-length",    "date",   "keep-alive", "proxy-connection", "te",
    "trailer",    "transfer-encoding", "upgrade"};

bool isTokenCharacter(char c) noexcept {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
}

bool isControlCharacter(char c) noexcept {
  return (static_cast<unsigned char>(c) < 0x20 && c != '\t') || c == 0x7f;
}

// Shows a text in a message; it may contain anything.
std::string quotedShort(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text.substr(0, maxPathBytes)) quoted += c > ' ' && c < 0x7f ? c : '?';
  return quoted + '"';
}

std::string problemOfPath(const HandlerRoute &route) {
  const std::string &path = route.path;
  if (!path.starts_with('/')) return "its path does not begin with a slash";
  if (path.size() > maxPathBytes)
    return "its path has more than " + std::to_string(maxPathBytes) + " characters";
  if (std::any_of(path.begin(), path.end(),
                  [](char c) { return c <= ' ' || c >= 0x7f || c == '?' || c == '#'; }))
    return "its path has a character other than visible ASCII, or a ? or #";
  if (route.isFolder && !path.ends_with('/'))
    return "its path, of a folder, does not end with a slash";
  for (const std::string_view login : loginPaths)
    if (path.starts_with(login) || (route.isFolder && login.starts_with(path)))
      return "clients read below " + std::string(login) + " where to log in, so no plugin has it";
  return {};
}

std::string problemOfMethods(const HandlerRoute &route) {
  if (route.methods.size() > maxMethods)
    return "it has more than " + std::to_string(maxMethods) + " methods";
  for (const std::string &one : route.methods) {
    const bool isUpper = std::all_of(one.begin(), one.end(),
                                     [](char c) { return (c >= 'A' && c <= 'Z') || c == '-'; });
    if (one.empty() || one.size() > maxMethodBytes || !isUpper || one == "CONNECT" ||
        one == "TRACE" || one == "HEAD")
      return quotedShort(one) + " is no method that a route may name";
  }
  if (route.isConstant && route.methods != std::vector<std::string>{"GET"})
    return "a constant is read with GET alone";
  return {};
}

std::string problemOfFields(const HttpFields &fields) {
  std::size_t bytes = 0;
  for (const auto &[name, value] : fields) {
    if (name.empty() || !std::all_of(name.begin(), name.end(), isTokenCharacter))
      return "the name of the field " + quotedShort(name) + " is no token";
    const std::string lower = asciiLowered(name);
    if (std::find(fieldsOfHost.begin(), fieldsOfHost.end(), lower) != fieldsOfHost.end())
      return "the field " + name + " is the server's own";
    if (std::any_of(value.begin(), value.end(), isControlCharacter))
      return "the value of the field " + name + " has a control character";
    bytes += name.size() + value.size();
  }
  if (fields.size() > handler::maxFields || bytes > maxFieldBytes)
    return "it has more than " + std::to_string(handler::maxFields) + " fields, or more than " +
           std::to_string(maxFieldBytes) + " bytes of them";
  return {};
}

} // namespace

std::vector<std::string> methodsOf(std::string_view list) {
  if (list.empty()) return {"GET"};
  std::vector<std::string> methods;
  while (!list.empty()) {
    const std::string_view one = list.substr(0, list.find(','));
    list.remove_prefix(std::min(list.size(), one.size() + 1));
    methods.emplace_back(trimmedSpacesAndTabs(one));
  }
  return methods;
}

std::string problemOf(const HandlerRoute &route) {
  const auto withPath = [&](const std::string &problem) {
    return problem.empty() ? problem : "route " + quotedShort(route.path) + ": " + problem;
  };
  if (std::string problem = problemOfPath(route); !problem.empty()) return withPath(problem);
  if (route.permission > lastPermission) return withPath("it needs a permission that is unknown");
  if (std::string problem = problemOfMethods(route); !problem.empty()) return withPath(problem);
  if (route.maxBody > maxBodyOfRoute)
    return withPath("its max_body is more than " + std::to_string(maxBodyOfRoute) + " bytes");
  if (route.content.size() > maxContent)
    return withPath("its content has more than " + std::to_string(maxContent) + " bytes");
  if (std::any_of(route.fields.begin(), route.fields.end(),
                  [](const auto &one) { return asciiLowered(one.first) == "etag"; }))
    return withPath("the server makes the ETag of a constant");
  return withPath(problemOfFields(route.fields));
}

std::string problemOfHead(int status, const HttpFields &fields) {
  if (status < 200 || status > 599)
    return "the status " + std::to_string(status) + " is not from 200 to 599";
  return problemOfFields(fields);
}

void forbidSniffing(HttpFields &fields) {
  constexpr std::string_view name = "x-content-type-options";
  if (std::none_of(fields.begin(), fields.end(),
                   [&](const auto &one) { return asciiLowered(one.first) == name; }))
    fields.emplace_back("X-Content-Type-Options", "nosniff");
}

int statusOfHandlerFault(Fault fault) noexcept {
  if (fault == Fault::Cancelled) return 503; // the server is stopping, or the client has gone
  const int status = describe(fault).http;
  constexpr std::array known{400, 403, 404, 413, 503, 504};
  return std::find(known.begin(), known.end(), status) == known.end() ? 500 : status;
}

} // namespace skillhost
