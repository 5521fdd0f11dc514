// SPDX-License-Identifier: Apache-2.0
// Tests how a request becomes a call of a plugin, and what its client receives if no answer comes.
#include "plugin_routes.hpp"

#include "base/log.hpp"
#include "catch2.hpp"
#include "unit/http/recording_exchange.hpp"

#include <algorithm>
#include <chrono>
#include <new>
#include <string>
#include <string_view>
#include <vector>

using namespace skillhost;
using namespace skillhost::app;

namespace {

// Keeps its last call.
class CalledPlugin final : public HttpPlugin {
public:
  const std::string &name() const noexcept override { return name_; }
  void routes(CallOptions, ResultCallback<HandlerRoutes>) override {}
  void handle(CallOptions by, HandlerRequest what, ResultCallback<HandlerAnswer> to) override {
    options = std::move(by);
    request = std::move(what);
    answer = std::move(to);
  }
  bool isFailing() const override { return false; }
  void setTrouble(std::string) override {}
  void stop() override {}

  CallOptions options;
  HandlerRequest request;
  ResultCallback<HandlerAnswer> answer;

private:
  const std::string name_ = "board";
};

struct ServedRoute {
  explicit ServedRoute(HandlerRoute route) {
    route.path = "/a";
    handler = routesOfPlugin(plugin, {std::move(route)}, access, {}).front();
  }
  std::shared_ptr<RecordingExchange> ask(std::string_view method, std::string_view body = {}) {
    HttpRequest request;
    request.method = method;
    request.path = "/a";
    request.peer = "127.0.0.1:1";
    request.body = body;
    const auto exchange = std::make_shared<RecordingExchange>(std::move(request));
    handler->handle(exchange, nullptr);
    return exchange;
  }

  const Access access{{}, nullptr};
  const std::shared_ptr<CalledPlugin> plugin = std::make_shared<CalledPlugin>();
  HttpRoutes::Handlers::value_type handler;
};

HandlerRoute routeWithBody() {
  HandlerRoute route;
  route.methods = {"GET", "POST"};
  route.maxBody = 1000;
  return route;
}

} // namespace

TEST_CASE("bytes of a body that the plugin has not read count as kept") {
  ServedRoute served(routeWithBody());
  CHECK(served.ask("POST", "twelve bytes")->kept == 12);
}

TEST_CASE("without memory for its answer the client receives 503") {
  ServedRoute served(routeWithBody());
  const auto exchange = served.ask("GET");
  exchange->atRespond = [] { throw std::bad_alloc(); };
  // The instance of a plugin catches what the receiver of an answer throws.
  try {
    served.plugin->answer(HandlerAnswer{200, {}, "an answer"});
    FAIL("nothing is thrown");
  } catch (const std::exception &why) {
    REQUIRE(served.plugin->options.onAnswerLost);
    served.plugin->options.onAnswerLost(why);
  }
  REQUIRE(exchange->responses.size() == 1);
  CHECK(exchange->responses.front().status == 503);
}

TEST_CASE("failures without a line of their own are counted in a sentence") {
  ServedRoute served(routeWithBody());
  std::vector<std::string> lines;
  log::listen([&](LogLevel, std::string_view, std::string_view text) { lines.emplace_back(text); });
  for (int i = 0; i < 12; ++i) {
    const auto exchange = served.ask("GET");
    served.plugin->answer(Failure{Fault::Internal, "board: handle: it fails"});
  }
  log::finish(std::chrono::seconds(5));
  log::listen({});
  // Other tests of this program may have used some of the lines of this minute.
  CHECK(std::any_of(lines.begin(), lines.end(), [](const std::string &line) {
    return line.ends_with(" further requests from clients of board were refused");
  }));
}

TEST_CASE("an exchange ends with the call that does not answer it") {
  ServedRoute served(routeWithBody());
  const std::weak_ptr<RecordingExchange> exchange = served.ask("GET");
  CHECK_FALSE(exchange.expired());
  served.plugin->answer = nullptr;
  CHECK(exchange.expired());
}

TEST_CASE("a constant is answered without a call") {
  HandlerRoute route;
  route.methods = {"GET"};
  route.isConstant = true;
  route.content = "always the same";
  ServedRoute served(std::move(route));
  const auto exchange = served.ask("GET");
  REQUIRE(exchange->responses.size() == 1);
  CHECK(exchange->responses.front().status == 200);
  CHECK(exchange->responses.front().body.text() == "always the same");
  CHECK_FALSE(served.plugin->answer);
}
