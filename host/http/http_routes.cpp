// SPDX-License-Identifier: Apache-2.0
#include "http/http_routes.hpp"

#include "base/log.hpp"
#include "ground/url.hpp"
#include "own_routes.hpp"
#include "route_table.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <functional>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace skillhost {
namespace {

// Returns the path of a URL; empty if the text is no URL with a host.
std::string pathOf(const std::string &url) {
  const auto parts = urlParts(url);
  return parts ? std::string(parts->rest) : std::string();
}

void respond(HttpExchange &exchange, int status, std::string_view text) {
  exchange.respond({status, plainTextType, {{"Cache-Control", "no-store"}}, Fragments(text)});
}

constexpr std::size_t longestShownPath = 200;

// Returns the path if clients are known to guess it. Any other path may contain a token and is not
// logged.
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

// Logs the unknown path that a client asked for. These lines have a limit of their own, so that
// they do not use up the limit of lines about tokens. Requests for the metadata of an authorization
// server and for an icon are not logged, because clients and browsers send them to every server.
void tellUnknownPath(const HttpRequest &asked, const std::string &path) {
  if (!log::enabled(LogLevel::Info) || asked.path.starts_with("/.well-known/") ||
      asked.path == "/favicon.ico" || asked.path.size() > longestShownPath)
    return;
  log::refused(LogLevel::Info, "http",
               std::string(networkOf(asked.peer)) + " for paths that are not there",
               "404 for " + std::string(asked.peer) + ", which asks for " + shownPath(asked.path) +
                   ": MCP is at " + path);
}

void addTo(RouteTable &table, const HttpRoutes::Handlers &handlers) {
  for (const std::shared_ptr<RouteHandler> &handler : handlers)
    for (HttpRoute &route : handler->routes())
      table.add(std::move(route), handler->name(),
                [handler](const auto &exchange, const PrincipalPointer &caller) {
                  handler->handle(exchange, caller);
                });
}

} // namespace

HttpRoutes::HttpRoutes(const HttpParts &parts, const Handlers &handlers,
                       std::vector<ReadinessReport> reports, std::function<bool()> isComplete)
    : library_(parts.library), access_(parts.access), mcp_(parts.mcp), path_(parts.rules.path),
      publicUrl_(parts.rules.publicUrl), metadataPath_(pathOf(metadataUrl(publicUrl_))),
      reports_(std::move(reports)), isComplete_(std::move(isComplete)) {
  const auto table = std::make_shared<RouteTable>();
  addOwnRoutes(
      *table, path_,
      {[this](const auto &exchange, const PrincipalPointer &) { mcp_.handle(exchange); },
       [this](const auto &exchange, const PrincipalPointer &) { metadata(exchange); },
       // The process answers, and nothing else is checked.
       [](const auto &exchange, const PrincipalPointer &) { respond(*exchange, 200, "ok\n"); },
       [this](const auto &exchange, const PrincipalPointer &) { readiness(exchange); }});
  addTo(*table, handlers);
  table_.with([&](auto &current) { current = table; });
}

HttpRoutes::~HttpRoutes() = default;

Status HttpRoutes::add(const Handlers &handlers) try {
  table_.with([&](auto &current) {
    const auto more = std::make_shared<RouteTable>(*current);
    addTo(*more, handlers);
    current = more;
  });
  return Done{};
} catch (const std::runtime_error &why) {
  return {Fault::Conflict, why.what()};
}

// Some clients add a slash to the address that they are given.
bool HttpRoutes::isMcp(std::string_view path) const {
  return path.starts_with(path_) &&
         (path.size() == path_.size() || (path.size() == path_.size() + 1 && path.back() == '/'));
}

void HttpRoutes::handle(const std::shared_ptr<HttpExchange> &exchange) const {
  const HttpRequest &asked = exchange->request();
  // Nearly every request is for MCP, so the table is not searched for it.
  if (isMcp(asked.path)) return mcp_.handle(exchange);
  const std::shared_ptr<const RouteTable> table = table_.copy();
  const RouteTable::Entry *const found = table->find(asked.path);
  if (found == nullptr) return refuseUnknown(*exchange);
  if (!found->allowsMethod(asked.method)) return found->refuseMethod(*exchange);
  if (!found->route.need) return found->answer(exchange, nullptr);
  mcp_.admit(exchange, *found->route.need,
             [table, found, exchange](const PrincipalPointer &caller) {
               found->answer(exchange, caller);
             });
}

