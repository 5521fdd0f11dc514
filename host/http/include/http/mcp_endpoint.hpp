// SPDX-License-Identifier: Apache-2.0
// MCP over HTTP (Streamable HTTP, revisions 2025-03-26 to 2026-07-28): one path for both families.
#pragma once

#include "access/permissions.hpp"
#include "base/http.hpp"
#include "ground/blake3.hpp"
#include "mcp/server.hpp"
#include "net/allowed_origin.hpp"

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace skillhost {

struct HttpRules : AllowedOrigins {
  std::string path = "/mcp";
  std::string publicUrl{};          // URL of the endpoint, as clients know it; empty: it has none
  std::size_t maxSessions = 10'000; // of the legacy family, in memory at once
  // A session is dropped from memory after this time without use.
  std::chrono::seconds sessionIdle{3'600};
  std::chrono::seconds sessionMaxAge{86'400}; // the id of a session is refused after this time
  // Ids of sessions are encrypted with it. All replicas of a service have the same key.
  Blake3Key sessionKey = Blake3Key::random();
  std::size_t maxKeptEvents = 256; // events of a stream that are kept for a client that reconnects
};

inline constexpr std::string_view metadataFolder = "/.well-known/oauth-protected-resource";
// Returns the URL of the metadata document of that resource (RFC 9728, section 3.1); empty if
// `resource` is no URL.
std::string metadataUrl(std::string_view resource);

class McpEndpoint {
public:
  McpEndpoint(Server &server, HttpRules rules);
  ~McpEndpoint();
  McpEndpoint(const McpEndpoint &) = delete;
  McpEndpoint &operator=(const McpEndpoint &) = delete;

  // Answers a request whose path is `rules.path`, at once or later. Checks the Host, the Origin,
  // the method and the credential before it reads the body. Any thread.
  void handle(const std::shared_ptr<HttpExchange> &exchange);
  // Checks requests for other paths. If the Host and Origin are allowed and the caller has the
  // permission, `onAdmitted` is called, on this thread or another one, with the principal (null if
  // callers are not identified). Otherwise the request is answered with an error.
  // If `onRefused` is set and the Host or Origin is refused, a credential that is no token is
  // rejected, or the caller lacks the permission, then `onRefused` is called and must answer.
  using OnAdmitted = std::function<void(const PrincipalPointer &)>;
  using OnRefused = std::function<void()>;
  void admit(const std::shared_ptr<HttpExchange> &exchange, Permission need,
             const OnAdmitted &onAdmitted, const OnRefused &onRefused = {});
  // Ends subscriptions and streams in order. New requests are answered with 503; running ones
  // continue until the destructor cancels them. Any thread.
  void close();

  class Implementation;

private:
  std::shared_ptr<Implementation> implementation_;
};

} // namespace skillhost
