// SPDX-License-Identifier: Apache-2.0
// Tests the paths beside MCP of a server that shares its state with others.
#include "asked.hpp"
#include "awaited.hpp"
#include "http/http_routes.hpp"
#include "state/shared_state.hpp"
#include "state_in_memory.hpp"

using namespace skillhost;
using namespace std::chrono_literals;

namespace {

struct RoutesOfReplica {
  explicit RoutesOfReplica(const std::shared_ptr<StateEngine> &engine)
      : state(shared(engine)), of(parts()), mcp(of.server, rules) {
    const HttpParts http{of.library, access, of.server, mcp, rules};
    std::vector<ReadinessReport> reports;
    if (state) reports.emplace_back([this] { return state->readiness(); });
    routes.emplace(http, std::vector<std::shared_ptr<RouteHandler>>{}, std::move(reports));
  }
  ~RoutesOfReplica() {
    if (state) state->stop();
  }
  RoutesOfReplica(const RoutesOfReplica &) = delete;
  RoutesOfReplica &operator=(const RoutesOfReplica &) = delete;

  HttpResponse ask(const std::string &method, const std::string &path) const {
    HttpRequest request;
    request.method = method;
    request.path = path;
    request.peer = "192.0.2.1:4711";
    auto exchange = std::make_shared<RecordingExchange>(std::move(request));
    routes->handle(exchange);
    REQUIRE(exchange->responses.size() == 1);
    return exchange->responses[0];
  }
  static std::shared_ptr<SharedState> shared(const std::shared_ptr<StateEngine> &engine) {
    if (!engine) return nullptr;
    SharedStateSettings settings;
    settings.secret = Secret(std::string(32, 's'));
    return std::make_shared<SharedState>(std::make_shared<StateInMemory>(engine),
                                         std::move(settings));
  }
  ServerParts parts() const {
    ServerParts made;
    made.access = &access;
    made.shared = state;
    return made;
  }
  Json readiness() const { return Json::parse(ask("GET", "/readyz").body.text()); }

  std::shared_ptr<SharedState> state;
  Access access{AccessSettings{}, nullptr};
  HttpRules rules;
  ServerOfTest of;
  McpEndpoint mcp;
  std::optional<HttpRoutes> routes;
};

} // namespace

TEST_CASE("readiness says degraded while the engine is away, and serves") {
  const auto engine = std::make_shared<StateEngine>();
  const RoutesOfReplica a(engine);
  CHECK(a.readiness().at("state") == Json{{"reachable", true}});
  CHECK(a.readiness().at("status") == "ready");
  Awaited<bool> reachable;
  a.state->onReachable([&](bool is) { reachable.push(is); });
  engine->setAway(true);
  a.state->get("k", {}, [](const auto &) {});
  CHECK_FALSE(reachable.next());
  CHECK(a.ask("GET", "/readyz").status == 200);
  CHECK(a.readiness().at("status") == "degraded");
  CHECK(a.readiness().at("state") == Json{{"reachable", false}});
  engine->setAway(false);
  CHECK(reachable.next());
  CHECK(a.readiness().at("status") == "ready");
}

TEST_CASE("who is alone says nothing of an engine") {
  const RoutesOfReplica alone(nullptr);
  CHECK(!alone.readiness().contains("state"));
}
