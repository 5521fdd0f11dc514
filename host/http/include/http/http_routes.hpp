// SPDX-License-Identifier: Apache-2.0
// Which path of the HTTP server leads where.
#pragma once

#include "access/access.hpp"
#include "base/http.hpp"
#include "ground/glob.hpp"
#include "ground/secret.hpp"
#include "http/console_page.hpp"
#include "http/mcp_endpoint.hpp"
#include "mcp/server.hpp"
#include "skills/library.hpp"
#include "state/shared_state.hpp"

#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace skillhost {

class Reviews;

// What the paths are answered from; all of it must outlive them.
struct HttpParts {
  Library &library;
  const Access &access;
  Server &server;
  McpEndpoint &mcp;
  SharedState *shared = nullptr;    // null: this process is alone
  const Reviews *reviews = nullptr; // null: nothing is reviewed
};

struct PublishRules {
  std::vector<Glob> sources; // whose skills are in the well-known index; none: there is no index
  bool openly = false;       // without asking for a token
  bool leakedKeys = false;   // skills in which a key seems to stand, too
};

using WebhookSecrets = std::map<std::string, Secret, std::less<>>; // by source

class Console;
class Publisher;
class Webhooks;

// Any thread.
class HttpRoutes {
public:
  // `console` are the files of the page at /console; empty: there is none.
  HttpRoutes(HttpParts parts, const HttpRules &rules, PublishRules published, WebhookSecrets hooks,
             std::span<const ConsoleFile> console = {});
  ~HttpRoutes();
  HttpRoutes(const HttpRoutes &) = delete;
  HttpRoutes &operator=(const HttpRoutes &) = delete;

  void handle(const std::shared_ptr<HttpExchange> &exchange) const;
  // From now on the hooks are these.
  void setHooks(WebhookSecrets hooks);

private:
  void metadata(HttpExchange &exchange) const; // RFC 9728
  // 200 as long as the process answers; ready: as soon as there is a catalogue.
  void health(HttpExchange &exchange) const;
  void readiness(const std::shared_ptr<HttpExchange> &exchange) const;
  // Numbers, and what failed, are of what `asker` sees.
  enum class Detail : bool { None, Seen };
  void tellReadiness(HttpExchange &exchange, Detail detail,
                     const PrincipalPointer &asker = nullptr) const;
  void figures(HttpExchange &exchange, const PrincipalPointer &asker) const;

  const HttpParts parts_;
  const std::unique_ptr<Webhooks> webhooks_;
  const std::unique_ptr<const Publisher> publisher_;
  const std::unique_ptr<const Console> console_;
  const std::string path_, publicUrl_, metadataPath_;
  const bool hasMetrics_;
};

} // namespace skillhost
