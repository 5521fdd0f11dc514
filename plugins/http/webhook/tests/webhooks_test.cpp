// SPDX-License-Identifier: Apache-2.0
// Tests hooks of sources at a single server and at one that shares a state with others.
#include "asked.hpp"
#include "awaited.hpp"
#include "http/http_routes.hpp"
#include "skills_in_memory.hpp"
#include "state/shared_state.hpp"
#include "state_in_memory.hpp"
#include "webhooks.hpp"

using namespace skillhost;
using namespace std::chrono_literals;

namespace {

const std::string hookSecret = "sixteen bytes, or more";

class ToldSource final : public SkillsInMemory {
public:
  ToldSource()
      : SkillsInMemory({{{"a", "SKILL.md"}, "---\nname: a\ndescription: Does a.\n---\nText.\n"}}) {}
  void list(CallOptions options, ResultCallback<Snapshot> answer) override {
    SkillsInMemory::list(std::move(options), std::move(answer));
    listed.push(1);
  }
  Awaited<int> listed;
};

struct RoutesOfReplica {
  explicit RoutesOfReplica(const std::shared_ptr<StateEngine> &engine)
      : state(shared(engine)), of(source, ServerOfTest::settings(), server()),
        mcp(of.server, rules) {
    WebhookSecrets secrets;
    secrets.emplace("memory", Secret(hookSecret));
    const HttpParts parts{of.library, access, of.server, mcp, rules};
    hooks = std::make_shared<Webhooks>(std::move(secrets), parts);
    routes.emplace(parts, std::vector<std::shared_ptr<RouteHandler>>{hooks});
    source->listed.next();
  }
  ~RoutesOfReplica() {
    if (state) state->stop();
  }
  RoutesOfReplica(const RoutesOfReplica &) = delete;
  RoutesOfReplica &operator=(const RoutesOfReplica &) = delete;

  HttpResponse ask(const std::string &method, const std::string &path,
                   const std::string &signature = {}) const {
    HttpRequest request;
    request.method = method;
    request.path = path;
    request.peer = "192.0.2.1:4711";
    if (!signature.empty()) request.fields.push_back({"x-hub-signature-256", signature});
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
  ServerParts server() const {
    ServerParts made;
    made.access = &access;
    made.shared = state;
    return made;
  }

  std::shared_ptr<ToldSource> source = std::make_shared<ToldSource>();
  std::shared_ptr<SharedState> state;
  Access access{AccessSettings{}, nullptr};
  HttpRules rules;
  ServerOfTest of;
  McpEndpoint mcp;
  std::shared_ptr<Webhooks> hooks;
  std::optional<HttpRoutes> routes;
};

// The HMAC-SHA-256 of an empty body with hookSecret.
const std::string signatureOfNothing =
    "sha256=0dac6644a41c7247f755b743c87efb03561c77f1e42a449b80bd7ad15e7de9c7";

} // namespace

TEST_CASE("a hook at one replica has the source looked at by all, and a wrong one by none") {
  const auto engine = std::make_shared<StateEngine>();
  const RoutesOfReplica a(engine), b(engine);
  const std::size_t operations = engine->operations;
  CHECK(a.ask("POST", "/hooks/memory", "sha256=" + std::string(64, '0')).status == 401);
  CHECK(engine->operations == operations);
  CHECK(a.ask("POST", "/hooks/memory", signatureOfNothing).status == 202);
  a.source->listed.next();
  b.source->listed.next();
}

TEST_CASE("a hook of a server that is alone has its source looked at") {
  const RoutesOfReplica alone(nullptr);
  CHECK(alone.ask("POST", "/hooks/memory", signatureOfNothing).status == 202);
  alone.source->listed.next();
}

TEST_CASE("a hook is a POST, from any host") {
  const RoutesOfReplica alone(nullptr);
  const HttpResponse refused = alone.ask("GET", "/hooks/memory");
  CHECK(refused.status == 405);
  CHECK(refused.fields == HttpFields{{"Allow", "POST"}});
  CHECK(refused.body.text() == "only POST\n");
  CHECK(alone.ask("POST", "/hooks/memory").status == 401);
  CHECK(alone.ask("POST", "/hooks/other", signatureOfNothing).status == 401);
  CHECK(alone.ask("POST", "/hooks/", signatureOfNothing).status == 401);
  CHECK(alone.ask("POST", "/hooks", signatureOfNothing).status == 404);
}

TEST_CASE("other secrets hold from then on") {
  const RoutesOfReplica alone(nullptr);
  alone.hooks->set({});
  CHECK(alone.ask("POST", "/hooks/memory", signatureOfNothing).status == 401);
  WebhookSecrets secrets;
  secrets.emplace("memory", Secret(hookSecret));
  alone.hooks->set(std::move(secrets));
  CHECK(alone.ask("POST", "/hooks/memory", signatureOfNothing).status == 202);
  alone.source->listed.next();
}