void HttpRoutes::refuseUnknown(HttpExchange &exchange) const {
  // Clients ask every server for well-known documents, and take 503 for an error of the server.
  const bool isWellKnown = exchange.request().path.starts_with("/.well-known/");
  if (!isWellKnown && isComplete_ && !isComplete_())
    return exchange.respond({503,
                             plainTextType,
                             {{"Cache-Control", "no-store"}, {"Retry-After", "1"}},
                             Fragments("the server is starting\n")});
  tellUnknownPath(exchange.request(), path_);
  respond(exchange, 404, "not found\n");
}

void HttpRoutes::metadata(const std::shared_ptr<HttpExchange> &exchange) const {
  const std::string_view asked = exchange->request().path;
  if (asked != metadataFolder && asked != std::string(metadataFolder) + path_ &&
      asked != metadataPath_)
    return refuseUnknown(*exchange);
  if (access_.authenticator() == nullptr)
    return respond(*exchange, 404, "authentication is disabled\n");
  const Result<std::string> document = access_.metadata(publicUrl_);
  if (!document) return respond(*exchange, 500, document.failure().message + "\n");
  // Any web page may read the metadata: it says how to get a token, and contains none.
  exchange->respond({200,
                     "application/json",
                     {{"Access-Control-Allow-Origin", "*"}, {"Cache-Control", "max-age=3600"}},
                     Fragments(*document)});
}

void HttpRoutes::readiness(const std::shared_ptr<HttpExchange> &exchange) const {
  const bool isOpen = access_.authenticator() == nullptr;
  const PresentedCredential shown = presentedCredential(exchange->request(), access_.credentials());
  // A probe may know the server by an address that is not in `http.allowed_hosts`. A page that a
  // browser shows under a foreign name learns no more than such a probe.
  if (isOpen)
    return mcp_.admit(
        exchange, Permission::Nothing,
        [this, exchange](const PrincipalPointer &) { answerReadiness(*exchange, Detail::Seen); },
        [this, exchange] { answerReadiness(*exchange, Detail::None); });
  if (shown.state == Bearer::State::Missing) return answerReadiness(*exchange, Detail::None);
  // A client that presents a certificate or a field with every request, and no token, gets the
  // short answer if it is not admitted.
  std::function<void()> onRefused;
  if (shown.state == Bearer::State::Present && shown.scheme != "bearer")
    onRefused = [this, exchange] { answerReadiness(*exchange, Detail::None); };
  // The list of sources, their number and their failures need the permission to manage.
  mcp_.admit(
      exchange, Permission::Manage,
      [this, exchange](const PrincipalPointer &who) {
        answerReadiness(*exchange, Detail::Seen, who);
      },
      onRefused);
}

void HttpRoutes::answerReadiness(HttpExchange &exchange, Detail detail,
                                 const PrincipalPointer &asker) const {
  const bool isMade = library_.ready();
  const auto whole = library_.catalogue();
  const std::vector<SourceStatus> &all = whole->sources();
  const bool serves = all.empty() || std::any_of(all.begin(), all.end(), [](const auto &source) {
                        return source.state() != "failed";
                      });
  const AuditState audit = access_.audit().state();
  bool isDegraded = audit.failing ||
                    std::any_of(all.begin(), all.end(),
                                [](const SourceStatus &source) { return !source.failure.empty(); });
  Json details = Json::object();
  for (const ReadinessReport &report : reports_) {
    const Readiness told = report();
    isDegraded = isDegraded || told.isDegraded;
    details.update(told.details);
  }
  Json answer{{"status", !isMade      ? "starting"
                         : !serves    ? "failed"
                         : isDegraded ? "degraded"
                                      : "ready"}};
  if (detail == Detail::Seen) {
    const auto key = access_.visibility().keyOf(asker.get());
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
    answer.update(details);
    if (audit.failing || audit.lost != 0)
      answer["audit"] = {{"failing", audit.failing}, {"lost_lines", audit.lost}};
  }
  const bool isReady = isMade && serves;
  exchange.respond({isReady ? 200 : 503,
                    "application/json",
                    {{"Cache-Control", "no-store"}},
                    Fragments(answer.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n")});
}

} // namespace skillhost
