// SPDX-License-Identifier: Apache-2.0
#include "http/http_routes.hpp"

#include "base/log.hpp"
#include "base/metrics.hpp"
#include "console/console.hpp"
#include "ground/url.hpp"
#include "http/metrics_endpoint.hpp"
#include "mcp/hidden_figures.hpp"
#include "publishing/publisher.hpp"
#include "review/reviews.hpp"
#include "webhooks.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <functional>
#include <string_view>
#include <utility>

namespace skillhost {
namespace {

// Of a URL with a host; empty when it has none.
std::string pathOf(const std::string &url) {
  const auto parts = urlParts(url);
  return parts ? std::string(parts->rest) : std::string();
}

void respond(HttpExchange &exchange, int status, std::string_view text) {
  exchange.respond({status, plainTextType, {{"Cache-Control", "no-store"}}, Fragments(text)});
}

constexpr std::size_t longestShownPath = 200;

// The path when clients are known to guess it, since any other one may hold a token.
std::string shownPath(std::string_view path) {
  constexpr std::array<std::string_view, 13> guessed{
      "",         "api", "events", "http",   "jsonrpc", "mcp", "message",
      "messages", "rpc", "sse",    "stream", "v1",      "v2"};
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::size_t end = std::min(path.find('/', begin), path.size());
    if (std::find(guessed.begin(), guessed.end(), path.substr(begin, end - begin)) == guessed.end())
      return "a path that is not there";
    begin = end + 1;
  }
  return std::string(path);
}

// Names the path that somebody has asked for in vain. These lines are counted by themselves, so
// that they use up none of those about tokens. Clients look for the metadata of an authorization
// server, and browsers for an icon, at each server.
void tellUnknownPath(const HttpRequest &asked, const std::string &path) {
  if (!log::enabled(LogLevel::Info) || asked.path.starts_with("/.well-known/") ||
      asked.path == "/favicon.ico" || asked.path.size() > longestShownPath)
    return;
  log::refused(LogLevel::Info, "http",
               std::string(networkOf(asked.peer)) + " for paths that are not there",
               "404 for " + std::string(asked.peer) + ", which asks for " + shownPath(asked.path) +
                   ": MCP is at " + path);
}

} // namespace

HttpRoutes::HttpRoutes(HttpParts parts, const HttpRules &rules, PublishRules published,
                       WebhookSecrets hooks, std::span<const ConsoleFile> console)
    : parts_(parts), webhooks_(std::make_unique<Webhooks>(std::move(hooks), parts.library,
                                                          parts.access.audit(), parts.shared)),
      publisher_(std::make_unique<const Publisher>(std::move(published), parts)),
      console_(std::make_unique<const Console>(console, parts.access, parts.mcp, rules)),
      path_(rules.path), publicUrl_(rules.publicUrl),
      metadataPath_(pathOf(metadataUrl(rules.publicUrl))), hasMetrics_(rules.metrics) {}

HttpRoutes::~HttpRoutes() = default;

void HttpRoutes::setHooks(WebhookSecrets hooks) { webhooks_->set(std::move(hooks)); }

void HttpRoutes::handle(const std::shared_ptr<HttpExchange> &exchange) const {
  const HttpRequest &asked = exchange->request();
  // Some clients add a slash to the address that they are given.
  if (asked.path == path_ || (asked.path.size() == path_.size() + 1 && asked.path.back() == '/' &&
                              asked.path.starts_with(path_)))
    return parts_.mcp.handle(exchange);
  if (asked.path == metadataFolder || asked.path == std::string(metadataFolder) + path_ ||
      asked.path == metadataPath_)
    return metadata(*exchange);
  if (asked.path.starts_with(Webhooks::folder)) return webhooks_->handle(exchange);
  if (publisher_->publishes(asked.path)) return publisher_->handle(exchange);
  if (console_->serves(asked.path)) return console_->handle(exchange);
  const bool asksReadiness = asked.path == "/readyz";
  const bool asksHealth = asked.path == "/healthz";
  const bool asksMetrics = asked.path == metricsPath && hasMetrics_;
  if (!asksHealth && !asksMetrics && !asksReadiness) {
    tellUnknownPath(asked, path_);
    return respond(*exchange, 404, "not found\n");
  }
  if (asked.method != "GET" && asked.method != "HEAD")
    return exchange->respond(
        {405, plainTextType, {{"Allow", "GET, HEAD"}}, Fragments("only GET\n")});
  if (asksReadiness) return readiness(exchange);
  if (asksHealth) return health(*exchange);
  parts_.mcp.guard(exchange, Need::Manage,
                   [this, exchange](const PrincipalPointer &who) { figures(*exchange, who); });
}

