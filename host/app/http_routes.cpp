// SPDX-License-Identifier: Apache-2.0
#include "http_routes.hpp"

#include "base/metrics.hpp"
#include "prometheus_text.hpp"

#include <string_view>

namespace skillhost::app {
namespace {

constexpr std::string_view wellKnown = "/.well-known/oauth-protected-resource";
constexpr std::string_view plainText = "text/plain; charset=utf-8";

// Of a URL with a host; empty when it has none.
std::string pathOf(const std::string &url) {
  const std::size_t scheme = url.find("://");
  const std::size_t path = scheme == std::string::npos ? scheme : url.find('/', scheme + 3);
  return path == std::string::npos ? std::string() : url.substr(path);
}

void respond(HttpExchange &exchange, int status, std::string_view text) {
  exchange.respond({status, plainText, {{"Cache-Control", "no-store"}}, Fragments(text)});
}

} // namespace

HttpRoutes::HttpRoutes(const Configuration &configuration, Host &host, McpEndpoint &mcp,
                       const HttpRules &rules)
    : host_(host), mcp_(mcp), webhooks_(configuration, host.library(), host.access().audit()),
      publisher_(configuration.http, host, mcp), path_(rules.path), publicUrl_(rules.publicUrl),
      metadataPath_(pathOf(metadataUrl(rules.publicUrl))) {}

void HttpRoutes::handle(const std::shared_ptr<HttpExchange> &exchange) const {
  const HttpRequest &asked = exchange->request();
  if (asked.path == path_) return mcp_.handle(exchange);
  if (asked.path == wellKnown || asked.path == std::string(wellKnown) + path_ ||
      asked.path == metadataPath_)
    return metadata(*exchange);
  if (asked.path.starts_with(Webhooks::folder)) return webhooks_.handle(exchange);
  if (publisher_.publishes(asked.path)) return publisher_.handle(exchange);
  const auto route = asked.path == "/healthz"   ? &HttpRoutes::health
                     : asked.path == "/readyz"  ? &HttpRoutes::readiness
                     : asked.path == "/metrics" ? &HttpRoutes::figures
                                                : nullptr;
  if (route == nullptr) return respond(*exchange, 404, "there is nothing here\n");
  if (asked.method != "GET" && asked.method != "HEAD")
    return exchange->respond({405, plainText, {{"Allow", "GET, HEAD"}}, Fragments("only GET\n")});
  if (route != &HttpRoutes::figures) return (this->*route)(*exchange);
  mcp_.guard(exchange, Gate::Managing,
             [this, exchange](const PrincipalPointer &) { figures(*exchange); });
}

void HttpRoutes::metadata(HttpExchange &exchange) const {
  const Access &access = host_.access();
  if (access.authenticator() == nullptr)
    return respond(exchange, 404, "nobody is asked for an access token here\n");
  const Result<std::string> document = access.metadata(publicUrl_);
  if (!document) return respond(exchange, 500, document.failure().message + "\n");
  // Any web page may read it: it says how to get a token, and holds none.
  exchange.respond({200,
                    "application/json",
                    {{"Access-Control-Allow-Origin", "*"}, {"Cache-Control", "max-age=3600"}},
                    Fragments(*document)});
}

void HttpRoutes::health(HttpExchange &exchange) const { respond(exchange, 200, "ok\n"); }

void HttpRoutes::readiness(HttpExchange &exchange) const {
  if (host_.library().ready())
    respond(exchange, 200, "ready\n");
  else
    respond(exchange, 503, "not ready: the first catalogue is being made\n");
}

void HttpRoutes::figures(HttpExchange &exchange) const {
  exchange.respond({200,
                    "text/plain; version=0.0.4; charset=utf-8",
                    {{"Cache-Control", "no-store"}},
                    Fragments(prometheusText(metrics::all()))});
}

} // namespace skillhost::app
