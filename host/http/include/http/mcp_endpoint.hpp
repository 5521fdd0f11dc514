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
  std::string publicUrl{};       // of the endpoint, as clients know it; empty: it has none
  std::size_t sessions = 10'000; // of the legacy family, in memory at once
  std::chrono::seconds sessionIdle{3'600};    // after which one is dropped from memory
  std::chrono::seconds sessionMaxAge{86'400}; // after which its id is refused
  Blake3Key sessionKey = Blake3Key::random(); // whoever has it opens ids of sessions
  std::size_t kept = 256;                     // events of a stream for a client that comes back
};

inline constexpr std::string_view metadataFolder = "/.well-known/oauth-protected-resource";
// Where the metadata of the resource of that URL is to be found (RFC 9728, section 3.1). Empty for
// what is no URL.
std::string metadataUrl(std::string_view resource);

class McpEndpoint {
public:
  McpEndpoint(Server &server, HttpRules rules);
  ~McpEndpoint();
  McpEndpoint(const McpEndpoint &) = delete;
  McpEndpoint &operator=(const McpEndpoint &) = delete;

  // Answers every request whose path is `rules.path`, at once or later. Where it comes from, its
  // method and its credential are looked at by its head alone; then its body is let in. Any thread.
  void handle(const std::shared_ptr<HttpExchange> &exchange);
  // For other paths than that of MCP: calls `admitted`, on this thread or another one, with who it
  // is, null when nobody was asked, when the request comes from where requests may come from, and
  // from somebody who has what it needs; else answers the request.
  using Admitted = std::function<void(const PrincipalPointer &)>;
  // `otherwise`: called in place of that answer, for who shows no token but a certificate or a
  // header field, which come with every request of theirs.
  void guard(const std::shared_ptr<HttpExchange> &exchange, Need need, const Admitted &admitted,
             const std::function<void()> &otherwise = {});
  // Ends subscriptions and streams in order; new requests are answered with 503, those under way go
  // on. The destructor gives them up. Any thread.
  void close();

  class Implementation;

private:
  std::shared_ptr<Implementation> implementation_;
};

} // namespace skillhost