void HttpRoutes::metadata(HttpExchange &exchange) const {
  const Access &access = parts_.access;
  if (access.authenticator() == nullptr)
    return respond(exchange, 404, "authentication is disabled\n");
  const Result<std::string> document = access.metadata(publicUrl_);
  if (!document) return respond(exchange, 500, document.failure().message + "\n");
  // Any web page may read it: it says how to get a token, and holds none.
  exchange.respond({200,
                    "application/json",
                    {{"Access-Control-Allow-Origin", "*"}, {"Cache-Control", "max-age=3600"}},
                    Fragments(*document)});
}

void HttpRoutes::health(HttpExchange &exchange) const { respond(exchange, 200, "ok\n"); }

void HttpRoutes::readiness(const std::shared_ptr<HttpExchange> &exchange) const {
  const Access &access = parts_.access;
  const bool isOpen = access.authenticator() == nullptr;
  const Presented shown = presentedBy(exchange->request(), access.credentials());
  // A probe may know the server by an address that is not in `http.allowed_hosts`. A page that a
  // browser shows under a foreign name learns no more than such a probe.
  if (isOpen)
    return parts_.mcp.guard(
        exchange, Need::Nothing,
        [this, exchange](const PrincipalPointer &) { tellReadiness(*exchange, Detail::Seen); },
        [this, exchange] { tellReadiness(*exchange, Detail::None); });
  if (shown.state == Bearer::State::Missing) return tellReadiness(*exchange, Detail::None);
  // A probe that has to show a certificate asks for no more than any other one.
  std::function<void()> otherwise;
  if (shown.state == Bearer::State::Present && shown.scheme != "bearer")
    otherwise = [this, exchange] { tellReadiness(*exchange, Detail::None); };
  // Which sources there are, how many, and what is wrong with them, is for who may manage.
  parts_.mcp.guard(
      exchange, Need::Manage,
      [this, exchange](const PrincipalPointer &who) {
        tellReadiness(*exchange, Detail::Seen, who);
      },
      otherwise);
}

void HttpRoutes::tellReadiness(HttpExchange &exchange, Detail detail,
                               const PrincipalPointer &asker) const {
  const bool isMade = parts_.library.ready();
  const auto whole = parts_.library.catalogue();
  const std::vector<SourceStatus> &all = whole->sources();
  const bool serves = all.empty() || std::any_of(all.begin(), all.end(), [](const auto &source) {
                        return source.state() != "failed";
                      });
  const AuditState audit = parts_.access.audit().state();
  const SharedState *const shared = parts_.shared;
  const bool isAway = shared != nullptr && !shared->reachable();
  const bool isUndecided = parts_.reviews != nullptr && !parts_.reviews->problem().empty();
  const bool isUnshared = parts_.reviews != nullptr && !parts_.reviews->sharingProblem().empty();
  const bool isDegraded = audit.failing || isAway || isUndecided || isUnshared ||
                          std::any_of(all.begin(), all.end(), [](const SourceStatus &source) {
                            return !source.failure.empty();
                          });
  Json answer{{"status", !isMade      ? "starting"
                         : !serves    ? "failed"
                         : isDegraded ? "degraded"
                                      : "ready"}};
  if (detail == Detail::Seen) {
    const auto key = parts_.access.visibility().keyOf(asker.get());
    const auto seen = Visibility::view(whole, key);
    Json failures = Json::array();
    for (const SourceStatus &source : seen->sources())
      if (!source.failure.empty())
        failures.push_back(
            {{"source", source.name}, {"state", source.state()}, {"message", source.failure}});
    answer["skills"] = seen->entries().size();
    answer["sources"] = seen->sources().size();
    answer["failed_sources"] = failures.size();
    if (!failures.empty()) answer["failures"] = std::move(failures);
    if (shared != nullptr) answer["state"] = {{"reachable", !isAway}};
    if (isUndecided) answer["approvals"]["valid"] = false;
    if (isUnshared) answer["approvals"]["shared"] = false;
    if (audit.failing || audit.lost != 0)
      answer["audit"] = {{"failing", audit.failing}, {"lost_lines", audit.lost}};
  }
  const bool isReady = isMade && serves;
  exchange.respond({isReady ? 200 : 503,
                    "application/json",
                    {{"Cache-Control", "no-store"}},
                    Fragments(answer.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n")});
}

void HttpRoutes::figures(HttpExchange &exchange, const PrincipalPointer &asker) const {
  // Those of sources and of plugins count what is hidden, and name it.
  const auto &visibility = parts_.access.visibility();
  const bool all = Visibility::seesAll(visibility.keyOf(asker.get()));
  tellMetrics(exchange,
              [all](const metrics::SeriesName &name) { return all || !countsHiddenSkills(name); });
}

} // namespace skillhost
